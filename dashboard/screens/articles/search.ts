import { oneOf, search as searchOf, someOf, text } from '../../ui/search.ts';
import type { SearchOf } from '../../ui/search.ts';
import { origins } from '../../content/origin.tsx';
import { articleStatuses } from '../../content/statuses.ts';

export const orders = [
  'updated_at.desc',
  'updated_at.asc',
  'published_at.desc',
  'published_at.asc',
  'created_at.desc',
] as const;

const readers = {
  q: text,
  status: someOf(articleStatuses),
  origin: someOf(origins),
  category: text,
  tag: text,
  author: text,
  order: oneOf(orders),
};

export const search = searchOf(readers);
export type Filters = SearchOf<typeof readers>;
