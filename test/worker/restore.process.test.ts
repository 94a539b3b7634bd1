import { migrate } from '../../db/migrate.ts';
import { createDatabase } from '../../db/database.ts';
import { prepareRoles } from '../../db/roles.ts';
import { buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { startDrill } from '../support/recovery.ts';
import type { Drill, OwnServer } from '../support/recovery.ts';
import { eventually } from '../support/eventually.ts';
import { startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { upkeepId } from '../../worker/upkeep.ts';
import { run } from '../../workflows/upkeep.ts';
import { endWorkers, spawnApi, spawnWorker } from './processes.ts';
import type { WorkerProcess } from './processes.ts';

const ARTICLES = 12;

let drill: Drill;
let temporal: TestTemporal;
let tenant: Tenant;

beforeAll(async () => {
  drill = startDrill();
  temporal = await startTemporal();
});
afterAll(async () => {
  endWorkers();
  await drill.end();
  await temporal.close();
});

/** API and worker on one database, and one Temporal that survives both databases. */
async function startProduct({ roles }: OwnServer) {
  const settings = {
    databaseUrl: roles.application,
    temporalAddress: temporal.address,
    namespace: temporal.namespace,
  };
  const api = await spawnApi(settings);
  await api.working;
  const worker = spawnWorker(settings);
  await worker.working;
  return { origin: api.origin, processes: [api, worker] };
}
const kill = (processes: readonly WorkerProcess[]): Promise<unknown> =>
  Promise.all(processes.map((process) => process.kill()));

let sequence = 0;
async function call(origin: string, method: string, path: string, body?: object): Promise<any> {
  const answer = await fetch(`${origin}/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${tenant.secretKey}`,
      'idempotency-key': `drill-${(sequence += 1)}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (answer.status >= 400) return { failed: answer.status };
  return text === '' ? null : JSON.parse(text).data;
}

async function scheduled(origin: string, title: string, inMs: number): Promise<string> {
  const { id } = await call(origin, 'POST', '/articles', { title, content: 'Text.' });
  const time = new Date(Date.now() + inMs).toISOString();
  const answer = await call(origin, 'POST', `/articles/${id}/schedule`, { scheduled_publish_at: time });
  expect(answer.status).toBe('scheduled');
  return id;
}
const isPublished = (origin: string, id: string) => async (): Promise<boolean> =>
  (await call(origin, 'GET', `/articles/${id}`)).status === 'published';

/** What has to be the same: every article as a client reads it, and all counts. */
async function contentOf(origin: string) {
  const ids = (await call(origin, 'GET', '/articles?limit=100&order=created_at.desc')).items.map(
    ({ id }: { id: string }) => id,
  );
  const articles = await Promise.all(ids.map((id: string) => call(origin, 'GET', `/articles/${id}`)));
  const { usage, credits } = await call(origin, 'GET', '/usage');
  return {
    articles,
    documents: usage.documents,
    credits,
    categories: (await call(origin, 'GET', '/categories')).items,
    keys: (await call(origin, 'GET', '/keys')).items.map(({ id }: { id: string }) => id),
    log: (await call(origin, 'GET', '/audit-log?limit=100')).items,
  };
}

test('a database restored to an earlier time than Temporal has everything up to then, and due articles are published', async () => {
  const server = await drill.startServer();
  await prepareRoles(server.url, server.roles);
  await migrate(server.roles.migrator);
  const db = createDatabase({
    connectionString: server.roles.application,
    applicationName: 'presswork-test',
  });
  tenant = await buildTenant(db);
  await db.close();
  const before = await startProduct(server);
  const { origin } = before;
  const category = await call(origin, 'POST', '/categories', { name: 'News' });
  const create = (title: string) =>
    call(origin, 'POST', '/articles', { title, content: `About ${title}.`, category_id: category.id });
  for (let number = 0; number < ARTICLES / 2; number += 1) await create(`In the backup ${number}`);

  await drill.takeBaseBackup(server);

  // Only in the archive.
  for (let number = 0; number < ARTICLES / 2; number += 1) {
    const { id } = await create(`In the log ${number}`);
    if (number % 2 === 0) await call(origin, 'POST', `/articles/${id}/publish`);
  }
  const soon = await scheduled(origin, 'Due soon after', 8_000);
  const later = await scheduled(origin, 'Due a little later', 11_000);
  const [{ until }] = await server.query('select clock_timestamp()::text as until');
  const expected = await contentOf(origin);
  expect(expected.articles).toHaveLength(ARTICLES + 2);

  // After the time of the restore: Temporal knows it, and the database will not.
  const lost = await scheduled(origin, 'Lost', 12_000);
  await eventually('what was due is published', isPublished(origin, soon), 200);
  await call(origin, 'POST', `/articles/${later}/cancel-schedule`);
  const [{ segment }] = await server.query('select pg_walfile_name(pg_switch_wal()) as segment');
  const isArchived = async (): Promise<boolean> => {
    const [{ archived }] = await server.query('select last_archived_wal as archived from pg_stat_archiver');
    return archived >= segment;
  };
  await eventually('the WAL is archived', isArchived);
  await kill(before.processes);
  await server.destroy();

  const restored = await drill.restore(until);
  const [{ soon: status }] = await restored.query('select status as soon from articles where id = $1', [
    soon,
  ]);
  expect(status).toBe('scheduled');
  expect(await migrate(restored.roles.migrator)).toEqual([]);
  const after = await startProduct(restored);
  const again = async () => {
    await temporal.client.workflow.getHandle(upkeepId('rescue')).signal(run);
    return (await isPublished(after.origin, soon)()) && (await isPublished(after.origin, later)());
  };
  await eventually('housekeeping has published everything due', again, 1_000);
  expect(await call(after.origin, 'GET', `/articles/${lost}`)).toEqual({ failed: 404 });

  const content = await contentOf(after.origin);
  const others = (found: typeof content) =>
    found.articles.filter(({ id }: { id: string }) => ![soon, later].includes(id));
  expect(others(content)).toEqual(others(expected));
  expect({ ...content, articles: [] }).toEqual({ ...expected, articles: [] });
  for (const id of [soon, later]) {
    const { items } = await call(after.origin, 'GET', '/events?event=article.published&limit=100');
    expect(items.filter(({ data }: any) => data.id === id)).toHaveLength(1);
  }
  expect((await call(after.origin, 'POST', '/articles', { title: 'New' })).status).toBe('draft');
  // The workflow of an article that no longer exists has ended by itself.
  await eventually(
    'nothing waits for what is lost',
    async () => {
      const found = await temporal.client.workflow.getHandle(`scheduled-publish/${lost}`).describe();
      return found.status.name === 'COMPLETED';
    },
    500,
  );
  const failed = temporal.client.workflow.list({
    query: `ExecutionStatus IN ("Failed","TimedOut","Terminated")`,
  });
  for await (const { workflowId } of failed) throw new Error(`${workflowId} did not end well`);
  await kill(after.processes);
}, 240_000);
