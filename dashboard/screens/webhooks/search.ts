import { oneOf, search as searchOf, text } from '../../ui/search.ts';
import type { SearchOf } from '../../ui/search.ts';
import { deliveredTypes } from '../../content/event-types.ts';
import { periods } from '../../content/periods.ts';

const readers = {
  status: oneOf(['succeeded', 'failed']),
  type: oneOf(deliveredTypes),
  period: oneOf(periods),
  /** The event whose attempts are open. */
  event: text,
};

export const search = searchOf(readers);
export type LogFilters = SearchOf<typeof readers>;
