import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Comment, CommentPage } from '../../../sdk/src/index.ts';
import type { LoadedList } from '../../api/list.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { Button, useDebouncedValue, useMediaQuery } from '../../ui/controls.ts';
import { EmptyState } from '../../ui/notes.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Card } from './card.tsx';
import { Context } from './context.tsx';
import { useCurrent } from './current.ts';
import { Keys } from './keys.tsx';
import type { Moderation, Outcome, Status } from './moderation.ts';
import { useQueueKeys } from './queue-keys.ts';
import { screenTexts } from './text.ts';
import styles from './queue.module.css';

const ReplyDialog = onDemand(async () => (await import('./reply-dialog.tsx')).ReplyDialog);

const SETTLED_MS = 250;
const WIDE = '(min-width: 1180px)';

export interface QueueProps {
  readonly list: LoadedList<Comment, CommentPage>;
  readonly moderation: Moderation;
  readonly status: Status | 'all';
  readonly onErase: ((address: string) => void) | undefined;
}

interface Undoable {
  readonly comment: Comment;
  readonly outcome: Outcome;
}

/** One comment after the other: what was decided leaves, and the next one is current. */
export function Queue({ list, moderation, status, onErase }: QueueProps): ReactNode {
  const text = useText(screenTexts);
  const mayWrite = useSite().rights.can('comments:write');
  const { rows } = moderation;
  const current = useCurrent(rows.map(({ id }) => id));
  const comment = rows.find(({ id }) => id === current.id);
  const [last, setLast] = useState<Undoable | null>(null);
  const [said, setSaid] = useState('');
  const [replying, setReplying] = useState<Comment | null>(null);
  const [removing, setRemoving] = useState<Comment | null>(null);

  const decide = (to: Comment, outcome: Outcome): void => {
    if (to.status === outcome) return;
    current.moveTo(current.after(to.id));
    setSaid(text.said[outcome](to.author_name));
    setLast({ comment: to, outcome });
    void moderation.decide(to, outcome).then((done) => {
      if (done) return;
      setSaid('');
      setLast(null);
      current.moveTo(to.id);
    });
  };
  const undo = (): void => {
    if (last === null || last.outcome === 'deleted') return;
    const { comment: before } = last;
    setSaid(text.said.undone(before.author_name));
    setLast(null);
    current.moveTo(before.id);
    void moderation.takeBack(before);
  };
  const reply = (to: Comment): void => {
    if (to.status !== 'spam') setReplying(to);
  };
  const onCurrent = (act: (comment: Comment) => void) => (): void => {
    if (comment !== undefined) act(comment);
  };
  useQueueKeys({
    j: () => current.moveBy(1),
    k: () => current.moveBy(-1),
    ...(mayWrite && {
      a: onCurrent((to) => decide(to, 'approved')),
      h: onCurrent((to) => decide(to, 'pending')),
      s: onCurrent((to) => decide(to, 'spam')),
      d: onCurrent(setRemoving),
      r: onCurrent(reply),
      z: undo,
    }),
  });

  const wide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false });
  const [settled] = useDebouncedValue(comment, SETTLED_MS);
  return (
    <div className={styles.columns}>
      <div ref={current.body} tabIndex={-1} className={styles.queue}>
        {rows.length === 0 && !list.hasMore && <Empty status={status} />}
        <ul className={styles.list} aria-label={text.list}>
          {rows.map((row) => (
            <Card
              key={row.id}
              comment={row}
              isCurrent={row.id === current.id}
              showsStatus={status === 'all'}
              context={wide ? undefined : <Context comment={row} />}
              onFocus={() => current.follow(row.id)}
              onDecide={(outcome) => decide(row, outcome)}
              onRemove={() => setRemoving(row)}
              onReply={() => reply(row)}
              onErase={onErase}
            />
          ))}
        </ul>
        {list.hasMore && (
          <Button variant="default" loading={list.isLoadingMore} onClick={list.loadMore}>
            {text.more}
          </Button>
        )}
        <div className={styles.said}>
          <span role="status" dir="auto">
            {said}
          </span>
          {last !== null && last.outcome !== 'deleted' && (
            <Button size="compact-sm" variant="subtle" aria-keyshortcuts="z" onClick={undo}>
              {text.said.undo}
            </Button>
          )}
        </div>
      </div>
      {wide && (
        <aside className={styles.aside} aria-label={text.context.title}>
          {settled !== undefined && <Context key={settled.id} comment={settled} />}
          {rows.length > 0 && mayWrite && <Keys />}
        </aside>
      )}
      {replying !== null && (
        <ReplyDialog
          comment={replying}
          onClose={() => {
            setReplying(null);
            current.moveTo(current.id);
          }}
        />
      )}
      <ConfirmDialog
        opened={removing !== null}
        onClose={() => setRemoving(null)}
        title={text.remove.title(removing?.author_name ?? '')}
        action={text.remove.action}
        danger
        onConfirm={async () => {
          if (removing !== null) decide(removing, 'deleted');
        }}
      >
        {text.remove.about}
      </ConfirmDialog>
    </div>
  );
}

function Empty({ status }: { readonly status: Status | 'all' }): ReactNode {
  const { empty } = useText(screenTexts);
  const about = {
    pending: empty.pendingAbout,
    approved: undefined,
    spam: empty.spamAbout,
    all: empty.allAbout,
  };
  return <EmptyState title={empty[status]}>{about[status]}</EmptyState>;
}
