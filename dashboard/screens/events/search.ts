import { oneOf, search as searchOf, text } from '../../ui/search.ts';
import type { SearchOf } from '../../ui/search.ts';
import { eventTypes } from '../../content/event-types.ts';
import { periods } from '../../content/periods.ts';

const readers = {
  type: oneOf(eventTypes),
  period: oneOf(periods),
  /** The event that is open. */
  event: text,
};

export const search = searchOf(readers);
export type EventFilters = SearchOf<typeof readers>;
