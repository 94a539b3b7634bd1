import { setTimeout as sleep } from 'node:timers/promises';
import type { GuardedClient, GuardedResult } from '../../net/guarded-client.ts';
import { imageTypeOf } from './image-file.ts';
import type { ImageType } from './image-file.ts';

/** 10 MB (decisions 6). */
const SIZE_LIMIT = 10_000_000;
const TIMEOUT_MS = 30_000;
/** A blog redirects from http to https, to www, to its image host. */
const REDIRECTS = 5;
/** Before the second and the third try. */
const PAUSES_MS = [1_000, 4_000];
const LONGEST_PAUSE_MS = 60_000;

export type FetchedImage =
  | { readonly bytes: Buffer; readonly type: ImageType; readonly problem?: undefined }
  /** Why it cannot be had. */
  | { readonly problem: string };

/** Fetches an image from where the blog has it. What may pass is tried three times: an image that is missed is missed for good. */
export async function fetchImage(
  http: GuardedClient,
  href: string,
  signal: AbortSignal,
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
    });
    signal.throwIfAborted();
    const pause = PAUSES_MS[attempt];
    if (pause === undefined || !mayPass(result)) return read(result);
    await sleep(Math.max(pause, askedFor(result)), undefined, { signal });
  }
}

function mayPass(result: GuardedResult): boolean {
  if (result.outcome === 'failure') return ['timeout', 'dns', 'connection'].includes(result.error);
  return result.status === 429 || result.status >= 500;
}

/** Milliseconds of a `Retry-After`, within reason. */
function askedFor(result: GuardedResult): number {
  const seconds = result.outcome === 'response' ? Number(result.headers['retry-after']) : NaN;
  return seconds > 0 ? Math.min(seconds * 1_000, LONGEST_PAUSE_MS) : 0;
}

function read(result: GuardedResult): FetchedImage {
  if (result.outcome === 'failure') {
    const { error, detail } = result;
    if (error !== 'private_address') return { problem: `could not be fetched: ${error} (${detail})` };
    return { problem: 'leads to a private address; --allow-private-images has such images fetched' };
  }
  const { status, body, bodyTruncated } = result;
  if (status !== 200 || body === undefined) return { problem: `could not be fetched: status ${status}` };
  if (bodyTruncated) return { problem: 'is larger than 10 MB' };
  const type = imageTypeOf(body);
  return type === null ? { problem: 'is not a WebP, PNG, JPEG, GIF or AVIF image' } : { bytes: body, type };
}
