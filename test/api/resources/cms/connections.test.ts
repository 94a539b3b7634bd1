import { randomUUID } from 'node:crypto';
import { buildKey, buildMember, buildTenant } from '../../../support/builders.ts';
import { connectionWrite } from '../../../support/connection-write.ts';
import { startPushes } from '../../../support/pushes.ts';
import type { PushStack } from '../../../support/pushes.ts';
import { privateKey } from '../../../support/private-key.ts';

let stack: PushStack;
let request: PushStack['request'];

beforeAll(async () => {
  stack = await startPushes();
  ({ request } = stack);
});
afterAll(() => stack.close());
afterEach(async () => {
  await stack.disconnect();
  await stack.forgetLimits();
});

const SECRET = connectionWrite.secret;
const path = (id: string): string => `/delivery/connections/${id}`;
const create = (values: object) => request('POST', '/delivery/connections', { name: 'One', ...values });
const fieldsOf = (answer: { json: any }): Record<string, string> => answer.json.error.fields;

const git = { kind: 'git', config: { remote_url: 'https://git.example.com/blog.git' } };
test('a connection is created with its defaults, and never shows its secret', async () => {
  const answer = await request('POST', '/delivery/connections', connectionWrite);
  expect(answer.status).toBe(201);
  expect(answer.data).toEqual({
    id: expect.any(String),
    kind: 'http',
    name: connectionWrite.name,
    config: connectionWrite.config,
    secret_set: true,
    auto: false,
    enabled: true,
    last_error: null,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  expect(answer.headers.get('location')).toBe(`${stack.api.origin}/v1${path(answer.data.id)}`);
  expect(answer.headers.get('etag')).toBeTruthy();
  const read = await request('GET', path(answer.data.id));
  expect(read.data).toEqual(answer.data);
  const list = await request('GET', '/delivery/connections');
  expect(list.data).toEqual({ items: [answer.data], next_cursor: null });
  for (const each of [answer, read, list]) expect(each.text).not.toContain(SECRET);
});

test('a secret is sealed in the database, and in no row of the audit log, the outbox or idempotency records', async () => {
  const answer = await stack.api.request('POST', '/delivery/connections', {
    key: stack.tenant.secretKey,
    body: connectionWrite,
    idempotencyKey: true,
  });
  expect(answer.status).toBe(201);
  const { pool } = stack.api.db;
  const { rows } = await pool.query('select secret from cms_connections where id = $1', [answer.data.id]);
  expect(rows[0].secret.includes(SECRET)).toBe(false);
  expect(stack.ports.box.open(rows[0].secret, answer.data.id)).toBe(SECRET);
  for (const table of ['audit_log', 'outbox', 'idempotency_records', 'cms_connections']) {
    const found = await pool.query(`select from ${table} t where t::text like '%' || $1 || '%'`, [SECRET]);
    expect(found.rowCount).toBe(0);
  }
});

test('the eleventh connection is 409, also when all are created at once', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => create(git)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(201), 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.json.error.code).toBe('CONFLICT');
  const [first] = answers.filter(({ status }) => status === 201);
  await request('DELETE', path(first?.data.id));
  expect((await create(git)).status).toBe(201);
});

test('an update changes what it has, and the ETag', async () => {
  const { data, headers } = await create({ ...git, secret: 'pass' });
  const answer = await request(
    'PATCH',
    path(data.id),
    { config: { branch: 'live' }, auto: true },
    {
      'if-match': headers.get('etag') as string,
    },
  );
  expect(answer.status).toBe(200);
  expect(answer.data).toMatchObject({
    config: { remote_url: git.config.remote_url, branch: 'live', path: '' },
    auto: true,
    enabled: true,
    secret_set: true,
  });
  expect(answer.headers.get('etag')).not.toBe(headers.get('etag'));
  const stale = await request(
    'PATCH',
    path(data.id),
    { name: 'Two' },
    {
      'if-match': headers.get('etag') as string,
    },
  );
  expect([stale.status, stale.json.error.code]).toEqual([412, 'PRECONDITION_FAILED']);
  const same = await request('PATCH', path(data.id), { name: 'One', auto: true });
  expect(same.headers.get('etag')).toBe(answer.headers.get('etag'));
  expect((await request('PATCH', path(data.id), { secret: null })).data.secret_set).toBe(false);
});

test.each([
  ['the kind', { kind: 'ghost' }, 'kind'],
  ['the same kind', { kind: 'git' }, 'kind'],
  ['a member of another kind', { config: { admin_url: 'https://ghost.example.com' } }, 'config.admin_url'],
  ['a private address', { config: { remote_url: 'https://10.1.2.3/a' } }, 'config.remote_url'],
  ['a key for https', { secret: privateKey }, 'secret'],
  ['a read-only member', { last_error: null }, 'last_error'],
])('an update of %s is 422', async (_, values, field) => {
  const { data } = await create(git);
  const answer = await request('PATCH', path(data.id), values);
  expect([answer.status, Object.keys(fieldsOf(answer))]).toEqual([422, [field]]);
});

test.each([
  [{ ...git, secret: 'git:password' }, { remote_url: 'https://git.evil.example/blog.git' }],
  [{ ...git, secret: 'git:password' }, { remote_url: 'https://git.example.com:8443/blog.git' }],
  [
    { kind: 'git', config: { remote_url: 'ssh://git@git.example.com/blog.git' }, secret: privateKey },
    { remote_url: 'https://git.evil.example/blog.git' },
  ],
  [
    {
      kind: 'wordpress',
      config: { site_url: 'https://blog.example.com/', user: 'ana' },
      secret: 'abcd efgh',
    },
    { site_url: 'https://evil.example/' },
  ],
  [
    {
      kind: 'ghost',
      config: { admin_url: 'https://ghost.example.com' },
      secret: `${'a'.repeat(24)}:${'b'.repeat(64)}`,
    },
    { admin_url: 'https://evil.example' },
  ],
  [
    {
      kind: 'wordpress',
      config: { site_url: 'https://blogs.example.com/ana/', user: 'ana' },
      secret: 'abcd efgh',
    },
    { site_url: 'https://blogs.example.com/eve/' },
  ],
  [
    {
      kind: 'ghost',
      config: { admin_url: 'https://blogs.example.com/ana/ghost' },
      secret: `${'a'.repeat(24)}:${'b'.repeat(64)}`,
    },
    { admin_url: 'https://blogs.example.com/eve' },
  ],
])('the secret of %j does not go to another host or site unless it is sent again', async (values, config) => {
  const { data } = await create(values);
  const refused = await request('PATCH', path(data.id), { config });
  expect([refused.status, Object.keys(fieldsOf(refused))]).toEqual([422, ['secret']]);
  expect((await request('GET', path(data.id))).data).toEqual(data);
  const removed = await request('PATCH', path(data.id), { config, secret: null });
  expect([removed.status, removed.data.secret_set]).toEqual([200, false]);
});

test('within a host, and without a secret, an address changes by itself', async () => {
  const { data } = await create({ ...git, secret: 'git:password' });
  const config = { remote_url: 'https://git.example.com/other.git' };
  expect((await request('PATCH', path(data.id), { config })).data).toMatchObject({
    config,
    secret_set: true,
  });
  const { data: ghost } = await create({
    kind: 'ghost',
    config: { admin_url: 'https://blogs.example.com/ana/' },
    secret: `${'a'.repeat(24)}:${'b'.repeat(64)}`,
  });
  const same = { config: { admin_url: 'https://blogs.example.com/ana/ghost/' } };
  expect((await request('PATCH', path(ghost.id), same)).status).toBe(200);
  const { data: open } = await create(git);
  const elsewhere = { config: { remote_url: 'https://git.other.example/blog.git' } };
  expect((await request('PATCH', path(open.id), elsewhere)).status).toBe(200);
});

test('a deleted connection is gone at once, with its pushes', async () => {
  const { data } = await create(git);
  const { id: articleId } = await stack.publish();
  const push = await stack.push(data.id, [articleId]);
  expect((await request('DELETE', path(data.id), undefined, { 'if-match': '"0"' })).status).toBe(412);
  expect((await request('DELETE', path(data.id))).status).toBe(204);
  for (const gone of [path(data.id), `/delivery/pushes/${push.id}`])
    expect((await request('GET', gone)).status).toBe(404);
  expect((await request('PATCH', path(data.id), { name: 'Two' })).status).toBe(404);
  expect((await request('POST', `${path(data.id)}/test`)).status).toBe(404);
  expect((await request('GET', '/delivery/pushes')).data.items).toEqual([]);
  expect(await stack.work(data.id)).toMatchObject({ exists: false });
});

test('who may: settings.manage writes, every member reads, a publishable key does neither', async () => {
  const { data } = await create(git);
  const { api, tenant } = stack;
  const editor = await buildMember(api.db, tenant.organisationId, 'editor');
  const { secret } = await buildKey(api.db, tenant.siteId, editor);
  const as = (key: string, method: string, body?: object) =>
    api.request(method, path(data.id), { key, ...(body && { body }) });
  expect((await as(secret, 'GET')).status).toBe(200);
  expect((await as(secret, 'PATCH', { name: 'Two' })).status).toBe(403);
  expect((await as(tenant.publishableKey, 'GET')).status).toBe(403);
  const other = await buildTenant(api.db);
  expect((await as(other.secretKey, 'GET')).status).toBe(404);
  expect((await api.request('GET', path(randomUUID()), { key: tenant.secretKey })).status).toBe(404);
});

test.each([
  [connectionWrite.kind, 'https://receiver.example/posts?token=1', 'https://receiver.example', 'url'],
  ['git', 'https://git.example.com/ana/blog.git', 'https://git.example.com', 'remote_url'],
  ['git', 'ssh://git@git.example.com:2222/ana/blog.git', 'ssh://git.example.com:2222', 'remote_url'],
  ['git', 'git@git.example.com:ana/blog.git', 'ssh://git.example.com', 'remote_url'],
  ['ghost', 'https://blogs.example.com/ana/', 'https://blogs.example.com', 'admin_url'],
])(
  'path and query of the address of %s %s are shown to those who manage the settings',
  async (kind, address, shown, member) => {
    const { data } = await create({ kind, config: { [member]: address } });
    const { api, tenant } = stack;
    const viewer = await buildMember(api.db, tenant.organisationId, 'viewer');
    const { secret } = await buildKey(api.db, tenant.siteId, viewer);
    const read = async (key: string) => [
      (await api.request('GET', path(data.id), { key })).data.config[member],
      (await api.request('GET', '/delivery/connections', { key })).data.items[0].config[member],
    ];
    expect(data.config[member]).toBe(address);
    expect(await read(tenant.secretKey)).toEqual([address, address]);
    expect(await read(secret)).toEqual([shown, shown]);
  },
);

test('an agent manages connections with an approval', async () => {
  const { secret } = await buildKey(stack.api.db, stack.tenant.siteId, stack.tenant.memberId, {
    heldByAgent: true,
  });
  const answer = await stack.api.request('POST', '/delivery/connections', {
    key: secret,
    body: { name: 'Mine', ...git },
  });
  expect([answer.status, answer.data.approval.action]).toEqual([202, 'connection.create']);
});

test('changes are in the audit log, with the host and without the rest of an address', async () => {
  const { data } = await create({
    ...connectionWrite,
    config: { url: 'https://receiver.example/token-1234' },
  });
  await request('PATCH', path(data.id), {
    config: { url: 'https://other.example/token-5678' },
    secret: SECRET,
  });
  await request('DELETE', path(data.id));
  const { data: log } = await request('GET', `/audit-log?limit=3`);
  expect(log.items.map(({ action }: any) => action)).toEqual([
    'connection.delete',
    'connection.update',
    'connection.create',
  ]);
  expect(log.items[1].details).toEqual({
    host: { before: 'receiver.example', after: 'other.example' },
    secret_set: true,
  });
  expect(JSON.stringify(log)).not.toContain('token-');
});

test('creation is idempotent', async () => {
  const options = { key: stack.tenant.secretKey, body: { name: 'One', ...git }, idempotencyKey: 'once' };
  const first = await stack.api.request('POST', '/delivery/connections', options);
  const second = await stack.api.request('POST', '/delivery/connections', options);
  expect(second.data).toEqual(first.data);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
});
