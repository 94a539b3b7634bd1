import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Note } from '../../../../sdk/src/index.ts';
import { useChange } from '../../../api/change.ts';
import { useSite } from '../../../api/site.ts';
import { membershipOf, useAccount } from '../../../session/account.ts';
import { useFormat } from '../../../text/format.ts';
import { isolated } from '../../../text/isolated.ts';
import { useText } from '../../../text/texts.ts';
import { Button, UnstyledButton } from '../../../ui/controls.ts';
import { RelativeTime } from '../../../ui/times.tsx';
import { show } from './place.ts';
import { Said } from './review.tsx';
import { noteTexts } from './text.ts';
import { WriteNote } from './write-note.tsx';
import styles from './review.module.css';

export interface ThreadProps {
  readonly note: Note;
  readonly replies: readonly Note[];
}

/** A note with its replies. */
export function Thread({ note, replies }: ThreadProps): ReactNode {
  const text = useText(noteTexts);
  const { rights } = useSite();
  const [isReplying, setReplying] = useState(false);
  const { quote, position } = note;
  return (
    <div className={styles.thread}>
      {quote !== null && (
        <UnstyledButton
          className={styles.quote}
          dir="auto"
          aria-label={text.show(quote)}
          onClick={() => show(quote, position?.start ?? 0)}
        >
          {quote}
        </UnstyledButton>
      )}
      {quote !== null && position === null && <p className={styles.about}>{text.gone}</p>}
      <OneNote note={note} onReply={() => setReplying(true)} />
      {replies.length > 0 && (
        <ul className={styles.replies}>
          {replies.map((reply) => (
            <li key={reply.id}>
              <OneNote note={reply} />
            </li>
          ))}
        </ul>
      )}
      {isReplying && rights.can('articles:write') && (
        <WriteNote articleId={note.article_id} to={note} onClose={() => setReplying(false)} />
      )}
    </div>
  );
}

interface OneNoteProps {
  readonly note: Note;
  /** Not given for a reply: the thread is resolved and answered as a whole. */
  readonly onReply?: () => void;
}

function OneNote({ note, onReply }: OneNoteProps): ReactNode {
  const text = useText(noteTexts);
  const { id: siteId, rights } = useSite();
  const format = useFormat();
  const isMine = note.author.id === membershipOf(useAccount(), siteId)?.member_id;
  const resolve = useChange({
    send: (presswork, resolved: boolean) =>
      presswork.articles.updateNote(note.article_id, note.id, { resolved }),
    touches: ['notes'],
  });
  const remove = useChange({
    send: (presswork) => presswork.articles.deleteNote(note.article_id, note.id),
    touches: ['notes'],
  });
  const name = isolated(note.author.name);
  const mentions = note.mentions.map((person) => isolated(person.name));
  const action = (label: string, onClick: () => void): ReactNode => (
    <Button size="compact-xs" variant="subtle" aria-label={text.byName(label, name)} onClick={onClick}>
      {label}
    </Button>
  );
  return (
    <>
      <div className={styles.about}>
        <bdi>{note.author.name}</bdi>, <RelativeTime time={note.created_at} />
        {note.resolved_by !== null && <div>{text.resolvedBy(isolated(note.resolved_by.name))}</div>}
      </div>
      <Said>{note.body}</Said>
      {mentions.length > 0 && <div className={styles.about}>{text.mentioned(format.list(mentions))}</div>}
      {rights.can('articles:write') && (
        <div className={styles.row}>
          {onReply && action(text.reply, onReply)}
          {onReply &&
            action(note.resolved ? text.reopen : text.resolve, () => resolve.mutate(!note.resolved))}
          {(isMine || rights.publishes) && action(text.delete, () => remove.mutate())}
        </div>
      )}
    </>
  );
}
