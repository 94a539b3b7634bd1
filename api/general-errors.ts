import type { ErrorCode } from '../domain/errors.ts';

/** Codes that every operation may answer without declaring them: the checks that all requests go through. */
export const generalErrors: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'INVALID_API_KEY',
  'API_KEY_REVOKED',
  'API_KEY_EXPIRED',
  'INSUFFICIENT_SCOPE',
  'AGENT_ACCESS_DISABLED',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'MAINTENANCE',
];
