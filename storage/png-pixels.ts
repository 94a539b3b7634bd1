import { createInflate } from 'node:zlib';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

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

const samplesOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Whether an interlaced PNG has data for every pixel: inflated as a stream, so that none of it is held. */
export async function interlacedPngIsComplete(bytes: Buffer): Promise<boolean> {
  const wanted = inflatedLength(bytes);
  let length = 0;
  try {
    await pipeline(Readable.from(imageData(bytes)), createInflate(), async (inflated) => {
      for await (const chunk of inflated) length += (chunk as Buffer).length;
    });
  } catch {
    return false;
  }
  return length === wanted;
}

function inflatedLength(bytes: Buffer): number {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const bitsPerPixel = bytes.readUInt8(24) * (samplesOf[bytes.readUInt8(25)] ?? 1);
  let length = 0;
  for (const [left, top, right, down] of passes) {
    const columns = Math.ceil((width - left) / right);
    const rows = Math.ceil((height - top) / down);
    // Each row has a byte more, for its filter.
    if (columns > 0 && rows > 0) length += rows * (1 + Math.ceil((columns * bitsPerPixel) / 8));
  }
  return length;
}

function* imageData(bytes: Buffer): Generator<Buffer> {
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT') yield bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at));
    if (type === 'IEND') return;
  }
}
