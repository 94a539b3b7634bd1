import type { KeyedOperation } from '../../api/operation.ts';
import { operations } from '../../api/operations.ts';
import type { Transaction } from '../../db/transaction.ts';
import { createKey } from '../../domain/access/keys.ts';
import { operator } from '../../domain/audit.ts';
import { grantCredits } from '../../domain/credits.ts';
import {
  addMember,
  changeRole,
  createOrganisation,
  removeMember,
  updateOrganisation,
} from '../../domain/organisations.ts';
import { setPassword, signMemberOut } from '../../domain/sign-in/passwords.ts';
import { createSite, endMaintenance, startMaintenance, updateSite } from '../../domain/sites.ts';
import { startApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { buildMember, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { TestClock } from '../support/clock.ts';
import { poll, startDeviceSignIn } from '../support/device.ts';
import { siteState } from '../support/site-state.ts';
import { validRequest } from '../support/valid-requests.ts';
import type { ValidRequest } from '../support/valid-requests.ts';

/** Every operation that changes something, as it is declared. */
const writes = operations.filter((one): one is KeyedOperation => !one.keyless && one.method !== 'GET');
const rows = writes.map((one) => [`${one.method} ${one.path}`, one] as const);

let api: TestApi;
let tenant: Tenant;
const clock = new TestClock();

beforeAll(async () => {
  api = await startApi({ clock });
  await api.db.pool.query(`
    create function refuse_row() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$`);
});
beforeEach(async () => {
  clock.advance(60_000);
  tenant = await buildTenant(api.db);
});
afterAll(() => api.close());

const send = ({ method }: KeyedOperation, { path, body }: ValidRequest): Promise<Answer> =>
  api.request(method, path, {
    key: tenant.secretKey,
    ...(method === 'DELETE' ? {} : { idempotencyKey: true }),
    ...(body === undefined ? {} : { body }),
  });

/** What a piece of work adds to the log, oldest first. */
async function linesOf(work: () => Promise<unknown>): Promise<any[]> {
  const { rows: before } = await api.db.pool.query('select id from audit_log');
  await work();
  const { rows: after } = await api.db.pool.query('select * from audit_log where id <> all($1) order by id', [
    before.map(({ id }: { id: string }) => id),
  ]);
  return after;
}

/** Has the database refuse every line of the log meanwhile. */
async function withoutLog<T>(work: () => Promise<T>): Promise<T> {
  await api.db.pool.query(
    'create trigger refuse_row before insert on audit_log execute function refuse_row()',
  );
  try {
    return await work();
  } finally {
    await api.db.pool.query('drop trigger refuse_row on audit_log');
  }
}

describe.each(rows)('%s', (name, operation) => {
  test('leaves the line that it is to leave, by the key that did it, and no other', async () => {
    const request = await validRequest(api, tenant, name);
    const lines = await linesOf(async () => {
      expect((await send(operation, request)).status).toBeLessThan(300);
    });
    expect(lines.map(({ action }) => action)).toEqual(request.audit === undefined ? [] : [request.audit]);
    const organisationId = tenant.organisationId;
    for (const line of lines)
      expect(line).toMatchObject({ actor_kind: 'key', organisation_id: organisationId });
  });

  test('is not done where its line cannot be written', async () => {
    const request = await validRequest(api, tenant, name);
    const before = await siteState(api, tenant);
    const answer = await withoutLog(() => send(operation, request));
    if (request.audit === undefined) {
      expect(answer.status).toBeLessThan(300);
      return;
    }
    expect(answer.status).toBe(500);
    expect(await siteState(api, tenant)).toBe(before);
    expect((await send(operation, request)).status).toBeLessThan(300);
  });

  test('leaves no line where it is refused', async () => {
    const request = await validRequest(api, tenant, name);
    const path = request.path.replace(
      /[0-9a-f-]{36}|(?<=prompts\/)\w+/,
      '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11',
    );
    const broken = path === request.path ? { path, body: { unknown: true } } : { path };
    const lines = await linesOf(async () => {
      expect((await send(operation, broken)).status).toBeGreaterThanOrEqual(400);
    });
    expect(lines).toEqual([]);
  });
});

test('collecting the key of a device leaves its line, in the name of who approved', async () => {
  const started = await startDeviceSignIn(api, { scopes: ['articles:read'] });
  const body = { user_code: started.user_code };
  await api.request('POST', '/auth/device/approve', { key: tenant.secretKey, body });
  expect((await withoutLog(() => poll(api, started))).status).toBe(500);
  const lines = await linesOf(async () => {
    expect((await poll(api, started)).data.status).toBe('approved');
  });
  expect(lines.map(({ action, site_id: site }) => [action, site])).toEqual([['key.create', tenant.siteId]]);
});

describe('the operator’s', () => {
  const now = new Date();
  const works: Record<string, (tx: Transaction, member: string) => Promise<unknown>> = {
    'credits.grant': (tx) => grantCredits(tx, operator, tenant.organisationId, 5, now),
    'organisation.create': (tx) =>
      createOrganisation(tx, operator, { name: 'New', plan: 'free', credits: 7 }, now),
    'organisation.update': (tx) =>
      updateOrganisation(tx, operator, tenant.organisationId, { agentAccess: false }, now),
    'member.add': (tx) => {
      const { organisationId } = tenant;
      return addMember(tx, operator, { organisationId, email: 'new@example.com', role: 'admin' }, now);
    },
    'member.role': (tx, member) => changeRole(tx, operator, member, 'viewer', now),
    'member.remove': (tx, member) => removeMember(tx, operator, member, now),
    'member.password': (tx, member) => setPassword(tx, operator, member, 'a hash', now),
    'member.sign_out': (tx, member) => signMemberOut(tx, operator, member, now),
    'site.create': (tx) => {
      const place = { name: 'New', domain: 'new.example.com', locale: 'en', timezone: 'UTC' };
      return createSite(tx, operator, { ...place, organisationId: tenant.organisationId, spendCap: 9 }, now);
    },
    'site.update': (tx) => updateSite(tx, operator, tenant.siteId, { spendCap: 3 }, now),
    'key.create': (tx) => {
      const { siteId, memberId } = tenant;
      const values = { kind: 'secret', scopes: ['meta:read'], heldByAgent: false, expiresAt: null } as const;
      return createKey(tx, operator, { siteId, memberId, name: 'New', ...values }, now);
    },
    'maintenance.on': (tx) => startMaintenance(tx, operator, tenant.siteId, 60, now),
    'maintenance.off': (tx) => endMaintenance(tx, operator, tenant.siteId, now),
  };

  test.each(Object.entries(works))('%s leaves its line, or is not done', async (action, work) => {
    const member = await buildMember(api.db, tenant.organisationId, 'editor');
    const before = await siteState(api, tenant);
    await expect(withoutLog(() => api.db.transaction((tx) => work(tx, member)))).rejects.toThrow();
    expect(await siteState(api, tenant)).toBe(before);
    const lines = await linesOf(() => api.db.transaction((tx) => work(tx, member)));
    expect(lines.map((line) => [line.action, line.actor_kind])).toEqual([[action, 'system']]);
  });
});

test('comments that go with their article leave a line, and an article without any leaves none', async () => {
  const { body } = await validRequest(api, tenant, 'POST /comments');
  const key = tenant.secretKey;
  const { slug } = body as { slug: string };
  const [article] = (await api.request('GET', `/articles?slug=${slug}`, { key })).data.items;
  const lines = await linesOf(() => api.request('DELETE', `/articles/${article.id}`, { key }));
  expect(lines.map(({ action, target_id: target, details }) => [action, target, details])).toEqual([
    ['comments.delete', article.id, { deleted: 1 }],
  ]);
});
