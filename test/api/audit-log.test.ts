import pg from 'pg';
import { operator, recordAudit } from '../../domain/audit/record.ts';
import { changeRole, removeMember } from '../../domain/organisations/organisations.ts';
import { useApi } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { buildKey, buildMember, buildPublished, buildSite, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';

const api = await useApi({}, { ownDatabase: 'it adds a trigger' });
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const call = (method: string, path: string, body?: unknown, key = tenant.secretKey): Promise<Answer> =>
  api.request(method, path, { key, body, idempotencyKey: true });
const log = (query = '', key = tenant.secretKey): Promise<Answer> =>
  api.request('GET', `/audit-log${query}`, { key });
const actions = async (count: number): Promise<string[]> =>
  (await log(`?limit=${count}`)).data.items.map(({ action }: { action: string }) => action);
const rowCount = async (): Promise<number> =>
  Number((await api.db.pool.query('select count(*) from audit_log')).rows[0].count);

test('an entry has actor, action and target, and no secret', async () => {
  const created = await call('POST', '/keys', {
    name: 'A key',
    kind: 'secret',
    scopes: ['articles:read'],
  });
  const { data: key } = created;
  const answer = await log('?limit=1');
  const [entry] = answer.data.items;
  expect(entry).toEqual({
    id: expect.any(String),
    at: expect.stringMatching(/\.\d{3}Z$/),
    actor: { kind: 'key', id: expect.any(String), name: expect.any(String) },
    action: 'key.create',
    target: { type: 'key', id: key.id },
    details: { kind: 'secret', scopes: ['articles:read'], held_by_agent: false, drafts_only: false },
    request_id: created.headers.get('request-id'),
  });
  expect(answer.text).not.toContain(key.secret);
});

test('the operator’s command and the organisation as a whole are in it, other Sites and organisations are not', async () => {
  const other = await buildTenant(api.db);
  const sibling = await buildSite(api.db, tenant.organisationId);
  const { items } = (await log('?limit=100')).data;
  const targets = items.map(({ target }: { target: { id: string } | null }) => target?.id);
  expect(targets).toContain(tenant.organisationId);
  expect(targets).toContain(tenant.memberId);
  for (const id of [other.organisationId, other.memberId, other.siteId, sibling]) {
    expect(targets).not.toContain(id);
  }
  for (const { actor } of items) expect(actor).toEqual({ kind: 'system', id: null, name: 'operator' });
});

test('pages are newest first, and neither repeat nor skip while rows are added', async () => {
  for (let number = 0; number < 12; number += 1) {
    await api.db.transaction(async (tx) =>
      recordAudit(
        tx,
        {
          actor: operator,
          action: 'site.update',
          target: null,
          siteId: number % 2 ? tenant.siteId : null,
          organisationId: tenant.organisationId,
        },
        new Date(Date.now() - 60_000 + Math.floor(number / 3)),
      ),
    );
  }
  const before = (await log('?limit=100')).data.items;
  const seen: any[] = [];
  let cursor = '';
  do {
    const { data } = await log(`?limit=3${cursor}`);
    seen.push(...data.items);
    cursor = data.next_cursor === null ? '' : `&cursor=${data.next_cursor}`;
    await call('PATCH', '/comments/settings', { enabled: seen.length % 2 === 0 });
  } while (cursor !== '');
  expect(seen).toEqual(before);
  const times = seen.map(({ at }) => at);
  expect(times).toEqual(times.toSorted().toReversed());
  expect((await log('?cursor=made-up')).status).toBe(400);
});

test('it needs meta:read, audit.read and a secret key', async () => {
  const statusWith = async (key: string) => (await log('', key)).status;
  const editor = await buildMember(api.db, tenant.organisationId, 'editor');
  const [noScope, noPermission, admin] = await Promise.all([
    buildKey(api.db, tenant.siteId, tenant.memberId, { scopes: ['articles:read'] }),
    buildKey(api.db, tenant.siteId, editor),
    buildKey(api.db, tenant.siteId, await buildMember(api.db, tenant.organisationId, 'admin'), {
      scopes: ['meta:read'],
    }),
  ]);
  expect(
    await Promise.all([tenant.publishableKey, noScope.secret, noPermission.secret].map(statusWith)),
  ).toEqual([403, 403, 403]);
  expect(await statusWith(admin.secret)).toBe(200);
});

test('no role can change or delete rows, and the application can add them', async () => {
  const statements = [
    `update audit_log set action = 'nothing'`,
    'update audit_log set action = action where false',
    'delete from audit_log',
    'truncate audit_log',
    'truncate audit_log cascade',
  ];
  for (const text of statements) await expect(api.db.pool.query(text)).rejects.toThrow(/takes new rows only/);
  const role = `reader_${process.pid}`;
  await api.db.pool.query(`create role ${role}`);
  try {
    await api.db.pool.query(`grant select, insert, update, delete, truncate on audit_log to ${role}`);
    const client = new pg.Client({ connectionString: api.adminUrl });
    await client.connect();
    await client.query(`set role ${role}`);
    for (const text of statements)
      await expect(client.query(text)).rejects.toThrow(/takes new rows only|permission denied for table/);
    await expect(client.query('alter table audit_log disable trigger all')).rejects.toThrow(/owner/);
    await expect(client.query(`set session_replication_role = replica`)).rejects.toThrow(/permission/);
    await client.end();
  } finally {
    await api.db.pool.query(`drop owned by ${role}`);
    await api.db.pool.query(`drop role ${role}`);
  }
});

describe('a write that changes access, money, settings or comments’ visibility', () => {
  const newKey = async (): Promise<string> =>
    (await buildKey(api.db, tenant.siteId, tenant.memberId, { scopes: ['articles:read'] })).id;
  const newComment = async (moderation = 'none'): Promise<string> => {
    await call('PATCH', '/comments/settings', { enabled: true, moderation });
    const article = await buildPublished(api, tenant.secretKey);
    await call('POST', '/comments', { slug: article.slug, body: 'A comment.', author_name: 'Ada' });
    return (await call('GET', '/comments')).data.items[0].id;
  };
  const endpoint = { url: 'https://example.com/hook', events: ['article.published'] };
  const newEndpoint = async (): Promise<string> => (await call('POST', '/webhooks', endpoint)).data.id;
  const key = { name: 'k', kind: 'secret', scopes: ['articles:read'] };

  test.each<[string, () => Promise<Answer>]>([
    ['key.create', () => call('POST', '/keys', key)],
    ['key.rotate', async () => call('POST', `/keys/${await newKey()}/rotate`)],
    ['key.revoke', async () => call('DELETE', `/keys/${await newKey()}`)],
    ['webhook.create', () => call('POST', '/webhooks', endpoint)],
    ['webhook.update', async () => call('PATCH', `/webhooks/${await newEndpoint()}`, { description: 'x' })],
    ['webhook.rotate_secret', async () => call('POST', `/webhooks/${await newEndpoint()}/rotate-secret`)],
    ['webhook.delete', async () => call('DELETE', `/webhooks/${await newEndpoint()}`)],
    ['comments.settings', () => call('PATCH', '/comments/settings', { enabled: true })],
    ['comment.hold', async () => call('POST', `/comments/${await newComment()}/hold`)],
    ['comment.approve', async () => call('POST', `/comments/${await newComment('hold_all')}/approve`)],
    ['comment.spam', async () => call('POST', `/comments/${await newComment()}/spam`)],
    ['comment.delete', async () => call('DELETE', `/comments/${await newComment()}`)],
  ])('is in it: %s', async (action, write) => {
    const answer = await write();
    expect(answer.status).toBeLessThan(300);
    expect((await actions(1))[0]).toBe(action);
  });

  test.each<[string, () => Promise<Answer>]>([
    ['a key of no shape', () => call('POST', '/keys', { ...key, kind: 'master' })],
    ['an expiry in the past', () => call('POST', '/keys', { ...key, expires_at: '2020-01-01T00:00:00Z' })],
    ['an unknown key', () => call('DELETE', '/keys/0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11')],
    ['an address of the inside', () => call('POST', '/webhooks', { ...endpoint, url: 'https://localhost/' })],
    ['settings of no shape', () => call('PATCH', '/comments/settings', { moderation: 'harsh' })],
    ['a key without the right', () => call('POST', '/keys', key, tenant.publishableKey)],
  ])('is not in it if it is refused: %s', async (_name, write) => {
    const before = await rowCount();
    expect((await write()).status).toBeGreaterThanOrEqual(400);
    expect(await rowCount()).toBe(before);
  });

  test('is not done if its row cannot be written', async () => {
    const id = await newKey();
    await api.db.pool.query(`
      create function refuse_row() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$;
      create trigger refuse_row before insert on audit_log execute function refuse_row()`);
    try {
      expect((await call('DELETE', `/keys/${id}`)).status).toBe(500);
      const refused = api.db.transaction((tx) =>
        removeMember({ tx, actor: operator, now: new Date() }, tenant.memberId),
      );
      await expect(refused).rejects.toThrow();
    } finally {
      await api.db.pool.query('drop trigger refuse_row on audit_log; drop function refuse_row()');
    }
    const listed = (await call('GET', '/keys')).data.items.find((one: { id: string }) => one.id === id);
    expect(listed.revoked_at).toBeNull();
  });

  test('by the operator’s command has the actor system', async () => {
    const member = await buildMember(api.db, tenant.organisationId, 'editor');
    await api.db.transaction((tx) => changeRole({ tx, actor: operator, now: new Date() }, member, 'viewer'));
    const [entry] = (await log('?limit=1')).data.items;
    expect([entry.action, entry.actor.kind, entry.target.id, entry.details]).toEqual([
      'member.role',
      'system',
      member,
      { role: { before: 'editor', after: 'viewer' } },
    ]);
  });
});
