import type { BulkProgress } from '../../../../activities/bulk.ts';
import { DatabaseUnreachable } from '../../../../db/failures.ts';
import { useApi } from '../../../support/api.ts';
import { buildTenant, buildTerm } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { bulkActivities, carriedOut, readJob, sendJob, work } from '../../../support/bulk.ts';
import { withTransactions } from '../../../support/with-transactions.ts';

const api = await useApi({}, { ownDatabase: 'it adds a trigger' });
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

/** Drafts that can be published, without a request for each. */
async function drafts(count: number, { siteId } = tenant, content = 'Text.'): Promise<string[]> {
  const { rows } = await api.db.pool.query(
    `insert into articles (id, site_id, status, title, slug, content, version, created_at, updated_at)
     select uuidv7(), $1, 'draft', 'Draft ' || n, 'd-' || n || '-' || gen_random_uuid(), $3, 1, now(), now()
     from generate_series(1, $2) n returning id`,
    [siteId, count, content],
  );
  return rows.map(({ id }) => id as string);
}

const start = async (body: object, key = tenant.secretKey) => (await sendJob(api, key, body)).data;
const cancel = (id: string) => api.request('POST', `/articles/bulk/${id}/cancel`, { key: tenant.secretKey });
const events = async (ids: readonly string[]) => {
  const { rows } = await api.db.pool.query(
    `select count(*)::int as all, count(distinct body::jsonb #>> '{data,id}')::int as articles from events
     where event = 'article.published' and body::jsonb #>> '{data,id}' = any($1)`,
    [ids],
  );
  return rows[0];
};

/** A worker whose database calls something before each transaction. */
const through = (
  before: (number: number) => Promise<unknown>,
  after: (number: number) => Promise<unknown> = async () => null,
) => {
  let number = 0;
  const db = withTransactions(api.db, async (work, options) => {
    number += 1;
    const mine = number;
    await before(mine);
    const result = await api.db.transaction(work, options);
    await after(mine);
    return result;
  });
  return bulkActivities(api, { db });
};

test('500 articles are published once, in the order sent', async () => {
  const ids = await drafts(500);
  const begun = performance.now();
  const job = await carriedOut(api, tenant, { action: 'publish', article_ids: ids });
  console.log(`500 articles in ${Math.round(performance.now() - begun)} ms, without Temporal`);
  expect(job.items.map((item: any) => item.article_id)).toEqual(ids);
  expect(job.totals).toEqual({ waiting: 0, done: 500, failed: 0 });
  expect(await events(ids)).toEqual({ all: 500, articles: 500 });
});

test('articles too large for one transaction are done in several', async () => {
  const ids = await drafts(12, tenant, 'x'.repeat(900_000));
  let transactions = 0;
  const activities = through(async () => (transactions += 1));
  const job = await start({ action: 'publish', article_ids: ids });
  expect((await work(api, tenant.siteId, job.id, activities)).state).toBe('completed');
  expect(transactions).toBe(2);
  expect(await events(ids)).toEqual({ all: 12, articles: 12 });
});

test('a cancelled job leaves what has not begun as it is, for good, and an ended one cannot be cancelled', async () => {
  const ids = await drafts(120);
  const job = await start({ action: 'publish', article_ids: ids });
  const answers: any[] = [];
  const activities = through(async (number) => number === 2 && answers.push(await cancel(job.id)));
  const progress = await work(api, tenant.siteId, job.id, activities);
  expect(progress).toEqual({ state: 'cancelled', waiting: 70, done: 50, failed: 0 } satisfies BulkProgress);
  expect(answers[0].status).toBe(200);
  expect(answers[0].data).toMatchObject({
    status: 'cancelled',
    totals: { waiting: 70, done: 50, failed: 0 },
  });
  expect(answers[0].data.finished_at).not.toBeNull();
  expect(await readJob(api, tenant.secretKey, job.id)).toEqual(answers[0].data);
  expect(await events(ids)).toEqual({ all: 50, articles: 50 });
  const again = await cancel(job.id);
  expect([again.status, again.json.error.code]).toEqual([409, 'CONFLICT']);
});

test('a cancellation that meets the end is either before it or too late', async () => {
  for (let round = 0; round < 6; round += 1) {
    const ids = await drafts(4);
    const job = await start({ action: 'publish', article_ids: ids });
    const [answer] = await Promise.all([cancel(job.id), work(api, tenant.siteId, job.id)]);
    const { status, totals } = await readJob(api, tenant.secretKey, job.id);
    const done = answer.status === 200 ? 0 : 4;
    expect([status, totals.done, totals.waiting]).toEqual([
      done === 0 ? 'cancelled' : 'completed',
      done,
      4 - done,
    ]);
    expect((await events(ids)).all).toBe(done);
  }
});

test('two jobs with the same articles in another order do each once and do not end each other', async () => {
  const ids = await drafts(200);
  const [one, other] = [
    await start({ action: 'publish', article_ids: ids }),
    await start({ action: 'publish', article_ids: ids.toReversed() }),
  ];
  const states = await Promise.all([one, other].map(({ id }) => work(api, tenant.siteId, id)));
  expect(states.map(({ state, done }) => [state, done])).toEqual([
    ['completed', 200],
    ['completed', 200],
  ]);
  expect(await events(ids)).toEqual({ all: 200, articles: 200 });
});

test('two workers with the same job do each item once', async () => {
  const ids = await drafts(200);
  const job = await start({ action: 'publish', article_ids: ids });
  await Promise.all([1, 2, 3].map(() => work(api, tenant.siteId, job.id, bulkActivities(api))));
  expect((await readJob(api, tenant.secretKey, job.id)).totals.done).toBe(200);
  expect(await events(ids)).toEqual({ all: 200, articles: 200 });
});

test('a connection that breaks before or after the commit: each item is done once', async () => {
  const ids = await drafts(120);
  const job = await start({ action: 'publish', article_ids: ids });
  const breaks = (at: readonly number[]) => async (number: number) => {
    if (at.includes(number)) throw new DatabaseUnreachable('the connection broke');
  };
  const activities = through(breaks([1]), breaks([2, 4]));
  for (let tries = 0; tries < 4; tries += 1)
    await work(api, tenant.siteId, job.id, activities).catch((error: unknown) =>
      expect(error).toBeInstanceOf(DatabaseUnreachable),
    );
  expect((await readJob(api, tenant.secretKey, job.id)).totals.done).toBe(120);
  expect(await events(ids)).toEqual({ all: 120, articles: 120 });
});

test('an item that PostgreSQL refuses fails alone', async () => {
  const ids = await drafts(20);
  await api.db.pool.query(
    `create function refuse_one() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`,
  );
  await api.db.pool.query(
    `create trigger refuse_one before update on articles for each row when (old.id = '${ids[7]}') execute function refuse_one()`,
  );
  const job = await carriedOut(api, tenant, { action: 'publish', article_ids: ids });
  await api.db.pool.query('drop trigger refuse_one on articles');
  expect(job.totals).toEqual({ waiting: 0, done: 19, failed: 1 });
  expect(job.items[7].error.code).toBe('INTERNAL_ERROR');
  expect((await events(ids)).all).toBe(19);
});

test('an article that somebody else has locked delays the others by one time-out, and is done afterwards', async () => {
  const ids = await drafts(8);
  const job = await start({ action: 'publish', article_ids: ids });
  const client = await api.db.pool.connect();
  await client.query('begin');
  await client.query('select from articles where id = $1 for update', [ids[2]]);
  const impatient = bulkActivities(api, {
    db: withTransactions(api.db, (run, options) =>
      api.db.transaction(async (tx) => {
        await tx.exec({ ...(await import('../../../../db/sql.ts')).statement`set local lock_timeout = 300` });
        return run(tx);
      }, options),
    ),
  });
  await expect(work(api, tenant.siteId, job.id, impatient)).rejects.toThrow('lock timeout');
  expect((await readJob(api, tenant.secretKey, job.id)).totals).toEqual({ waiting: 1, done: 7, failed: 0 });
  await client.query('rollback');
  client.release();
  await work(api, tenant.siteId, job.id);
  expect((await events(ids)).all).toBe(8);
});

test('a category that is deleted while a job sets it: each item is refused or loses it again', async () => {
  const { id } = await buildTerm(api, tenant.secretKey, 'categories');
  const ids = await drafts(150);
  const job = await start({ action: 'set_category', category_id: id, article_ids: ids });
  const activities = through(async (number) => {
    if (number === 2) await api.request('DELETE', `/categories/${id}`, { key: tenant.secretKey });
  });
  await work(api, tenant.siteId, job.id, activities);
  const { totals } = await readJob(api, tenant.secretKey, job.id);
  expect(totals).toEqual({ waiting: 0, done: 50, failed: 100 });
  const { rows } = await api.db.pool.query('select count(*)::int from articles where category_id = $1', [id]);
  expect(rows[0].count).toBe(0);
});

test('two jobs of a Site run at the same time, the next are queued and woken', async () => {
  const jobs: any[] = [];
  for (let number = 0; number < 4; number += 1)
    jobs.push(await start({ action: 'publish', article_ids: await drafts(3) }));
  const [first, second, third, fourth] = jobs;
  expect((await work(api, tenant.siteId, third.id)).state).toBe('queued');
  expect((await work(api, tenant.siteId, second.id)).state).toBe('completed');
  const woken = async () => {
    const { rows } = await api.db.pool.query(
      `delete from outbox where kind = 'bulk' and payload ->> 'siteId' = $1 returning workflow_id`,
      [tenant.siteId],
    );
    return rows.map((row) => row.workflow_id as string);
  };
  expect(await woken()).toContain(`bulk/${third.id}`);
  expect((await work(api, tenant.siteId, fourth.id)).state).toBe('queued');
  await cancel(first.id);
  expect(await woken()).toEqual(expect.arrayContaining([`bulk/${fourth.id}`, `bulk/${first.id}`]));
  expect((await work(api, tenant.siteId, fourth.id)).state).toBe('completed');
  expect((await work(api, tenant.siteId, third.id)).state).toBe('completed');
});

test('a Site with many large jobs does not delay the job of another', async () => {
  const busy = bulkActivities(api);
  const large = await Promise.all(
    [1, 2].map(async () => start({ action: 'publish', article_ids: await drafts(500) })),
  );
  const other = await buildTenant(api.db);
  const small = await start({ action: 'publish', article_ids: await drafts(5, other) }, other.secretKey);
  const ended: string[] = [];
  await Promise.all([
    ...large.map(({ id }) => work(api, tenant.siteId, id, busy).then(() => ended.push('large'))),
    work(api, other.siteId, small.id, busy).then(() => ended.push('small')),
  ]);
  expect(ended).toEqual(['small', 'large', 'large']);
});

test('a job whose Site is deleted is gone', async () => {
  const job = await start({ action: 'publish', article_ids: await drafts(1) });
  await api.db.pool.query('delete from bulk_jobs where id = $1', [job.id]);
  expect((await work(api, tenant.siteId, job.id)).state).toBe('gone');
});
