/** A file that ends before what it announces, or whose blocks do not follow each other. */
class Damage extends Error {
  override name = 'Damage';
}

export function damaged(): never {
  throw new Damage('The file is not whole');
}

const beyondTheEnd = new Set(['ERR_OUT_OF_RANGE', 'ERR_BUFFER_OUT_OF_BOUNDS']);

/** Whether reading ended because of the file: at a block that cannot be, or beyond the last byte. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Damage || beyondTheEnd.has((error as NodeJS.ErrnoException).code ?? '');
