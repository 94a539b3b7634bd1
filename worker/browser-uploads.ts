import type { Logger } from 'pino';
import { allowBrowserUploads } from '../adapters/storage/cors.ts';
import type { Bucket } from '../adapters/storage/bucket.ts';
import { persist } from './persist.ts';

/**
 * Lets browsers upload to the bucket, as soon as it can be reached. If this process may not, logs the command with which
 * an operator does it.
 *
 * @param origin of the pages that upload
 */
export async function keepUploadsAllowed(
  bucket: Bucket,
  origin: string,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  let said = '';
  const failed = (error: unknown): void => {
    const reason = String(error);
    if (reason !== said) log.warn({ reason }, 'storage cannot be reached yet');
    said = reason;
  };
  const outcome = await persist(signal, () => allowBrowserUploads(bucket, origin), failed);
  if (outcome === 'allowed') log.info('added a CORS rule for uploads to the bucket');
  if (typeof outcome === 'object')
    log.warn(outcome, 'browsers cannot upload: the bucket needs a CORS rule, which only an operator may add');
}
