import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Comment } from '../../../sdk/src/index.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge, Button, Menu } from '../../ui/controls.ts';
import { TextLink } from '../../ui/links.ts';
import { RowMenu } from '../../ui/row-menu.tsx';
import { Sign } from '../../ui/sign.tsx';
import type { Tone } from '../../ui/sign.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { LongText } from './long-text.tsx';
import type { Outcome, Status } from './moderation.ts';
import { screenTexts } from './text.ts';
import styles from './card.module.css';

export interface CardProps {
  readonly comment: Comment;
  /** The keys act on it. */
  readonly isCurrent: boolean;
  readonly showsStatus: boolean;
  /** The thread, if there is no room for it beside the queue. */
  readonly context: ReactNode | undefined;
  readonly onFocus: () => void;
  readonly onDecide: (outcome: Outcome) => void;
  readonly onRemove: () => void;
  readonly onReply: () => void;
  readonly onErase: ((address: string) => void) | undefined;
}

/** A comment with its actions. Text of readers is text and nothing else. */
export function Card(props: CardProps): ReactNode {
  const { comment, isCurrent, context, onFocus } = props;
  const text = useText(screenTexts).card;
  const [opened, setOpened] = useState(false);
  return (
    <li className={styles.item}>
      <article
        tabIndex={isCurrent ? 0 : -1}
        data-current={isCurrent || undefined}
        aria-current={isCurrent || undefined}
        aria-label={text.by(comment.author_name)}
        className={styles.card}
        onFocus={onFocus}
      >
        <Head {...props} />
        <LongText text={comment.body} />
        <Actions {...props} />
        {context !== undefined && (
          <div className={styles.context}>
            <Button
              size="compact-sm"
              variant="subtle"
              ms={-8}
              aria-expanded={opened}
              onClick={() => setOpened(!opened)}
            >
              {opened ? text.hideThread : text.thread}
            </Button>
            {opened && context}
          </div>
        )}
      </article>
    </li>
  );
}

const tones: Record<Status, Tone> = { pending: 'warn', approved: 'good', spam: 'bad' };

function Head({ comment, showsStatus, onErase }: CardProps): ReactNode {
  const text = useText(screenTexts);
  const { author_name: name, author_email: address, slug } = comment;
  const status = comment.status as Status;
  const { id: siteId } = useSite();
  return (
    <header className={styles.head}>
      <Avatar name={name} size={34} />
      <div className={styles.names}>
        <p className={styles.who}>
          <bdi className={styles.name}>{name}</bdi>
          {comment.is_reply_by_site && (
            <Badge variant="light" size="sm" tt="none">
              {text.card.site}
            </Badge>
          )}
          {comment.parent_id !== null && !comment.is_reply_by_site && (
            <Badge variant="default" size="sm" tt="none">
              {text.card.reply}
            </Badge>
          )}
          {showsStatus && <Sign tone={tones[status]}>{text.status[status]}</Sign>}
        </p>
        <p className={styles.where}>
          {address !== null && <bdi>{address}</bdi>}
          <RelativeTime time={comment.created_at} />
          {slug === null ? (
            <span>{text.card.onUnnamed}</span>
          ) : (
            <TextLink to="/$siteId/comments" params={{ siteId }} search={{ status: 'all', slug }} inherit>
              {text.card.on(slug)}
            </TextLink>
          )}
        </p>
      </div>
      {onErase !== undefined && address !== null && (
        <RowMenu label={text.card.more(name)}>
          <Menu.Item color="red" onClick={() => onErase(address)}>
            {text.erasing.ofThis}
          </Menu.Item>
        </RowMenu>
      )}
    </header>
  );
}

function Actions({ comment, onDecide, onRemove, onReply }: CardProps): ReactNode {
  const { rights } = useSite();
  const { actions: text } = useText(screenTexts);
  if (!rights.can('comments:write')) return null;
  const { status } = comment;
  return (
    <div className={styles.actions}>
      {status !== 'approved' && (
        <Button size="xs" aria-keyshortcuts="a" onClick={() => onDecide('approved')}>
          {text.approve}
        </Button>
      )}
      {status !== 'spam' && (
        <Button size="xs" variant="default" aria-keyshortcuts="r" onClick={onReply}>
          {text.reply}
        </Button>
      )}
      {status !== 'pending' && (
        <Button size="xs" variant="default" aria-keyshortcuts="h" onClick={() => onDecide('pending')}>
          {text.hold}
        </Button>
      )}
      {status !== 'spam' && (
        <Button size="xs" variant="default" aria-keyshortcuts="s" onClick={() => onDecide('spam')}>
          {text.spam}
        </Button>
      )}
      <Button
        size="xs"
        variant="subtle"
        color="red"
        c="var(--danger)"
        aria-keyshortcuts="d"
        onClick={onRemove}
      >
        {text.delete}
      </Button>
    </div>
  );
}
