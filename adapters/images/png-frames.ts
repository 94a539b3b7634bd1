import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { damaged, isDamage } from './damage.ts';
import { inflatedLength, inflatesTo } from './png-pixels.ts';

interface Frame {
  readonly width: number;
  readonly height: number;
  /** Pieces of its zlib stream, or `image` if the image itself is the first frame, which the decoder checks. */
  readonly data: Buffer[] | 'image';
}

/** Small frames checked before yielding: a few milliseconds. */
const AT_A_STRETCH = 100;

/**
 * Whether an animated PNG has all its frames, with data for every pixel (PNG, third edition, 11.3.6). The decoder only
 * reads the first image. True for a PNG without animation.
 */
export async function pngFramesAreComplete(bytes: Buffer): Promise<boolean> {
  try {
    for (const [index, { width, height, data }] of framesOf(bytes).entries()) {
      if (index % AT_A_STRETCH === 0) await setImmediate();
      if (data !== 'image' && !(await inflatesTo(data, inflatedLength(bytes, width, height)))) return false;
    }
    return true;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

function framesOf(bytes: Buffer): readonly Frame[] {
  const frames: Frame[] = [];
  let announced: number | undefined;
  let sequence = 0;
  for (let at = 8; ;) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const [from, end] = [at + 8, at + 8 + length];
    if (type === 'IEND') break;
    if (type === 'IDAT' && announced === undefined) return [];
    if (type === 'IDAT') {
      const first = frames.pop();
      if (first !== undefined) frames.push({ ...first, data: 'image' });
    }
    if (['acTL', 'fcTL', 'fdAT'].includes(type)) {
      if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) damaged();
      if (type === 'acTL') announced = bytes.readUInt32BE(from);
      else if (bytes.readUInt32BE(from) !== sequence++) damaged();
      if (type === 'fcTL') frames.push(frameOf(bytes, from));
      if (type === 'fdAT') addData(frames, bytes.subarray(from + 4, end));
    }
    at = end + 4;
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
