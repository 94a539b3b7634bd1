import { search as searchOf, text } from '../../app/search.ts';
import type { SearchOf } from '../../app/search.ts';

const readers = {
  /** The push that is open. */
  push: text,
};

export const search = searchOf(readers);
export type DeliverySearch = SearchOf<typeof readers>;
