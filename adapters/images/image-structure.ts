import { crc32 } from 'node:zlib';
import { setImmediate } from 'node:timers/promises';
import { damaged, isDamage } from './damage.ts';
import { readGif } from './gif.ts';
import type { Gif } from './gif.ts';
import { readIsoMedia } from './iso-media.ts';

/** Facts from the blocks of a file, read in one pass without decoding or copying. */
export interface Structure {
  /** Whether a decoder has to hold the whole image, because it has several passes or refers back to all of it. */
  readonly heldWhole: boolean;
  /** Frames of an animation that the decoder ignores (PNG, AVIF); 1 for a still. */
  readonly hiddenFrames: number;
  /** For a GIF, whose decoder reports a different size. */
  readonly gif?: Gif;
  /** For a JPEG: how often the decoder passes through the whole image. */
  readonly scans?: number;
}

export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'heif';

const readers: Readonly<Record<ImageFormat, (bytes: Buffer) => Structure | Promise<Structure>>> = {
  jpeg: readJpeg,
  png: readPng,
  webp: readWebp,
  // The decoder holds one canvas for all frames.
  gif: async (bytes) => ({ heldWhole: true, hiddenFrames: 1, gif: await inStretches(readGif(bytes)) }),
  heif: (bytes) => ({ heldWhole: true, hiddenFrames: readIsoMedia(bytes).frames }),
};

/** @returns null for a file that is truncated, or whose blocks do not fit together */
export async function readStructure(format: ImageFormat, bytes: Buffer): Promise<Structure | null> {
  try {
    return await readers[format](bytes);
  } catch (error) {
    if (isDamage(error)) return null;
    throw error;
  }
}

/** Reads segments up to the end marker. With several scans, each pass refines the whole image. */
function readJpeg(bytes: Buffer): Structure {
  let scans = 0;
  for (let at = 2; ;) {
    if (bytes.readUInt8(at) !== 0xff) damaged();
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xd9) return { heldWhole: scans > 1, hiddenFrames: 1, scans };
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else {
      at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
      if (marker !== 0xda) continue;
      scans += 1;
      at = endOfScan(bytes, at);
    }
  }
}

/** The offset of the next marker after coded data, in which 0xff is followed by 0 or a restart marker. */
function endOfScan(bytes: Buffer, begin: number): number {
  for (let at = begin; ; at += 2) {
    at = bytes.indexOf(0xff, at);
    if (at < 0) damaged();
    const next = bytes.readUInt8(at + 1);
    if (next === 0xff) at -= 1;
    else if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
}

/** Reads chunks up to IEND and verifies the checksum of each critical one. */
function readPng(bytes: Buffer): Structure {
  const interlaced = bytes.readUInt8(28) === 1;
  let frames = 0;
  for (let at = 8; ;) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 8 + length;
    const checksum = bytes.readUInt32BE(end);
    if (/^[A-Z]/.test(type) && crc32(bytes.subarray(at + 4, end)) !== checksum) damaged();
    if (type === 'IEND') return { heldWhole: interlaced, hiddenFrames: Math.max(1, frames) };
    if (type === 'fcTL') frames += 1;
    at = end + 4;
  }
}

/** Reads the chunks of the RIFF container, including animation frames. */
function readWebp(bytes: Buffer): Structure {
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) damaged();
  let heldWhole = false;
  const walk = (from: number, to: number, inFrame: boolean): void => {
    for (let at = from; at + 8 <= to;) {
      const type = bytes.toString('latin1', at, at + 4);
      const length = bytes.readUInt32LE(at + 4);
      if (at + 8 + length > to) damaged();
      // A frame has a header of 16 bytes, then its own chunks, and no other frame.
      if (type === 'ANMF' && !inFrame) walk(at + 24, at + 8 + length, true);
      if (type === 'ANIM' || type === 'VP8L') heldWhole = true;
      at += 8 + length + (length % 2);
    }
  };
  walk(12, end, false);
  return { heldWhole, hiddenFrames: 1 };
}

/** Yields to the event loop whenever the generator pauses. */
async function inStretches<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await setImmediate();
  }
}
