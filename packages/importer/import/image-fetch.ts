import { setTimeout as sleep } from 'node:timers/promises';
import type { GuardedClient, GuardedResult } from '../../../adapters/http/guarded-client.ts';
import { imageTypeOf } from './image-file.ts';
import type { ImageType } from './image-file.ts';

/** 10 MB (docs/spec/rulings.md, 6). */
const SIZE_LIMIT = 10_000_000;
const TIMEOUT_MS = 30_000;
/** Enough for redirects from http to https, to www, and to an image host. */
const REDIRECTS = 5;
/** Before the second and third try. */
const PAUSES_MS = [1_000, 4_000];
const LONGEST_PAUSE_MS = 60_000;

export type FetchedImage =
  | { readonly bytes: Buffer; readonly type: ImageType; readonly problem?: undefined }
  /** Why it could not be fetched. */
  | { readonly problem: string };

/**
 * Fetches an image. Transient failures are retried twice, since a missed image is never fetched later.
 *
 * @param trusted whether the URL comes from the Site's own API, and so may be private
 */
export async function fetchImage(
  http: GuardedClient,
  href: string,
  signal: AbortSignal,
  trusted = false,
): Promise<FetchedImage> {
  for (let attempt = 0; ; attempt += 1) {
    const result = await http.request({
      url: href,
      method: 'GET',
      headers: { accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif' },
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: SIZE_LIMIT,
      redirects: REDIRECTS,
      isolationKey: 'import',
      readBody: true,
      trusted,
    });
    signal.throwIfAborted();
    const pause = PAUSES_MS[attempt];
    if (pause === undefined || !isTransient(result)) return read(result);
    await sleep(Math.max(pause, retryAfter(result)), undefined, { signal });
  }
}

function isTransient(result: GuardedResult): boolean {
  if (result.outcome === 'failure') return ['timeout', 'dns', 'connection'].includes(result.error);
  return result.status === 429 || result.status >= 500;
}

/** The `Retry-After` in milliseconds, limited to a minute; 0 without one. */
function retryAfter(result: GuardedResult): number {
  const seconds = result.outcome === 'response' ? Number(result.headers['retry-after']) : NaN;
  return seconds > 0 ? Math.min(seconds * 1_000, LONGEST_PAUSE_MS) : 0;
}

function read(result: GuardedResult): FetchedImage {
  if (result.outcome === 'failure') {
    const { error, detail } = result;
    if (error !== 'private_address') return { problem: `could not be fetched: ${error} (${detail})` };
    return { problem: 'is at a private address; use --allow-private-images to fetch it' };
  }
  const { status, body, bodyTruncated } = result;
  if (status !== 200 || body === undefined) return { problem: `could not be fetched: status ${status}` };
  if (bodyTruncated) return { problem: 'is larger than 10 MB' };
  const type = imageTypeOf(body);
  return type === null ? { problem: 'is not a WebP, PNG, JPEG, GIF or AVIF image' } : { bytes: body, type };
}
