import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useItem } from '../api/item.ts';
import { useSite } from '../api/site.ts';
import { texts, useText } from '../text/texts.ts';

export const articleNameTexts = texts(
  { article: (id: string) => `Article ${id.slice(-8)}` },
  { article: (id: string) => `Artikel ${id.slice(-8)}` },
);

/** The name of each article is a request: lists of ids ask for this many. */
export const MOST_NAMES = 40;

export interface ArticleNameProps {
  readonly id: string;
  /** Whether its title is read; otherwise it is called by the end of its id. */
  readonly isNamed: boolean;
}

/** The title of an article; undefined until it is read. */
export const useArticleTitle = (id: string, enabled: boolean): string | null | undefined =>
  useItem({
    key: ['articles', id, 'name'],
    load: (presswork, options) => presswork.articles.get(id, { fields: ['id', 'title'] }, options),
    enabled,
  }).data?.title;

/** An article of which only the id is known, as a link to it. */
export function ArticleName({ id, isNamed }: ArticleNameProps): ReactNode {
  const { id: siteId } = useSite();
  const text = useText(articleNameTexts);
  const title = useArticleTitle(id, isNamed);
  return (
    <Link to="/$siteId/articles/$articleId" params={{ siteId, articleId: id }} dir="auto">
      {title ?? text.article(id)}
    </Link>
  );
}
