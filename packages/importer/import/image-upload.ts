import { setTimeout as sleep } from 'node:timers/promises';
import type { GuardedClient } from '../../../adapters/http/guarded-client.ts';
import type { PressworkError, UploadReservation } from '../../../sdk/src/index.ts';
import { isRejection } from '../../command/api-client.ts';
import type { ApiClient } from '../../command/api-client.ts';
import { createOnce } from './create-once.ts';
import { digestOfFileName, fileNameOf } from './image-file.ts';
import type { ImageType } from './image-file.ts';
import { readAssets } from './site.ts';
import type { SiteAsset } from './site.ts';

export interface ImageToUpload {
  readonly href: string;
  /** Of the original URL, so that it is the same in every run. */
  readonly digest: string;
  readonly bytes: Buffer;
  readonly type: ImageType;
  readonly bucket: 'blog-images' | 'author-avatars';
  readonly alt: string | null;
}

export interface UploadPorts {
  readonly client: ApiClient;
  readonly http: GuardedClient;
  readonly signal: AbortSignal;
}

type Reservation = UploadReservation & { readonly upload_url: string };

export type Uploaded =
  | { readonly asset: SiteAsset; readonly made: boolean; readonly problem?: undefined }
  | { readonly problem: string };

/** Consecutive failed uploads after which storage counts as unavailable. */
const TRIES = 12;
const PAUSE_MS = 5_000;
const PUT_TIMEOUT_MS = 120_000;

/**
 * Adds an image to the media library, at most once: the idempotency key of the registration is derived from the
 * original URL, and an unregistered upload is not part of the library.
 *
 * @throws Error if storage accepts no upload for a minute
 */
export async function uploadImage(ports: UploadPorts, image: ImageToUpload): Promise<Uploaded> {
  let trouble = '';
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    if (attempt > 0) await sleep(PAUSE_MS, undefined, { signal: ports.signal });
    const reserved = await reserve(ports.client, image);
    if ('problem' in reserved) return reserved;
    const put = await store(ports, reserved, image.bytes);
    if (put !== null) {
      trouble = put;
      continue;
    }
    const outcome = await register(ports.client, reserved.upload_id, image);
    // The reservation expired during a wait, or the upload is missing: start again.
    if (typeof outcome !== 'string') return outcome;
    trouble = outcome;
  }
  throw new Error(`Images cannot be uploaded (${trouble}). Run the import again to continue.`);
}

/** The upload URL is only in the first answer, so another upload is reserved if that answer was lost. */
async function reserve(client: ApiClient, image: ImageToUpload): Promise<Reservation | { problem: string }> {
  const { bytes, type, bucket } = image;
  const fileName = fileNameOf(image.href, image.digest, type);
  const body = { file_name: fileName, content_type: type.mime, size_bytes: bytes.length, bucket };
  try {
    for (;;) {
      const reservation = await client.media.reserveUpload(body);
      const { upload_url: url } = reservation;
      if (url !== null) return { ...reservation, upload_url: url };
    }
  } catch (error) {
    if (isRejection(error)) return { problem: `was rejected: ${describe(error)}` };
    throw error;
  }
}

/** @returns the problem, or null */
async function store(
  { http, signal }: UploadPorts,
  reservation: Reservation,
  bytes: Buffer,
): Promise<string | null> {
  // The URL comes from the Site's own API, so it is trusted and may be private.
  const result = await http.request({
    url: reservation.upload_url,
    method: 'PUT',
    headers: reservation.headers,
    body: bytes,
    timeoutMs: PUT_TIMEOUT_MS,
    redirects: 0,
    isolationKey: 'import',
    readBody: false,
    trusted: true,
  });
  signal.throwIfAborted();
  if (result.outcome === 'failure') return `${result.error}: ${result.detail}`;
  return result.status >= 200 && result.status < 300 ? null : `status ${result.status}`;
}

/** @returns the asset or a permanent problem; a string if another upload may succeed */
async function register(
  client: ApiClient,
  uploadId: string,
  { digest, alt }: ImageToUpload,
): Promise<Uploaded | string> {
  try {
    const { data, made } = await createOnce<SiteAsset>({
      create: (options) => client.media.register({ upload_id: uploadId, alt_text: alt }, options),
      read: (id) => client.media.get(id),
      idempotencyKey: `import-image-${digest}`,
      find: () => findAsset(client, digest),
    });
    return { asset: data, made };
  } catch (error) {
    if (!isRejection(error)) throw error;
    return error.status === 422 ? { problem: `was rejected: ${describe(error)}` } : describe(error);
  }
}

async function findAsset(client: ApiClient, digest: string): Promise<SiteAsset | null> {
  const isIt = ({ file_name: name }: SiteAsset): boolean => digestOfFileName(name) === digest;
  return (await readAssets(client, isIt)).find(isIt) ?? null;
}

const describe = ({ fields, message }: PressworkError): string => Object.values(fields).join(', ') || message;
