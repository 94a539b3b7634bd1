import { oneOf, search as searchOf, text } from '../../ui/search.ts';
import type { SearchOf } from '../../ui/search.ts';

export const views = ['month', 'week', 'list'] as const;
export type View = (typeof views)[number];

const readers = {
  /** Without it, the month. */
  view: oneOf(views),
  /** A day of what is shown, `2026-03-29`; without it, today. */
  on: text,
};

export type CalendarSearch = SearchOf<typeof readers>;
export const search = searchOf(readers);
