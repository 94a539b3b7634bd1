import { keepPreviousData, useQueries } from '@tanstack/react-query';
import type { Presswork } from '../../../sdk/src/index.ts';
import { listOf } from '../../content/terms.ts';
import { useSite } from '../../api/site.ts';
import type { Scope } from '../../api/site.ts';
import type { Found } from './result.ts';

const MOST = 5;

type Load = (
  presswork: Presswork,
  q: string,
  siteId: string,
  options: { signal: AbortSignal },
) => Promise<readonly Found[]>;

const content = { isContent: true } as const;

const articles: Load = async (presswork, q, siteId, options) => {
  const query = { q, limit: MOST + 1, fields: ['title', 'status'] } as const;
  const { items } = await presswork.articles.list(query, options);
  const found = items.slice(0, MOST).map(({ id, title, status }): Found => ({
    ...content,
    group: 'articles',
    label: title ?? '',
    status,
    to: `/${siteId}/articles/${id}`,
  }));
  const all: Found = {
    group: 'articles',
    label: '',
    isContent: false,
    to: `/${siteId}/articles`,
    search: { q },
  };
  return items.length > MOST ? [...found, all] : found;
};

const media: Load = async (presswork, q, siteId, options) => {
  const { items } = await presswork.media.list(
    { q, limit: MOST, fields: ['file_name', 'alt_text'] },
    options,
  );
  return items.map(({ id, file_name: name, alt_text: alt }): Found => ({
    ...content,
    group: 'media',
    label: alt ?? name ?? '',
    to: `/${siteId}/media`,
    search: { q, image: id },
  }));
};

const terms =
  (kind: 'categories' | 'tags' | 'authors'): Load =>
  async (presswork, q, siteId, options) => {
    const { items } = await listOf(presswork, kind)({ q, limit: MOST }, options);
    return items.map(({ id, name }): Found => ({
      ...content,
      group: kind,
      label: name,
      to: `/${siteId}/${kind}`,
      search: { q, edit: id },
    }));
  };

const sources: readonly { name: string; scope: Scope; load: Load }[] = [
  { name: 'articles', scope: 'articles:read', load: articles },
  { name: 'media', scope: 'media:read', load: media },
  { name: 'categories', scope: 'taxonomy:read', load: terms('categories') },
  { name: 'tags', scope: 'taxonomy:read', load: terms('tags') },
  { name: 'authors', scope: 'authors:read', load: terms('authors') },
];

/** The objects of the Site with this text. A request whose text is no longer wanted is ended. */
export function useContent(q: string) {
  const { id: siteId, presswork, rights } = useSite();
  const reads = useQueries({
    queries: sources
      .filter(({ scope }) => rights.can(scope))
      .map(({ name, load }) => ({
        queryKey: [siteId, name, 'item', 'search-everywhere', q],
        queryFn: ({ signal }: { signal: AbortSignal }) => load(presswork, q, siteId, { signal }),
        placeholderData: keepPreviousData,
        enabled: q !== '',
      })),
  });
  return {
    found: q === '' ? [] : reads.flatMap(({ data }) => data ?? []),
    isSearching: q !== '' && reads.some(({ isFetching }) => isFetching),
    error: q === '' ? null : (reads.find(({ error }) => error !== null)?.error ?? null),
  };
}
