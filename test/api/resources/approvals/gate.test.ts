import { randomUUID } from 'node:crypto';
import { operations } from '../../../../api/operations.ts';
import { scanKinds } from '../../../../domain/seo/rules.ts';
import { defaultGates, gatedOperations } from '../../../../domain/approvals/gated-operations.ts';
import { useApi } from '../../../support/api.ts';
import { approved, ask, buildAgent, decideAs, gatedExample, sendAs } from '../../../support/approvals.ts';
import type { GatedExample } from '../../../support/approvals.ts';
import { buildArticle, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { everythingOf } from '../../../support/everything.ts';

const DAY = 24 * 60 * 60_000;

const api = await useApi();
let tenant: Tenant;
let agent: string;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  agent = (await buildAgent(api, tenant)).secret;
});

const everything = (): Promise<string> => everythingOf(api, tenant);

const example = (action: string): Promise<GatedExample> => gatedExample(api, tenant, action);

test('the gated operations are those of the contract', () => {
  const gated = operations.filter(({ approval }) => approval).map(({ method, path }) => `${method} ${path}`);
  expect(gated.sort()).toEqual(
    [
      'DELETE /articles/:id',
      'PATCH /articles/:id',
      'POST /articles/:id/publish',
      'POST /articles/:id/unpublish',
      'POST /articles/:id/schedule',
      'POST /articles/:id/cancel-schedule',
      'POST /articles/:id/revisions/:number/restore',
      'PATCH /articles/:id/pending',
      'DELETE /articles/:id/pending',
      'POST /articles/:id/pending/publish',
      'POST /articles/:id/pending/schedule',
      'POST /articles/:id/pending/cancel-schedule',
      'DELETE /articles/:id/preview-links/:link_id',
      'DELETE /categories/:id',
      'DELETE /tags/:id',
      'DELETE /authors/:id',
      'PATCH /comments/settings',
      'DELETE /content-plan/:id',
      'DELETE /pipeline/prompts/:stage',
      'DELETE /webhooks/:id',
      'POST /delivery/connections',
      'PATCH /delivery/connections/:id',
      'DELETE /delivery/connections/:id',
      'DELETE /comments/:id',
      'DELETE /keys/:id',
      'DELETE /media/:id',
      'DELETE /team/:id',
      'PATCH /team/:id',
      'PATCH /webhooks/:id',
      'POST /articles/bulk',
      'POST /comments/erase',
      'POST /keys',
      'POST /keys/:id/rotate',
      'PATCH /content-plan/autopilot',
      'POST /pipeline/prompts/:stage/try',
      'POST /pipeline/runs',
      ...scanKinds.map((kind) => `POST /seo/scans/${kind}`),
      'POST /delivery/cms/push',
      'POST /team/invitations',
      'POST /webhooks',
      'POST /webhooks/:id/rotate-secret',
    ].sort(),
  );
  const actions = new Set(operations.flatMap(({ approval }) => approval?.actions ?? []));
  expect([...actions].sort()).toEqual([...gatedOperations].sort());
});

test('no gated operation has query parameters, because approvals are not bound to them', () => {
  for (const { approval, query } of operations) if (approval) expect(query).toBeUndefined();
});

/** The organisation chooses a list. */
const choose = async (approval_operations: readonly string[] | null): Promise<void> => {
  const options = { key: tenant.secretKey, body: { approval_operations } };
  expect((await api.request('PATCH', '/organisation', options)).status).toBe(200);
};

describe.each(gatedOperations)('%s', (action) => {
  beforeEach(() => choose(gatedOperations));

  test('by an agent is answered 202 with the requested approval, and nothing is done', async () => {
    const request = await example(action);
    const before = await everything();
    const answer = await sendAs(api, agent, request);
    expect(answer.status).toBe(202);
    expect(answer.data).toEqual({
      approval: { id: expect.any(String), status: 'pending', action, expires_at: expect.any(String) },
    });
    const lifetime = Date.parse(answer.data.approval.expires_at) - Date.now();
    expect(lifetime).toBeGreaterThan(DAY - 60_000);
    expect(lifetime).toBeLessThanOrEqual(DAY);
    expect(answer.headers.get('location')).toBeNull();
    expect(await everything()).toBe(before);
  });

  test('runs once with its approval, under the same Idempotency-Key', async () => {
    const request = await example(action);
    const id = await approved(api, tenant, agent, request);
    const done = await sendAs(api, agent, request, id);
    expect([done.status, done.data?.approval]).toEqual([request.done, undefined]);
    const { data } = await api.request('GET', `/approvals/${id}`, { key: agent });
    expect(data.status).toBe('used');
  });

  test('by a person runs at once, and ignores the header Service-Approval', async () => {
    const request = await example(action);
    const answer = await sendAs(api, tenant.secretKey, request, 'no uuid');
    expect([answer.status, answer.data?.approval]).toEqual([request.done, undefined]);
  });
});

const withTarget = [
  ...new Set(operations.flatMap(({ approval }) => (approval?.target ? approval.actions : []))),
];

/** These have a target only if they name one, or one that does not change. */
const perhapsWithout: readonly string[] = [
  'pipeline.run',
  'seo_scan.start',
  'member.add',
  'preview_link.delete',
];

test.each(withTarget.filter((action) => !perhapsWithout.includes(action)))(
  '%s is not approved once its target has changed',
  async (action) => {
    await choose(gatedOperations);
    const request = await example(action);
    const id = await approved(api, tenant, agent, request);
    expect((await request.change?.(tenant.secretKey))?.status).toBeLessThan(300);
    const answer = await sendAs(api, agent, request, id);
    expect([answer.status, answer.json.error.code]).toEqual([409, 'APPROVAL_INVALID']);
    expect(answer.json.error.message).toContain('changed since');
  },
);

test('operations that the organisation has exempted need no approval, and the others do', async () => {
  const request = await example('key.create');
  await api.db.pool.query(
    'update organisations set approval_operations = $2, approval_operations_offered = $3 where id = $1',
    [tenant.organisationId, ['article.delete'], defaultGates],
  );
  expect((await sendAs(api, agent, request)).status).toBe(201);
  expect((await sendAs(api, agent, await example('article.delete'))).status).toBe(202);
});

test('other operations need no approval, and ignore the header', async () => {
  const article = await buildArticle(api, agent, { title: 'Mine' });
  const patched = await api.request('PATCH', `/articles/${article.id}`, {
    key: agent,
    body: { title: 'Yours' },
    headers: { 'service-approval': 'no uuid' },
  });
  expect(patched.status).toBe(200);
});

test('a key that an agent creates is held by an agent', async () => {
  const request = await example('key.create');
  const body = { ...(request.options.body as object), held_by_agent: false };
  const asAgents = { ...request, options: { ...request.options, body } };
  const id = await approved(api, tenant, agent, asAgents);
  expect((await sendAs(api, agent, asAgents, id)).data.held_by_agent).toBe(true);
});

test('each request without the header asks for a new approval', async () => {
  const request = await example('key.create');
  const ids = [await ask(api, agent, request), await ask(api, agent, request)];
  expect(new Set(ids).size).toBe(2);
  const { data } = await api.request('GET', '/approvals', { key: agent });
  expect(data.items.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed());
});

describe('the order of checks', () => {
  const code = async (request: { method: string; path: string; options: object }, approvalId?: string) => {
    const answer = await sendAs(api, agent, request, approvalId);
    return [answer.status, answer.json.error?.code ?? answer.data?.approval.status];
  };

  test('rights, form, shape and target are checked before the approval', async () => {
    const { secret } = await buildAgent(api, tenant, { scopes: ['articles:read'] });
    const { id } = await buildArticle(api, tenant.secretKey);
    const path = `/articles/${id}`;
    const weak = await api.request('DELETE', path, { key: secret });
    expect([weak.status, weak.json.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    const keys = { method: 'POST', path: '/keys', options: { body: { name: 'Key' } } };
    expect(await code(keys)).toEqual([400, 'INVALID_REQUEST']);
    const options = { ...keys.options, idempotencyKey: 'mine' };
    expect(await code({ ...keys, options })).toEqual([422, 'VALIDATION_FAILED']);
    for (const target of [
      `DELETE /articles/${randomUUID()}`,
      'DELETE /articles/17',
      `DELETE /media/${randomUUID()}`,
      `DELETE /comments/${randomUUID()}`,
      `DELETE /keys/${randomUUID()}`,
      `POST /keys/${randomUUID()}/rotate`,
      `POST /webhooks/${randomUUID()}/rotate-secret`,
    ]) {
      const [method = '', where = ''] = target.split(' ');
      const request = { method, path: where, options: { idempotencyKey: true } };
      expect([target, ...(await code(request))]).toEqual([target, 404, 'NOT_FOUND']);
      expect(await code(request, randomUUID())).toEqual([404, 'NOT_FOUND']);
    }
    const resume = { body: { resume_run_id: randomUUID() } };
    expect(await code({ method: 'POST', path: '/pipeline/runs', options: resume })).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect((await api.request('GET', '/approvals', { key: agent })).data.items).toEqual([]);
  });

  test('If-Match, state and values that need the database are checked after it', async () => {
    const { id } = await buildArticle(api, tenant.secretKey);
    const stale = {
      method: 'DELETE',
      path: `/articles/${id}`,
      options: { headers: { 'if-match': 'W/"7"' } },
    };
    expect(await code(stale)).toEqual([202, 'pending']);
    const request = await example('key.rotate');
    await api.request('DELETE', request.path.replace('/rotate', ''), { key: tenant.secretKey });
    expect(await code(request)).toEqual([202, 'pending']);
    const resolved = { url: 'https://localhost./hooks', events: ['article.published'] };
    expect(await code({ method: 'POST', path: '/webhooks', options: { body: resolved } })).toEqual([
      422,
      'VALIDATION_FAILED',
    ]);
    const past = { name: 'K', kind: 'secret', scopes: ['articles:read'], expires_at: '2020-01-01T00:00:00Z' };
    const create = { method: 'POST', path: '/keys', options: { body: past, idempotencyKey: true as const } };
    expect(await code(create)).toEqual([202, 'pending']);
  });

  test('a malformed If-Match is reported before the approval', async () => {
    const { id } = await buildArticle(api, tenant.secretKey);
    const options = { headers: { 'if-match': 'seven' } };
    expect(await code({ method: 'DELETE', path: `/articles/${id}`, options })).toEqual([
      400,
      'INVALID_REQUEST',
    ]);
  });
});

describe('an operation that fails leaves its approval valid', () => {
  test('if If-Match names another version', async () => {
    const { id } = await buildArticle(api, tenant.secretKey);
    const request = { method: 'DELETE', path: `/articles/${id}`, options: {} };
    const approval = await approved(api, tenant, agent, request);
    const stale = { ...request, options: { headers: { 'if-match': 'W/"7"' } } };
    expect((await sendAs(api, agent, stale, approval)).status).toBe(412);
    expect((await sendAs(api, agent, request, approval)).status).toBe(204);
  });

  test('if the state has changed without a new version', async () => {
    const requests = Array.from({ length: 10 }, gatedExampleOfHook);
    const ids = await Promise.all(requests.map((request) => approved(api, tenant, agent, request)));
    const extra = gatedExampleOfHook();
    const last = await approved(api, tenant, agent, extra);
    for (const [index, request] of requests.entries())
      expect((await sendAs(api, agent, request, ids[index])).status).toBe(201);
    const eleventh = await sendAs(api, agent, extra, last);
    expect([eleventh.status, eleventh.json.error.code]).toEqual([409, 'CONFLICT']);
    const { data } = await api.request('GET', '/webhooks', { key: tenant.secretKey });
    await api.request('DELETE', `/webhooks/${data.items[0].id}`, { key: tenant.secretKey });
    expect((await sendAs(api, agent, extra, last)).status).toBe(201);
  });

  test('if a value is refused because of the time', async () => {
    const body = { name: 'K', kind: 'secret', scopes: ['articles:read'], expires_at: '2020-01-01T00:00:00Z' };
    const request = { method: 'POST', path: '/keys', options: { body, idempotencyKey: 'past' } };
    const approval = await approved(api, tenant, agent, request);
    expect((await sendAs(api, agent, request, approval)).status).toBe(422);
    expect((await api.request('GET', `/approvals/${approval}`, { key: agent })).data.status).toBe('approved');
  });
});

const gatedExampleOfHook = () => ({
  method: 'POST',
  path: '/webhooks',
  options: { body: { url: `https://receiver.example/${randomUUID()}`, events: ['article.published'] } },
});

describe('with an Idempotency-Key', () => {
  test('the 202 is not recorded, and a success is replayed without asking for the approval again', async () => {
    const request = await example('key.create');
    await ask(api, agent, request);
    const id = await approved(api, tenant, agent, request);
    const first = await sendAs(api, agent, request, id);
    expect([first.status, first.data.secret]).toEqual([201, expect.any(String)]);
    for (const header of [id, undefined, 'no uuid']) {
      const replay = await sendAs(api, agent, request, header);
      expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
      expect(replay.data).toEqual({ ...first.data, secret: null, secret_replayable: false });
    }
  });

  test('another body under a recorded key is a conflict, before any approval', async () => {
    const request = await example('key.create');
    await sendAs(api, agent, request, await approved(api, tenant, agent, request));
    const body = { ...(request.options.body as object), name: 'Another' };
    const answer = await sendAs(api, agent, { ...request, options: { ...request.options, body } });
    expect([answer.status, answer.json.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_CONFLICT']);
  });

  test('the key of an answer 202 can be used for another body', async () => {
    const request = await example('key.create');
    await ask(api, agent, request);
    const body = { ...(request.options.body as object), name: 'Another' };
    expect((await sendAs(api, agent, { ...request, options: { ...request.options, body } })).status).toBe(
      202,
    );
  });
});

test('while agent access is disabled, approvals can be neither requested nor used', async () => {
  const request = await example('key.create');
  const id = await approved(api, tenant, agent, request);
  const access = (on: boolean) =>
    api.db.pool.query('update organisations set agent_access = $2 where id = $1', [
      tenant.organisationId,
      on,
    ]);
  await access(false);
  for (const header of [undefined, id]) {
    const answer = await sendAs(api, agent, request, header);
    expect([answer.status, answer.json.error.code]).toEqual([403, 'AGENT_ACCESS_DISABLED']);
  }
  expect((await api.request('GET', '/approvals', { key: agent })).status).toBe(403);
  await access(true);
  expect((await sendAs(api, agent, request, id)).status).toBe(201);
});

test('data.approval distinguishes the approval’s 202 from a run’s', async () => {
  const request = await example('pipeline.run');
  const asked = await sendAs(api, agent, request);
  expect([asked.status, asked.data.id, asked.data.approval.status]).toEqual([202, undefined, 'pending']);
  await decideAs(api, tenant.secretKey, asked.data.approval.id);
  const run = await sendAs(api, agent, request, asked.data.approval.id);
  expect([run.status, run.data.approval, run.data.status]).toEqual([202, undefined, 'queued']);
});
