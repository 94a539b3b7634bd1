import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import type { Readable } from 'node:stream';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Bucket } from './bucket.ts';

/** What an upload URL lets through. */
export interface UploadRules {
  readonly key: string;
  readonly contentType: string;
  /** Where the client declared it: storage itself refuses other lengths. */
  readonly sizeBytes: number | undefined;
  readonly expiresInSeconds: number;
}

/** An object as it was read: its bytes, and the tag by which a later copy is sure to be of the same. */
export interface StoredBytes {
  readonly bytes: Buffer;
  readonly etag: string;
  /** There are more than were asked for. */
  readonly truncated: boolean;
}

/** The operations on stored bytes that media needs. Each ends in time, also when storage hangs. */
export interface ObjectStore {
  /** Signs locally: works while storage is away. */
  readonly presignUpload: (rules: UploadRules) => Promise<{ url: string; headers: Record<string, string> }>;
  /** Reads at most `limit` bytes, in `withinMs`; null where there is no such object. */
  readonly read: (key: string, limit: number, withinMs?: number) => Promise<StoredBytes | null>;
  /** Opens an object for reading; null where there is none. */
  readonly stream: (key: string) => Promise<{ body: Readable; size: number; etag: string } | null>;
  /** Copies an object to its public key, if it is still the one that was read. @returns whether it was */
  readonly publish: (
    from: string,
    etag: string,
    to: string,
    contentType: string,
    withinMs?: number,
  ) => Promise<boolean>;
  /** Deletes an object; one that is not there is fine. */
  readonly remove: (key: string, withinMs?: number) => Promise<void>;
  /** The public address of a key. */
  readonly urlOf: (key: string) => string;
}

/** Storage cannot be reached, or does not answer as it should. The same may well succeed a little later. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable';
}

const TIMEOUT_MS = 4_000;

/** @param publicUrl where the bucket's public objects are read from */
export function createObjectStore({ client, name }: Bucket, publicUrl: string): ObjectStore {
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
      const url = await getSignedUrl(client, command, { expiresIn: expiresInSeconds, signableHeaders });
      const headers: Record<string, string> = { 'Content-Type': contentType };
      if (sizeBytes !== undefined) headers['Content-Length'] = String(sizeBytes);
      return { url, headers };
    },

    async read(key, limit, withinMs = TIMEOUT_MS) {
      try {
        const object = await client.send(new GetObjectCommand({ Bucket: name, Key: key }), inTime(withinMs));
        // One byte more than may be there tells that there are too many.
        const length = Math.min(object.ContentLength ?? Infinity, limit + 1);
        const bytes = await readAtMost(object.Body as Readable, length);
        return { bytes: bytes.subarray(0, limit), etag: object.ETag ?? '', truncated: bytes.length > limit };
      } catch (error) {
        if (isAbsent(error)) return null;
        return explain(error);
      }
    },

    async stream(key) {
      const slow = new AbortController();
      // Of the head alone: the body takes as long as whoever reads it.
      const timer = setTimeout(() => slow.abort(), TIMEOUT_MS);
      try {
        const command = new GetObjectCommand({ Bucket: name, Key: key });
        const object = await client.send(command, { abortSignal: slow.signal });
        const body = object.Body as Readable;
        return { body, size: object.ContentLength ?? 0, etag: object.ETag ?? '' };
      } catch (error) {
        if (isAbsent(error)) return null;
        return explain(error);
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
          CacheControl: 'public, max-age=31536000, immutable',
        });
        await client.send(command, inTime(withinMs));
        return true;
      } catch (error) {
        if (isAbsent(error) || statusOf(error) === 412) return false;
        return explain(error);
      }
    },

    async remove(key, withinMs = TIMEOUT_MS) {
      await client.send(new DeleteObjectCommand({ Bucket: name, Key: key }), inTime(withinMs));
    },

    urlOf: (key) => `${publicUrl.replace(/\/+$/, '')}/${key}`,
  };
}

/** Leaves off as soon as there is enough. Into one piece from the first, which would else be held twice. */
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

/** @throws StorageUnavailable, but for a refusal: that is a wrong setting, which no later try mends */
function explain(error: unknown): never {
  const status = statusOf(error);
  if (status !== undefined && status >= 400 && status < 500 && status !== 429) throw error;
  throw new StorageUnavailable((error as Error).message, { cause: error });
}

/** A bucket that is not there is no object that is not there. */
const isAbsent = (error: unknown): boolean =>
  statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket';
