import { damaged } from './damage.ts';

/** Facts from the boxes of an AVIF file. */
export interface IsoMedia {
  /** Frames of the longest image sequence; 1 for a still. */
  readonly frames: number;
}

interface Box {
  readonly type: string;
  /** Start and end of its content. */
  readonly from: number;
  readonly to: number;
}

/** Boxes, items and extents of a file together. Encoders write some hundreds; 5,000 take a few milliseconds. */
const BLOCK_LIMIT = 5_000;

/** Counts a block. */
type Count = () => void;

/**
 * Reads the boxes of an AVIF file (ISO/IEC 14496-12 and 23008-12), and checks that it has the data of each item.
 *
 * @throws Error (`isDamage`) for a truncated file, or one of too many blocks to be read at a stretch
 */
export function readIsoMedia(bytes: Buffer): IsoMedia {
  let blocks = 0;
  const count = (): void => {
    blocks += 1;
    if (blocks > BLOCK_LIMIT) damaged();
  };
  let frames = 1;
  let meta: Box | undefined;
  for (const box of boxes(bytes, 0, bytes.length, count)) {
    if (box.type === 'meta') meta = box;
    if (box.type !== 'moov') continue;
    for (const samples of sequences(bytes, box, count)) frames = Math.max(frames, samples);
  }
  if (meta !== undefined) checkItems(bytes, meta, count);
  return { frames };
}

function* boxes(bytes: Buffer, from: number, to: number, count: Count): Generator<Box> {
  for (let at = from; at < to;) {
    count();
    let size = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    let header = 8;
    if (size === 1) {
      size = Number(bytes.readBigUInt64BE(at + 8));
      header = 16;
    }
    // Zero means up to the end.
    const end = size === 0 ? to : at + size;
    if (end < at + header || end > to) damaged();
    yield { type, from: at + header, to: end };
    at = end;
  }
}

/** The boxes that contain the samples of a track, each within the one before. */
const toSamples = ['trak', 'mdia', 'minf', 'stbl'];

function* sequences(bytes: Buffer, box: Box, count: Count, depth = 0): Generator<number> {
  for (const inner of boxes(bytes, box.from, box.to, count)) {
    if (inner.type === toSamples[depth]) yield* sequences(bytes, inner, count, depth + 1);
    if (inner.type === 'stsz' || inner.type === 'stz2') yield bytes.readUInt32BE(inner.from + 8);
  }
}

/** Checks that every extent of every item is inside the file, or inside the box for small items. */
function checkItems(bytes: Buffer, meta: Box, count: Count): void {
  let idat = 0;
  let iloc: Box | undefined;
  // A full box starts with version and flags.
  for (const box of boxes(bytes, meta.from + 4, meta.to, count)) {
    if (box.type === 'idat') idat = box.to - box.from;
    if (box.type === 'iloc') iloc = box;
  }
  if (iloc === undefined) damaged();
  for (const { inIdat, end } of extents(bytes, iloc, count))
    if (end > (inIdat ? idat : bytes.length)) damaged();
}

interface Extent {
  readonly inIdat: boolean;
  readonly end: number;
}

function* extents(bytes: Buffer, iloc: Box, count: Count): Generator<Extent> {
  let at = iloc.from;
  const read = (size: number): number => {
    at += size;
    return size === 0
      ? 0
      : size === 8
        ? Number(bytes.readBigUInt64BE(at - 8))
        : bytes.readUIntBE(at - size, size);
  };
  const version = read(4) >>> 24;
  const sizes = read(2);
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexSize = version === 0 ? 0 : sizes & 15;
  const items = read(version < 2 ? 2 : 4);
  for (let item = 0; item < items; item += 1) {
    count();
    read(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : read(2) & 15;
    read(2);
    const base = read(baseSize);
    const ofItem = read(2);
    for (let extent = 0; extent < ofItem; extent += 1) {
      // An extent may have no bytes, so the length of the file does not limit their number.
      count();
      read(indexSize);
      const end = base + read(offsetSize) + read(lengthSize);
      // The third method takes its bytes from another item, whose extents are checked themselves.
      if (method < 2) yield { inIdat: method === 1, end };
    }
  }
}
