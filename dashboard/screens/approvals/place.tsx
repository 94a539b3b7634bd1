import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import type { Approval } from '../../../sdk/src/index.ts';
import { useItem } from '../../api/item.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { screenTexts } from './text.ts';
import styles from './approval.module.css';

/** Where the subject of a request is in the dashboard, without the Site; null for one that has no screen. */
function placeOf(path: string): string | null {
  const [resource = '', first = ''] = path.split('/').slice(1);
  if (path.startsWith('/comments/settings')) return '/settings';
  switch (resource) {
    case 'articles':
      return first === 'bulk' ? null : `/articles/${first}`;
    case 'webhooks':
      return `/webhooks/${first}`;
    case 'pipeline':
      return first === 'prompts' ? '/formats-and-prompts' : null;
    case 'media':
    case 'comments':
    case 'keys':
    case 'team':
    case 'delivery':
    case 'categories':
    case 'tags':
    case 'authors':
    case 'content-plan':
      return `/${resource}`;
    default:
      return null;
  }
}

/** Links to the subject of a request, and to the run that wrote it. */
export function Place({ approval }: { readonly approval: Approval }): ReactNode {
  const { id: siteId } = useSite();
  const { detail: text } = useText(screenTexts);
  const place = placeOf(approval.path);
  const to: string = `/${siteId}${place ?? ''}`;
  const [, resource, id = ''] = approval.path.split('/');
  const runId = useRunOf(id, resource === 'articles' && id !== 'bulk');
  return (
    <p className={styles.places}>
      {place !== null && <Link to={to}>{text.place}</Link>}
      {runId !== null && (
        <Link to="/$siteId/runs/$runId" params={{ siteId, runId }}>
          {text.run}
        </Link>
      )}
    </p>
  );
}

const NEWEST = 100;

/** The run that wrote an article, among the newest; null for none. */
function useRunOf(articleId: string, isArticle: boolean): string | null {
  const { rights } = useSite();
  const { data } = useItem({
    key: ['runs', 'newest'],
    load: (presswork, options) => presswork.pipeline.listRuns({ limit: NEWEST }, options),
    enabled: isArticle && rights.can('pipeline:read'),
  });
  if (!isArticle) return null;
  return (
    data?.items.find(({ articles }) => articles.some((each) => each.article_id === articleId))?.id ?? null
  );
}
