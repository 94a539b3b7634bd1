import { crc32 } from 'node:zlib';
import { setImmediate } from 'node:timers/promises';
import { damaged, isDamage } from './damage.ts';
import { readGif } from './gif.ts';
import type { Gif } from './gif.ts';
import { readIsoMedia } from './iso-media.ts';
import { pngChunks } from './png-chunks.ts';

/** Facts from the blocks of a file, read in one pass without decoding or copying. A reader pauses regularly. */
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
  jpeg: (bytes) => inStretches(readJpeg(bytes)),
  png: readPng,
  webp: (bytes) => inStretches(readWebp(bytes)),
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

/** Steps of a reader between two pauses: a few milliseconds at most. */
const STRETCH = 5_000;

/** Reads segments up to the end marker. With several scans, each pass refines the whole image. */
function* readJpeg(bytes: Buffer): Generator<void, Structure> {
  let scans = 0;
  let steps = 0;
  for (let at = 2; ;) {
    if (++steps % STRETCH === 0) yield;
    if (bytes.readUInt8(at) !== 0xff) damaged();
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xd9) return { heldWhole: scans > 1, hiddenFrames: 1, scans };
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else {
      at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
      if (marker !== 0xda) continue;
      scans += 1;
      at = yield* endOfScan(bytes, at);
    }
  }
}

/** The offset of the next marker after coded data, in which 0xff is followed by 0 or a restart marker. */
function* endOfScan(bytes: Buffer, begin: number): Generator<void, number> {
  let steps = 0;
  for (let at = begin; ; at += 2) {
    if (++steps % STRETCH === 0) yield;
    at = bytes.indexOf(0xff, at);
    if (at < 0) damaged();
    const next = bytes.readUInt8(at + 1);
    if (next === 0xff) at -= 1;
    else if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
}

/** Reads chunks up to IEND and verifies the checksum of each critical one. */
async function readPng(bytes: Buffer): Promise<Structure> {
  const interlaced = bytes.readUInt8(28) === 1;
  let frames = 0;
  for await (const { type, from, end } of pngChunks(bytes)) {
    if (/^[A-Z]/.test(type) && crc32(bytes.subarray(from - 4, end)) !== bytes.readUInt32BE(end)) damaged();
    if (type === 'fcTL') frames += 1;
  }
  return { heldWhole: interlaced, hiddenFrames: Math.max(1, frames) };
}

/** Frames of a WebP. libwebp looks for each from the first one on: 10,000 take a second, 100,000 eight minutes. */
const WEBP_FRAME_LIMIT = 10_000;

/** Whether these are bytes of a WebP, and not whether it is whole. */
export const looksLikeWebp = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';

/** Reads the chunks of the RIFF container, including animation frames. */
function* readWebp(bytes: Buffer): Generator<void, Structure> {
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) damaged();
  let heldWhole = false;
  let frames = 0;
  let steps = 0;
  function* walk(begin: number, to: number, inFrame: boolean): Generator<void, void> {
    for (let at = begin; at + 8 <= to;) {
      if (++steps % STRETCH === 0) yield;
      const type = bytes.toString('latin1', at, at + 4);
      const length = bytes.readUInt32LE(at + 4);
      if (at + 8 + length > to) damaged();
      if (type === 'ANMF' && !inFrame && ++frames > WEBP_FRAME_LIMIT) damaged();
      // A frame has a header of 16 bytes, then its own chunks, and no other frame.
      if (type === 'ANMF' && !inFrame) yield* walk(at + 24, at + 8 + length, true);
      if (type === 'ANIM' || type === 'VP8L') heldWhole = true;
      at += 8 + length + (length % 2);
    }
  }
  yield* walk(12, end, false);
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
