import { randomUUID } from 'node:crypto';
import { workflowIdOf } from '../../domain/workflow-messages.ts';
import { searchAttributes } from '../../workflows/names.ts';
import { buildTenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { startWebhooks } from '../support/webhooks.ts';
import type { WebhookStack } from '../support/webhooks.ts';
import { endWorkers, spawnApi, spawnWorker } from './processes.ts';
import type { WorkerProcess } from './processes.ts';

let stack: WebhookStack;
let temporal: TestTemporal;

beforeAll(async () => {
  [stack, temporal] = await Promise.all([startWebhooks(), startTemporal()]);
});
afterEach(() => endWorkers());
afterAll(async () => {
  await stack.close();
  await temporal.close();
});

const settings = () => ({
  databaseUrl: stack.api.url,
  temporalAddress: temporal.address,
  namespace: temporal.namespace,
  env: {
    ENCRYPTION_KEY: stack.encryptionKey.toString('base64'),
    WEBHOOK_ALLOWED_HOSTS: [...stack.allowedHosts].join(','),
  },
});

async function workingWorker(): Promise<WorkerProcess> {
  const worker = spawnWorker(settings());
  await worker.working;
  return worker;
}

async function drafts(siteId: string, count: number): Promise<string[]> {
  const { rows } = await stack.api.db.pool.query(
    `insert into articles (id, site_id, status, title, slug, content, version, created_at, updated_at)
     select uuidv7(), $1, 'draft', 'Draft ' || n, 'd-' || n || '-' || gen_random_uuid(), repeat('Text. ', 300), 1, now(), now()
     from generate_series(1, $2) n returning id`,
    [siteId, count],
  );
  return rows.map(({ id }) => id as string);
}

const start = async (key: string, ids: readonly string[]) => {
  const body = { action: 'publish', article_ids: ids };
  const answer = await stack.api.request('POST', '/articles/bulk', { key, body });
  expect(answer.status).toBe(202);
  return answer.data.id as string;
};
const read = async (key: string, id: string): Promise<any> =>
  (await stack.api.request('GET', `/articles/bulk/${id}`, { key })).data;
const doneOf = async (id: string): Promise<number> =>
  (
    await stack.api.db.pool.query(
      `select count(*)::int from bulk_items where job_id = $1 and status = 'done'`,
      [id],
    )
  ).rows[0].count;
const completed = (id: string) =>
  eventually('the job is completed', async () => {
    const { rows } = await stack.api.db.pool.query('select status from bulk_jobs where id = $1', [id]);
    return rows[0].status === 'completed';
  });
async function expectOnce(ids: readonly string[]): Promise<void> {
  const { rows } = await stack.api.db.pool.query(
    `select count(*)::int as events, count(distinct body::jsonb #>> '{data,id}')::int as articles,
       (select count(*)::int from articles where id = any($1::uuid[]) and status = 'published' and version = 2) as published,
       (select count(*)::int from audit_log where target_id = any($1::uuid[]) and action = 'article.publish') as audited
     from events where event = 'article.published' and body::jsonb #>> '{data,id}' = any($1::text[])`,
    [ids],
  );
  const count = ids.length;
  expect(rows[0]).toEqual({ events: count, articles: count, published: count, audited: count });
}

test('500 articles are published, and their webhooks arrive once', async () => {
  const { siteId, secretKey } = await stack.newTenant();
  const receiver = await stack.receiver(200);
  await stack.endpoint(receiver.url, {}, secretKey);
  await workingWorker();
  const ids = await drafts(siteId, 500);
  const begun = performance.now();
  const id = await start(secretKey, ids);
  await completed(id);
  const publishedMs = performance.now() - begun;
  await eventually('all webhooks have arrived', () => receiver.seen.length >= 500);
  console.log(
    `500 articles: published after ${Math.round(publishedMs)} ms, all webhooks after ${Math.round(performance.now() - begun)} ms`,
  );
  await expectOnce(ids);
  const { totals } = await read(secretKey, id);
  expect(totals).toEqual({ waiting: 0, done: 500, failed: 0 });
  const workflow = temporal.client.workflow.getHandle(workflowIdOf('bulk', id));
  await eventually(
    'its workflow has ended',
    async () => (await workflow.describe()).status.name === 'COMPLETED',
  );
  const attributes = (await workflow.describe()).typedSearchAttributes;
  expect(attributes.get(searchAttributes.siteId)).toBe(siteId);
  expect(attributes.get(searchAttributes.jobId)).toBe(id);
  expect(attributes.get(searchAttributes.processState)).toBe('completed');
});

test.each([1, 100, 250])(
  'a worker killed after %d of 500 articles: another one does each once',
  async (after) => {
    const { siteId, secretKey } = await buildTenant(stack.api.db);
    const worker = await workingWorker();
    const ids = await drafts(siteId, 500);
    const id = await start(secretKey, ids);
    await eventually('some are done', async () => (await doneOf(id)) >= after, 5);
    await worker.kill();
    expect(await doneOf(id)).toBeLessThanOrEqual(500);
    await workingWorker();
    await completed(id);
    await expectOnce(ids);
  },
);

test('an API killed right after its answer, before any worker runs: the job is done once a worker does', async () => {
  const { siteId, secretKey } = await buildTenant(stack.api.db);
  const ids = await drafts(siteId, 20);
  const api = await spawnApi(settings());
  await api.working;
  const answer = await fetch(`${api.origin}/v1/articles/bulk`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secretKey}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ action: 'publish', article_ids: ids }),
  });
  await api.kill();
  const { data } = (await answer.json()) as { data: { id: string } };
  await workingWorker();
  await completed(data.id);
  await expectOnce(ids);
});
