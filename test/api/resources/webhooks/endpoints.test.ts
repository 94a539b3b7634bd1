import { buildKey } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { startWebhooks } from '../../../support/webhooks.ts';
import type { WebhookStack } from '../../../support/webhooks.ts';

let stack: WebhookStack;
let tenant: Tenant;

beforeAll(async () => {
  // Its own database, because it looks for secrets in all tables.
  stack = await startWebhooks();
});
afterAll(() => stack.close());
// Every test has its own Site, because the number of endpoints is limited.
beforeEach(async () => {
  tenant = await stack.newTenant();
});

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  stack.api.request(method, path, { key: tenant.secretKey, body, headers });
const valid = { url: 'https://receiver.example/hooks', events: ['article.published'] };
const create = async (body: object = {}): Promise<any> => {
  const answer = await call('POST', '/webhooks', { ...valid, ...body });
  expect(answer.status).toBe(201);
  return answer.data;
};

describe('creating', () => {
  test('an endpoint has the specified members, and a Location and an ETag', async () => {
    const answer = await call('POST', '/webhooks', { ...valid, description: 'Search index' });
    expect(answer.status).toBe(201);
    expect(answer.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...valid,
      description: 'Search index',
      enabled: true,
      disabled_reason: null,
      disabled_at: null,
      consecutive_failures: 0,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: answer.data.created_at,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9]{43}$/),
      secret_replayable: true,
    });
    expect(answer.headers.get('etag')).toBe('W/"1"');
    expect(answer.headers.get('location')).toBe(`${stack.api.origin}/v1/webhooks/${answer.data.id}`);
    expect((await call('GET', answer.headers.get('location')!)).data.id).toBe(answer.data.id);
  });

  test('of twelve concurrent creations exactly ten succeed, and the others are 409 CONFLICT and leave nothing behind', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => call('POST', '/webhooks', valid)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(
      answers.filter(({ status }) => status !== 201).map(({ status, json }) => [status, json.error.code]),
    ).toEqual([
      [409, 'CONFLICT'],
      [409, 'CONFLICT'],
    ]);
    const listed = (await call('GET', '/webhooks?limit=100')).data.items;
    expect(listed).toHaveLength(10);
    expect((await call('DELETE', `/webhooks/${listed[0].id}`)).status).toBe(204);
    expect((await call('POST', '/webhooks', valid)).status).toBe(201);
    expect((await call('POST', '/webhooks', valid)).status).toBe(409);
  });

  test('each Site has its own ten endpoints', async () => {
    for (let count = 0; count < 10; count += 1) await create();
    tenant = await stack.newTenant();
    await create();
  });

  test('each endpoint has its own secret', async () => {
    const secrets = await Promise.all([create(), create(), create()]);
    expect(new Set(secrets.map(({ secret }) => secret)).size).toBe(3);
  });

  test('an event named twice counts once', async () => {
    expect((await create({ events: ['article.deleted', 'article.deleted'] })).events).toEqual([
      'article.deleted',
    ]);
  });

  test('an Idempotency-Key is honoured: a retry creates no second endpoint', async () => {
    const send = () => call('POST', '/webhooks', valid, { 'idempotency-key': 'one' });
    const [first, second] = [await send(), await send()];
    expect(second.data.id).toBe(first.data.id);
    expect((await call('GET', '/webhooks')).data.items).toHaveLength(1);
    const other = await call(
      'POST',
      '/webhooks',
      { ...valid, description: 'x' },
      { 'idempotency-key': 'one' },
    );
    expect([other.status, other.json.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_CONFLICT']);
  });

  test.each([
    ['an unknown event', { events: ['article.published', 'article.read'] }, /^events/],
    ['no event', { events: [] }, /^events$/],
    ['events that are no list', { events: 'article.published' }, /^events$/],
    ['ping, which cannot be subscribed to', { events: ['ping'] }, /^events/],
    ['a description of 501 characters', { description: 'x'.repeat(501) }, /^description$/],
    ['no url', { url: undefined }, /^url$/],
    ['an url that is no text', { url: 7 }, /^url$/],
    ['an unknown member', { secret: 'whsec_mine' }, /^secret$/],
    ['enabled, which only a change takes', { enabled: false }, /^enabled$/],
  ])('%s is 422 on its field', async (_, body, field) => {
    const answer = await call('POST', '/webhooks', { ...valid, ...body });
    expect([answer.status, answer.json.error.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(Object.keys(answer.json.error.fields)).toEqual([expect.stringMatching(field)]);
  });

  test('a description of 500 characters, null and none at all are accepted', async () => {
    expect((await create({ description: '€'.repeat(500) })).description).toHaveLength(500);
    expect((await create({ description: null })).description).toBeNull();
    expect((await create()).description).toBeNull();
  });

  test('the whole catalog can be subscribed to', async () => {
    const events = [
      'article.published',
      'article.updated',
      'article.unpublished',
      'article.deleted',
      'comment.created',
      'pipeline_run.finished',
    ];
    expect((await create({ events })).events).toEqual(events);
  });
});

describe('the secret', () => {
  test('is only in the answer to the creation, and null in a replay', async () => {
    const send = () => call('POST', '/webhooks', valid, { 'idempotency-key': 'secret' });
    const first = await send();
    const again = await send();
    expect(first.data).toMatchObject({ secret: expect.stringMatching(/^whsec_/), secret_replayable: true });
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(again.data).toEqual({ ...first.data, secret: null, secret_replayable: false });
    const { id, secret } = first.data;
    const path = `/webhooks/${id}`;
    for (const answer of [
      await call('GET', path),
      await call('GET', '/webhooks'),
      await call('PATCH', path, { description: 'y' }),
    ]) {
      expect(answer.text).toContain(id);
      expect(answer.text).not.toContain(secret);
      expect(answer.text).not.toContain('"secret');
    }
  });

  test('is never stored in plain text', async () => {
    const answer = await call('POST', '/webhooks', valid, { 'idempotency-key': 'stored' });
    const secret: string = answer.data.secret;
    const { rows: tables } = await stack.api.db.pool.query(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    expect(tables.length).toBeGreaterThan(10);
    const forms = [secret, secret.slice('whsec_'.length), Buffer.from(secret).toString('hex')];
    for (const { name } of tables) {
      const { rows } = await stack.api.db.pool.query(`select t::text as row from "${name}" t`);
      for (const { row } of rows) for (const form of forms) expect(row).not.toContain(form);
    }
  });

  test('is replaced by rotate-secret, which answers 200 with the new one, and null in a replay', async () => {
    const { id, secret } = await create();
    const send = () =>
      call('POST', `/webhooks/${id}/rotate-secret`, undefined, { 'idempotency-key': 'rotation' });
    const rotated = await send();
    expect(rotated.status).toBe(200);
    expect(rotated.data).toMatchObject({
      id,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9]{43}$/),
      secret_replayable: true,
    });
    expect(rotated.data.secret).not.toBe(secret);
    expect((await send()).data).toEqual({ ...rotated.data, secret: null, secret_replayable: false });
  });
});

describe('reading', () => {
  test('the list is newest first and pages without a gap or a repetition', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await create()).id);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: any = (
        await call('GET', `/webhooks?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
      ).data;
      seen.push(...page.items.map(({ id }: { id: string }) => id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(ids);
  });

  test("another Site's endpoint is 404 to every operation, and stays as it is", async () => {
    const { id } = await create();
    const owner = tenant;
    tenant = await stack.newTenant();
    const delivery = '00000000-0000-4000-8000-000000000000';
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { enabled: false }],
      ['DELETE', ''],
      ['POST', '/rotate-secret'],
      ['POST', '/ping'],
      ['POST', '/replay', { since: '2026-01-01T00:00:00Z' }],
      ['GET', '/deliveries'],
      ['POST', `/deliveries/${delivery}/redeliver`],
    ] as const) {
      const answer = await call(method, `/webhooks/${id}${path}`, body);
      expect([method, path, answer.status, answer.json.error.code]).toEqual([method, path, 404, 'NOT_FOUND']);
    }
    tenant = owner;
    expect((await call('GET', `/webhooks/${id}`)).headers.get('etag')).toBe('W/"1"');
  });

  test('reads need webhooks:read, everything else webhooks:write, including redelivery; publishable keys are refused', async () => {
    const { id } = await create();
    const key = async (scope: 'webhooks:read' | 'webhooks:write') =>
      (await buildKey(stack.api.db, tenant.siteId, tenant.memberId, { scopes: [scope] })).secret;
    const [reader, writer] = [await key('webhooks:read'), await key('webhooks:write')];
    const delivery = `/webhooks/${id}/deliveries/00000000-0000-4000-8000-000000000000/redeliver`;
    const reads = ['/webhooks', `/webhooks/${id}`, `/webhooks/${id}/deliveries`, '/events'].map(
      (path) => ['GET', path, undefined] as const,
    );
    const writes = [
      ['POST', '/webhooks', valid],
      ['PATCH', `/webhooks/${id}`, { description: 'z' }],
      ['POST', `/webhooks/${id}/rotate-secret`, undefined],
      ['POST', `/webhooks/${id}/ping`, undefined],
      ['POST', `/webhooks/${id}/replay`, { since: '2026-01-01T00:00:00Z' }],
      ['POST', delivery, undefined],
      ['DELETE', `/webhooks/${id}`, undefined],
    ] as const;
    const statuses = (calls: typeof reads | typeof writes, secret: string) =>
      Promise.all(
        calls.map(async ([method, path, body]) => {
          const answer = await stack.api.request(method, path, { key: secret, body });
          return answer.status === 403 ? answer.json.error.code : 'in';
        }),
      );
    const refused = 'INSUFFICIENT_SCOPE';
    expect(await statuses(reads, reader)).toEqual(reads.map(() => 'in'));
    expect(await statuses(reads, writer)).toEqual(reads.map(() => refused));
    expect(await statuses(writes, reader)).toEqual(writes.map(() => refused));
    expect(await statuses([...reads, ...writes] as never, tenant.publishableKey)).toEqual(
      [...reads, ...writes].map(() => refused),
    );
    expect(await statuses(writes, writer)).toEqual(writes.map(() => 'in'));
  });
});
