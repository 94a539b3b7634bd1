import { search as searchOf, text } from '../../ui/search.ts';
import type { SearchOf } from '../../ui/search.ts';

const readers = {
  action: text,
  /** The id of a key or a person. */
  actor: text,
  /** The id of the changed object. */
  target: text,
  /** Days, such as 2026-03-01; both belong to the period. */
  since: text,
  until: text,
};

export const search = searchOf(readers);
export type AuditFilters = SearchOf<typeof readers>;
