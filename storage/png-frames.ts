import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { damaged, isDamage } from './damage.ts';
import { inflatedLength, inflatesTo } from './png-pixels.ts';

interface Frame {
  readonly width: number;
  readonly height: number;
  /** Its zlib stream, in pieces. The image itself may be the first frame: its pixels are the decoder's to look at. */
  readonly data: Buffer[] | 'image';
}

/** Frames of a few bytes that are looked at in one go: some milliseconds. */
const AT_A_STRETCH = 100;

/**
 * Whether an animated PNG has each frame it announces, and data for each frame's pixels (PNG, third edition, 11.3.6).
 * Its decoder reads the first image alone. A PNG without animation is complete here.
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

/** @param from where the content of its control chunk begins, with a sequence number */
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
