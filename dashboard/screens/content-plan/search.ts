import { oneOf, search as searchOf, someOf, text } from '../../ui/search.ts';
import type { SearchOf } from '../../ui/search.ts';

export const statuses = ['idea', 'approved', 'rejected', 'started', 'done'] as const;

const readers = {
  q: text,
  status: someOf(statuses),
  /** The order of the plan if there is none. */
  order: oneOf(['target_date']),
  /** The id of the item that is open, or `new`. */
  item: text,
};

export const search = searchOf(readers);
export type PlanSearch = SearchOf<typeof readers>;
