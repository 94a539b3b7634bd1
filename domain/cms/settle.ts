import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { array, at, sql, statement } from '../../db/sql.ts';
import { storableText } from '../kernel/storable.ts';
import { nextAttemptAt } from '../webhooks/retry-schedule.ts';
import type { PushFailure, PushOutcome } from './adapter.ts';
import type { ClaimedItem } from './queue.ts';
import { finishPushes } from './queue.ts';
import type { ItemStatus } from './push.ts';
import { storeState } from './remote-posts.ts';
import type { Holder } from './remote-posts.ts';

/** The longest error that is stored. */
const LONGEST = 1_000;
/** The longest link that is stored: a list of pushes shows a hundred of each. */
const LONGEST_LINK = 2_000;
/** The longest time that a remote is left alone because it asked for it. */
const LONGEST_HOLD_MS = 6 * 60 * 60_000;

export interface Attempted {
  readonly item: ClaimedItem;
  readonly outcome: PushOutcome;
}

interface Settled {
  readonly item: ClaimedItem;
  readonly status: ItemStatus;
  readonly remoteUrl: string | null;
  readonly error: string | null;
  readonly dueAt: Date | null;
}

const heldRow = z.object({ held: z.boolean() });

/**
 * Stores the outcomes of attempts, if the process still has the lease. Failures are repeated as those of webhooks are.
 *
 * @returns whether they were stored; otherwise another process makes the attempts again
 */
export async function settleAttempts(
  tx: Transaction,
  holder: Holder,
  attempted: readonly Attempted[],
  retryDelays: readonly number[],
  now: Date,
): Promise<boolean> {
  const { connectionId, leaseId } = holder;
  const held = await tx.maybeOne(sql.type(heldRow)`
    select true as held from cms_connections
    where id = ${connectionId} and leased_by = ${leaseId} and deleted_at is null for no key update`);
  if (held === null) return false;
  for (const { item, outcome } of attempted)
    if (outcome.status === 'succeeded') await storeState(tx, holder, item.article_id, outcome.state, now);
  await storeItems(
    tx,
    attempted.map((each) => settle(each, retryDelays, now)),
  );
  await finishPushes(
    tx,
    attempted.map(({ item }) => item.push_id),
    now,
  );
  await storeHealth(tx, connectionId, attempted, now);
  return true;
}

function settle({ item, outcome }: Attempted, retryDelays: readonly number[], now: Date): Settled {
  if (outcome.status === 'succeeded')
    return { item, status: 'succeeded', remoteUrl: linkOf(outcome), error: null, dueAt: null };
  if (outcome.status === 'diverged')
    return {
      item,
      status: 'diverged',
      remoteUrl: linkOf(outcome),
      error: shortened(outcome.message),
      dueAt: null,
    };
  const { failure } = outcome;
  const next = failure.final ? null : nextAttemptAt(retryDelays, item.attempts, now);
  const dueAt = next === null ? null : new Date(Math.max(next.getTime(), now.getTime() + holdOf(failure)));
  const status = dueAt === null ? 'failed' : 'waiting';
  return { item, status, remoteUrl: null, error: shortened(failure.message), dueAt };
}

const shortened = (text: string): string => storableText(text.slice(0, LONGEST));

/** Where a post is, as the remote says; null for what is too long to be a link, or leads to anything but a page. */
const linkOf = ({ remoteUrl }: { readonly remoteUrl: string | null }): string | null =>
  remoteUrl !== null &&
  remoteUrl.length <= LONGEST_LINK &&
  ['http:', 'https:'].includes(URL.parse(remoteUrl)?.protocol ?? '')
    ? storableText(remoteUrl)
    : null;

const holdOf = ({ retryAfterMs = 0 }: PushFailure): number => Math.min(retryAfterMs, LONGEST_HOLD_MS);

/** Items that were ended meanwhile, because the connection was disabled, stay as they are. */
const storeItems = (tx: Transaction, settled: readonly Settled[]): Promise<number> =>
  tx.exec(statement`
    update cms_push_items i set status = n.status, error = n.error, due_at = n.due_at,
      remote_url = coalesce(n.remote_url, i.remote_url)
    from unnest(
      ${array(
        settled.map(({ item }) => item.push_id),
        'uuid',
      )},
      ${sql.array(
        settled.map(({ item }) => item.position),
        'int4',
      )},
      ${array(
        settled.map(({ status }) => status),
        'text',
      )},
      ${array(
        settled.map(({ remoteUrl }) => remoteUrl),
        'text',
      )},
      ${array(
        settled.map(({ error }) => error),
        'text',
      )},
      ${sql.array(
        settled.map(({ dueAt }) => dueAt && at(dueAt)),
        'timestamptz',
      )}
    ) as n (push_id, position, status, remote_url, error, due_at)
    where i.push_id = n.push_id and i.position = n.position and i.due_at is not null`);

/** Stores why the last attempt failed, if that says something about the connection, and how long to leave it alone. */
async function storeHealth(
  tx: Transaction,
  connectionId: string,
  attempted: readonly Attempted[],
  now: Date,
): Promise<void> {
  const failures = attempted.flatMap(({ outcome }) => (outcome.status === 'failed' ? [outcome.failure] : []));
  const failure = failures.findLast(({ ofArticle }) => !ofArticle);
  if (failure === undefined && failures.length === attempted.length) return;
  const holdMs = Math.max(0, ...failures.map(holdOf));
  await tx.exec(statement`
    update cms_connections set last_error = ${failure === undefined ? null : shortened(failure.message)},
      held_until = ${holdMs > 0 ? at(new Date(now.getTime() + holdMs)) : null}::timestamptz
    where id = ${connectionId}`);
}
