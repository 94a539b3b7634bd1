import { randomUUID } from 'node:crypto';
import { operations } from '../../api/operations.ts';
import { isChosenGate } from '../../domain/approvals/gated-operations.ts';
import type { KeyedOperation } from '../../api/framework/operation.ts';
import { scopes } from '../../domain/access/scopes.ts';
import { operator } from '../../domain/audit/record.ts';
import { removeMember, updateOrganisation } from '../../domain/organisations/organisations.ts';
import { endMaintenance, startMaintenance } from '../../domain/organisations/sites.ts';
import { useApi } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { buildKey, buildMember, buildSite, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { TestClock } from '../support/clock.ts';
import { siteIds, siteState } from '../support/site-state.ts';
import { requestedOperations, validRequest } from '../support/valid-requests.ts';
import type { ValidRequest } from '../support/valid-requests.ts';

/** Every operation that takes a key, as declared: a new one is in this table automatically. */
const keyed = operations.filter((one): one is KeyedOperation => !one.keyless);
const rows = keyed.map((one) => [`${one.method} ${one.path}`, one] as const);
const isWrite = ({ method }: KeyedOperation): boolean => method !== 'GET';

let tenant: Tenant;
let removed: string;
let agent: string;
let stranger: string;
const withoutScope = new Map<string, string>();
const clock = new TestClock();

const api = await useApi({ clock });
beforeAll(async () => {
  tenant = await buildTenant(api.db);
  const { organisationId, siteId, memberId } = tenant;
  const leaver = await buildMember(api.db, organisationId, 'owner');
  removed = (await buildKey(api.db, siteId, leaver)).secret;
  await api.db.transaction((tx) => removeMember({ tx, actor: operator, now: new Date() }, leaver));
  agent = (await buildKey(api.db, siteId, memberId, { heldByAgent: true })).secret;
  stranger = (await buildTenant(api.db)).secretKey;
  await setUp(stranger);
  for (const scope of scopes) {
    const others = scopes.filter((other) => other !== scope);
    withoutScope.set(scope, (await buildKey(api.db, siteId, memberId, { scopes: others })).secret);
  }
});
// Each test has its own minute, because rate limits are not under test here.
beforeEach(() => clock.advance(60_000));

/** Without a body, and with an unknown id: a caller without the rights learns nothing about either. */
const ask = async (operation: KeyedOperation, key?: string): Promise<string> => {
  const path = operation.path.replaceAll(/:\w+/g, '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11');
  const answer = await api.request(operation.method, path, key === undefined ? {} : { key });
  return `${answer.status} ${answer.json?.error?.code ?? 'OK'}`;
};
/** Otherwise a request for another Site would be refused for what its own Site lacks: comments, and links to it. */
const setUp = async (key: string): Promise<void> => {
  const csv = 'source_url,target_url\nhttps://news.example.org/,https://blog.example.com/';
  await api.request('PATCH', '/comments/settings', { key, body: { enabled: true } });
  await api.request('POST', '/seo/backlinks/import', { key, body: { csv } });
};
/** Sends the operation's request with a key. */
const send = (operation: KeyedOperation, { path, body }: ValidRequest, key: string): Promise<Answer> =>
  api.request(operation.method, path, {
    key,
    ...(operation.method === 'GET' || operation.method === 'DELETE' ? {} : { idempotencyKey: true }),
    ...(body === undefined ? {} : { body }),
  });
/** Deletes the approval that was requested, and its row of the audit log, which only a superuser can delete. */
const forgetAsking = (id: string) =>
  api.db.pool.query(`
    begin;
    set local session_replication_role = replica;
    delete from audit_log where target_id = '${id}';
    delete from notifications where target_id = '${id}';
    delete from approvals where id = '${id}';
    commit`);
const outcome = ({ status, json }: Answer): string =>
  status < 400 ? 'OK' : `${status} ${json?.error?.code ?? ''}`;
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

test('the table has every operation of the index that takes a key, and a valid request for each', () => {
  expect(rows.length).toBeGreaterThan(60);
  expect(new Set(rows.map(([name]) => name)).size).toBe(rows.length);
  expect([...requestedOperations].sort()).toEqual(rows.map(([name]) => name).sort());
});

describe.each(rows)('%s', (name, operation) => {
  const { access } = operation;

  test('without a key, and with a made-up one, is 401', async () => {
    expect(await ask(operation)).toBe('401 INVALID_API_KEY');
    expect(await ask(operation, 'svc_sk_nothing')).toBe('401 INVALID_API_KEY');
  });

  test('accepts publishable keys only if it is declared so', async () => {
    const answer = await ask(operation, tenant.publishableKey);
    if (access.publishable) expect(answer).not.toMatch(/^(401|403|5)/);
    else expect(answer).toBe('403 INSUFFICIENT_SCOPE');
  });

  if (access.scope !== null) {
    test('without its scope is 403, whatever other scopes the key has', async () => {
      expect(await ask(operation, withoutScope.get(access.scope as string))).toBe('403 INSUFFICIENT_SCOPE');
    });
  }

  test('is refused to the keys of a removed member', async () => {
    const answer = await ask(operation, removed);
    expect(answer).toBe(access.withoutMembership ? '200 OK' : '403 INSUFFICIENT_SCOPE');
  });

  test('is refused to agents while the organisation has disabled them', async () => {
    const switchTo = (agentAccess: boolean) =>
      api.db.transaction((tx) =>
        updateOrganisation({ tx, actor: operator, now: new Date() }, tenant.organisationId, { agentAccess }),
      );
    await switchTo(false);
    const answer = await ask(operation, agent);
    await switchTo(true);
    expect(answer).toBe('403 AGENT_ACCESS_DISABLED');
  });

  test('is refused during maintenance if it writes', async () => {
    await api.db.transaction((tx) =>
      startMaintenance({ tx, actor: operator, now: new Date() }, tenant.siteId, 60),
    );
    const answer = await ask(operation, tenant.publishableKey);
    await api.db.transaction((tx) => endMaintenance({ tx, actor: operator, now: new Date() }, tenant.siteId));
    if (isWrite(operation)) expect(answer).toBe('503 MAINTENANCE');
    else expect(answer).not.toBe('503 MAINTENANCE');
  });

  /** The Site with the request's target, an agent of it, and the organisation's other Site. */
  const home = async () => {
    const own = await buildTenant(api.db);
    const { organisationId, siteId, memberId } = own;
    const agentOf = await buildKey(api.db, siteId, memberId, { heldByAgent: true });
    const sibling = await buildKey(api.db, await buildSite(api.db, organisationId), memberId);
    await setUp(sibling.secret);
    return { own, agent: agentOf.secret, sibling: sibling.secret };
  };

  test.each([
    ['another organisation', false],
    ['the same organisation', true],
  ] as const)('has nothing to do with another Site, of %s', async (_of, sameOrganisation) => {
    const { own, sibling } = await home();
    const request = await validRequest(api, own, name);
    const key = sameOrganisation ? sibling : stranger;
    const before = await siteState(api, own);
    const answer = await send(operation, request, key);
    const hasParams = operation.path.includes(':');
    if (request.ofOrganisation && sameOrganisation) {
      expect(outcome(answer)).toBe('OK');
      return;
    }
    expect(outcome(answer)).toBe(request.elsewhere ?? (hasParams ? '404 NOT_FOUND' : 'OK'));
    expect(await siteState(api, own)).toBe(before);
    const ids = await siteIds(api, own);
    expect(answer.text.match(uuid)?.filter((id) => ids.has(id)) ?? []).toEqual([]);
    expect(answer.text).not.toContain(request.shows ?? '\0');
    if (request.path.search(uuid) === -1) return;
    // The answer is the same as for an id that does not exist.
    const nowhere = { ...request, path: request.path.replaceAll(uuid, () => randomUUID()) };
    const other = await send(operation, nowhere, key);
    expect([other.status, other.json.error]).toEqual([answer.status, answer.json.error]);
  });

  test('by an agent waits for a person if it is declared so, and otherwise runs or is refused', async () => {
    const { own, agent: agentOf } = await home();
    const request = await validRequest(api, own, name);
    const before = await siteState(api, own);
    const answer = await send(operation, request, agentOf);
    // By default; an organisation may choose that more waits for a person.
    const action = operation.approval?.actions.find((one) => !isChosenGate(one));
    const stopped = action !== undefined || request.agents !== undefined;
    if (action !== undefined) {
      const asked = { id: expect.any(String), status: 'pending', expires_at: expect.any(String) };
      expect([answer.status, answer.data]).toEqual([202, { approval: { ...asked, action } }]);
      await forgetAsking(answer.data.approval.id);
    } else {
      expect(outcome(answer)).toBe(request.agents ?? 'OK');
    }
    if (stopped) expect(await siteState(api, own)).toBe(before);
    const done = stopped ? await send(operation, request, own.secretKey) : answer;
    expect(Object.keys(operation.answers)).toContain(String(done.status));
    expect(done.text).toContain(request.shows ?? '');
    if (isWrite(operation)) expect(await siteState(api, own)).not.toBe(before);
  });
});
