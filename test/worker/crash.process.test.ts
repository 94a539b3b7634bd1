import { workflowIdOf } from '../../domain/workflow-messages.ts';
import type { ScheduledPublishState } from '../../workflows/scheduled-publish.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildArticle, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { createWire, sleep, startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { endWorkers, spawnWorker } from './processes.ts';
import type { WorkerProcess } from './processes.ts';

/** Later than this, rescue published the article and not its own workflow; a busy machine takes a while. */
const LATE_MS = 15_000;
const LATE_AFTER_RESTART_MS = 20_000;

let api: TestApi;
let tenant: Tenant;
let temporal: TestTemporal;

beforeAll(async () => {
  [api, temporal] = await Promise.all([startApi(), startTemporal()]);
});
beforeEach(async () => {
  tenant = await buildTenant(api.db);
});
afterEach(() => endWorkers());
afterAll(async () => {
  await api.close();
  await temporal.close();
});

function startWorker(temporalAddress = temporal.address): WorkerProcess {
  return spawnWorker({ databaseUrl: api.url, temporalAddress, namespace: temporal.namespace });
}
async function workingWorker(temporalAddress?: string): Promise<WorkerProcess> {
  const worker = startWorker(temporalAddress);
  await worker.working;
  return worker;
}

/** @returns when it started to work, in milliseconds */
async function nextWorker(): Promise<number> {
  await workingWorker();
  return Date.now();
}

interface Scheduled {
  readonly id: string;
  readonly due: Date;
}

async function schedule(id: string, inMs: number): Promise<Scheduled> {
  const due = new Date(Date.now() + inMs);
  const body = { scheduled_publish_at: due.toISOString() };
  const answer = await api.request('POST', `/articles/${id}/schedule`, { key: tenant.secretKey, body });
  expect(answer.status).toBe(200);
  return { id, due };
}

async function scheduled(inMs: number): Promise<Scheduled> {
  const { id } = await buildArticle(api, tenant.secretKey, { title: 'Later', content: 'Text.' });
  return schedule(id, inMs);
}

const several = (count: number, inMs: number): Promise<Scheduled[]> =>
  Promise.all(Array.from({ length: count }, () => scheduled(inMs)));

/** Bypasses the API, which would count each read as a request. */
const article = async (id: string): Promise<any> =>
  (await api.db.pool.query('select status, published_at from articles where id = $1', [id])).rows[0];

const publishedEvents = async (id: string): Promise<number> => {
  const { rows } = await api.db.pool.query(
    `select id from events where event = 'article.published' and body::jsonb #>> '{data,id}' = $1`,
    [id],
  );
  return rows.length;
};

const state = async (id: string): Promise<ScheduledPublishState | null> => {
  try {
    return await temporal.client.workflow
      .getHandle(workflowIdOf('scheduled-publish', id))
      .query<ScheduledPublishState>('state');
  } catch {
    return null;
  }
};
const waits = ({ id, due }: Scheduled): Promise<void> =>
  eventually('its workflow waits', async () => {
    const current = await state(id);
    return current?.state === 'waiting' && current.due === due.toISOString();
  });
const exists = async (id: string): Promise<boolean> => {
  try {
    await temporal.client.workflow.getHandle(workflowIdOf('scheduled-publish', id)).describe();
    return true;
  } catch {
    return false;
  }
};
const ended = (id: string): Promise<void> =>
  eventually('its workflow has ended', async () => {
    const { status } = await temporal.client.workflow
      .getHandle(workflowIdOf('scheduled-publish', id))
      .describe();
    return status.name === 'COMPLETED';
  });

/** Each is published once, not before its time, and soon after it or after the next worker's start. */
async function expectPublished(articles: readonly Scheduled[], workingSince = 0): Promise<void> {
  for (const { id, due } of articles) {
    await eventually('it is published', async () => (await article(id)).status === 'published');
    const publishedAt = (await article(id)).published_at.getTime();
    expect(publishedAt).toBeGreaterThanOrEqual(due.getTime());
    const late = publishedAt - Math.max(due.getTime(), workingSince);
    expect(late).toBeLessThan(workingSince === 0 ? LATE_MS : LATE_AFTER_RESTART_MS);
  }
  await Promise.all(articles.map(({ id }) => ended(id)));
  for (const { id } of articles) expect(await publishedEvents(id)).toBe(1);
}

test('if no worker sees the change, the next one publishes it: at its time, or at once if that has passed', async () => {
  const early = await scheduled(6_000);
  const late = await scheduled(500);
  await sleep(1_000);
  expect(await exists(early.id)).toBe(false);
  const workingSince = await nextWorker();
  await expectPublished([early, late], workingSince);
});

test('a worker killed while it hands the message over: accepted by Temporal or not, the article is published once', async () => {
  const wire = await createWire(temporal.address);
  const worker = await workingWorker(wire.address);
  wire.hold('answers');
  const accepted = await scheduled(3_000);
  await eventually('Temporal has it', () => exists(accepted.id));
  const { rows } = await api.db.pool.query(`select id from outbox where workflow_id = $1`, [
    workflowIdOf('scheduled-publish', accepted.id),
  ]);
  expect(rows).toHaveLength(1);
  wire.hold('requests');
  const lost = await scheduled(3_000);
  await sleep(300);
  await worker.kill();
  await wire.cut();
  expect(await exists(lost.id)).toBe(false);
  const workingSince = await nextWorker();
  await expectPublished([accepted, lost], workingSince);
});

test('a worker killed while the timer runs: another one publishes on time', async () => {
  const worker = await workingWorker();
  const articles = await several(3, 6_000);
  for (const one of articles) await waits(one);
  await worker.kill();
  await workingWorker();
  await expectPublished(articles);
});

test('a worker killed while the timer runs, and none at the time: the next one publishes at once', async () => {
  const worker = await workingWorker();
  const articles = await several(3, 3_000);
  for (const one of articles) await waits(one);
  await worker.kill();
  await sleep(4_000);
  for (const { id } of articles) expect((await article(id)).status).toBe('scheduled');
  const workingSince = await nextWorker();
  await expectPublished(articles, workingSince);
});

test.each([0, 20, 60])(
  'a worker killed %d ms after the time of twenty articles: another one publishes each once',
  async (afterMs) => {
    const worker = await workingWorker();
    const articles = await several(20, 6_000);
    for (const one of articles) await waits(one);
    const last = Math.max(...articles.map(({ due }) => due.getTime()));
    await sleep(last - Date.now() + afterMs);
    await worker.kill();
    const workingSince = await nextWorker();
    await expectPublished(articles, workingSince);
  },
);

test('a worker killed between the commit of the publication and its report: nothing is published twice', async () => {
  const wire = await createWire(temporal.address);
  const worker = await workingWorker(wire.address);
  const one = await scheduled(3_000);
  await waits(one);
  await sleep(one.due.getTime() - Date.now() - 200);
  wire.hold('requests');
  await eventually('it is published', async () => (await article(one.id)).status === 'published');
  await worker.kill();
  await wire.cut();
  await workingWorker();
  await ended(one.id);
  expect(await publishedEvents(one.id)).toBe(1);
});

test('of two workers one is killed: the other publishes everything, once', async () => {
  const [worker] = await Promise.all([workingWorker(), workingWorker()]);
  const articles = await several(10, 4_000);
  for (const one of articles) await waits(one);
  const killedAt = articles[0]!.due.getTime() - 500;
  await sleep(killedAt - Date.now());
  await worker.kill();
  await expectPublished(articles, killedAt);
});

test('a schedule that is changed or cancelled while no worker runs never fires at the old time', async () => {
  const worker = await workingWorker();
  const [later, sooner, taken] = (await several(3, 5_000)) as [Scheduled, Scheduled, Scheduled];
  for (const one of [later, sooner, taken]) await waits(one);
  await worker.kill();
  const moved = await schedule(later.id, 9_000);
  const hurried = await schedule(sooner.id, 500);
  await api.request('POST', `/articles/${taken.id}/cancel-schedule`, { key: tenant.secretKey });
  await sleep(later.due.getTime() - Date.now() + 300);
  const workingSince = await nextWorker();
  await expectPublished([hurried], workingSince);
  await expectPublished([moved], workingSince);
  await ended(taken.id);
  expect((await article(taken.id)).status).toBe('draft');
  expect(await publishedEvents(taken.id)).toBe(0);
});

test('a worker shuts down gracefully on a signal, and the next one continues', async () => {
  const worker = await workingWorker();
  const one = await scheduled(4_000);
  await waits(one);
  expect(await worker.stop()).toBe(0);
  const workingSince = await nextWorker();
  await expectPublished([one], workingSince);
});
