import { workflowIdOf } from '../../domain/kernel/workflow-messages.ts';
import type { ScheduledPublishState } from '../../workflows/scheduled-publish.ts';
import type { Database } from '../../db/database.ts';
import { searchAttributes } from '../../workflows/names.ts';
import { buildArticle, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startTimeSkippingStack } from './time-skipping-stack.ts';
import type { TimeSkippingStack } from './time-skipping-stack.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let stack: TimeSkippingStack;
let tenant: Tenant;

beforeAll(async () => {
  stack = await startTimeSkippingStack();
  tenant = await buildTenant(stack.api.db);
});
afterAll(() => stack.close());
/** When the test began. */
let begun: number;
beforeEach(() => {
  begun = performance.now();
});
afterEach(() => {
  stack.skewMs = 0;
  stack.throughDatabase = (db) => db;
});

const workflowOf = (id: string) =>
  stack.temporal.client.workflow.getHandle(workflowIdOf('scheduled-publish', id));
const request = (method: string, path: string, body?: unknown) =>
  stack.api.request(method, path, { key: tenant.secretKey, body });
const read = async (id: string): Promise<any> => (await request('GET', `/articles/${id}`)).data;

const state = (id: string): Promise<ScheduledPublishState | null> =>
  workflowOf(id)
    .query<ScheduledPublishState>('state')
    .catch(() => null);

const waitsFor = (id: string, due: Date): Promise<void> =>
  eventually(`the workflow waits for ${due.toISOString()}`, async () => {
    const current = await state(id);
    return current?.state === 'waiting' && current.due === due.toISOString();
  });

const ended = (id: string): Promise<void> =>
  eventually(
    'the workflow has ended',
    async () => (await workflowOf(id).describe()).status.name === 'COMPLETED',
  );

/** Schedules through the API, without waiting for the workflow. @returns the time */
async function schedule(id: string, inMs: number): Promise<Date> {
  const due = new Date((await stack.now()).getTime() + inMs);
  const answer = await request('POST', `/articles/${id}/schedule`, {
    scheduled_publish_at: due.toISOString(),
  });
  expect(answer.status).toBe(200);
  return due;
}

async function scheduled(inMs: number): Promise<{ id: string; due: Date }> {
  const { id } = await buildArticle(stack.api, tenant.secretKey, { title: 'Later', content: 'Text.' });
  const due = await schedule(id, inMs);
  await waitsFor(id, due);
  return { id, due };
}

const events = async (id: string): Promise<string[]> => {
  const { rows } = await stack.api.db.pool.query<{ event: string }>(
    `select event from events where body::jsonb #>> '{data,id}' = $1 order by created_at, id`,
    [id],
  );
  return rows.map(({ event }) => event);
};

/** It is published at its time, with one event. */
async function expectPublished(id: string, due: Date): Promise<void> {
  await eventually('it is published', async () => (await read(id)).status === 'published');
  const article = await read(id);
  const late = Date.parse(article.published_at) - due.getTime();
  expect(late).toBeGreaterThanOrEqual(0);
  // While the server skips no time, its time passes as that of this machine, which may be busy.
  expect(late).toBeLessThan(2 * SECOND + performance.now() - begun);
  expect(article.scheduled_publish_at).toBeNull();
  expect(await events(id)).toEqual(['article.published']);
}

async function expectUntouched(id: string, status: string): Promise<void> {
  expect((await read(id)).status).toBe(status);
  expect(await events(id)).toEqual([]);
}

test('an article is published after a month of waiting, within two seconds of its time, once', async () => {
  const { id, due } = await scheduled(31 * DAY);
  await stack.pass(31 * DAY - MINUTE);
  await expectUntouched(id, 'scheduled');
  await stack.pass(2 * MINUTE);
  await expectPublished(id, due);
  expect(await workflowOf(id).result()).toBe('published');
  await stack.pass(31 * DAY);
  expect(await events(id)).toEqual(['article.published']);
});

test('a wait of more than a year is split, and ends at the exact second', async () => {
  const { id, due } = await scheduled(800 * DAY);
  await stack.pass(799 * DAY);
  await expectUntouched(id, 'scheduled');
  await stack.pass(2 * DAY);
  await expectPublished(id, due);
});

test('an article rescheduled to an earlier time is published then, and not again at the old time', async () => {
  const { id } = await scheduled(10 * DAY);
  const due = await schedule(id, 2 * HOUR);
  await waitsFor(id, due);
  await stack.pass(3 * HOUR);
  await expectPublished(id, due);
  await stack.pass(11 * DAY);
  expect(await events(id)).toEqual(['article.published']);
});

test('an article rescheduled to a later time is not published at the old one', async () => {
  const { id } = await scheduled(HOUR);
  const due = await schedule(id, 5 * HOUR);
  await waitsFor(id, due);
  await stack.pass(4 * HOUR);
  await expectUntouched(id, 'scheduled');
  await stack.pass(2 * HOUR);
  await expectPublished(id, due);
});

test('a cancelled schedule ends the workflow, and nothing is published', async () => {
  const { id } = await scheduled(HOUR);
  expect((await request('POST', `/articles/${id}/cancel-schedule`)).status).toBe(200);
  await ended(id);
  await stack.pass(2 * HOUR);
  await expectUntouched(id, 'draft');
});

test('a cancelled schedule that is created again is kept', async () => {
  const { id } = await scheduled(HOUR);
  await request('POST', `/articles/${id}/cancel-schedule`);
  const due = await schedule(id, 3 * HOUR);
  await waitsFor(id, due);
  await stack.pass(2 * HOUR);
  await expectUntouched(id, 'scheduled');
  await stack.pass(2 * HOUR);
  await expectPublished(id, due);
});

test('deleting an article ends its workflow', async () => {
  const { id } = await scheduled(HOUR);
  expect((await request('DELETE', `/articles/${id}`)).status).toBe(204);
  await ended(id);
  await stack.pass(2 * HOUR);
  expect(await events(id)).toEqual(['article.deleted']);
});

test('an article published by request is not published again at its time', async () => {
  const { id } = await scheduled(HOUR);
  expect((await request('POST', `/articles/${id}/publish`)).status).toBe(200);
  await ended(id);
  await stack.pass(2 * HOUR);
  expect(await events(id)).toEqual(['article.published']);
});

test('an article may be scheduled again after it was published', async () => {
  const { id, due } = await scheduled(HOUR);
  await stack.pass(2 * HOUR);
  await expectPublished(id, due);
  await request('POST', `/articles/${id}/unpublish`);
  const again = await schedule(id, HOUR);
  await waitsFor(id, again);
  await stack.pass(2 * HOUR);
  await eventually('it is published again', async () => (await read(id)).status === 'published');
  expect(await events(id)).toEqual(['article.published', 'article.unpublished', 'article.published']);
});

test('an article that is scheduled again while its publication is reported waits for the new time', async () => {
  const { id } = await scheduled(HOUR);
  /** The signal is in the history, and a task with it has begun, while the activity goes on. */
  const hasLearntOfIt = async (): Promise<boolean> => {
    const history = (await workflowOf(id).fetchHistory()).events ?? [];
    const first = history.findIndex((event) => event.workflowExecutionSignaledEventAttributes);
    const last = history.findLastIndex((event) => event.workflowExecutionSignaledEventAttributes);
    return last > first && history.slice(last).some((event) => event.workflowTaskStartedEventAttributes);
  };
  const again = Promise.withResolvers<Date>();
  let held = false;
  stack.throughDatabase = (db) => ({
    ...db,
    async transaction(work, options) {
      const result = await db.transaction(work, options);
      if (held || (await read(id)).status !== 'published') return result;
      held = true;
      await request('POST', `/articles/${id}/unpublish`);
      again.resolve(await schedule(id, 3 * HOUR));
      await eventually('the workflow has learnt of it', hasLearntOfIt);
      return result;
    },
  });
  await stack.pass(HOUR + SECOND);
  await waitsFor(id, await again.promise);
  await stack.pass(4 * HOUR);
  await eventually('it is published again', async () => (await read(id)).status === 'published');
});

describe('a stale timer', () => {
  /** Changes the schedule without its signal, as if that had been lost. */
  const withoutSignal = async (id: string, text: string, values: unknown[]): Promise<void> =>
    void (await stack.api.db.pool.query(text, [id, ...values]));

  test('of an article that has been rescheduled publishes nothing, and waits for the new time', async () => {
    const { id, due } = await scheduled(HOUR);
    const moved = new Date(due.getTime() + 4 * HOUR);
    await withoutSignal(id, 'update articles set scheduled_publish_at = $2 where id = $1', [moved]);
    await stack.pass(2 * HOUR);
    await expectUntouched(id, 'scheduled');
    await waitsFor(id, moved);
    await stack.pass(4 * HOUR);
    await expectPublished(id, moved);
  });

  test('of an article that is a draft again publishes nothing, and ends', async () => {
    const { id } = await scheduled(HOUR);
    const text = `update articles set status = 'draft', scheduled_publish_at = null where id = $1`;
    await withoutSignal(id, text, []);
    await stack.pass(2 * HOUR);
    await ended(id);
    await expectUntouched(id, 'draft');
  });

  test('of an article that is gone publishes nothing, and ends', async () => {
    const { id } = await scheduled(HOUR);
    await withoutSignal(id, 'delete from articles where id = $1', []);
    await stack.pass(2 * HOUR);
    await ended(id);
    expect(await events(id)).toEqual([]);
  });
});

describe('signals', () => {
  test('that are repeated, or sent without a change, have no effect', async () => {
    const { id, due } = await scheduled(HOUR);
    for (const name of ['reschedule', 'reschedule', 'cancel', 'reschedule', 'cancel'])
      await workflowOf(id).signal(name);
    await waitsFor(id, due);
    await stack.pass(30 * MINUTE);
    await expectUntouched(id, 'scheduled');
    await workflowOf(id).signal('cancel');
    await stack.pass(HOUR);
    await expectPublished(id, due);
  });

  test.each([
    ['cancel before reschedule', ['cancel', 'reschedule']],
    ['reschedule before cancel', ['reschedule', 'cancel']],
  ])('in the order %s: what stands in the database counts', async (_, names) => {
    const { id, due } = await scheduled(HOUR);
    const moved = new Date(due.getTime() + HOUR);
    await stack.api.db.pool.query('update articles set scheduled_publish_at = $2 where id = $1', [id, moved]);
    await Promise.all(names.map((name) => workflowOf(id).signal(name)));
    await waitsFor(id, moved);
    await stack.pass(90 * MINUTE);
    await expectUntouched(id, 'scheduled');
    await stack.pass(HOUR);
    await expectPublished(id, moved);
  });
});

describe('at the time', () => {
  test.each([-20, -400, -3_000])(
    'a worker whose clock is %d ms behind publishes when its clock agrees',
    async (skewMs) => {
      stack.skewMs = skewMs;
      const { id, due } = await scheduled(HOUR);
      await stack.pass(HOUR + 10 * SECOND);
      await expectPublished(id, due);
    },
  );

  test('a worker whose clock is far behind neither publishes early nor fills the history', async () => {
    const { id, due } = await scheduled(HOUR);
    stack.skewMs = -10 * MINUTE;
    await stack.pass(HOUR + 4 * MINUTE);
    await expectUntouched(id, 'scheduled');
    const { historyLength } = await workflowOf(id).describe();
    stack.skewMs = 0;
    await eventually('it is published', async () => (await read(id)).status === 'published');
    expect(Date.parse((await read(id)).published_at)).toBeGreaterThanOrEqual(due.getTime());
    expect(await events(id)).toEqual(['article.published']);
    expect(historyLength).toBeLessThan(2_500);
  });

  /** A database whose transactions fail before the commit, or after it with a lost answer. */
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
    'a database that fails %s the commit: the article is still published once',
    async (when) => {
      const { id, due } = await scheduled(HOUR);
      stack.throughDatabase = failing(3, when);
      await stack.pass(HOUR + 5 * SECOND);
      await expectPublished(id, due);
      await ended(id);
    },
  );
});

test('the state query and the search attributes show the workflow’s state', async () => {
  const { id, due } = await scheduled(HOUR);
  expect(await state(id)).toEqual({ state: 'waiting', due: due.toISOString() });
  const attributes = (await workflowOf(id).describe()).typedSearchAttributes;
  expect(attributes.get(searchAttributes.siteId)).toBe(tenant.siteId);
  expect(attributes.get(searchAttributes.articleId)).toBe(id);
  expect(attributes.get(searchAttributes.processState)).toBe('waiting');
  await stack.pass(2 * HOUR);
  await ended(id);
  expect(await state(id)).toEqual({ state: 'published', due: due.toISOString() });
});
