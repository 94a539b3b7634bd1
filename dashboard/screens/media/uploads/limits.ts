/** The files that the API accepts (docs/spec/rulings.md, 6); it looks at the bytes, too. */
export const imageTypes = ['image/webp', 'image/png', 'image/jpeg', 'image/gif', 'image/avif'] as const;
const LARGEST_BYTES = 10_000_000;

export type Refusal = 'wrongType' | 'tooLarge' | 'empty';

/** Why a file is not sent at all; null if it is. */
export function refusalOf({ type, size }: Pick<File, 'type' | 'size'>): Refusal | null {
  if (!imageTypes.some((known) => known === type)) return 'wrongType';
  if (size === 0) return 'empty';
  return size > LARGEST_BYTES ? 'tooLarge' : null;
}
