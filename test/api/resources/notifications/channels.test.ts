import { createGuardedClient } from '../../../../adapters/http/guarded-client.ts';
import { Names } from '../../../../adapters/http/names.ts';
import { createSecretBox } from '../../../../domain/kernel/secret-box.ts';
import { mutable } from '../../../../domain/notifications/kinds.ts';
import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildKey, buildMember, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { closeReceivers, httpReceiver } from '../../../support/receivers.ts';
import type { Receiver } from '../../../support/receivers.ts';

const allowedHosts = new Set<string>();
const names = new Names();
const box = createSecretBox(Buffer.alloc(32, 7));
const api = await useApi({
  box,
  http: createGuardedClient({ allowedHosts, names }),
  webhookUrls: { allowedHosts, names },
});
let tenant: Tenant;
let admin: string;
let status = 200;
let receiver: Receiver;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  const memberId = await buildMember(api.db, tenant.organisationId, 'admin');
  admin = (await buildKey(api.db, tenant.siteId, memberId)).secret;
  status = 200;
  receiver = await httpReceiver((_, response) => void response.writeHead(status).end('TOKEN'));
  allowedHosts.add(`127.0.0.1:${receiver.port}`);
});
afterEach(() => closeReceivers());

const PATH = '/notifications/channels';
const URL = 'https://hooks.slack.com/services/T0/B0/S3CR3T';
const slack = { kind: 'slack', name: 'Editors', url: URL };
const call = (method: string, path: string, body?: unknown, key = admin): Promise<Answer> =>
  api.request(method, path, { key, body, ...(method === 'POST' && { idempotencyKey: true as const }) });
const create = (values: object = {}): Promise<Answer> => call('POST', PATH, { ...slack, ...values });
const refusal = ({ status: code, json }: Answer) => [code, Object.keys(json.error.fields ?? {})];
const actions = async (): Promise<string[]> => {
  const { rows } = await api.db.pool.query(
    `select action from audit_log where site_id = $1 and action like 'channel.%' order by at`,
    [tenant.siteId],
  );
  return rows.map(({ action }) => action);
};

test('a channel is created with its defaults, and shows the host of its URL alone', async () => {
  const made = await create();
  expect(made.status).toBe(201);
  expect(made.data).toEqual({
    id: expect.any(String),
    kind: 'slack',
    name: 'Editors',
    url: 'hooks.slack.com',
    kinds: mutable.toSorted(),
    enabled: true,
    last_error: null,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  const path = `${PATH}/${made.data.id}`;
  expect(made.headers.get('location')).toBe(`${api.origin}/v1${path}`);
  const read = await call('GET', path);
  expect(read.data).toEqual(made.data);
  const list = await call('GET', PATH);
  expect(list.data).toEqual({ items: [made.data], next_cursor: null });
  const changed = await call('PATCH', path, { url: `${URL}2`, kinds: ['comment.held', 'comment.held'] });
  expect(changed.data).toMatchObject({ url: 'hooks.slack.com', kinds: ['comment.held'] });
  const unknown = await create({ url: `${URL} ` });
  for (const { text } of [made, read, list, changed, unknown]) expect(text).not.toContain('S3CR3T');

  const { rows } = await api.db.pool.query('select secret from channels where id = $1', [made.data.id]);
  expect(box.open(rows[0].secret, made.data.id)).toBe(`${URL}2`);
  for (const table of ['channels', 'audit_log', 'outbox', 'idempotency_records', 'events', 'notifications']) {
    const found = await api.db.pool.query(`select from ${table} t where t::text like '%S3CR3T%'`);
    expect([table, found.rowCount]).toEqual([table, 0]);
  }
  expect((await call('DELETE', path)).status).toBe(204);
  expect((await call('GET', path)).status).toBe(404);
  expect(await actions()).toEqual(['channel.create', 'channel.update', 'channel.delete']);
});

test.each([
  [{ kind: 'discord' }, 'kind'],
  [{ name: '' }, 'name'],
  [{ kinds: ['article.published'] }, 'kinds.0'],
  [{ kinds: ['comment.held', 'security.sign_in'] }, 'kinds.1'],
  [{ url: 'http://hooks.slack.com/services/T0' }, 'url'],
  [{ url: 'hooks.slack.com' }, 'url'],
  [{ url: 'https://user:pass@hooks.slack.com/services/T0' }, 'url'],
  [{ url: 'https://10.1.2.3/hook' }, 'url'],
  [{ url: 'https://[::1]/hook' }, 'url'],
  [{ url: 'https://localhost/hook' }, 'url'],
  [{ url: undefined }, 'url'],
  [{ name: undefined }, 'name'],
  [{ last_error: null }, 'last_error'],
])('%j is 422', async (values, field) => {
  expect(refusal(await create(values))).toEqual([422, [field]]);
});

test('another kind asks for the URL again; the same one does not', async () => {
  const { data } = await create();
  const path = `${PATH}/${data.id}`;
  expect(refusal(await call('PATCH', path, { kind: 'teams' }))).toEqual([422, ['url']]);
  expect((await call('PATCH', path, { kind: 'slack', name: 'Two' })).data.name).toBe('Two');
  const moved = await call('PATCH', path, { kind: 'teams', url: 'https://contoso.example/workflows/a' });
  expect(moved.data).toMatchObject({ kind: 'teams', url: 'contoso.example' });
  const stale = await api.request('PATCH', path, {
    key: admin,
    body: { name: 'Three' },
    headers: { 'if-match': '"1"' },
  });
  expect(stale.status).toBe(412);
  expect(refusal(await call('PATCH', path, { url: 'https://192.168.1.1/' }))).toEqual([422, ['url']]);
});

test('the eleventh channel is 409, also when all are created at once', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => create()));
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([...Array(10).fill(201), 409, 409]);
  const [first] = answers.filter((answer) => answer.status === 201);
  await call('DELETE', `${PATH}/${first?.data.id}`);
  expect((await create()).status).toBe(201);
});

test('agents, and people who do not manage the settings, read channels and change nothing', async () => {
  const { data } = await create();
  const editor = await buildMember(api.db, tenant.organisationId, 'editor');
  const keys = [
    (await buildKey(api.db, tenant.siteId, tenant.memberId, { heldByAgent: true })).secret,
    (await buildKey(api.db, tenant.siteId, editor)).secret,
  ];
  for (const key of keys) {
    expect((await call('GET', PATH, undefined, key)).data.items).toEqual([data]);
    const path = `${PATH}/${data.id}`;
    const answers = [
      await call('POST', PATH, slack, key),
      await call('PATCH', path, { enabled: false }, key),
      await call('POST', `${path}/test`, undefined, key),
      await call('DELETE', path, undefined, key),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([403, 403, 403, 403]);
  }
  const other = await buildTenant(api.db);
  expect((await call('GET', `${PATH}/${data.id}`, undefined, other.secretKey)).status).toBe(404);
  expect((await call('POST', `${PATH}/${data.id}/test`, undefined, other.secretKey)).status).toBe(404);
});

test.each(['slack', 'teams'])('a test of %s sends a message, and says how it ended', async (kind) => {
  const { data } = await create({ kind, url: `${receiver.url}/S3CR3T`, enabled: false });
  const path = `${PATH}/${data.id}/test`;
  const sent = await call('POST', path);
  expect([sent.status, sent.data]).toEqual([200, { ok: true, message: expect.any(String) }]);
  expect(receiver.seen).toHaveLength(1);
  expect(receiver.seen[0]).toMatchObject({ method: 'POST', path: '/S3CR3T' });
  expect(JSON.parse(receiver.seen[0]?.body ?? '')).toHaveProperty(
    kind === 'slack' ? 'blocks' : 'attachments',
  );
  status = 404;
  const refused = await call('POST', path);
  expect([refused.status, refused.data]).toEqual([
    200,
    { ok: false, message: expect.stringMatching(/does not know the URL.*404/) },
  ]);
  await closeReceivers();
  const away = await call('POST', path);
  expect(away.data).toEqual({ ok: false, message: expect.stringContaining('could not be reached') });
  for (const { text } of [sent, refused, away]) expect(text).not.toMatch(/S3CR3T|TOKEN/);
  expect(await actions()).toContain('channel.test');
});
