import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GuardedClient } from '../../net/guarded-client.ts';
import type { ApiClient } from '../api-client.ts';
import { createOnce, readAll } from './create-once.ts';
import { digestIn, fileNameOf } from './image-file.ts';
import type { ImageType } from './image-file.ts';
import type { SiteAsset } from './site.ts';

export interface ImageToUpload {
  readonly href: string;
  /** Of where it was: the same in every run. */
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

interface Reservation {
  readonly upload_id: string;
  /** null in an answer given again. */
  readonly upload_url: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

export type Uploaded =
  | { readonly asset: SiteAsset; readonly made: boolean; readonly problem?: undefined }
  | { readonly problem: string };

/** Uploads anew that fail in a row before storage counts as away. */
const TRIES = 12;
const PAUSE_MS = 5_000;
const PUT_TIMEOUT_MS = 120_000;

/**
 * Puts an image into the media library, once however often it is done: registering has an idempotency key that follows
 * from where the image was, and an upload that is not registered is no part of the library.
 *
 * @throws Error where storage takes nothing for a minute
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
    // A reservation that has ended while the API was waited for, or an upload that is not there: begin again.
    if (typeof outcome !== 'string') return outcome;
    trouble = outcome;
  }
  throw new Error(`Images cannot be uploaded (${trouble}). Run the import again to go on.`);
}

/** An upload's address is given once: where the answer was lost, another upload is reserved. */
async function reserve(
  client: ApiClient,
  image: ImageToUpload,
): Promise<(Reservation & { upload_url: string }) | { problem: string }> {
  const { bytes, type, bucket } = image;
  const fileName = fileNameOf(image.href, image.digest, type);
  const body = { file_name: fileName, content_type: type.mime, size_bytes: bytes.length, bucket };
  for (;;) {
    const { data, error } = await client.send<Reservation>('POST', '/media/upload-url', {
      body,
      idempotencyKey: randomUUID(),
    });
    if (data === undefined) return { problem: `was refused: ${describe(error)}` };
    const { upload_url: url } = data;
    if (url !== null) return { ...data, upload_url: url };
  }
}

/** @returns what went wrong, or null */
async function store(
  { http, signal }: UploadPorts,
  reservation: Reservation & { upload_url: string },
  bytes: Buffer,
): Promise<string | null> {
  // The API of the Site named this address, and it may well be private.
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

/** @returns the asset or why it is none; a text where another upload may go better */
async function register(
  client: ApiClient,
  uploadId: string,
  { digest, alt }: ImageToUpload,
): Promise<Uploaded | string> {
  const outcome = await createOnce<SiteAsset>(client, {
    path: '/media',
    body: { upload_id: uploadId, alt_text: alt },
    idempotencyKey: `import-image-${digest}`,
    find: () => findAsset(client, digest),
  });
  const { data, error, status, made } = outcome;
  if (data !== undefined) return { asset: data, made };
  return status === 422 ? { problem: `was refused: ${describe(error)}` } : describe(error);
}

async function findAsset(client: ApiClient, digest: string): Promise<SiteAsset | null> {
  const isIt = ({ file_name: name }: SiteAsset): boolean => digestIn(name) === digest;
  const assets = await readAll<SiteAsset>(client, '/media', { fields: 'id,file_name,url' }, isIt);
  return assets.find(isIt) ?? null;
}

const describe = (
  error: { message: string; fields?: Readonly<Record<string, string>> } | undefined,
): string => Object.values(error?.fields ?? {}).join(', ') || (error?.message ?? 'no reason was given');
