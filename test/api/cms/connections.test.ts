import { randomUUID } from 'node:crypto';
import { buildKey, buildMember, buildTenant } from '../../support/builders.ts';
import { connectionWrite } from '../../support/home.ts';
import { startPushes } from '../../support/pushes.ts';
import type { PushStack } from '../../support/pushes.ts';
import { openSshKey, privateKey } from '../../support/private-key.ts';

let stack: PushStack;
let request: PushStack['request'];

beforeAll(async () => {
  stack = await startPushes();
  ({ request } = stack);
});
afterAll(() => stack.close());
afterEach(async () => {
  await stack.api.db.pool.query('update cms_connections set deleted_at = now() where deleted_at is null');
  await stack.api.db.pool.query('delete from rate_limit_counters');
});

const SECRET = connectionWrite.secret;
const path = (id: string): string => `/delivery/connections/${id}`;
const create = (values: object) => request('POST', '/delivery/connections', { name: 'One', ...values });
const fieldsOf = (answer: { json: any }): Record<string, string> => answer.json.error.fields;

const git = { kind: 'git', config: { remote_url: 'https://git.example.com/blog.git' } };
const ghost = {
  kind: 'ghost',
  config: { admin_url: 'https://ghost.example.com/ghost' },
  secret: `${'a1'.repeat(12)}:${'b2'.repeat(32)}`,
};
const wordpress = {
  kind: 'wordpress',
  config: { site_url: 'https://wp.example.com/blog', user: 'ada' },
  secret: 'abcd EFGH ijkl MNOP qrst UVWX',
};

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

test.each([
  ['git over https', git, { remote_url: git.config.remote_url, branch: 'main', path: '' }],
  [
    'git over ssh',
    {
      kind: 'git',
      config: {
        remote_url: 'ssh://git@git.example.com:2222/~/blog.git',
        branch: 'site/live',
        path: 'content/posts',
      },
      secret: privateKey,
    },
    { remote_url: 'ssh://git@git.example.com:2222/~/blog.git', branch: 'site/live', path: 'content/posts' },
  ],
  [
    'git in the short form',
    { kind: 'git', config: { remote_url: 'git@git.example.com:acme/blog.git' } },
    { remote_url: 'git@git.example.com:acme/blog.git', branch: 'main', path: '' },
  ],
  [
    'git with a user and a password',
    { ...git, secret: 'ada:secret' },
    { ...git.config, branch: 'main', path: '' },
  ],
  ['ghost', ghost, ghost.config],
  ['wordpress', wordpress, wordpress.config],
])('%s is accepted', async (_, values, config) => {
  const answer = await create(values);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  expect(answer.data).toMatchObject({ config, secret_set: 'secret' in values });
});

test.each([
  ['an address that is no URL', { ...git, config: { remote_url: 'blog' } }, 'config.remote_url'],
  ['plain http', { ...git, config: { remote_url: 'http://git.example.com/blog.git' } }, 'config.remote_url'],
  ['a local file', { ...git, config: { remote_url: 'file:///etc' } }, 'config.remote_url'],
  ['another transport', { ...git, config: { remote_url: 'ext::sh -c id' } }, 'config.remote_url'],
  [
    'the git protocol',
    { ...git, config: { remote_url: 'git://git.example.com/a.git' } },
    'config.remote_url',
  ],
  [
    'a user in an https address',
    { ...git, config: { remote_url: 'https://ada:x@git.example.com/a' } },
    'config.remote_url',
  ],
  ['a private address', { ...git, config: { remote_url: 'https://10.0.0.1/blog.git' } }, 'config.remote_url'],
  [
    'a private address over ssh',
    { ...git, config: { remote_url: 'ssh://git@127.0.0.1/blog.git' } },
    'config.remote_url',
  ],
  [
    'a private address in the short form',
    { ...git, config: { remote_url: 'git@[::1]:blog.git' } },
    'config.remote_url',
  ],
  ['localhost over ssh', { ...git, config: { remote_url: 'git@localhost:blog.git' } }, 'config.remote_url'],
  [
    'a host that is an option',
    { ...git, config: { remote_url: 'ssh://-oProxyCommand=id/blog.git' } },
    'config.remote_url',
  ],
  [
    'a user that is an option',
    { ...git, config: { remote_url: '-oProxyCommand=id@git.example.com:a.git' } },
    'config.remote_url',
  ],
  [
    'a path that is an option',
    { ...git, config: { remote_url: 'git@git.example.com:--upload-pack=id' } },
    'config.remote_url',
  ],
  [
    'a password over ssh in the address',
    { ...git, config: { remote_url: 'ssh://git:x@git.example.com/a' } },
    'config.remote_url',
  ],
  ['no address', { kind: 'git', config: {} }, 'config.remote_url'],
  ['a branch that git refuses', { ...git, config: { ...git.config, branch: 'a..b' } }, 'config.branch'],
  ['a branch that is an option', { ...git, config: { ...git.config, branch: '--force' } }, 'config.branch'],
  ['an empty branch', { ...git, config: { ...git.config, branch: '' } }, 'config.branch'],
  ['an absolute folder', { ...git, config: { ...git.config, path: '/posts' } }, 'config.path'],
  ['a folder above', { ...git, config: { ...git.config, path: 'a/../../b' } }, 'config.path'],
  ['the folder of git', { ...git, config: { ...git.config, path: 'a/.GIT' } }, 'config.path'],
  [
    'a member of another kind',
    { ...git, config: { ...git.config, url: 'https://a.example.com' } },
    'config.url',
  ],
  ['an unknown member', { ...git, config: { ...git.config, token: 'x' } }, 'config.token'],
  ['a member of another type', { ...git, config: { ...git.config, branch: 7 } }, 'config.branch'],
  ['a secret in config', { ...ghost, config: { ...ghost.config, secret: 'x' } }, 'config.secret'],
  [
    'a password over ssh',
    { kind: 'git', config: { remote_url: 'git@git.example.com:a.git' }, secret: 'pass' },
    'secret',
  ],
  ['a private key over https', { ...git, secret: privateKey }, 'secret'],
  [
    'a private key with a passphrase',
    {
      kind: 'git',
      config: { remote_url: 'git@git.example.com:a.git' },
      secret: openSshKey('aes256-ctr'),
    },
    'secret',
  ],
  [
    'half a private key',
    { kind: 'git', config: { remote_url: 'git@git.example.com:a.git' }, secret: privateKey.slice(0, 60) },
    'secret',
  ],
  [
    'a private address of Ghost',
    { ...ghost, config: { admin_url: 'https://192.168.0.2' } },
    'config.admin_url',
  ],
  [
    'an address of Ghost with a query',
    { ...ghost, config: { admin_url: 'https://ghost.example.com/?a=1' } },
    'config.admin_url',
  ],
  ['a key that is none of Ghost', { ...ghost, secret: 'nope' }, 'secret'],
  ['no user of WordPress', { ...wordpress, config: { site_url: wordpress.config.site_url } }, 'config.user'],
  ['a user with a colon', { ...wordpress, config: { ...wordpress.config, user: 'a:b' } }, 'config.user'],
  [
    'a private address of WordPress',
    { ...wordpress, config: { ...wordpress.config, site_url: 'https://[::1]/' } },
    'config.site_url',
  ],
  [
    'a private address of a receiver',
    { ...connectionWrite, config: { url: 'https://169.254.169.254/' } },
    'config.url',
  ],
  ['a signing secret of another form', { ...connectionWrite, secret: 'secret' }, 'secret'],
  ['no name', { ...git, name: '' }, 'name'],
  ['an unknown kind', { ...git, kind: 'ftp' }, 'kind'],
  ['no config', { kind: 'git' }, 'config'],
  ['an unknown member beside', { ...git, secret_set: true }, 'secret_set'],
])('%s is 422 and names the field', async (_, values, field) => {
  const answer = await create(values);
  expect([answer.status, answer.json.error?.code]).toEqual([422, 'VALIDATION_FAILED']);
  expect(Object.keys(fieldsOf(answer))).toEqual([field]);
});

test('all mistakes are named at once', async () => {
  const answer = await create({
    kind: 'git',
    name: '',
    config: { branch: 'a b', path: '/x', url: 'y' },
    secret: '',
  });
  expect(Object.keys(fieldsOf(answer)).toSorted()).toEqual(
    ['config.branch', 'config.path', 'config.remote_url', 'config.url', 'name', 'secret'].toSorted(),
  );
});

test('WEBHOOK_ALLOWED_HOSTS exempts addresses by host and port, also over ssh', async () => {
  stack.allowedHosts.add('127.0.0.1:9001').add('127.0.0.1:22');
  for (const remote of ['http://127.0.0.1:9001/blog.git', 'ssh://git@127.0.0.1/blog.git'])
    expect((await create({ kind: 'git', config: { remote_url: remote } })).status).toBe(201);
  for (const remote of ['http://127.0.0.1:9002/blog.git', 'ssh://git@127.0.0.1:23/blog.git'])
    expect((await create({ kind: 'git', config: { remote_url: remote } })).status).toBe(422);
  stack.allowedHosts.clear();
});

test('a name that leads to a private address is refused', async () => {
  const answer = await create({
    ...git,
    config: { remote_url: 'https://localhost.localdomain.example.localhost/a' },
  });
  expect([answer.status, Object.keys(fieldsOf(answer))]).toEqual([422, ['config.remote_url']]);
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

test('an agent manages connections without an approval', async () => {
  const { secret } = await buildKey(stack.api.db, stack.tenant.siteId, stack.tenant.memberId, {
    heldByAgent: true,
  });
  const answer = await stack.api.request('POST', '/delivery/connections', {
    key: secret,
    body: { name: 'Mine', ...git },
  });
  expect(answer.status).toBe(201);
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
