import { useState } from 'react';
import type { ReactNode } from 'react';
import { getRouteApi } from '@tanstack/react-router';
import type { Comment, CommentPage } from '../../../sdk/src/index.ts';
import { useItem } from '../../api/item.ts';
import { useList } from '../../api/list.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { ButtonLink, TextLink } from '../../ui/links.ts';
import { ErrorNote, Loading } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { EraseDialog } from './erase-dialog.tsx';
import { Filters } from './filters.tsx';
import { useModeration } from './moderation.ts';
import { Queue } from './queue.tsx';
import { screenTexts } from './text.ts';
import styles from './screen.module.css';

const route = getRouteApi('/$siteId/comments');
const REFRESH_MS = 60_000;

/** The queue of comments. */
export function Screen(): ReactNode {
  const { id: siteId, rights } = useSite();
  const { slug, ...search } = route.useSearch();
  const { status = 'pending' } = search;
  const text = useText(screenTexts);
  const filter = status === 'all' ? undefined : status;
  const list = useList<Comment, CommentPage>({
    key: ['comments', { filter, slug }],
    load: (presswork, page, options) =>
      presswork.comments.list({ ...page, ...(filter && { status: filter }), ...(slug && { slug }) }, options),
    refreshMs: REFRESH_MS,
  });
  const moderation = useModeration(list, filter);
  const [erasing, setErasing] = useState<string | null>(null);
  const mayWrite = rights.can('comments:write');
  return (
    <Page
      title={text.title}
      actions={
        <>
          {mayWrite && (
            <Button variant="default" onClick={() => setErasing('')}>
              {text.erase}
            </Button>
          )}
          {rights.administers && (
            <ButtonLink variant="default" to="/$siteId/settings" params={{ siteId }}>
              {text.settings}
            </ButtonLink>
          )}
        </>
      }
    >
      <SwitchedOff />
      <Filters counts={moderation.counts} slug={slug} />
      {slug !== undefined && (
        <p className={styles.about}>
          <span dir="auto">{text.ofArticle(slug)}</span>{' '}
          <TextLink to="/$siteId/comments" params={{ siteId }} search={search}>
            {text.allArticles}
          </TextLink>
        </p>
      )}
      {status === 'spam' && moderation.rows.length > 0 && <p className={styles.about}>{text.spamLeaves}</p>}
      {list.isLoading && list.error === null && <Loading />}
      {list.error !== null && <ErrorNote error={list.error} retry={list.reload} />}
      {!list.isLoading && (
        // Other filters are another queue: nothing of the one is current in the other.
        <Queue
          key={`${status} ${slug}`}
          list={list}
          moderation={moderation}
          status={status}
          onErase={mayWrite ? setErasing : undefined}
        />
      )}
      <EraseDialog address={erasing} onClose={() => setErasing(null)} />
    </Page>
  );
}

function SwitchedOff(): ReactNode {
  const text = useText(screenTexts);
  const { data } = useItem({
    key: ['comment-settings'],
    load: (presswork, options) => presswork.comments.getSettings(options),
  });
  return data?.enabled === false && <p className={styles.off}>{text.off}</p>;
}
