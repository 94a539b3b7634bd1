import { useItem } from '../../api/item.ts';

/** The title of an article; null while it is not known. */
export function useTitle(articleId: string, enabled: boolean): string | null {
  const { data } = useItem({
    key: ['articles', articleId, 'title'],
    load: (presswork, options) => presswork.articles.get(articleId, { fields: ['title'] }, options),
    enabled,
  });
  return data?.title ?? null;
}
