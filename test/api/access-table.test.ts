import { operations } from '../../api/operations.ts';
import type { KeyedOperation } from '../../api/operation.ts';
import { scopes } from '../../domain/access/scopes.ts';
import { operator } from '../../domain/audit.ts';
import { removeMember, updateOrganisation } from '../../domain/organisations.ts';
import { endMaintenance, startMaintenance } from '../../domain/sites.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildKey, buildMember, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { TestClock } from '../support/clock.ts';

/** Every operation that takes a key, as it is declared: a new one is in this table without further ado. */
const keyed = operations.filter((one): one is KeyedOperation => !one.keyless);
const rows = keyed.map((one) => [`${one.method} ${one.path}`, one] as const);
const isWrite = ({ method }: KeyedOperation): boolean => method !== 'GET';

let api: TestApi;
let tenant: Tenant;
let removed: string;
let agent: string;
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
test('the table holds every operation of the index that takes a key', () => {
  expect(rows.length).toBeGreaterThan(60);
  expect(new Set(rows.map(([name]) => name)).size).toBe(rows.length);
});

describe.each(rows)('%s', (_name, operation) => {
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
});
