import { createHash } from 'node:crypto';

/** Stands for a key of any length in an index. */
export const fingerprintOf = (key: string): string => createHash('sha256').update(key).digest('hex');
