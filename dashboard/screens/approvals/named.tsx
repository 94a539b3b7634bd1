import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import type { Presswork } from '../../../sdk/src/index.ts';
import { useItem } from '../../api/item.ts';
import { useSite } from '../../api/site.ts';
import { ArticleName, MOST_NAMES } from '../../content/article-name.tsx';
import type { NamedArticle } from './target.ts';
import styles from './value.module.css';

type Read = (presswork: Presswork, id: string, options: { signal: AbortSignal }) => PromiseLike<string>;

/** The names of what a field has the ids of. */
const names: Readonly<Record<string, Read>> = {
  category_id: async (presswork, id, options) => (await presswork.categories.get(id, options)).name,
  author_id: async (presswork, id, options) => (await presswork.authors.get(id, options)).name,
  tag_ids: async (presswork, id, options) => (await presswork.tags.get(id, options)).name,
  format_id: async (presswork, id, options) =>
    (await presswork.contentTypes.list(options)).items.find((format) => format.id === id)?.name ?? id,
  connection_id: async (presswork, id, options) => (await presswork.connections.get(id, options)).name,
  plan_item_ids: async (presswork, id, options) => (await presswork.planItems.get(id, options)).title,
};

const links = ['article_ids', 'resume_run_id'];

/** Whether a field has ids, which say nothing to a person. */
export const hasIds = (field: string): boolean => Object.hasOwn(names, field) || links.includes(field);

/** Articles by their titles. */
export function Articles({ articles }: { readonly articles: readonly NamedArticle[] }): ReactNode {
  const { id: siteId } = useSite();
  return (
    <ul className={styles.list}>
      {articles.map(({ id, title }) => (
        <li key={id}>
          <Link to="/$siteId/articles/$articleId" params={{ siteId, articleId: id }} dir="auto">
            {title}
          </Link>
        </li>
      ))}
    </ul>
  );
}

export interface NamedProps {
  readonly field: string;
  readonly id: string;
  /** Among the ids of the field: each name is a request. */
  readonly index: number;
}

/** What an id stands for; the id itself if it does not exist any more. */
export function Named({ field, id, index }: NamedProps): ReactNode {
  const { id: siteId } = useSite();
  if (field === 'resume_run_id')
    return (
      <Link to="/$siteId/runs/$runId" params={{ siteId, runId: id }}>
        {id}
      </Link>
    );
  if (field === 'article_ids') return <ArticleName id={id} isNamed={index < MOST_NAMES} />;
  return <Name field={field} id={id} isNamed={index < MOST_NAMES} />;
}

function Name({ field, id, isNamed }: Omit<NamedProps, 'index'> & { readonly isNamed: boolean }): ReactNode {
  const { data } = useItem({
    key: ['names', field, id],
    load: async (presswork, options) => ({ name: await names[field]?.(presswork, id, options) }),
    enabled: isNamed,
  });
  return (
    <span dir="auto" className={styles.text}>
      {data?.name ?? id}
    </span>
  );
}
