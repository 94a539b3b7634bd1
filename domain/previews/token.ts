import { createHash, randomBytes } from 'node:crypto';

const form = /^[A-Za-z0-9_-]{43}$/;

/** 256 bits, so that the hash needs no key. */
export const generatePreviewToken = (): string => randomBytes(32).toString('base64url');

export const isPreviewToken = (text: string): boolean => form.test(text);

export const hashPreviewToken = (token: string): Buffer => createHash('sha256').update(token).digest();
