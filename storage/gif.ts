import { damaged } from './damage.ts';

/** What the blocks of a GIF tell. */
export interface Gif {
  /** What browsers show: the logical screen, and the first frame where that reaches beyond it. */
  readonly width: number;
  readonly height: number;
  /** The longest side, and the pixels of all frames together: of the screen, or of a frame that is larger. */
  readonly side: number;
  readonly pixels: number;
}

/** Bytes that are read at a stretch: some 10 ms of codes, before others have their turn. */
const STRETCH = 250_000;

/**
 * Reads the blocks of a GIF up to the trailer, and counts the pixels that each frame's data hold (GIF89a, appendix F).
 * Yields now and then: 10 MB of codes take 0.4 s.
 *
 * @throws Error (`isDamage`) for a file that ends early, or a frame without data for each of its pixels
 */
export function* readGif(bytes: Buffer): Generator<void, Gif> {
  let [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  let [frames, side, pixels] = [0, 0, 0];
  const lengths = new Uint16Array(4096);
  let pause = STRETCH;
  for (let at = 13 + colourBytes(bytes.readUInt8(10)); ;) {
    if (at > pause) {
      yield;
      pause = at + STRETCH;
    }
    const block = bytes.readUInt8(at);
    if (block === 0x21) at = endOfData(bytes, at + 2);
    else if (block === 0x2c) {
      const [left, top] = [bytes.readUInt16LE(at + 1), bytes.readUInt16LE(at + 3)];
      const [columns, rows] = [bytes.readUInt16LE(at + 5), bytes.readUInt16LE(at + 7)];
      if (frames === 0) [width, height] = [Math.max(width, left + columns), Math.max(height, top + rows)];
      frames += 1;
      side = Math.max(side, columns, rows);
      pixels += Math.max(width, columns) * Math.max(height, rows);
      at += 10 + colourBytes(bytes.readUInt8(at + 9));
      yield* checkPixels(bytes, at, columns * rows, lengths);
      at = endOfData(bytes, at + 1);
    } else if (block === 0x3b) return { width, height, side: Math.max(side, width, height), pixels };
    else damaged();
  }
}

const colourBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

function endOfData(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes.readUInt8(at) !== 0) at += 1 + bytes.readUInt8(at);
  return at + 1;
}

/** Follows the codes (LZW) until they have yielded as many pixels as wanted. Of what a code stands for, only the length is kept. */
function* checkPixels(
  bytes: Buffer,
  from: number,
  wanted: number,
  lengths: Uint16Array,
): Generator<void, void> {
  const codeBits = bytes.readUInt8(from);
  if (codeBits < 1 || codeBits > 11) damaged();
  const clear = 1 << codeBits;
  lengths.fill(1, 0, clear);
  let [next, size, last] = [clear + 2, codeBits + 1, 0];
  let [bits, held] = [0, 0];
  let [at, blockEnd] = [from + 1, from + 1];
  let pause = from + STRETCH;
  for (let pixels = 0; pixels < wanted;) {
    while (held < size) {
      if (at === blockEnd) {
        const length = bytes.readUInt8(at);
        if (length === 0) damaged();
        if (at > pause) {
          yield;
          pause = at + STRETCH;
        }
        at += 1;
        blockEnd = at + length;
      }
      bits |= bytes.readUInt8(at) << held;
      held += 8;
      at += 1;
    }
    const code = bits & ((1 << size) - 1);
    bits >>>= size;
    held -= size;
    if (code === clear) [next, size, last] = [clear + 2, codeBits + 1, 0];
    else {
      // The code that is made next is the one before and a pixel more; it may be used at once.
      const making = last > 0 && next < lengths.length;
      if (making) lengths[next] = last + 1;
      if (code === clear + 1 || code > next || (code === next && !making)) damaged();
      if (making) next += 1;
      last = lengths[code] ?? 0;
      pixels += last;
      if (next === 1 << size && size < 12) size += 1;
    }
  }
}
