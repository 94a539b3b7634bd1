import { workflowIdOf } from '../../domain/kernel/workflow-messages.ts';
import { upkeepId } from '../../worker/upkeep.ts';
import { TASK_QUEUE } from '../../workflows/names.ts';
import type { ScheduledPublishState } from '../../workflows/scheduled-publish.ts';
import { upkeep } from '../../workflows/upkeep.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildArticle, buildTenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { sleep, startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { allWait } from './all-wait.ts';
import { endWorkers, oneBehindWire, spawnWorker } from './processes.ts';

/** Before their time, when all articles must be waiting for it. */
const MARGIN_MS = 500;

let api: TestApi;
let temporal: TestTemporal;
const settings = () => ({
  databaseUrl: api.url,
  temporalAddress: temporal.address,
  namespace: temporal.namespace,
});
const workers = oneBehindWire(settings);

beforeAll(async () => {
  [api, temporal] = await Promise.all([startApi(), startTemporal()]);
  // Nothing rescues what is overdue here: each article is published by workflows of their own, or not at all.
  await temporal.client.workflow.start(upkeep, {
    workflowId: upkeepId('rescue'),
    taskQueue: TASK_QUEUE,
    args: [{ chore: 'rescue', paused: true }],
  });
});
afterAll(async () => {
  await workers.kill();
  endWorkers();
  await api.close();
  await temporal.close();
});

interface Scheduled {
  readonly id: string;
  readonly due: Date;
  readonly key: string;
}

/** @returns null if the time has passed before the API was asked, as on a slow machine */
async function schedule(id: string, key: string, due: Date): Promise<Scheduled | null> {
  const body = { scheduled_publish_at: due.toISOString() };
  const { status } = await api.request('POST', `/articles/${id}/schedule`, { key, body });
  if (status === 422 && due.getTime() < Date.now()) return null;
  expect(status).toBe(200);
  return { id, due, key };
}

/** Schedules an article for a time that is soon, and has not passed on a slow machine. */
async function scheduleSoon({ id, key }: Draft, inMs: number): Promise<Scheduled> {
  for (let soonMs = inMs; ; soonMs *= 2) {
    const scheduled = await schedule(id, key, new Date(Date.now() + soonMs));
    if (scheduled !== null) return scheduled;
  }
}

interface Draft {
  readonly id: string;
  readonly key: string;
}

/** Articles of a Site of their own: a key may send 120 writes a minute. */
async function drafts(count: number): Promise<Draft[]> {
  const { secretKey: key } = await buildTenant(api.db);
  return Promise.all(
    Array.from({ length: count }, async () => {
      const { id } = await buildArticle(api, key, { title: 'Later', content: 'Text.' });
      return { id, key };
    }),
  );
}

async function soon(inMs: number): Promise<Scheduled> {
  const [draft] = await drafts(1);
  return scheduleSoon(draft!, inMs);
}

/** Articles whose workflows wait for their time: if it comes before that on a slow machine, others with more time. */
async function waiting(count: number, inMs: number, earlier: readonly number[] = [0]): Promise<Scheduled[]> {
  for (let soonMs = inMs; ; soonMs *= 2) {
    const groups = await Promise.all(earlier.map(() => drafts(count)));
    const last = Date.now() + soonMs;
    const asked = groups.flatMap((group, at) =>
      group.map(({ id, key }) => schedule(id, key, new Date(last - (earlier[at] ?? 0)))),
    );
    const articles = (await Promise.all(asked)).filter((article) => article !== null);
    const tooLate = last - Math.max(...earlier) - MARGIN_MS;
    if (articles.length === asked.length && (await allWait(articles, waits, tooLate))) return articles;
  }
}

const timeOf = (articles: readonly Scheduled[]): number =>
  Math.max(...articles.map(({ due }) => due.getTime()));
/** Waits for a point in time. */
const until = (time: number): Promise<void> => sleep(Math.max(0, time - Date.now()));

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
async function waits({ id, due }: Scheduled): Promise<boolean> {
  const current = await state(id);
  return current?.state === 'waiting' && current.due === due.toISOString();
}
const exists = async (id: string): Promise<boolean> => {
  try {
    await temporal.client.workflow.getHandle(workflowIdOf('scheduled-publish', id)).describe();
    return true;
  } catch {
    return false;
  }
};
/** A workflow may begin after its article was published together with others that are due. */
const ended = (id: string): Promise<void> =>
  eventually('its workflow has ended', async () => {
    if (!(await exists(id))) return false;
    const { status } = await temporal.client.workflow
      .getHandle(workflowIdOf('scheduled-publish', id))
      .describe();
    return status.name === 'COMPLETED';
  });

/** Each is published once, not before its time, and its workflow knows it. */
async function expectPublished(articles: readonly Scheduled[]): Promise<void> {
  for (const { id, due } of articles) {
    await eventually('it is published', async () => (await article(id)).status === 'published');
    expect((await article(id)).published_at.getTime()).toBeGreaterThanOrEqual(due.getTime());
  }
  await Promise.all(articles.map(({ id }) => ended(id)));
  for (const { id } of articles) expect(await publishedEvents(id)).toBe(1);
}

test('if no worker sees the change, the next one publishes it: at its time, or at once if that has passed', async () => {
  await workers.kill();
  const early = await soon(8_000);
  const late = await soon(500);
  await until(late.due.getTime());
  expect(await exists(early.id)).toBe(false);
  expect((await article(late.id)).status).toBe('scheduled');
  await workers.working();
  await expectPublished([early, late]);
});

test('a worker killed while it hands the message over: accepted by Temporal or not, the article is published once', async () => {
  await workers.working();
  workers.wire().hold('answers');
  const accepted = await soon(3_000);
  await eventually('Temporal has it', () => exists(accepted.id));
  const { rows } = await api.db.pool.query(`select id from outbox where workflow_id = $1`, [
    workflowIdOf('scheduled-publish', accepted.id),
  ]);
  expect(rows).toHaveLength(1);
  workers.wire().hold('requests');
  const packets = workers.wire().packets();
  const lost = await soon(3_000);
  await eventually('it is on its way', () => workers.wire().packets() > packets);
  await workers.kill();
  expect(await exists(lost.id)).toBe(false);
  await workers.working();
  await expectPublished([accepted, lost]);
});

test('a worker killed while the timer runs: another one publishes on time', async () => {
  await workers.working();
  const articles = await waiting(3, 6_000);
  await workers.kill();
  await workers.working();
  await expectPublished(articles);
});

test('a worker killed while the timer runs, and none at the time: the next one publishes at once', async () => {
  await workers.working();
  const articles = await waiting(3, 3_000);
  await workers.kill();
  await until(timeOf(articles));
  for (const { id } of articles) expect((await article(id)).status).toBe('scheduled');
  await workers.working();
  await expectPublished(articles);
});

test('a worker killed 0, 20 and 60 ms after the time of twenty articles each: another one publishes each once', async () => {
  await workers.working();
  const articles = await waiting(20, 12_000, [0, 20, 60]);
  await until(timeOf(articles));
  await workers.kill();
  await workers.working();
  await expectPublished(articles);
});

test('a worker killed between the commit of the publication and its report: nothing is published twice', async () => {
  await workers.working();
  const [one] = await waiting(1, 3_000);
  await until(one!.due.getTime() - 200);
  workers.wire().hold('requests');
  await eventually('it is published', async () => (await article(one!.id)).status === 'published');
  await workers.kill();
  await workers.working();
  await ended(one!.id);
  expect(await publishedEvents(one!.id)).toBe(1);
});

test('a schedule that is changed or cancelled while no worker runs never fires at the old time', async () => {
  await workers.working();
  const [later, sooner, taken] = (await waiting(3, 5_000)) as [Scheduled, Scheduled, Scheduled];
  await workers.kill();
  const moved = await scheduleSoon(later, later.due.getTime() + 6_000 - Date.now());
  const hurried = await scheduleSoon(sooner, 500);
  await api.request('POST', `/articles/${taken.id}/cancel-schedule`, { key: taken.key });
  await until(later.due.getTime());
  await workers.working();
  await expectPublished([hurried, moved]);
  await ended(taken.id);
  expect((await article(taken.id)).status).toBe('draft');
  expect(await publishedEvents(taken.id)).toBe(0);
});

test('a worker shuts down gracefully on a signal, and the next one continues', async () => {
  const worker = await workers.working();
  const articles = await waiting(1, 4_000);
  expect(await worker.stop()).toBe(0);
  expect(worker.said()).not.toContain('did not finish in time');
  await workers.working();
  await expectPublished(articles);
});

test('of two workers one is killed: the other publishes everything, once', async () => {
  await workers.working();
  const other = spawnWorker(settings());
  await other.working;
  const articles = await waiting(10, 4_000);
  await until(timeOf(articles) - MARGIN_MS);
  await workers.kill();
  await expectPublished(articles);
});
