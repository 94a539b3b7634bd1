import { oneOf, search as searchOf, text } from '../../ui/search.ts';
import type { SearchOf } from '../../ui/search.ts';

export const kinds = [
  'site-crawl',
  'on-page',
  'structured-data',
  'outbound-links',
  'backlinks',
  'internal-links',
  'keyword-overlap',
] as const;

export const severities = ['error', 'warning', 'notice'] as const;
export const backlinkStatuses = ['unknown', 'live', 'lost'] as const;

const findingReaders = {
  kind: oneOf(kinds),
  severity: oneOf(severities),
  /** Open ones if there is none. */
  status: oneOf(['dismissed', 'fixed', 'all']),
  article: text,
};

export const findingSearch = searchOf(findingReaders);
export type FindingFilters = SearchOf<typeof findingReaders>;

const backlinkReaders = { status: oneOf(backlinkStatuses), domain: text };

export const backlinkSearch = searchOf(backlinkReaders);
export type BacklinkFilters = SearchOf<typeof backlinkReaders>;
