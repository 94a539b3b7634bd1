import type { Database } from '../../db/database.ts';
import { isAway } from '../../db/failures.ts';
import { PushFailure } from '../../domain/cms/adapter.ts';
import type { CmsAdapter, PostChange, PushOutcome, PushTools, Remote } from '../../domain/cms/adapter.ts';
import { claimItems, endRevoked } from '../../domain/cms/queue.ts';
import type { ClaimedItem } from '../../domain/cms/queue.ts';
import { releaseLease, takeLease } from '../../domain/cms/lease.ts';
import type { LeasedConnection } from '../../domain/cms/lease.ts';
import { readPosts } from '../../domain/cms/post.ts';
import { readRemotePosts } from '../../domain/cms/remote-posts.ts';
import { remoteOf } from '../../domain/cms/target.ts';
import { settleAttempts } from '../../domain/cms/settle.ts';
import { newId } from '../../domain/kernel/ids.ts';
import { ATTEMPT_LIMIT } from '../../domain/webhooks/retry-schedule.ts';
import { keepLease, LeaseLost } from './keep-lease.ts';
import type { KeptLease } from './keep-lease.ts';
import { createTools } from './tools.ts';
import type { Ports } from '../ports.ts';

/** How long a call begins new work. */
const SLICE_MS = 3_000;

/** Pushes the due articles of one connection at a time, under its lease. */
export function createPusher(
  ports: Pick<Ports, 'db' | 'clock' | 'log' | 'box' | 'objects' | 'adapters' | 'retryDelays'>,
) {
  const { db, clock, log, box, adapters, retryDelays } = ports;

  async function pushItems(
    connection: LeasedConnection,
    lease: KeptLease,
    items: readonly ClaimedItem[],
  ): Promise<void> {
    const adapter = adapters[connection.kind];
    const remote = remoteOf(box, connection);
    const tools = createTools(ports, connection, lease);
    const changes = await changesOf(db, connection, items);
    const outcomes = await outcomesOf(adapter, remote, changes, tools);
    const attempted = items.map((item) => {
      const at = changes.findIndex(({ articleId }) => articleId === item.article_id);
      return { item, outcome: outcomes[at] as PushOutcome };
    });
    const { signal } = lease;
    const stored =
      !signal.aborted &&
      (await db.transaction((tx) => settleAttempts(tx, lease.holder, attempted, retryDelays, clock.now())));
    if (!stored) throw new LeaseLost();
    for (const { item, outcome } of attempted)
      if (outcome.status === 'failed')
        log.info(
          {
            connection_id: connection.id,
            push_id: item.push_id,
            attempt: item.attempts,
            err: outcome.failure,
          },
          'an article could not be pushed',
        );
  }

  return {
    /** @returns whether this process had the lease, and so could push */
    async push(connectionId: string, stop: AbortSignal): Promise<boolean> {
      const leaseId = newId();
      const begun = performance.now();
      const lease = keepLease(ports, connectionId, leaseId, stop);
      try {
        for (;;) {
          // Read anew: a request may have changed the connection.
          const connection = await db.transaction((tx) => takeLease(tx, connectionId, leaseId, clock.now()));
          if (connection === null) return false;
          lease.holds(connection.generation);
          const count = adapters[connection.kind].batch;
          const items = await db.transaction(async (tx) => {
            await endRevoked(tx, connectionId, clock.now());
            return claimItems(tx, connectionId, clock.now(), count);
          });
          if (items.length === 0) return true;
          await pushItems(connection, lease, items);
          if (stop.aborted || performance.now() - begun > SLICE_MS) return true;
        }
      } catch (error) {
        if (error instanceof LeaseLost) return false;
        throw error;
      } finally {
        lease.end();
        await db.transaction((tx) => releaseLease(tx, connectionId, leaseId));
      }
    },
  };
}

/** The work of an adapter: each article once, as it is now. */
async function changesOf(
  db: Database,
  { id, site_id: siteId }: LeasedConnection,
  items: readonly ClaimedItem[],
): Promise<readonly PostChange[]> {
  const byArticle = new Map<string, readonly ClaimedItem[]>();
  for (const item of items) byArticle.set(item.article_id, [...(byArticle.get(item.article_id) ?? []), item]);
  const articleIds = [...byArticle.keys()];
  const posts = await readPosts(db, siteId, articleIds);
  const known = await readRemotePosts(db, id, articleIds);
  return [...byArticle].map(([articleId, own]) => {
    const first = own[0] as ClaimedItem;
    return {
      articleId,
      post: posts.get(articleId) ?? null,
      force: own.some(({ force }) => force),
      state: known.get(articleId)?.state ?? null,
      intent: known.get(articleId)?.intent ?? null,
      item: `${first.push_id} ${first.position}`,
      askedAt: first.asked_at,
      attempt: first.attempts,
    };
  });
}

async function outcomesOf(
  adapter: CmsAdapter,
  remote: Remote,
  changes: readonly PostChange[],
  tools: PushTools,
): Promise<readonly PushOutcome[]> {
  // The process died in each of its attempts.
  if (changes.every(({ attempt }) => attempt > ATTEMPT_LIMIT)) return allFailed(changes, interrupted());
  try {
    return await adapter.push(remote, changes, tools);
  } catch (error) {
    if (tools.signal.aborted) throw new LeaseLost();
    if (error instanceof PushFailure) return allFailed(changes, error);
    // Without the database no outcome can be stored, and no item is claimed until it is back.
    if (error instanceof LeaseLost || isAway(error)) throw error;
    return allFailed(changes, ownFailure(error));
  }
}

const allFailed = (changes: readonly PostChange[], failure: PushFailure): readonly PushOutcome[] =>
  changes.map(() => ({ status: 'failed', failure }));

/** For an error that says nothing about the remote, such as storage that does not answer. */
const ownFailure = (cause: unknown): PushFailure =>
  new PushFailure('A part of this service did not work. If that goes on, ask its operator.', {
    ofArticle: true,
    cause,
  });

const interrupted = (): PushFailure =>
  new PushFailure('Every attempt was interrupted. Push the article again.', { final: true });
