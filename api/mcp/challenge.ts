import type { Ports } from '../ports.ts';

/** The `WWW-Authenticate` of an answer without a usable key: how a client gets one. */
export const challenge = (_ports: Ports): string => 'Bearer';
