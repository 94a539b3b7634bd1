import { workflowIdOf } from '../../domain/kernel/workflow-messages.ts';
import type { PendingEditState } from '../../workflows/pending-edit.ts';
import { searchAttributes } from '../../workflows/names.ts';
import { buildArticle, buildPublished, buildTenant, buildTerm } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { rescueOnce, startTimeSkippingStack, terminateAtRest } from './time-skipping-stack.ts';
import type { TimeSkippingStack } from './time-skipping-stack.ts';
import { withTransactions } from '../support/with-transactions.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

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

const workflowOf = (id: string) => stack.temporal.client.workflow.getHandle(workflowIdOf('pending-edit', id));
const request = (method: string, path: string, body?: unknown) =>
  stack.api.request(method, path, { key: tenant.secretKey, body });
const read = async (id: string): Promise<any> => (await request('GET', `/articles/${id}`)).data;
const pending = (id: string) => request('GET', `/articles/${id}/pending`);

const waitsFor = (id: string, due: Date): Promise<void> =>
  eventually(`the workflow waits for ${due.toISOString()}`, async () => {
    const current = await workflowOf(id)
      .query<PendingEditState>('state')
      .catch(() => null);
    return current?.state === 'waiting' && current.due === due.toISOString();
  });

const ended = (id: string): Promise<void> =>
  eventually(
    'the workflow has ended',
    async () => (await workflowOf(id).describe()).status.name === 'COMPLETED',
  );

async function schedule(id: string, inMs: number): Promise<Date> {
  const due = new Date((await stack.now()).getTime() + inMs);
  const body = { scheduled_at: due.toISOString() };
  expect((await request('POST', `/articles/${id}/pending/schedule`, body)).status).toBe(200);
  return due;
}

/** A published article whose edit is scheduled. */
async function scheduled(
  inMs: number,
  body: object = { title: 'Edited' },
): Promise<{ id: string; due: Date }> {
  const { id } = await buildPublished(stack.api, tenant.secretKey, { title: 'Live' });
  expect((await request('PATCH', `/articles/${id}/pending`, body)).status).toBe(200);
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
const publishedOnce = ['article.published', 'article.updated'];

async function expectApplied(id: string, due: Date, title = 'Edited'): Promise<void> {
  await eventually('it is published', async () => (await read(id)).title === title);
  const late = Date.parse((await read(id)).updated_at) - due.getTime();
  expect(late).toBeGreaterThanOrEqual(0);
  // While the server skips no time, its time passes as that of this machine, which may be busy.
  expect(late).toBeLessThan(2 * SECOND + performance.now() - begun);
  expect((await pending(id)).status).toBe(404);
  expect(await events(id)).toEqual(publishedOnce);
}

async function expectHeldBack(id: string, fields: string[]): Promise<void> {
  await ended(id);
  expect(await workflowOf(id).result()).toBe('conflict');
  const { data } = await pending(id);
  expect([data.conflict, data.scheduled_at]).toEqual([fields, null]);
}

test('an edit is published at its time, within two seconds, once', async () => {
  const { id, due } = await scheduled(HOUR);
  await stack.pass(HOUR - MINUTE);
  expect((await read(id)).title).toBe('Live');
  await stack.pass(2 * MINUTE);
  await expectApplied(id, due);
  expect(await workflowOf(id).result()).toBe('published');
  await stack.pass(HOUR);
  expect(await events(id)).toEqual(publishedOnce);
  const { rows } = await stack.api.db.pool.query(
    `select action, actor_kind, actor_name from audit_log where target_id = $1 order by id desc limit 1`,
    [id],
  );
  expect(rows).toEqual([{ action: 'article.update', actor_kind: 'system', actor_name: 'pending edit' }]);
});

test('a moved schedule counts, and a further edit is part of what is published', async () => {
  const { id } = await scheduled(HOUR);
  const due = await schedule(id, 3 * HOUR);
  await waitsFor(id, due);
  await request('PATCH', `/articles/${id}/pending`, { title: 'Edited again' });
  await stack.pass(2 * HOUR);
  expect((await read(id)).title).toBe('Live');
  await stack.pass(2 * HOUR);
  await expectApplied(id, due, 'Edited again');
});

test('a cancelled schedule ends the workflow, and the edit stays', async () => {
  const { id } = await scheduled(HOUR);
  await request('POST', `/articles/${id}/pending/cancel-schedule`);
  await ended(id);
  expect(await workflowOf(id).result()).toBe('cancelled');
  await stack.pass(2 * HOUR);
  expect((await read(id)).title).toBe('Live');
  expect((await pending(id)).status).toBe(200);
});

test.each([
  ['unpublished', 'POST', '/unpublish'],
  ['deleted', 'DELETE', ''],
  ['published by request', 'POST', '/pending/publish'],
  ['discarded', 'DELETE', '/pending'],
])('an edit that is %s ends its workflow', async (_name, method, path) => {
  const { id } = await scheduled(HOUR);
  expect((await request(method, `/articles/${id}${path}`)).status).toBeLessThan(300);
  await ended(id);
  expect(await workflowOf(id).result()).toBe('gone');
});

test('a conflict at the time leaves the edit pending and says in which fields; a further edit clears it and publishes nothing', async () => {
  const { id } = await scheduled(HOUR, { title: 'Edited', excerpt: 'Edited' });
  await request('PATCH', `/articles/${id}`, { title: 'Newer' });
  await stack.pass(2 * HOUR);
  await expectHeldBack(id, ['title']);
  expect(await read(id)).toMatchObject({ title: 'Newer', excerpt: null });
  const again = await request('PATCH', `/articles/${id}/pending`, { title: 'Newer' });
  expect(again.data).not.toHaveProperty('conflict');
  await stack.pass(HOUR);
  expect((await read(id)).excerpt).toBeNull();
  const due = await schedule(id, HOUR);
  await waitsFor(id, due);
  await stack.pass(2 * HOUR);
  await eventually('it is published', async () => (await read(id)).excerpt === 'Edited');
});

test('a slug that was taken, and a category that was deleted, hold the edit back like a conflict', async () => {
  const { id: category } = await buildTerm(stack.api, tenant.secretKey, 'categories');
  const { id } = await scheduled(HOUR, { slug: 'wanted', category_id: category });
  await buildArticle(stack.api, tenant.secretKey, { slug: 'wanted' });
  await request('DELETE', `/categories/${category}`);
  await stack.pass(2 * HOUR);
  await expectHeldBack(id, ['category_id', 'slug']);
});

test('a worker whose clock is behind publishes when its clock agrees', async () => {
  stack.skewMs = -3_000;
  const { id, due } = await scheduled(HOUR);
  await stack.pass(HOUR + 10 * SECOND);
  await eventually('it is published', async () => (await read(id)).title === 'Edited');
  expect(Date.parse((await read(id)).updated_at)).toBeGreaterThanOrEqual(due.getTime());
  expect(await events(id)).toEqual(publishedOnce);
});

test.each(['before', 'after'] as const)(
  'a database that fails %s the commit: the edit is still published once',
  async (when) => {
    const { id } = await scheduled(HOUR);
    let left = 3;
    stack.throughDatabase = (db) =>
      withTransactions(db, async (work) => {
        if (left === 0) return db.transaction(work);
        left -= 1;
        if (when === 'after') await db.transaction(work);
        throw new Error('the connection broke');
      });
    await stack.pass(HOUR + 5 * SECOND);
    await ended(id);
    expect(await events(id)).toEqual(publishedOnce);
  },
);

test('an edit whose workflow was lost is found by rescue', async () => {
  const { id } = await scheduled(HOUR);
  await terminateAtRest(workflowOf(id));
  await stack.pass(HOUR + MINUTE);
  expect((await read(id)).title).toBe('Live');
  await rescueOnce(stack);
  await eventually('it is published', async () => (await read(id)).title === 'Edited');
});

test('the search attributes show the article and the state', async () => {
  const { id } = await scheduled(HOUR);
  const attributes = (await workflowOf(id).describe()).typedSearchAttributes;
  expect(attributes.get(searchAttributes.siteId)).toBe(tenant.siteId);
  expect(attributes.get(searchAttributes.articleId)).toBe(id);
  expect(attributes.get(searchAttributes.processState)).toBe('waiting');
});
