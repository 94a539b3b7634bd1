import { oneOf, search as searchOf, text } from '../../ui/search.ts';
import type { SearchOf } from '../../ui/search.ts';

export const buckets = ['blog-images', 'author-avatars'] as const;
export type Bucket = (typeof buckets)[number];

const readers = {
  q: text,
  bucket: oneOf(buckets),
  /** The image whose large view is open. */
  image: text,
};

export type MediaSearch = SearchOf<typeof readers>;
export const search = searchOf(readers);
