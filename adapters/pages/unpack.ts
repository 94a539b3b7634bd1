import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Transform } from 'node:stream';

const flush = { finishFlush: constants.Z_SYNC_FLUSH };

/** A file cut at a limit ends early: none of them takes that for an error. */
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(flush),
  'x-gzip': () => createGunzip(flush),
  deflate: () => createInflate(flush),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};

/** Codings of one answer; nobody uses more than one. */
const MOST_CODINGS = 2;

/**
 * The body of an answer without its `Content-Encoding`: some servers compress unasked.
 *
 * @param most bytes that are unpacked; the rest is left out
 * @returns null if it is not encoded as it says
 */
export async function unpack(body: Buffer, encoding: string, most: number): Promise<Buffer | null> {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > MOST_CODINGS) return null;
  let bytes = body;
  for (const coding of codings.toReversed()) {
    const decoder = Object.hasOwn(decoders, coding) ? decoders[coding]?.() : undefined;
    const unpacked = decoder === undefined ? null : await read(decoder, bytes, most);
    if (unpacked === null) return null;
    bytes = unpacked;
  }
  return bytes;
}

async function read(decoder: Transform, bytes: Buffer, most: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  decoder.end(bytes);
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= most) break;
    }
  } catch {
    return null;
  }
  return Buffer.concat(chunks).subarray(0, most);
}
