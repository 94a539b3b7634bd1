import { randomUUID } from 'node:crypto';
import { isAboutSecurity, kinds } from '../../../../domain/notifications/kinds.ts';
import { deleteOldNotifications } from '../../../../domain/notifications/notification.ts';
import { ask, buildAgent } from '../../../support/approvals.ts';
import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildKey, buildMember, buildSite, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';

const api = await useApi();
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  await api.db.pool.query('delete from notifications where member_id = $1', [tenant.memberId]);
});

const call = (method: string, path: string, body?: unknown, key = tenant.secretKey): Promise<Answer> =>
  api.request(method, path, { key, body });
const list = async (query = ''): Promise<any[]> => (await call('GET', `/notifications${query}`)).data.items;
const settings = (body: object): Promise<Answer> => call('PATCH', '/notifications/settings', body);

/** What a person was told, as if it had been some minutes ago. */
async function tell(minutesAgo: number, values: { memberId?: string; siteId?: string | null } = {}) {
  const { memberId = tenant.memberId, siteId = tenant.siteId } = values;
  const id = randomUUID();
  await api.db.pool.query(
    `insert into notifications (id, member_id, site_id, kind, created_at)
     values ($1, $2, $3, 'comment.held', now() - make_interval(mins => $4))`,
    [id, memberId, siteId, minutesAgo],
  );
  return id;
}

test('a person reads what they were told, newest first, and where the dashboard shows it', async () => {
  const agent = await buildAgent(api, tenant);
  await api.db.pool.query('delete from notifications where member_id = $1', [tenant.memberId]);
  const approval = await ask(api, agent.secret, {
    method: 'POST',
    path: '/keys',
    options: { body: { name: 'One', kind: 'secret', scopes: ['articles:read'] }, idempotencyKey: true },
  });
  const earlier = await tell(5);
  const items = await list();
  expect(items[0]).toEqual({
    id: expect.any(String),
    kind: 'approval.requested',
    text: 'An agent asks for your approval: Create a key.',
    target: { type: 'approval', id: approval },
    url: `${api.origin}/dashboard/${tenant.siteId}/approvals/${approval}`,
    created_at: expect.any(String),
    read_at: null,
  });
  expect(items.map(({ id }) => id)).toEqual([items[0].id, earlier]);
});

test('the list has pages, and those of all Sites of the organisation', async () => {
  const other = await buildSite(api.db, tenant.organisationId);
  const ids = [await tell(3), await tell(2, { siteId: other }), await tell(1, { siteId: null })];
  const first = (await call('GET', '/notifications?limit=2')).data;
  const second = (await call('GET', `/notifications?limit=2&cursor=${first.next_cursor}`)).data;
  expect([...first.items, ...second.items].map(({ id }: any) => id)).toEqual(ids.toReversed());
  expect(second.next_cursor).toBeNull();
});

test('what is read is marked so, by ids or before a time; what others were told is left alone', async () => {
  const colleague = await buildMember(api.db, tenant.organisationId, 'editor');
  const foreign = await tell(1, { memberId: colleague });
  const [oldest, middle, newest] = [await tell(30), await tell(20), await tell(10)];
  expect((await call('POST', '/notifications/read', { ids: [middle, foreign, randomUUID()] })).status).toBe(
    204,
  );
  expect((await list('?unread=true')).map(({ id }) => id)).toEqual([newest, oldest]);
  const { created_at: time } = (await list()).find(({ id }) => id === newest);
  await call('POST', '/notifications/read', { before: time });
  expect((await list('?unread=true')).map(({ id }) => id)).toEqual([newest]);
  expect((await list()).map(({ read_at: at }) => at !== null)).toEqual([false, true, true]);
  const { rows } = await api.db.pool.query('select read_at from notifications where id = $1', [foreign]);
  expect(rows).toEqual([{ read_at: null }]);
});

test('exactly one of ids and before is taken', async () => {
  const now = '2026-01-01T00:00:00Z';
  for (const body of [
    {},
    { ids: [randomUUID()], before: now },
    { ids: [] },
    { ids: ['x'] },
    { before: 'x' },
  ]) {
    const answer = await call('POST', '/notifications/read', body);
    expect([answer.status, answer.json.error.code]).toEqual([422, 'VALIDATION_FAILED']);
  }
  expect((await call('GET', '/notifications?unread=false')).status).toBe(400);
});

test('settings have defaults, change as far as they are sent, and belong to the person', async () => {
  const defaults = { email: true, digest: 'immediate', muted: [] };
  expect((await call('GET', '/notifications/settings')).data).toEqual(defaults);
  expect((await settings({ digest: 'daily' })).data).toEqual({ ...defaults, digest: 'daily' });
  const muted = ['push.failed', 'comment.held', 'push.failed'];
  const after = { email: false, digest: 'daily', muted: ['comment.held', 'push.failed'] };
  expect((await settings({ email: false, muted })).data).toEqual(after);
  expect((await call('GET', '/notifications/settings')).data).toEqual(after);
  const { data: log } = await call('GET', '/audit-log?action=notifications.settings');
  expect(log.items[0].details).toEqual({
    email: { before: true, after: false },
    muted: { before: [], after: after.muted },
  });
  await settings({ email: false });
  expect((await call('GET', '/audit-log?action=notifications.settings')).data.items).toHaveLength(2);
  const colleague = await buildMember(api.db, tenant.organisationId, 'viewer');
  const { secret } = await buildKey(api.db, tenant.siteId, colleague);
  expect((await call('GET', '/notifications/settings', undefined, secret)).data).toEqual(defaults);
});

test('security cannot be muted, and neither can what does not exist', async () => {
  const security = Object.keys(kinds).filter(isAboutSecurity);
  expect(security).toHaveLength(6);
  for (const kind of [...security, 'security.*', 'nothing.at_all']) {
    const answer = await settings({ muted: [kind] });
    expect([answer.status, Object.keys(answer.json.error.fields)]).toEqual([422, ['muted.0']]);
    expect(answer.json.error.fields['muted.0']).toContain('comment.held');
  }
});

test('agents and publishable keys are refused', async () => {
  const agent = await buildAgent(api, tenant);
  for (const [method, path] of [
    ['GET', '/notifications'],
    ['POST', '/notifications/read'],
    ['GET', '/notifications/settings'],
    ['PATCH', '/notifications/settings'],
  ] as const) {
    expect((await call(method, path, undefined, agent.secret)).json.error.code).toBe('FORBIDDEN');
    expect((await call(method, path, undefined, tenant.publishableKey)).status).toBe(403);
  }
});

test('a person keeps the newest thousand, for 90 days', async () => {
  await api.db.pool.query(
    `insert into notifications (id, member_id, kind, created_at)
     select gen_random_uuid(), $1, 'comment.held', now() - make_interval(mins => n) from generate_series(1, 1005) n`,
    [tenant.memberId],
  );
  const count = async () => {
    const text =
      'select count(*)::int as count, min(created_at) as oldest from notifications where member_id = $1';
    return (await api.db.pool.query(text, [tenant.memberId])).rows[0];
  };
  const { count: kept, oldest } = await count();
  expect(kept).toBe(1_000);
  const newest = await tell(0);
  expect((await list('?limit=1'))[0].id).toBe(newest);
  expect(await count()).toEqual({ count: 1_000, oldest: expect.any(Date) });
  expect((await count()).oldest.getTime()).toBeGreaterThan(oldest.getTime());
  await api.db.pool.query('delete from notifications where member_id = $1', [tenant.memberId]);
  const [kept90, gone90] = [await tell(90 * 24 * 60 - 5), await tell(90 * 24 * 60 + 5)];
  await api.db.transaction((tx) => deleteOldNotifications(tx, new Date(), 10_000));
  const left = (await list('?limit=100')).map(({ id }) => id);
  expect(left).toContain(kept90);
  expect(left).not.toContain(gone90);
});
