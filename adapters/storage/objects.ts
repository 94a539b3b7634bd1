import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import type { Readable } from 'node:stream';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Bucket } from './bucket.ts';
import { createSlots } from '../../packages/base/slots.ts';

/** The limits of an upload URL. */
export interface UploadRules {
  readonly key: string;
  readonly contentType: string;
  /** If declared by the client, storage refuses other lengths. */
  readonly sizeBytes: number | undefined;
  readonly expiresInSeconds: number;
}

/** The bytes of an object, and the tag that ensures that a later copy is of the same version. */
export interface StoredBytes {
  readonly bytes: Buffer;
  readonly etag: string;
  /** The object is longer than the limit. */
  readonly truncated: boolean;
}

export interface StoredUpload {
  readonly key: string;
  readonly size: number;
  readonly storedAt: Date;
}

export interface ObjectFacts {
  readonly size: number;
  readonly etag: string;
}

export interface OpenObject extends ObjectFacts {
  readonly body: Readable;
}

/** The storage operations for media. Each has a time-out. */
export interface ObjectStore {
  /** Signs locally, so it works while storage is unavailable. The URL has the store's public address. */
  readonly presignUpload: (rules: UploadRules) => Promise<{ url: string; headers: Record<string, string> }>;
  /** Reads at most `limit` bytes within `withinMs`; null if the object does not exist. */
  readonly read: (key: string, limit: number, withinMs?: number) => Promise<StoredBytes | null>;
  /** Size and tag of an object; null if it does not exist. */
  readonly describe: (key: string, signal: AbortSignal) => Promise<ObjectFacts | null>;
  /** Opens an object for reading; null if it does not exist. Reading the body has no time-out. */
  readonly stream: (key: string, signal: AbortSignal) => Promise<OpenObject | null>;
  /** Copies an object to its public key if it has not changed since it was read. @returns whether it did */
  readonly publish: (
    from: string,
    etag: string,
    to: string,
    contentType: string,
    withinMs?: number,
  ) => Promise<boolean>;
  /** Stores bytes under a public key. */
  readonly put: (key: string, bytes: Uint8Array, contentType: string, withinMs?: number) => Promise<void>;
  /** Deletes an object. No error if it does not exist. */
  readonly remove: (key: string, withinMs?: number) => Promise<void>;
  /**
   * Deletes a page of the objects whose keys begin with `prefix`, which ends with a slash.
   *
   * @returns how many; 0 if none is left
   */
  readonly removeUnder: (prefix: string, withinMs?: number) => Promise<number>;
  /** A page of the objects under `uploads/`, ordered by key. @param after the last key of the previous page */
  readonly listUploads: (
    after: string | undefined,
  ) => Promise<{ uploads: readonly StoredUpload[]; next: string | undefined }>;
  readonly urlOf: (key: string) => string;
}

/** Storage cannot be reached or fails. A retry may succeed. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable';
}

const TIMEOUT_MS = 4_000;

/** For caches in front of a public bucket: the object under a key never changes. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Objects that `removeUnder` deletes in one call, and how many of them at once. */
const REMOVED_AT_MOST = 500;
const REMOVED_AT_ONCE = 16;

/** @param publicUrl base URL of the bucket's public objects */
export function createObjectStore(bucket: Bucket, publicUrl: string): ObjectStore {
  const { client, streaming, signing, name } = bucket;
  const inTime = (withinMs: number) => ({
    abortSignal: AbortSignal.timeout(Math.max(1, Math.ceil(withinMs))),
  });
  return {
    async presignUpload({ key, contentType, sizeBytes, expiresInSeconds }) {
      const command = new PutObjectCommand({
        Bucket: name,
        Key: key,
        ContentType: contentType,
        ...(sizeBytes === undefined ? {} : { ContentLength: sizeBytes }),
      });
      const signableHeaders = new Set([
        'host',
        'content-type',
        ...(sizeBytes === undefined ? [] : ['content-length']),
      ]);
      const url = await getSignedUrl(signing, command, { expiresIn: expiresInSeconds, signableHeaders });
      const headers: Record<string, string> = { 'Content-Type': contentType };
      if (sizeBytes !== undefined) headers['Content-Length'] = String(sizeBytes);
      return { url, headers };
    },

    async read(key, limit, withinMs = TIMEOUT_MS) {
      try {
        const object = await client.send(new GetObjectCommand({ Bucket: name, Key: key }), inTime(withinMs));
        // Reading one byte more than the limit shows that the object is too long.
        const length = Math.min(object.ContentLength ?? Infinity, limit + 1);
        const bytes = await readAtMost(object.Body as Readable, length);
        return { bytes: bytes.subarray(0, limit), etag: object.ETag ?? '', truncated: bytes.length > limit };
      } catch (error) {
        if (isAbsent(error)) return null;
        return rethrowClassified(error);
      }
    },

    async describe(key, signal) {
      try {
        const command = new HeadObjectCommand({ Bucket: name, Key: key });
        const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
        const object = await streaming.send(command, { abortSignal });
        return { size: object.ContentLength ?? 0, etag: object.ETag ?? '' };
      } catch (error) {
        if (isAbsent(error)) return null;
        return rethrowClassified(error);
      }
    },

    async stream(key, signal) {
      const slow = new AbortController();
      // Only for the head: the client sets the pace of the body.
      const timer = setTimeout(
        () => slow.abort(new DOMException('No answer in time', 'TimeoutError')),
        TIMEOUT_MS,
      );
      try {
        const command = new GetObjectCommand({ Bucket: name, Key: key });
        const abortSignal = AbortSignal.any([signal, slow.signal]);
        const object = await streaming.send(command, { abortSignal });
        const body = object.Body as Readable;
        return { body, size: object.ContentLength ?? 0, etag: object.ETag ?? '' };
      } catch (error) {
        if (isAbsent(error)) return null;
        return rethrowClassified(error);
      } finally {
        clearTimeout(timer);
      }
    },

    async publish(from, etag, to, contentType, withinMs = TIMEOUT_MS) {
      try {
        const command = new CopyObjectCommand({
          Bucket: name,
          CopySource: `${name}/${from}`,
          CopySourceIfMatch: etag,
          Key: to,
          MetadataDirective: 'REPLACE',
          ContentType: contentType,
          CacheControl: IMMUTABLE,
        });
        await client.send(command, inTime(withinMs));
        return true;
      } catch (error) {
        if (isAbsent(error) || statusOf(error) === 412) return false;
        return rethrowClassified(error);
      }
    },

    async put(key, bytes, contentType, withinMs = TIMEOUT_MS) {
      try {
        const command = new PutObjectCommand({
          Bucket: name,
          Key: key,
          Body: bytes,
          ContentType: contentType,
          CacheControl: IMMUTABLE,
        });
        await client.send(command, inTime(withinMs));
      } catch (error) {
        rethrowClassified(error);
      }
    },

    async remove(key, withinMs = TIMEOUT_MS) {
      await client.send(new DeleteObjectCommand({ Bucket: name, Key: key }), inTime(withinMs));
    },

    async removeUnder(prefix, withinMs = TIMEOUT_MS) {
      if (!/[^/]\/$/.test(prefix)) throw new Error(`A prefix has to end with a slash: ${prefix}`);
      const command = new ListObjectsV2Command({ Bucket: name, Prefix: prefix, MaxKeys: REMOVED_AT_MOST });
      const { Contents: contents = [] } = await client.send(command, inTime(withinMs));
      const inSlot = createSlots(REMOVED_AT_ONCE);
      // One request for each: not every S3 server takes the checksum that a request for many has to have.
      await Promise.all(
        contents.map(({ Key: key = '' }) =>
          inSlot(() => client.send(new DeleteObjectCommand({ Bucket: name, Key: key }), inTime(withinMs))),
        ),
      );
      return contents.length;
    },

    async listUploads(after) {
      const command = new ListObjectsV2Command({ Bucket: name, Prefix: 'uploads/', StartAfter: after });
      const { Contents: contents = [], IsTruncated: more } = await client.send(command, inTime(TIMEOUT_MS));
      const uploads = contents.map(({ Key: key = '', Size: size = 0, LastModified: storedAt }) => ({
        key,
        size,
        storedAt: storedAt ?? new Date(),
      }));
      return { uploads, next: more === true ? uploads.at(-1)?.key : undefined };
    },

    urlOf: (key) => `${publicUrl.replace(/\/+$/, '')}/${key}`,
  };
}

/** Stops when it has enough. Fills one buffer from the start, so that the bytes are not held twice. */
async function readAtMost(body: Readable, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  for await (const chunk of body) {
    at += (chunk as Buffer).copy(bytes, at);
    if (at >= length) break;
  }
  return bytes.subarray(0, at);
}

const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;

/** @throws StorageUnavailable; or the error itself for a refusal, which is a wrong setting and not worth a retry */
function rethrowClassified(error: unknown): never {
  const status = statusOf(error);
  // S3 answers 409 while another operation is going on.
  const isFinal = status !== undefined && status >= 400 && status < 500 && status !== 409 && status !== 429;
  if (isFinal) throw error;
  throw new StorageUnavailable((error as Error).message, { cause: error });
}

/** Whether the object does not exist; a missing bucket is a different error. */
const isAbsent = (error: unknown): boolean =>
  statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket';
