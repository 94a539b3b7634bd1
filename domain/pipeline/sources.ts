import { SOURCES } from '../../packages/base/content.ts';
import type { Article, Source } from '../articles/row.ts';

/** A page that was fetched for an article. */
export interface FetchedPage {
  /** Where redirects led. */
  readonly url: string;
  readonly title: string | null;
  readonly published_at: string | null;
  readonly text: string;
}

/** The text of a source as it was read; empty for one that was not. Its position is the number by which facts cite it. */
export interface Extract {
  readonly url: string;
  readonly text: string;
}

/** The sources of an article, and after them the pages that are none yet (docs/spec/rulings.md, 25). */
export function withPages(
  own: Article['sources'],
  pages: readonly FetchedPage[],
  now: Date | null,
): Article['sources'] {
  const known = new Set((own ?? []).map(({ url }) => comparable(url)));
  const added = pages.filter(({ url }) => {
    const isNew = !known.has(comparable(url));
    known.add(comparable(url));
    return isNew;
  });
  const sources: Omit<Source, 'n'>[] = [
    ...(own ?? []),
    ...added.map(({ url, title, published_at }) => ({
      url,
      title,
      published_at,
      accessed_at: now?.toISOString() ?? null,
    })),
  ];
  if (sources.length === 0) return own;
  return sources.slice(0, SOURCES).map((source, index) => ({ ...source, n: index + 1 }));
}

export function extractsOf(sources: Article['sources'], pages: readonly FetchedPage[]): readonly Extract[] {
  const texts = new Map(pages.map(({ url, text }) => [comparable(url), text]));
  return (sources ?? []).map(({ url }) => ({ url, text: texts.get(comparable(url)) ?? '' }));
}

/** An address without its fragment, as two that lead to the same page have it. */
export function comparable(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return url;
  parsed.hash = '';
  return parsed.href;
}
