import { setImmediate } from 'node:timers/promises';
import { damaged } from './damage.ts';

export interface PngChunk {
  readonly type: string;
  /** Start and end of its content; its type is before, its checksum behind it. */
  readonly from: number;
  readonly end: number;
}

/** Far more than encoders write: 10 MB in chunks of 8 KB, as usual, are 1,300. */
const CHUNK_LIMIT = 100_000;
/** Chunks between two pauses: a few milliseconds, with the callers' work for each. */
const STRETCH = 5_000;

/**
 * The chunks of a PNG, up to IEND and including it. Pauses regularly.
 *
 * @throws Error (`isDamage`) for a truncated file, or one of too many chunks
 */
export async function* pngChunks(bytes: Buffer): AsyncGenerator<PngChunk> {
  let at = 8;
  for (let count = 1; count <= CHUNK_LIMIT; count += 1) {
    if (count % STRETCH === 0) await setImmediate();
    const type = bytes.toString('latin1', at + 4, at + 8);
    const from = at + 8;
    const end = from + bytes.readUInt32BE(at);
    // The checksum as well has to be there.
    bytes.readUInt32BE(end);
    yield { type, from, end };
    if (type === 'IEND') return;
    at = end + 4;
  }
  damaged();
}
