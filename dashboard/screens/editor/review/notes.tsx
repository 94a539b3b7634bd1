import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Note } from '../../../../sdk/src/index.ts';
import { useList } from '../../../api/list.ts';
import { useSite } from '../../../api/site.ts';
import { useText } from '../../../text/texts.ts';
import { Button, Checkbox } from '../../../ui/controls.ts';
import { ErrorNote } from '../../../ui/notes.tsx';
import { useSaving } from '../article/use-article.ts';
import { Thread } from './thread.tsx';
import { WriteNote } from './write-note.tsx';
import { noteTexts } from './text.ts';
import styles from './review.module.css';

const REFRESH_MS = 30_000;

/** The notes on the article, in the order of the text. */
export function Notes({ articleId }: { readonly articleId: string }): ReactNode {
  const text = useText(noteTexts);
  const { rights } = useSite();
  const [withResolved, setWithResolved] = useState(false);
  // Notes move with the text.
  const etag = useSaving(({ base }) => base.etag);
  const list = useList({
    key: ['notes', { articleId, etag }],
    load: (presswork, page, options) =>
      presswork.articles.listNotes(articleId, { ...page, limit: 100 }, options),
    refreshMs: REFRESH_MS,
  });
  const threads = list.rows
    .filter(({ parent_id: parent, resolved }) => parent === null && (withResolved || !resolved))
    .toSorted(inOrder);
  const hasResolved = list.rows.some(({ parent_id: parent, resolved }) => parent === null && resolved);
  return (
    <section className={styles.block}>
      <h2>{text.title}</h2>
      {list.error !== null && <ErrorNote error={list.error} retry={list.reload} />}
      {threads.length === 0 && !list.isLoading && <p className={styles.about}>{text.none}</p>}
      {threads.length > 0 && (
        <ul className={styles.threads}>
          {threads.map((note) => (
            <li key={note.id}>
              <Thread note={note} replies={list.rows.filter(({ parent_id: parent }) => parent === note.id)} />
            </li>
          ))}
        </ul>
      )}
      {list.hasMore && (
        <Button variant="default" loading={list.isLoadingMore} onClick={list.loadMore}>
          {text.more}
        </Button>
      )}
      {hasResolved && (
        <Checkbox
          label={text.showResolved}
          checked={withResolved}
          onChange={({ currentTarget }) => setWithResolved(currentTarget.checked)}
        />
      )}
      {rights.can('articles:write') && <WriteNote articleId={articleId} />}
    </section>
  );
}

/** By their place; those without one come last, oldest first as they were read. */
const inOrder = (a: Note, b: Note): number =>
  (a.position?.start ?? Number.MAX_SAFE_INTEGER) - (b.position?.start ?? Number.MAX_SAFE_INTEGER);
