import { randomUUID } from 'node:crypto';
import { operations } from '../../api/operations.ts';
import type { KeyedOperation } from '../../api/operation.ts';
import { scopes } from '../../domain/access/scopes.ts';
import { operator } from '../../domain/audit.ts';
import { removeMember, updateOrganisation } from '../../domain/organisations.ts';
import { endMaintenance, startMaintenance } from '../../domain/sites.ts';
import { startApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { buildKey, buildMember, buildSite, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { TestClock } from '../support/clock.ts';
import { siteIds, siteState } from '../support/site-state.ts';
import { requestedOperations, validRequest } from '../support/valid-requests.ts';
import type { ValidRequest } from '../support/valid-requests.ts';

/** Every operation that takes a key, as it is declared: a new one is in this table without further ado. */
const keyed = operations.filter((one): one is KeyedOperation => !one.keyless);
const rows = keyed.map((one) => [`${one.method} ${one.path}`, one] as const);
const isWrite = ({ method }: KeyedOperation): boolean => method !== 'GET';

let api: TestApi;
let tenant: Tenant;
let removed: string;
let agent: string;
let stranger: string;
const withoutScope = new Map<string, string>();
const clock = new TestClock();

beforeAll(async () => {
  api = await startApi({ clock });
  tenant = await buildTenant(api.db);
  const { organisationId, siteId, memberId } = tenant;
  const leaver = await buildMember(api.db, organisationId, 'owner');
  removed = (await buildKey(api.db, siteId, leaver)).secret;
  await api.db.transaction((tx) => removeMember(tx, operator, leaver, new Date()));
  agent = (await buildKey(api.db, siteId, memberId, { heldByAgent: true })).secret;
  stranger = (await buildTenant(api.db)).secretKey;
  await switchCommentsOn(stranger);
  for (const scope of scopes) {
    const others = scopes.filter((other) => other !== scope);
    withoutScope.set(scope, (await buildKey(api.db, siteId, memberId, { scopes: others })).secret);
  }
});
// Each test is a minute of its own: what is under test here is not how many requests there may be.
beforeEach(() => clock.advance(60_000));
afterAll(() => api.close());

/** Without a body, and with an id that nothing has: who may not call learns nothing of either. */
const ask = async (operation: KeyedOperation, key?: string): Promise<string> => {
  const path = operation.path.replaceAll(/:\w+/g, '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11');
  const answer = await api.request(operation.method, path, key === undefined ? {} : { key });
  return `${answer.status} ${answer.json?.error?.code ?? 'OK'}`;
};
/** So that what another Site is refused is not refused for being switched off. */
const switchCommentsOn = (key: string): Promise<Answer> =>
  api.request('PATCH', '/comments/settings', { key, body: { enabled: true } });
/** What is built for the operation, sent with a key. */
const send = (operation: KeyedOperation, { path, body }: ValidRequest, key: string): Promise<Answer> =>
  api.request(operation.method, path, {
    key,
    ...(operation.method === 'GET' || operation.method === 'DELETE' ? {} : { idempotencyKey: true }),
    ...(body === undefined ? {} : { body }),
  });
const outcome = ({ status, json }: Answer): string =>
  status < 400 ? 'OK' : `${status} ${json?.error?.code ?? ''}`;
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

test('the table holds every operation of the index that takes a key, and a request that each is for', () => {
  expect(rows.length).toBeGreaterThan(60);
  expect(new Set(rows.map(([name]) => name)).size).toBe(rows.length);
  expect([...requestedOperations].sort()).toEqual(rows.map(([name]) => name).sort());
});

describe.each(rows)('%s', (name, operation) => {
  const { access } = operation;

  test('without a key, and with one of another making, is 401', async () => {
    expect(await ask(operation)).toBe('401 INVALID_API_KEY');
    expect(await ask(operation, 'svc_sk_nothing')).toBe('401 INVALID_API_KEY');
  });

  test('is for publishable keys only where it says so', async () => {
    const answer = await ask(operation, tenant.publishableKey);
    if (access.publishable) expect(answer).not.toMatch(/^(401|403|5)/);
    else expect(answer).toBe('403 INSUFFICIENT_SCOPE');
  });

  if (access.scope !== null) {
    test('without its scope is 403, whatever else the key carries', async () => {
      expect(await ask(operation, withoutScope.get(access.scope as string))).toBe('403 INSUFFICIENT_SCOPE');
    });
  }

  test('is refused to the keys of who has left', async () => {
    const answer = await ask(operation, removed);
    expect(answer).toBe(access.withoutMembership ? '200 OK' : '403 INSUFFICIENT_SCOPE');
  });

  test('is refused to agents while the organisation has switched them off', async () => {
    const switchTo = (agentAccess: boolean) =>
      api.db.transaction((tx) =>
        updateOrganisation(tx, operator, tenant.organisationId, { agentAccess }, new Date()),
      );
    await switchTo(false);
    const answer = await ask(operation, agent);
    await switchTo(true);
    expect(answer).toBe('403 AGENT_ACCESS_DISABLED');
  });

  test('waits for the end of maintenance where it writes', async () => {
    await api.db.transaction((tx) => startMaintenance(tx, operator, tenant.siteId, 60, new Date()));
    const answer = await ask(operation, tenant.publishableKey);
    await api.db.transaction((tx) => endMaintenance(tx, operator, tenant.siteId, new Date()));
    if (isWrite(operation)) expect(answer).toBe('503 MAINTENANCE');
    else expect(answer).not.toBe('503 MAINTENANCE');
  });

  /** The Site that has what the request is about, an agent of it, and the organisation's other Site. */
  const home = async () => {
    const own = await buildTenant(api.db);
    const { organisationId, siteId, memberId } = own;
    const agentOf = await buildKey(api.db, siteId, memberId, { heldByAgent: true });
    const sibling = await buildKey(api.db, await buildSite(api.db, organisationId), memberId);
    await switchCommentsOn(sibling.secret);
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
    // Not a word tells it from one that there is nowhere.
    const nowhere = { ...request, path: request.path.replaceAll(uuid, () => randomUUID()) };
    const other = await send(operation, nowhere, key);
    expect([other.status, other.json.error]).toEqual([answer.status, answer.json.error]);
  });

  test('by an agent waits for a person where it says so, and else goes on or is not for agents', async () => {
    const { own, agent: agentOf } = await home();
    const request = await validRequest(api, own, name);
    const before = await siteState(api, own);
    const answer = await send(operation, request, agentOf);
    const { approval } = operation;
    const stopped = approval !== undefined || request.agents !== undefined;
    if (approval !== undefined) {
      const asked = { id: expect.any(String), status: 'pending', expires_at: expect.any(String) };
      expect([answer.status, answer.data]).toEqual([
        202,
        { approval: { ...asked, action: approval.action } },
      ]);
      await api.db.pool.query('delete from approvals where id = $1', [answer.data.approval.id]);
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
