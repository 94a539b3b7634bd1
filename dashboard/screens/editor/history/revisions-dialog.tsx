import { useState } from 'react';
import type { ReactNode } from 'react';
import { useItem } from '../../../api/item.ts';
import { useList } from '../../../api/list.ts';
import { useFormat } from '../../../text/format.ts';
import { useText } from '../../../text/texts.ts';
import { Button, Modal, UnstyledButton } from '../../../ui/controls.ts';
import { ErrorNote, Loading } from '../../../ui/notes.tsx';
import { RelativeTime } from '../../../ui/times.tsx';
import { toast } from '../../../session/toast.ts';
import { useMayWrite, useSaving, useSession } from '../article/use-article.ts';
import { fieldTexts } from '../field-text.ts';
import { changedFields, FIELDS, fieldsOf } from '../saving/fields.ts';
import { screenTexts } from '../text.ts';
import { Difference } from './difference.tsx';
import { historyTexts } from './text.ts';
import styles from './history.module.css';

/** The versions of the article, and what each was in comparison with now. */
export function RevisionsDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const text = useText(historyTexts);
  const screen = useText(screenTexts);
  const articleId = useSaving(({ base }) => base.id) ?? '';
  const [number, setNumber] = useState<number | null>(null);
  const named = useFieldNames();
  const format = useFormat();
  const list = useList({
    key: ['articles', articleId, 'revisions'],
    load: (presswork, page, options) => presswork.articles.listRevisions(articleId, page, options),
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={text.revisionsTitle}
      size="80rem"
      closeButtonProps={{ 'aria-label': screen.close }}
    >
      <div className={styles.history}>
        <div className={styles.list}>
          {list.isLoading && <Loading />}
          {list.error !== null && <ErrorNote error={list.error} retry={list.reload} />}
          {list.rows.length === 0 && !list.isLoading && <p>{text.none}</p>}
          <ul>
            {list.rows.map((revision) => (
              <li key={revision.number}>
                <UnstyledButton
                  className={styles.revision}
                  aria-pressed={revision.number === number}
                  onClick={() => setNumber(revision.number)}
                >
                  <span>
                    {format.dateTime(revision.created_at)} · <RelativeTime time={revision.created_at} />
                  </span>
                  <span dir="auto">{text.by(revision.actor.name)}</span>
                  <small>{text.changed(named(revision.changed))}</small>
                </UnstyledButton>
              </li>
            ))}
          </ul>
          {list.hasMore && (
            <Button variant="default" size="xs" loading={list.isLoadingMore} onClick={list.loadMore}>
              {text.more}
            </Button>
          )}
        </div>
        {number === null ? (
          <p className={styles.about}>{text.choose}</p>
        ) : (
          <Revision key={number} articleId={articleId} number={number} onClose={onClose} />
        )}
      </div>
    </Modal>
  );
}

interface RevisionProps {
  readonly articleId: string;
  readonly number: number;
  readonly onClose: () => void;
}

function Revision({ articleId, number, onClose }: RevisionProps): ReactNode {
  const text = useText(historyTexts);
  const { saver } = useSession();
  const mayWrite = useMayWrite();
  const now = useSaving(({ mine }) => mine);
  const named = useFieldNames();
  const { data, error } = useItem({
    key: ['articles', articleId, 'revision', number],
    load: (presswork, options) => presswork.articles.getRevision(articleId, number, options),
  });
  if (error !== null) return <ErrorNote error={error} />;
  if (data === undefined) return <Loading />;
  const then = fieldsOf(data.article);
  const { content, ...others } = changedFields(now, then);
  const restore = (): void => {
    // As if it had been typed: it is merged and saved like everything else, and can be undone.
    saver.edit(changedFields(now, then));
    toast.done(text.restored);
    onClose();
  };
  return (
    <section className={styles.compared} aria-live="polite">
      <p className={styles.about}>{content === undefined ? text.sameText : text.comparing}</p>
      {Object.keys(others).length > 0 && <p>{text.otherFields(named(Object.keys(others)))}</p>}
      {content !== undefined && (
        <Difference label={text.comparing} before={then.content ?? ''} after={now.content ?? ''} collapses />
      )}
      {mayWrite && (
        <>
          <Button onClick={restore} disabled={content === undefined && Object.keys(others).length === 0}>
            {text.restore}
          </Button>
          <p className={styles.about}>{text.restoreAbout}</p>
        </>
      )}
    </section>
  );
}

function useFieldNames(): (fields: readonly string[]) => string {
  const names = useText(fieldTexts);
  const format = useFormat();
  return (fields) =>
    format.list(
      fields.map((name) => {
        const known = FIELDS.find((field) => field === name);
        return known === undefined ? name : names[known];
      }),
    );
}
