import { randomUUID } from 'node:crypto';
import { workflowIdOf } from '../../domain/kernel/workflow-messages.ts';
import { searchAttributes } from '../../workflows/names.ts';
import { buildPublished, buildTenant } from '../support/builders.ts';
import { connectionWrite } from '../support/connection-write.ts';
import { eventually } from '../support/eventually.ts';
import { billing } from './crashes/billing.ts';
import { bulk, completed, drafts, expectOnce, startJob } from './crashes/bulk.ts';
import { crawl } from './crashes/crawl.ts';
import { pendingEdits } from './crashes/pending-edits.ts';
import { SLOW, startPlace } from './crashes/place.ts';
import type { Begin, Place } from './crashes/place.ts';
import { finished, push, send } from './crashes/push.ts';
import { scan } from './crashes/scan.ts';
import { endWorkers, spawnApi } from './processes.ts';

let place: Place;

beforeAll(async () => {
  place = await startPlace();
});
afterAll(async () => {
  endWorkers();
  await place.close();
});

// First, because no worker runs yet.
test('an API killed right after its answer, before any worker runs: the job is done once a worker does', async () => {
  const { siteId, secretKey } = await buildTenant(place.api.db);
  const ids = await drafts(place, siteId, 20);
  const api = await spawnApi(place.settings);
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
  await place.workers.working();
  await completed(place, data.id);
  await expectOnce(place, ids);
});

/** The worker that ended a work begins the next one, and is killed in the middle of it. */
const works: readonly [guarantee: string, begin: Begin][] = [
  ['after 1 of 500 articles of a bulk job: another one does each once', bulk(1)],
  ['after 100 of 500 articles of a bulk job: another one does each once', bulk(100)],
  ['after 250 of 500 articles of a bulk job: another one does each once', bulk(250)],
  ['0, 30 and 100 ms after the time of twenty edits: another one publishes each once', pendingEdits],
  ['in the middle of a push: another one goes on, and nothing is there twice', push],
  ['again and again in a scan: each unit is charged once, and each fault found once', scan],
  ['again while it crawls: charged once a unit, and the end is that of a crawl that was not killed', crawl],
  ['thrice among events of payments, shuffled and each sent thrice: the balance is exact', billing],
];

test.each(works)(
  'a worker killed %s',
  async (_, begin) => {
    await place.workers.working();
    const { kills, expectDone } = await begin(place);
    for (const kill of kills) {
      await kill();
      await place.workers.kill();
      await place.workers.working();
    }
    await expectDone();
  },
  300_000,
);

test('500 articles are published, and their webhooks arrive once', async () => {
  const { api, temporal, workers } = place;
  await workers.working();
  const { siteId, secretKey: key } = await buildTenant(api.db);
  const { url, seen } = place.receiver('/bulk');
  const endpoint = await api.request('POST', '/webhooks', {
    key,
    body: { url, events: ['article.published'] },
  });
  expect(endpoint.status).toBe(201);
  const ids = await drafts(place, siteId, 500);
  const id = await startJob(place, key, ids);
  await completed(place, id);
  const announced = () => new Set(seen().map(({ body }) => JSON.parse(body).data.id));
  await eventually('all webhooks have arrived', () => announced().size === ids.length);
  await expectOnce(place, ids);
  const { data } = await api.request('GET', `/articles/bulk/${id}`, { key });
  expect(data.totals).toEqual({ waiting: 0, done: 500, failed: 0 });
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

test('a publication pushes by itself, and the workflow of the connection shows it and ends with the connection', async () => {
  const { api, temporal, workers } = place;
  await workers.working();
  const { siteId, secretKey: key } = await buildTenant(api.db);
  const { url, seen } = place.receiver('/push');
  const connection = await send(place, key, 'POST', '/delivery/connections', {
    ...connectionWrite,
    config: { url },
    auto: true,
  });
  const article = await buildPublished(api, key);
  await eventually('it has arrived', () => seen().length === 1);
  expect(JSON.parse(seen()[0]?.body ?? '')).toMatchObject({
    event: 'article.published',
    data: { id: article.id },
  });
  const workflow = temporal.client.workflow.getHandle(workflowIdOf('cms-push', connection.id));
  await eventually('the workflow is idle', async () => {
    const { typedSearchAttributes: shown } = await workflow.describe();
    return (
      shown.get(searchAttributes.processState) === 'idle' && shown.get(searchAttributes.siteId) === siteId
    );
  });
  await send(place, key, 'DELETE', `/delivery/connections/${connection.id}`);
  await eventually(
    'the workflow has ended',
    async () => (await workflow.describe()).status.name === 'COMPLETED',
  );
});

test('a remote that takes longer than a workflow task is waited for, and called once', async () => {
  const { api, workers } = place;
  await workers.working();
  const { secretKey: key } = await buildTenant(api.db);
  const { url, seen } = place.receiver(SLOW);
  const connection = await send(place, key, 'POST', '/delivery/connections', {
    ...connectionWrite,
    config: { url },
  });
  const articles = await Promise.all([1, 2].map(() => buildPublished(api, key)));
  const { id } = await send(place, key, 'POST', '/delivery/cms/push', {
    connection_id: connection.id,
    article_ids: articles.map((article) => article.id),
  });
  const { items } = await finished(place, key, id);
  expect(items.map((item: any) => [item.status, item.attempts])).toEqual([
    ['succeeded', 1],
    ['succeeded', 1],
  ]);
  expect(seen()).toHaveLength(2);
});
