import { workflowIdOf } from '../../domain/workflow-messages.ts';
import { searchAttributes } from '../../workflows/names.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildPublished, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { sleep, startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { endWorkers, spawnWorker } from './processes.ts';
import type { WorkerProcess } from './processes.ts';

let api: TestApi;
let tenant: Tenant;
let temporal: TestTemporal;

beforeAll(async () => {
  [api, temporal] = await Promise.all([startApi(), startTemporal()]);
});
// A key may send 120 writes a minute.
beforeEach(async () => {
  tenant = await buildTenant(api.db);
});
afterEach(() => endWorkers());
afterAll(async () => {
  await api.close();
  await temporal.close();
});

async function workingWorker(): Promise<WorkerProcess> {
  const { url: databaseUrl } = api;
  const worker = spawnWorker({
    databaseUrl,
    temporalAddress: temporal.address,
    namespace: temporal.namespace,
  });
  await worker.working;
  return worker;
}

/** Published articles with edits that are due at one moment, after some seconds. */
async function scheduledEdits(count: number): Promise<{ ids: string[]; due: Date }> {
  const key = tenant.secretKey;
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const { id } = await buildPublished(api, key, { title: 'Live' });
    await api.request('PATCH', `/articles/${id}/pending`, { key, body: { title: 'Edited' } });
    ids.push(id);
  }
  const due = new Date(Date.now() + 6_000);
  const body = { scheduled_at: due.toISOString() };
  const answers = await Promise.all(
    ids.map((id) => api.request('POST', `/articles/${id}/pending/schedule`, { key, body })),
  );
  expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
  return { ids, due };
}

const workflowOf = (id: string) => temporal.client.workflow.getHandle(workflowIdOf('pending-edit', id));

test.each([0, 30, 100])(
  'a worker killed %d ms after the time of twenty edits: another one publishes each once',
  async (afterMs) => {
    const worker = await workingWorker();
    const { ids, due } = await scheduledEdits(20);
    for (const id of ids)
      await eventually('its workflow waits', async () => {
        const found = await workflowOf(id)
          .describe()
          .catch(() => null);
        return found?.typedSearchAttributes.get(searchAttributes.processState) === 'waiting';
      });
    await sleep(due.getTime() - Date.now() + afterMs);
    await worker.kill();
    await workingWorker();
    for (const id of ids)
      await eventually(
        'its workflow has ended',
        async () => (await workflowOf(id).describe()).status.name === 'COMPLETED',
      );
    const { rows } = await api.db.pool.query(
      `select a.title, a.updated_at >= $2 as in_time, exists (select from pending_edits e where e.article_id = a.id) as pending,
         (select count(*)::int from events v
          where v.event = 'article.updated' and v.body::jsonb #>> '{data,id}' = a.id::text) as events
       from articles a where a.id = any($1)`,
      [ids, due],
    );
    expect(rows).toEqual(ids.map(() => ({ title: 'Edited', in_time: true, pending: false, events: 1 })));
  },
);
