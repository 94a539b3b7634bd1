import { crc32 } from 'node:zlib';
import { setImmediate } from 'node:timers/promises';
import { damaged, isDamage } from './damage.ts';
import { readGif } from './gif.ts';
import type { Gif } from './gif.ts';
import { readIsoMedia } from './iso-media.ts';

/** What the blocks of a file tell, read without decoding: in one pass, and in no memory of its own. */
export interface Structure {
  /** A decoder has to hold the whole image: it comes in several passes, or by a method that refers to all of it. */
  readonly heldWhole: boolean;
  /** Frames of an animation that the decoder passes over (PNG, AVIF); 1 for a still. */
  readonly hiddenFrames: number;
  /** A GIF's size is another than its decoder says. */
  readonly gif?: Gif;
}

export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'heif';

const readers: Readonly<Record<ImageFormat, (bytes: Buffer) => Structure | Promise<Structure>>> = {
  jpeg: readJpeg,
  png: readPng,
  webp: readWebp,
  // Frames are drawn on one canvas, which the decoder holds.
  gif: async (bytes) => ({ heldWhole: true, hiddenFrames: 1, gif: await inStretches(readGif(bytes)) }),
  heif: (bytes) => ({ heldWhole: true, hiddenFrames: readIsoMedia(bytes).frames }),
};

/** @returns null for a file that ends before what it announces, or whose blocks do not follow each other */
export async function readStructure(format: ImageFormat, bytes: Buffer): Promise<Structure | null> {
  try {
    return await readers[format](bytes);
  } catch (error) {
    if (isDamage(error)) return null;
    throw error;
  }
}

/** Segments up to the end marker; several scans mean that each pass refines the whole image. */
function readJpeg(bytes: Buffer): Structure {
  let scans = 0;
  for (let at = 2; ;) {
    if (bytes.readUInt8(at) !== 0xff) damaged();
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xd9) return { heldWhole: scans > 1, hiddenFrames: 1 };
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

/** Where the next marker stands behind coded data, in which 0xff is followed by 0, or by a restart marker. */
function endOfScan(bytes: Buffer, begin: number): number {
  for (let at = begin; ; at += 2) {
    at = bytes.indexOf(0xff, at);
    if (at < 0) damaged();
    const next = bytes.readUInt8(at + 1);
    if (next === 0xff) at -= 1;
    else if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
}

/** Chunks up to IEND, each critical one with its checksum. */
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

/** Chunks of the RIFF container, frames of an animation among them. */
function readWebp(bytes: Buffer): Structure {
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) damaged();
  let heldWhole = false;
  const walk = (from: number, to: number): void => {
    for (let at = from; at + 8 <= to;) {
      const type = bytes.toString('latin1', at, at + 4);
      const length = bytes.readUInt32LE(at + 4);
      if (at + 8 + length > to) damaged();
      // A frame's header has 16 bytes; the frame's own chunks follow.
      if (type === 'ANMF') walk(at + 24, at + 8 + length);
      if (type === 'ANIM' || type === 'VP8L') heldWhole = true;
      at += 8 + length + (length % 2);
    }
  };
  walk(12, end);
  return { heldWhole, hiddenFrames: 1 };
}

/** Lets others have their turn where the work pauses. */
async function inStretches<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await setImmediate();
  }
}
