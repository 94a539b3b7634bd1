import { oneOf, search as searchOf } from '../../ui/search.ts';
import type { SearchOf } from '../../ui/search.ts';
import { periods } from '../../content/periods.ts';

export const kinds = ['grant', 'charge', 'refund', 'purchase', 'refund_out', 'dispute'] as const;

const readers = { kind: oneOf(kinds), period: oneOf(periods) };

export const search = searchOf(readers);
export type LedgerFilters = SearchOf<typeof readers>;
