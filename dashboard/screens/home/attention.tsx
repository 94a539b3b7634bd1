import type { ReactNode } from 'react';
import { useActionName } from '../../content/approval-actions.ts';
import { stateOf } from '../../content/webhook-state.ts';
import { useSite } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { isolated } from '../../text/isolated.ts';
import { useText } from '../../text/texts.ts';
import { ButtonLink } from '../../ui/links.ts';
import { ErrorNote, Loading } from '../../ui/notes.tsx';
import { Sign } from '../../ui/sign.tsx';
import type { Tone } from '../../ui/sign.tsx';
import { isOverdue, isRecent } from './facts.ts';
import type { Facts } from './facts.ts';
import styles from './home.module.css';
import { attentionTexts } from './text.ts';

interface Note {
  readonly key: string;
  readonly tone: Tone;
  readonly text: string;
  readonly action: string;
  /** The address without `/dashboard`. */
  readonly to: string;
}

/** The matters that need attention, the most urgent first. */
export function Attention({ facts }: { readonly facts: Facts }): ReactNode {
  const text = useText(attentionTexts);
  const notes = useNotes(facts);
  const asked = Object.values(facts).filter(
    ({ isPending, fetchStatus }) => !isPending || fetchStatus !== 'idle',
  );
  const failed = asked.find(({ error }) => error !== null);
  const isReading = asked.some(({ isPending }) => isPending);
  const retry = (): void => asked.forEach(({ error, refetch }) => error !== null && void refetch());
  return (
    <section className={styles.section}>
      <div className={styles.heading}>
        <h2>{text.title}</h2>
      </div>
      {failed !== undefined && <ErrorNote error={failed.error} retry={retry} />}
      {notes.length > 0 && (
        <ul className={styles.notes}>
          {notes.map(({ key, tone, text, action, to }) => (
            <li key={key}>
              <Sign tone={tone}>
                <span>{text}</span>
              </Sign>
              <ButtonLink to={to} variant="default" size="xs" aria-label={`${action}: ${text}`}>
                {action}
              </ButtonLink>
            </li>
          ))}
        </ul>
      )}
      {notes.length === 0 && isReading && <Loading />}
      {notes.length === 0 && !isReading && failed === undefined && (
        <p className={styles.calm}>
          <Sign tone="good">{text.none}</Sign>
        </p>
      )}
    </section>
  );
}

const urgency: readonly Tone[] = ['bad', 'warn', 'quiet'];

function useNotes(facts: Facts): readonly Note[] {
  const now = Date.now();
  const notes = [
    ...useOverdue(facts, now),
    ...useWebhookNotes(facts),
    ...useRunNotes(facts, now),
    ...useApprovalNotes(facts),
    ...useReviewNotes(facts),
    ...useCommentNotes(facts),
  ];
  return urgency.flatMap((tone) => notes.filter((note) => note.tone === tone));
}

function useOverdue({ scheduled }: Facts, now: number): Note[] {
  const { id: siteId, timezone } = useSite();
  const text = useText(attentionTexts);
  const format = useFormat();
  return (scheduled.data?.items ?? [])
    .filter(({ scheduled_publish_at: time }) => isOverdue(time, now))
    .slice(0, 5)
    .map(({ id, title, scheduled_publish_at: time }) => ({
      key: id,
      tone: 'bad',
      text: text.overdue(
        title === null ? text.untitled : text.named(isolated(title)),
        format.dateTime(time ?? '', timezone),
      ),
      action: text.look.article,
      to: `/${siteId}/articles/${id}`,
    }));
}

const webhookTones = { failing: 'warn', disabled: 'bad', paused: 'quiet' } as const;

function useWebhookNotes({ webhooks }: Facts): Note[] {
  const { id: siteId } = useSite();
  const text = useText(attentionTexts);
  return (webhooks.data?.items ?? []).flatMap((webhook): Note[] => {
    const { id, url, consecutive_failures: failures } = webhook;
    const state = stateOf(webhook);
    if (state === 'active') return [];
    return [
      {
        key: id,
        tone: webhookTones[state],
        text: text[state](url, failures),
        action: text.look.webhook,
        to: `/${siteId}/webhooks/${id}`,
      },
    ];
  });
}

function useRunNotes({ runs }: Facts, now: number): Note[] {
  const { id: siteId } = useSite();
  const text = useText(attentionTexts);
  const format = useFormat();
  return (runs.data?.items ?? [])
    .filter(({ status, finished_at: time }) => ['failed', 'partial'].includes(status) && isRecent(time, now))
    .slice(0, 3)
    .map(({ id, status, created_at: time }) => ({
      key: id,
      tone: status === 'failed' ? 'bad' : 'warn',
      text: (status === 'failed' ? text.failedRun : text.partialRun)(format.dateTime(time)),
      action: text.look.run,
      to: `/${siteId}/runs/${id}`,
    }));
}

const MOST_APPROVALS = 5;

function useApprovalNotes({ approvals }: Facts): Note[] {
  const { id: siteId } = useSite();
  const text = useText(attentionTexts);
  const actionName = useActionName();
  const waiting = approvals.data?.items ?? [];
  const notes = waiting.slice(0, MOST_APPROVALS).map((approval): Note => ({
    key: approval.id,
    tone: 'warn',
    text: text.approval(isolated(approval.requested_by.name), actionName(approval)),
    action: text.look.approval,
    to: `/${siteId}/approvals/${approval.id}`,
  }));
  const others = waiting.length - notes.length;
  if (others === 0) return notes;
  const more = text.moreApprovals(others);
  return [
    ...notes,
    { key: 'approvals', tone: 'warn', text: more, action: text.look.approvals, to: `/${siteId}/approvals` },
  ];
}

function useReviewNotes({ reviews }: Facts): Note[] {
  const { id: siteId } = useSite();
  const text = useText(attentionTexts);
  const format = useFormat();
  return (reviews.data ?? []).map(
    ({ id, article_id: articleId, title, requested_by: by, due_date: due }) => ({
      key: id,
      tone: 'warn',
      text: text.review(
        isolated(by.name),
        title ? text.named(isolated(title)) : text.untitled,
        due && format.date(`${due}T12:00:00Z`, 'UTC'),
      ),
      action: text.look.review,
      to: `/${siteId}/articles/${articleId}`,
    }),
  );
}

function useCommentNotes({ comments }: Facts): Note[] {
  const { id: siteId } = useSite();
  const text = useText(attentionTexts);
  const format = useFormat();
  const waiting = comments.data?.counts.pending ?? 0;
  if (waiting === 0) return [];
  return [
    {
      key: 'comments',
      tone: 'warn',
      text: text.comments(waiting, format.number(waiting)),
      action: text.look.comments,
      to: `/${siteId}/comments`,
    },
  ];
}
