import { deleteEndedKeys } from '../../../../domain/sign-in/dashboard-keys.ts';
import { operator } from '../../../../domain/audit/record.ts';
import { changeRole } from '../../../../domain/organisations/organisations.ts';
import type { TestApi } from '../../../support/api.ts';
import { buildKey, buildPerson, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import type { TestClock } from '../../../support/clock.ts';
import { DashboardVisitor, domainOf, liveKeys, refusal } from '../../../support/dashboard.ts';
import { startSignInStack } from '../../../support/sign-in.ts';
import type { Person, SignInStack } from '../../../support/sign-in.ts';

const HOUR = 3_600_000;
let stack: SignInStack;
let api: TestApi;
let clock: TestClock;
let tenant: Tenant;
let person: Person;
let visitor: DashboardVisitor;

beforeAll(async () => {
  stack = await startSignInStack();
  ({ api, clock } = stack);
});
beforeEach(async () => {
  ({ tenant, person } = await stack.nextCase());
  visitor = await new DashboardVisitor(api).signIn(person.email, person.password);
});
afterAll(() => api.close());

const act = () => ({ actor: operator, now: clock.now() });
const live = (siteId = tenant.siteId) => liveKeys(api, siteId, clock.now());

describe('opening a Site', () => {
  test('makes a key of the person, for 12 hours, whose secret no script and no table has', async () => {
    const answer = await visitor.open(tenant.siteId);
    expect([answer.status, answer.text]).toEqual([204, '']);
    const cookies = answer.headers.getSetCookie();
    expect(cookies.map((cookie) => cookie.replace(/=[\w-]+;/, '=…;'))).toEqual(
      [`/dashboard/${tenant.siteId}/`, `/dashboard/api/sites/${tenant.siteId}/`].map(
        (path) => `presswork_site=…; Path=${path}; HttpOnly; SameSite=Strict`,
      ),
    );
    expect(cookies.join()).not.toContain('svc_sk_');
    const [key, ...others] = await live();
    expect(others).toEqual([]);
    expect(key).toMatchObject({
      name: `Dashboard of ${person.email}`,
      member_id: person.memberId,
      held_by_agent: false,
      expires_at: new Date(clock.now().getTime() + 12 * HOUR),
    });
    expect(key.scopes).toHaveLength(19);
    const site = await visitor.call(tenant.siteId, 'GET', '/site');
    expect([site.status, site.data.domain]).toEqual([200, await domainOf(api, tenant.siteId)]);
  });

  test('again changes nothing, two hundred times', async () => {
    await visitor.open(tenant.siteId);
    for (let times = 0; times < 200; times += 1) {
      const { status, headers } = await visitor.open(tenant.siteId);
      expect([status, headers.getSetCookie()]).toEqual([204, []]);
    }
    expect(await live()).toHaveLength(1);
  });

  test('without the cookie, leaves ten live keys of the person at most, also at once', async () => {
    const session = visitor.cookies.find(({ path }) => path === '/');
    for (let round = 0; round < 2; round += 1) {
      await Promise.all(
        Array.from({ length: 12 }, async () => {
          const other = new DashboardVisitor(api);
          other.takeSession(`${session?.name}=${session?.value}`);
          expect((await other.open(tenant.siteId)).status).toBe(204);
        }),
      );
    }
    expect(await live()).toHaveLength(10);
  });

  test('is counted: sixty new keys a minute, and no more', async () => {
    const statuses = [];
    for (let times = 0; times < 61; times += 1) {
      visitor.cookies = visitor.cookies.filter(({ path }) => path === '/');
      statuses.push((await visitor.open(tenant.siteId)).status);
    }
    expect([statuses[59], statuses[60]]).toEqual([204, 429]);
  });

  test('is counted with a cookie of no use, too', async () => {
    await visitor.open(tenant.siteId);
    const statuses = [];
    for (let times = 0; times < 61; times += 1) {
      await api.db.pool.query('update api_keys set revoked_at = created_at where site_id = $1', [
        tenant.siteId,
      ]);
      statuses.push((await visitor.open(tenant.siteId)).status);
    }
    expect([statuses[0], statuses[60]]).toEqual([204, 429]);
    expect((await live()).length).toBeLessThanOrEqual(1);
  });

  test('keys that ended forty days ago are deleted, unless the audit log names them as an actor', async () => {
    await visitor.open(tenant.siteId);
    const [idle] = await live();
    visitor.cookies = visitor.cookies.filter(({ path }) => path === '/');
    await visitor.open(tenant.siteId);
    await visitor.call(tenant.siteId, 'POST', '/tags', { name: 'Tea' });
    const actor = (await live()).find(({ id }) => id !== idle.id);
    const day = 24 * HOUR;
    const left = async (days: number) => {
      const now = new Date(clock.now().getTime() + 12 * HOUR + days * day);
      await api.db.transaction((tx) => deleteEndedKeys(tx, now, 10_000));
      const { rows } = await api.db.pool.query(
        `select k.id, exists (select from api_key_secrets s where s.key_id = k.id) as secret
         from api_keys k where site_id = $1 and session_id is not null order by id`,
        [tenant.siteId],
      );
      return rows.filter(({ secret }) => secret).map(({ id }) => id);
    };
    expect(await left(39)).toEqual([idle.id, actor.id].toSorted());
    expect(await left(41)).toEqual([actor.id]);
  });

  test('does not use up the keys of a Site, and a Site without room can be opened', async () => {
    await api.db.pool.query(
      `insert into api_keys (id, site_id, member_id, name, kind, key_prefix, scopes, created_at)
       select gen_random_uuid(), $1, $2, 'Filler', 'secret', 'svc_sk_aaaaaa', '{}', now() from generate_series(1, 998)`,
      [tenant.siteId, person.memberId],
    );
    await expect(buildKey(api.db, tenant.siteId, person.memberId)).rejects.toThrow('1000 keys');
    expect((await visitor.open(tenant.siteId)).status).toBe(204);
    const rest = await api.db.pool.query(
      `update api_keys set revoked_at = now() where name = 'Filler' and id = (select min(id::text)::uuid from api_keys where name = 'Filler' and site_id = $1) returning id`,
      [tenant.siteId],
    );
    expect(rest.rows).toHaveLength(1);
    // The key of the dashboard does not take the free place.
    expect((await buildKey(api.db, tenant.siteId, person.memberId)).id).toBeDefined();
  });

  test('of others is 404, and makes nothing', async () => {
    const other = await buildTenant(api.db);
    expect(refusal(await visitor.open(other.siteId))).toEqual([404, 'NOT_FOUND']);
    expect(refusal(await visitor.open(crypto.randomUUID()))).toEqual([404, 'NOT_FOUND']);
    expect(refusal(await visitor.ask('POST', '/sites/x/open'))).toEqual([404, 'NOT_FOUND']);
    expect(await live(other.siteId)).toEqual([]);
  });

  test('after a promotion makes a key with the new rights', async () => {
    const author = await buildPerson(api.db, tenant.organisationId, { role: 'author' });
    const theirs = await new DashboardVisitor(api).signIn(author.email, author.password);
    await theirs.open(tenant.siteId);
    expect(refusal(await theirs.call(tenant.siteId, 'GET', '/webhooks'))).toEqual([
      403,
      'INSUFFICIENT_SCOPE',
    ]);
    await api.db.transaction((tx) => changeRole({ tx, ...act() }, author.memberId, 'admin'));
    await theirs.open(tenant.siteId);
    expect((await theirs.call(tenant.siteId, 'GET', '/webhooks')).status).toBe(200);
  });

  test('with a key that was revoked makes another', async () => {
    await visitor.open(tenant.siteId);
    const [{ id }] = await live();
    expect((await visitor.call(tenant.siteId, 'DELETE', `/keys/${id}`)).status).toBe(204);
    expect((await visitor.call(tenant.siteId, 'GET', '/site')).status).toBe(401);
    expect((await visitor.open(tenant.siteId)).status).toBe(204);
    expect((await visitor.call(tenant.siteId, 'GET', '/site')).status).toBe(200);
  });
});
