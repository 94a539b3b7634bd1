/** A file that is truncated, or whose blocks do not fit together. */
class Damage extends Error {
  override name = 'Damage';
}

export function damaged(): never {
  throw new Damage('The file is not whole');
}

const beyondTheEnd = new Set(['ERR_OUT_OF_RANGE', 'ERR_BUFFER_OUT_OF_BOUNDS']);

/** Whether reading failed because of the file: an invalid block, or a read beyond the last byte. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Damage || beyondTheEnd.has((error as NodeJS.ErrnoException).code ?? '');
