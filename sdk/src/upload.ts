import { transportOf } from './client.ts';
import type { Presswork } from './client.ts';
import { PressworkError } from './error.ts';
import type { MediaAsset, UploadRequest, UploadReservation } from './generated/schemas.ts';
import type { Result } from './result.ts';
import { isTemporary } from './retry.ts';
import { connectionFailed } from './send.ts';
import { sleep, within } from './time.ts';

export interface UploadOptions {
  /** The default is the name of a `File`. */
  readonly fileName?: string | undefined;
  /** The default is the type of a `Blob`. */
  readonly contentType?: UploadRequest['content_type'] | undefined;
  readonly bucket?: UploadRequest['bucket'] | undefined;
  readonly altText?: string | null | undefined;
  /** Called with the bytes that storage has, from 0 to all. Only browsers tell in between. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** For each try to send the bytes, in milliseconds; 120,000 by default. */
  readonly timeoutMs?: number | undefined;
}

export interface UploadProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

const TRIES = 3;
const PAUSE_MS = 1_000;

/**
 * Adds an image to the media library: reserves the upload, sends the bytes to storage, registers them.
 *
 * @throws PressworkError of the reservation or the registration, or with the code UPLOAD_FAILED
 */
export async function uploadMedia(
  presswork: Presswork,
  bytes: Blob | ArrayBuffer | Uint8Array,
  options: UploadOptions = {},
): Promise<Result<MediaAsset>> {
  const { altText, onProgress, signal = transportOf(presswork).signal } = options;
  const blob = 'byteLength' in bytes ? new Blob([bytes as ArrayBuffer]) : bytes;
  const { fileName = (bytes as Partial<File>).name ?? 'image', contentType = blob.type, bucket } = options;
  const wanted = {
    file_name: fileName,
    content_type: contentType as UploadRequest['content_type'],
    size_bytes: blob.size,
    ...(bucket !== undefined && { bucket }),
  };
  const report = (sentBytes: number): void => onProgress?.({ sentBytes, totalBytes: blob.size });
  for (let attempt = 1; ; attempt += 1) {
    // Reserved again for each try: a URL is answered once, and may have been used.
    const reservation = await presswork.media.reserveUpload(wanted, { signal });
    try {
      report(0);
      await store(presswork, reservation, blob, { ...options, signal }, report);
    } catch (error) {
      if (!(error instanceof PressworkError) || !mayBeStored(error) || attempt === TRIES) throw error;
      await sleep(PAUSE_MS * attempt, signal);
      continue;
    }
    report(blob.size);
    const media = { upload_id: reservation.upload_id, ...(altText !== undefined && { alt_text: altText }) };
    return presswork.media.register(media, { signal });
  }
}

/** S3 answers 409 while another operation is going on, and asks for another try. */
const mayBeStored = (error: PressworkError): boolean => isTemporary(error) || error.status === 409;

/** @throws PressworkError */
async function store(
  presswork: Presswork,
  { upload_url: url, headers }: UploadReservation,
  body: Blob,
  { signal, timeoutMs = 120_000 }: UploadOptions,
  report: (sentBytes: number) => void,
): Promise<void> {
  // A replayed reservation has no URL.
  if (url === null) throw connectionFailed('the URL of the upload was lost');
  const late = new PressworkError('TIMEOUT', `Storage did not answer within ${timeoutMs} ms.`);
  const request = { url, headers, body };
  const put = 'XMLHttpRequest' in globalThis ? putByXhr : putByFetch;
  const status = await within(
    timeoutMs,
    signal,
    (ending) => put(request, ending, transportOf(presswork).fetch, report),
    late,
  ).catch((error: unknown) => {
    throw signal?.aborted || error instanceof PressworkError ? error : connectionFailed(error);
  });
  if (status >= 200 && status < 300) return;
  throw new PressworkError('UPLOAD_FAILED', `Storage answered ${status}.`, { status });
}

interface Put {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Blob;
}

async function putByFetch(
  { url, headers, body }: Put,
  signal: AbortSignal,
  fetch: typeof globalThis.fetch,
): Promise<number> {
  const response = await fetch(url, { method: 'PUT', headers, body, signal });
  await response.arrayBuffer();
  return response.status;
}

interface Xhr {
  readonly status: number;
  readonly upload: {
    addEventListener(name: 'progress', listener: (event: { loaded: number }) => void): void;
  };
  addEventListener(name: 'load' | 'error', listener: () => void): void;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  send(body: Blob): void;
  abort(): void;
}

/** Browsers only tell the progress of an XMLHttpRequest. */
function putByXhr(
  { url, headers, body }: Put,
  signal: AbortSignal,
  _fetch: unknown,
  report: (sentBytes: number) => void,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const xhr = new (globalThis as unknown as { XMLHttpRequest: new () => Xhr }).XMLHttpRequest();
    xhr.open('PUT', url);
    // The browser sets the length, and reports an attempt to do so as an error.
    const own = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length');
    for (const [name, value] of own) xhr.setRequestHeader(name, value);
    xhr.upload.addEventListener('progress', ({ loaded }) => report(Math.min(loaded, body.size)));
    xhr.addEventListener('load', () => resolve(xhr.status));
    xhr.addEventListener('error', () => reject(new Error('the connection to storage failed')));
    signal.addEventListener('abort', () => xhr.abort());
    xhr.send(body);
  });
}
