import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { throwRejected } from '../../db/failures.ts';
import { array, at, sql, statement } from '../../db/sql.ts';
import { mayGoOn, stoppedByRevocation } from '../access/standing.ts';
import { articleColumns, articleRow } from '../articles/row.ts';
import type { Article } from '../articles/row.ts';
import { notFound, ServiceError } from '../kernel/errors.ts';
import type { Purging } from '../purge/purge.ts';
import { act, findMissing } from './act.ts';
import type { ItemChange } from './act.ts';
import { endBulkJob, RUNNING_AT_ONCE } from './end.ts';
import { bulkActions, bulkParameters, bulkStatuses, hasEnded, lockBulkJob } from './job.ts';

/** Limits of one transaction: items, and bytes of their content, because each may also be stored in an event. */
export const BATCH = 50;
const BATCH_BYTES = 8 * 2 ** 20;

/** Which of the items that wait a transaction takes. */
export interface Portion {
  readonly count: number;
  /** Only items from this position on. */
  readonly from: number;
}

const openJob = z.object({
  action: z.enum(bulkActions),
  parameters: bulkParameters,
  status: z.enum(bulkStatuses),
  key_id: z.string(),
  key_name: z.string(),
  request_id: z.string(),
  organisation_id: z.string(),
  timezone: z.string(),
  events_full: z.boolean(),
  subscribed_events: z.array(z.string()),
  required_reviews: z.number(),
  allowed: z.boolean(),
  may_publish: z.boolean(),
  /** Unfinished jobs of the Site that came before it. */
  before: z.number(),
});

type OpenJob = z.infer<typeof openJob>;

const waitingItem = z.object({
  position: z.number(),
  article_id: z.string(),
  version: z.number().nullable(),
});
type WaitingItem = z.infer<typeof waitingItem>;

const lockedRow = z.object({ id: z.string(), bytes: z.number() });

/** The error of an item that failed, as the single call would answer it. */
export type ItemError = Pick<ServiceError, 'code' | 'message'>;

interface Outcome {
  readonly position: number;
  readonly error: ItemError | null;
}

/** `queued`: other jobs of the Site come first. `gone`: the job was deleted, with its Site. */
export type JobState = z.infer<typeof openJob>['status'] | 'gone';

/**
 * Applies some of a job's items, and stores in the same transaction their result, so that each happens once.
 * Changes nothing if the job has ended or it is not its turn.
 *
 * @throws an error of the database that one of the items may have caused; alone, the others succeed
 */
export async function applyItems(
  tx: Transaction,
  ports: Omit<Purging, 'site'>,
  siteId: string,
  jobId: string,
  portion: Portion,
  now: Date,
): Promise<JobState> {
  const [, job, items] = await Promise.all([
    lockBulkJob(tx, siteId, jobId),
    findOpenJob(tx, siteId, jobId, now),
    findWaiting(tx, jobId, portion),
  ]);
  if (job === null) return 'gone';
  if (hasEnded(job)) return job.status;
  if (!job.allowed) {
    await failWaiting(tx, jobId, stoppedByRevocation());
    await endBulkJob(tx, siteOf(siteId, job), jobId, 'completed', now);
    return 'completed';
  }
  const queued = job.before >= RUNNING_AT_ONCE;
  // Not with COMMIT: the end of the job follows it.
  const seen = tx.exec(statement`
    update bulk_jobs set active_at = ${at(now)}, status = case when ${queued}::boolean then status else 'running' end
    where id = ${jobId}`);
  if (queued) return seen.then(() => 'queued');

  const [, { articles, left }] = await Promise.all([seen, lockArticles(tx, siteId, items)]);
  const taken = left === 0 ? items : items.slice(0, -left);
  if (taken.length > 0)
    await storeOutcomes(tx, jobId, await applyEach(tx, ports, siteId, job, { items: taken, articles }, now));
  if (left > 0 || items.length === portion.count || portion.from > 0) return 'running';
  await endBulkJob(tx, siteOf(siteId, job), jobId, 'completed', now);
  return 'completed';
}

const siteOf = (id: string, job: OpenJob) => ({
  id,
  organisationId: job.organisation_id,
  eventsFull: job.events_full,
  subscribedEvents: job.subscribed_events,
  timezone: job.timezone,
  requiredReviews: job.required_reviews,
});

const findOpenJob = (tx: Queryable, siteId: string, jobId: string, now: Date): Promise<OpenJob | null> =>
  tx.maybeOne(sql.type(openJob)`
    select j.action, j.parameters, j.status, j.key_id, k.name as key_name, j.request_id, s.organisation_id,
      s.timezone, s.events_full, s.subscribed_events, s.required_reviews,
      ${mayGoOn(sql.fragment`j.key_id`, 'articles.write', now)} as allowed,
      ${mayGoOn(sql.fragment`j.key_id`, 'articles.publish', now)} as may_publish,
      (
        select count(*)::int from bulk_jobs o
        where o.site_id = j.site_id and o.finished_at is null and (o.created_at, o.id) < (j.created_at, j.id)
      ) as before
    from bulk_jobs j join sites s on s.id = j.site_id join api_keys k on k.id = j.key_id
    where j.id = ${jobId} and j.site_id = ${siteId}`);

/** The items of a portion that wait, in their order. */
export const findWaiting = (
  db: Queryable,
  jobId: string,
  { count, from }: Portion,
): Promise<readonly WaitingItem[]> =>
  db.any(sql.type(waitingItem)`
    select position, article_id, version from bulk_items
    where job_id = ${jobId} and position >= ${from} and status = 'waiting' order by position limit ${count}`);

/**
 * Locks the articles of items, in an order that all jobs have, and reads them.
 *
 * @returns them, and how many of the items, from the last on, are left to another transaction: they are too large
 */
async function lockArticles(
  tx: Transaction,
  siteId: string,
  items: readonly WaitingItem[],
): Promise<{ readonly articles: ReadonlyMap<string, Article>; readonly left: number }> {
  const locked = await tx.any(sql.type(lockedRow)`
    select id, coalesce(octet_length(content), 0) as bytes from articles
    where id = any(${idsOf(items)}) and site_id = ${siteId} order by id for no key update`);
  const sizes = new Map(locked.map(({ id, bytes }) => [id, bytes]));
  let sum = 0;
  const within = items.filter(
    ({ article_id: id }, index) => (sum += sizes.get(id) ?? 0) <= BATCH_BYTES || index === 0,
  );
  // Needs its own statement: a statement that waits for the lock would return the tags from before the wait.
  const rows = await tx.any(sql.type(articleRow)`
    select ${articleColumns} from articles a where a.id = any(${idsOf(within)}) and a.site_id = ${siteId}`);
  return {
    articles: new Map(rows.map((article) => [article.id, article])),
    left: items.length - within.length,
  };
}

const idsOf = (items: readonly WaitingItem[]) =>
  array(
    items.map(({ article_id: id }) => id),
    'uuid',
  );

interface Taken {
  readonly items: readonly WaitingItem[];
  readonly articles: ReadonlyMap<string, Article>;
}

async function applyEach(
  tx: Transaction,
  ports: Omit<Purging, 'site'>,
  siteId: string,
  job: OpenJob,
  { items, articles }: Taken,
  now: Date,
): Promise<Outcome[]> {
  const site = siteOf(siteId, job);
  const actor = { kind: 'key', id: job.key_id, name: job.key_name, requestId: job.request_id } as const;
  const purging = { ...ports, site };
  const missing = await findMissing(tx, siteId, job);
  const applied = await Promise.allSettled(
    items.map(({ article_id: id, version }) => {
      const article = articles.get(id);
      return tx.apart(async (own) => {
        if (article === undefined) throw notFound('article');
        if (version !== null && version !== article.version) throw changedSinceApproval();
        const change: ItemChange = { tx: own, site, actor, now };
        await act(change, purging, article, { ...job, mayPublish: job.may_publish }, missing);
      });
    }),
  );
  throwRejected(applied.filter((one) => one.status === 'rejected' && !(one.reason instanceof ServiceError)));
  return items.map(({ position }, index) => {
    const outcome = applied[index] as PromiseSettledResult<void>;
    return { position, error: outcome.status === 'rejected' ? (outcome.reason as ServiceError) : null };
  });
}

const changedSinceApproval = (): ServiceError =>
  new ServiceError(
    'APPROVAL_INVALID',
    'The article has changed since the agent asked for this. The agent has to ask again.',
  );

/** Not with COMMIT: the event of the job's end tells of them. */
const storeOutcomes = (tx: Transaction, jobId: string, outcomes: readonly Outcome[]): Promise<number> =>
  tx.exec(statement`
    update bulk_items i set
      status = case when n.code is null then 'done' else 'failed' end, error_code = n.code, error_message = n.message
    from unnest(
      ${sql.array(
        outcomes.map(({ position }) => position),
        'int4',
      )},
      ${array(
        outcomes.map(({ error }) => error && error.code),
        'text',
      )},
      ${array(
        outcomes.map(({ error }) => error && error.message),
        'text',
      )}
    ) as n (position, code, message)
    where i.job_id = ${jobId} and i.position = n.position and i.status = 'waiting'`);

const failWaiting = (tx: Transaction, jobId: string, { code, message }: ItemError): Promise<number> =>
  tx.exec(statement`
    update bulk_items set status = 'failed', error_code = ${code}, error_message = ${message}
    where job_id = ${jobId} and status = 'waiting'`);

/** Stores that an item failed by itself, unless it was applied or the job has ended meanwhile. */
export async function failItem(
  tx: Transaction,
  siteId: string,
  jobId: string,
  position: number,
  error: ItemError,
  now: Date,
): Promise<void> {
  const [, job] = await Promise.all([lockBulkJob(tx, siteId, jobId), findOpenJob(tx, siteId, jobId, now)]);
  if (job !== null && !hasEnded(job)) await storeOutcomes(tx, jobId, [{ position, error }]);
}
