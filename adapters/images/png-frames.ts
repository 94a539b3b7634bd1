import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { damaged, isDamage } from './damage.ts';
import { pngChunks } from './png-chunks.ts';
import { inflatedLength, inflatesTo } from './png-pixels.ts';

interface Frame {
  readonly width: number;
  readonly height: number;
  /** Pieces of its zlib stream, or `image` if the image itself is the first frame, which the decoder checks. */
  readonly data: Buffer[] | 'image';
}

/** Bytes inflated before yielding: a few milliseconds. */
const STRETCH = 1_000_000;
/** The cost of a frame beside its bytes, in bytes. */
const OF_A_FRAME = 10_000;

/**
 * Whether an animated PNG has all its frames, with data for every pixel (PNG, third edition, 11.3.6). The decoder only
 * reads the first image. True for a PNG without animation.
 */
export async function pngFramesAreComplete(bytes: Buffer): Promise<boolean> {
  try {
    let inflated = 0;
    for (const { width, height, data } of await framesOf(bytes)) {
      if (data === 'image') continue;
      const wanted = inflatedLength(bytes, width, height);
      inflated += wanted + OF_A_FRAME;
      if (inflated > STRETCH) {
        await setImmediate();
        inflated = 0;
      }
      if (!(await inflatesTo(data, wanted))) return false;
    }
    return true;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

async function framesOf(bytes: Buffer): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  let announced: number | undefined;
  let sequence = 0;
  for await (const { type, from, end } of pngChunks(bytes)) {
    if (type === 'IDAT' && announced === undefined) return [];
    if (type === 'IDAT') {
      const first = frames.pop();
      if (first !== undefined) frames.push({ ...first, data: 'image' });
    }
    if (['acTL', 'fcTL', 'fdAT'].includes(type)) {
      if (crc32(bytes.subarray(from - 4, end)) !== bytes.readUInt32BE(end)) damaged();
      if (type === 'acTL') announced = bytes.readUInt32BE(from);
      else if (bytes.readUInt32BE(from) !== sequence++) damaged();
      if (type === 'fcTL') frames.push(frameOf(bytes, from));
      if (type === 'fdAT') addData(frames, bytes.subarray(from + 4, end));
    }
  }
  if (frames.length !== (announced ?? 0)) damaged();
  return frames;
}

/** @param from offset of the content of its control chunk, which starts with a sequence number */
function frameOf(bytes: Buffer, from: number): Frame {
  const [width, height] = [bytes.readUInt32BE(from + 4), bytes.readUInt32BE(from + 8)];
  const [left, top] = [bytes.readUInt32BE(from + 12), bytes.readUInt32BE(from + 16)];
  if (left + width > bytes.readUInt32BE(16) || top + height > bytes.readUInt32BE(20)) damaged();
  return { width, height, data: [] };
}

function addData(frames: readonly Frame[], data: Buffer): void {
  const frame = frames.at(-1);
  if (frame === undefined || frame.data === 'image') damaged();
  frame.data.push(data);
}
