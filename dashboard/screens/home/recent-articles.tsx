import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import type { UseQueryResult } from '@tanstack/react-query';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { ButtonLink, TextLink } from '../../ui/links.ts';
import { EmptyState, ErrorNote, Loading } from '../../ui/notes.tsx';
import { StatusBadge } from '../../content/status-badge.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import styles from './home.module.css';
import { screenTexts } from './text.ts';

interface Recent {
  readonly items: readonly { id: string; title: string | null; status: string; updated_at: string }[];
}

/** Where one left off. */
export function RecentArticles({ recent }: { readonly recent: UseQueryResult<Recent> }): ReactNode {
  const { id: siteId } = useSite();
  const text = useText(screenTexts).recent;
  const { data, error, refetch } = recent;
  return (
    <section className={styles.section}>
      <div className={styles.heading}>
        <h2>{text.title}</h2>
        {data !== undefined && data.items.length > 0 && (
          <TextLink to="/$siteId/articles" params={{ siteId }} size="sm">
            {text.all}
          </TextLink>
        )}
      </div>
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {data === undefined ? error === null && <Loading /> : <Articles items={data.items} />}
    </section>
  );
}

function Articles({ items }: Recent): ReactNode {
  const { id: siteId, rights } = useSite();
  const text = useText(screenTexts);
  const create = rights.can('articles:write') && (
    <ButtonLink to="/$siteId/articles/$articleId" params={{ siteId, articleId: 'new' }}>
      {text.newArticle}
    </ButtonLink>
  );
  if (items.length === 0)
    return (
      <EmptyState title={text.recent.none} action={create}>
        {text.recent.noneAbout}
      </EmptyState>
    );
  return (
    <ul className={styles.articles}>
      {items.map(({ id, title, status, updated_at: time }) => (
        <li key={id}>
          <div className={styles.article}>
            <Link to="/$siteId/articles/$articleId" params={{ siteId, articleId: id }} dir="auto">
              {title ?? text.recent.untitled}
            </Link>
          </div>
          <span className={styles.status}>
            <StatusBadge status={status} />
          </span>
          <span className={styles.time}>
            <RelativeTime time={time} />
          </span>
        </li>
      ))}
    </ul>
  );
}
