import { damaged } from './damage.ts';

/** Facts from the blocks of a GIF. */
export interface Gif {
  /** As browsers show it: the logical screen, extended to the first frame if that is larger. */
  readonly width: number;
  readonly height: number;
  /** The longest side, and the pixels of all frames together; of the screen, or of a larger frame. */
  readonly side: number;
  readonly pixels: number;
}

/** Bytes read before yielding: about 10 ms. */
const STRETCH = 250_000;

/**
 * Reads the blocks of a GIF up to the trailer, and counts the pixels in each frame's data (GIF89a, appendix F). Yields
 * regularly, because 10 MB of codes take 0.4 s.
 *
 * @throws Error (`isDamage`) for a truncated file, or a frame without data for each of its pixels
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
    if (block === 0x21) at = yield* endOfData(bytes, at + 2);
    else if (block === 0x2c) {
      const [left, top] = [bytes.readUInt16LE(at + 1), bytes.readUInt16LE(at + 3)];
      const [columns, rows] = [bytes.readUInt16LE(at + 5), bytes.readUInt16LE(at + 7)];
      if (frames === 0) [width, height] = [Math.max(width, left + columns), Math.max(height, top + rows)];
      frames += 1;
      side = Math.max(side, columns, rows);
      pixels += Math.max(width, columns) * Math.max(height, rows);
      at += 10 + colourBytes(bytes.readUInt8(at + 9));
      yield* checkPixels(bytes, at, columns * rows, lengths);
      at = yield* endOfData(bytes, at + 1);
    } else if (block === 0x3b) return { width, height, side: Math.max(side, width, height), pixels };
    else damaged();
  }
}

const colourBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

function* endOfData(bytes: Buffer, from: number): Generator<void, number> {
  let pause = from + STRETCH;
  for (let at = from; ;) {
    const length = bytes.readUInt8(at);
    at += 1 + length;
    if (length === 0) return at;
    if (at > pause) {
      yield;
      pause = at + STRETCH;
    }
  }
}

/** Follows the LZW codes until they have produced the wanted number of pixels. Only keeps the length of each code. */
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
      // The next code is the previous one plus a pixel, and may be used at once.
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
