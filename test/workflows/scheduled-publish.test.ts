import type { ScheduledPublishState } from '../../workflows/scheduled-publish.ts';
import type { Database } from '../../db/database.ts';
import { scheduledPublishId } from '../../domain/articles/schedule.ts';
import { searchAttributes } from '../../temporal/names.ts';
import { buildArticle, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startSkippedTime } from './skipped-time.ts';
import type { SkippedTime } from './skipped-time.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let world: SkippedTime;
let tenant: Tenant;

beforeAll(async () => {
  world = await startSkippedTime();
  tenant = await buildTenant(world.api.db);
});
afterAll(() => world.close());
afterEach(() => {
  world.skewMs = 0;
  world.throughDatabase = (db) => db;
});

const process = (id: string) => world.temporal.client.workflow.getHandle(scheduledPublishId(id));
const request = (method: string, path: string, body?: unknown) =>
  world.api.request(method, path, { key: tenant.secretKey, body });
const read = async (id: string): Promise<any> => (await request('GET', `/articles/${id}`)).data;

const state = (id: string): Promise<ScheduledPublishState | null> =>
  process(id)
    .query<ScheduledPublishState>('state')
    .catch(() => null);

const waitsFor = (id: string, due: Date): Promise<void> =>
  eventually(`the process waits for ${due.toISOString()}`, async () => {
    const current = await state(id);
    return current?.state === 'waiting' && current.due === due.toISOString();
  });

const ended = (id: string): Promise<void> =>
  eventually('the process has ended', async () => (await process(id).describe()).status.name === 'COMPLETED');

/** Schedules through the API, without waiting for the process. @returns the time */
async function schedule(id: string, inMs: number): Promise<Date> {
  const due = new Date((await world.now()).getTime() + inMs);
  const answer = await request('POST', `/articles/${id}/schedule`, {
    scheduled_publish_at: due.toISOString(),
  });
  expect(answer.status).toBe(200);
  return due;
}

async function scheduled(inMs: number): Promise<{ id: string; due: Date }> {
  const { id } = await buildArticle(world.api, tenant.secretKey, { title: 'Later', content: 'Text.' });
  const due = await schedule(id, inMs);
  await waitsFor(id, due);
  return { id, due };
}

const events = async (id: string): Promise<string[]> => {
  const { rows } = await world.api.db.pool.query<{ event: string }>(
    `select event from events where body::jsonb #>> '{data,id}' = $1 order by created_at, id`,
    [id],
  );
  return rows.map(({ event }) => event);
};

/** Published at its time, and told of once. */
async function expectPublished(id: string, due: Date): Promise<void> {
  await eventually('it is published', async () => (await read(id)).status === 'published');
  const article = await read(id);
  const late = Date.parse(article.published_at) - due.getTime();
  expect(late).toBeGreaterThanOrEqual(0);
  expect(late).toBeLessThan(2 * SECOND);
  expect(article.scheduled_publish_at).toBeNull();
  expect(await events(id)).toEqual(['article.published']);
}

async function expectUntouched(id: string, status: string): Promise<void> {
  expect((await read(id)).status).toBe(status);
  expect(await events(id)).toEqual([]);
}

test('an article is published after a month of waiting, within two seconds of its time, once', async () => {
  const { id, due } = await scheduled(31 * DAY);
  await world.pass(31 * DAY - MINUTE);
  await expectUntouched(id, 'scheduled');
  await world.pass(2 * MINUTE);
  await expectPublished(id, due);
  expect(await process(id).result()).toBe('published');
  await world.pass(31 * DAY);
  expect(await events(id)).toEqual(['article.published']);
});

test('a wait of more than a year is waited in parts, to the same second', async () => {
  const { id, due } = await scheduled(800 * DAY);
  await world.pass(799 * DAY);
  await expectUntouched(id, 'scheduled');
  await world.pass(2 * DAY);
  await expectPublished(id, due);
});

test('an article that is moved to an earlier time is published then, and not again at the old time', async () => {
  const { id } = await scheduled(10 * DAY);
  const due = await schedule(id, 2 * HOUR);
  await waitsFor(id, due);
  await world.pass(3 * HOUR);
  await expectPublished(id, due);
  await world.pass(11 * DAY);
  expect(await events(id)).toEqual(['article.published']);
});

test('an article that is moved to a later time is not published at the old one', async () => {
  const { id } = await scheduled(HOUR);
  const due = await schedule(id, 5 * HOUR);
  await waitsFor(id, due);
  await world.pass(4 * HOUR);
  await expectUntouched(id, 'scheduled');
  await world.pass(2 * HOUR);
  await expectPublished(id, due);
});

test('a schedule that is taken back ends the process, and nothing is published', async () => {
  const { id } = await scheduled(HOUR);
  expect((await request('POST', `/articles/${id}/cancel-schedule`)).status).toBe(200);
  await ended(id);
  await world.pass(2 * HOUR);
  await expectUntouched(id, 'draft');
});

test('a schedule that is taken back and made again is kept', async () => {
  const { id } = await scheduled(HOUR);
  await request('POST', `/articles/${id}/cancel-schedule`);
  const due = await schedule(id, 3 * HOUR);
  await waitsFor(id, due);
  await world.pass(2 * HOUR);
  await expectUntouched(id, 'scheduled');
  await world.pass(2 * HOUR);
  await expectPublished(id, due);
});

test('an article that is deleted takes its process with it', async () => {
  const { id } = await scheduled(HOUR);
  expect((await request('DELETE', `/articles/${id}`)).status).toBe(204);
  await ended(id);
  await world.pass(2 * HOUR);
  expect(await events(id)).toEqual(['article.deleted']);
});

test('an article that is published by hand is not published again at its time', async () => {
  const { id } = await scheduled(HOUR);
  expect((await request('POST', `/articles/${id}/publish`)).status).toBe(200);
  await ended(id);
  await world.pass(2 * HOUR);
  expect(await events(id)).toEqual(['article.published']);
});

test('an article may be scheduled again after it was published', async () => {
  const { id, due } = await scheduled(HOUR);
  await world.pass(2 * HOUR);
  await expectPublished(id, due);
  await request('POST', `/articles/${id}/unpublish`);
  const again = await schedule(id, HOUR);
  await waitsFor(id, again);
  await world.pass(2 * HOUR);
  await eventually('it is published again', async () => (await read(id)).status === 'published');
  expect(await events(id)).toEqual(['article.published', 'article.unpublished', 'article.published']);
});

describe('a stale timer', () => {
  /** Changes the schedule as if its signal had been lost. */
  const withoutSignal = async (id: string, text: string, values: unknown[]): Promise<void> =>
    void (await world.api.db.pool.query(text, [id, ...values]));

  test('of an article that has meanwhile been moved publishes nothing, and waits for the new time', async () => {
    const { id, due } = await scheduled(HOUR);
    const moved = new Date(due.getTime() + 4 * HOUR);
    await withoutSignal(id, 'update articles set scheduled_publish_at = $2 where id = $1', [moved]);
    await world.pass(2 * HOUR);
    await expectUntouched(id, 'scheduled');
    await waitsFor(id, moved);
    await world.pass(4 * HOUR);
    await expectPublished(id, moved);
  });

  test('of an article that is a draft again publishes nothing, and ends', async () => {
    const { id } = await scheduled(HOUR);
    const text = `update articles set status = 'draft', scheduled_publish_at = null where id = $1`;
    await withoutSignal(id, text, []);
    await world.pass(2 * HOUR);
    await ended(id);
    await expectUntouched(id, 'draft');
  });

  test('of an article that is gone publishes nothing, and ends', async () => {
    const { id } = await scheduled(HOUR);
    await withoutSignal(id, 'delete from articles where id = $1', []);
    await world.pass(2 * HOUR);
    await ended(id);
    expect(await events(id)).toEqual([]);
  });
});

describe('signals', () => {
  test('that come twice, and from nobody who changed anything, change nothing', async () => {
    const { id, due } = await scheduled(HOUR);
    for (const name of ['reschedule', 'reschedule', 'cancel', 'reschedule', 'cancel'])
      await process(id).signal(name);
    await waitsFor(id, due);
    await world.pass(30 * MINUTE);
    await expectUntouched(id, 'scheduled');
    await process(id).signal('cancel');
    await world.pass(HOUR);
    await expectPublished(id, due);
  });

  test.each([
    ['cancel before reschedule', ['cancel', 'reschedule']],
    ['reschedule before cancel', ['reschedule', 'cancel']],
  ])('in the order %s: what stands in the database counts', async (_, names) => {
    const { id, due } = await scheduled(HOUR);
    const moved = new Date(due.getTime() + HOUR);
    await world.api.db.pool.query('update articles set scheduled_publish_at = $2 where id = $1', [id, moved]);
    await Promise.all(names.map((name) => process(id).signal(name)));
    await waitsFor(id, moved);
    await world.pass(90 * MINUTE);
    await expectUntouched(id, 'scheduled');
    await world.pass(HOUR);
    await expectPublished(id, moved);
  });
});

describe('at the time', () => {
  test.each([-20, -400, -3_000])(
    'a worker whose clock is %d ms behind publishes when its clock agrees',
    async (skewMs) => {
      world.skewMs = skewMs;
      const { id, due } = await scheduled(HOUR);
      await world.pass(HOUR + 10 * SECOND);
      await expectPublished(id, due);
    },
  );

  test('a worker whose clock is far behind neither publishes early nor fills the history', async () => {
    const { id, due } = await scheduled(HOUR);
    world.skewMs = -10 * MINUTE;
    await world.pass(HOUR + 4 * MINUTE);
    await expectUntouched(id, 'scheduled');
    const { historyLength } = await process(id).describe();
    world.skewMs = 0;
    await eventually('it is published', async () => (await read(id)).status === 'published');
    expect(Date.parse((await read(id)).published_at)).toBeGreaterThanOrEqual(due.getTime());
    expect(await events(id)).toEqual(['article.published']);
    expect(historyLength).toBeLessThan(2_500);
  });

  /** The database, failing transactions before they commit, or after with the answer lost. */
  const failing = (times: number, when: 'before' | 'after') => {
    let left = times;
    return (db: Database): Database => ({
      ...db,
      async transaction(work) {
        if (left === 0) return db.transaction(work);
        left -= 1;
        if (when === 'after') await db.transaction(work);
        throw new Error('the connection broke');
      },
    });
  };

  test.each(['before', 'after'] as const)(
    'a database that breaks %s the commit: the article is published once all the same',
    async (when) => {
      const { id, due } = await scheduled(HOUR);
      world.throughDatabase = failing(3, when);
      await world.pass(HOUR + 5 * SECOND);
      await expectPublished(id, due);
      await ended(id);
    },
  );
});

test('the state query and the search attributes tell what the process does', async () => {
  const { id, due } = await scheduled(HOUR);
  expect(await state(id)).toEqual({ state: 'waiting', due: due.toISOString() });
  const attributes = (await process(id).describe()).typedSearchAttributes;
  expect(attributes.get(searchAttributes.siteId)).toBe(tenant.siteId);
  expect(attributes.get(searchAttributes.articleId)).toBe(id);
  expect(attributes.get(searchAttributes.processState)).toBe('waiting');
  await world.pass(2 * HOUR);
  await ended(id);
  expect(await state(id)).toEqual({ state: 'published', due: due.toISOString() });
});
