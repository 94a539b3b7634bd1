import { createInflate, inflateSync } from 'node:zlib';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { damaged } from './damage.ts';
import { pngChunks } from './png-chunks.ts';

/** The seven passes of an interlaced PNG: first column and row, and the steps between them. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

const onePass = [[0, 0, 1, 1]] as const;

const samplesOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Up to this size, inflating at once is cheaper than a stream. */
const FEW_BYTES = 65_536;

/** Whether a PNG has data for every pixel of its image. Inflates as a stream, to hold none of it. */
export async function pngIsComplete(bytes: Buffer): Promise<boolean> {
  const pieces: Buffer[] = [];
  for await (const { type, from, end } of pngChunks(bytes)) {
    if (type === 'IDAT') pieces.push(bytes.subarray(from, end));
  }
  return inflatesTo(pieces, inflatedLength(bytes, bytes.readUInt32BE(16), bytes.readUInt32BE(20)));
}

/** Whether pieces of a zlib stream are complete and inflate to exactly `wanted` bytes. */
export async function inflatesTo(pieces: readonly Buffer[], wanted: number): Promise<boolean> {
  const given = pieces.reduce((sum, piece) => sum + piece.length, 0);
  try {
    // Many bytes may inflate to few, and take their time for it.
    if (wanted <= FEW_BYTES && given <= FEW_BYTES) {
      // zlib does not accept zero as a limit.
      return inflateSync(Buffer.concat(pieces), { maxOutputLength: wanted || 1 }).length === wanted;
    }
    let length = 0;
    await pipeline(
      Readable.from(joined(pieces)),
      createInflate({ chunkSize: FEW_BYTES }),
      async (inflated) => {
        for await (const chunk of inflated) {
          length += (chunk as Buffer).length;
          if (length > wanted) damaged();
        }
      },
    );
    return length === wanted;
  } catch {
    return false;
  }
}

/** Joins small pieces, because zlib takes a thread for each, however small. Large ones are not copied. */
export function* joined(pieces: readonly Buffer[]): Generator<Buffer> {
  let small: Buffer[] = [];
  let length = 0;
  for (const piece of pieces) {
    if (length > 0 && length + piece.length > FEW_BYTES) {
      yield Buffer.concat(small);
      small = [];
      length = 0;
    }
    if (piece.length > FEW_BYTES) yield piece;
    else if (piece.length > 0) {
      small.push(piece);
      length += piece.length;
    }
  }
  if (length > 0) yield Buffer.concat(small);
}

/** Bytes of the pixels of an image or frame, filters included, by the bit depth and colour type of the PNG's header. */
export function inflatedLength(bytes: Buffer, width: number, height: number): number {
  const bitsPerPixel = bytes.readUInt8(24) * (samplesOf[bytes.readUInt8(25)] ?? 1);
  let length = 0;
  for (const [left, top, right, down] of bytes.readUInt8(28) === 1 ? passes : onePass) {
    const columns = Math.ceil((width - left) / right);
    const rows = Math.ceil((height - top) / down);
    // Each row has an extra byte for its filter.
    if (columns > 0 && rows > 0) length += rows * (1 + Math.ceil((columns * bitsPerPixel) / 8));
  }
  return length;
}
