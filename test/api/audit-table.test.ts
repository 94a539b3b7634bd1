import { randomBytes } from 'node:crypto';
import type { KeyedOperation } from '../../api/framework/operation.ts';
import { operations } from '../../api/operations.ts';
import { statement } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';
import { createKey } from '../../domain/access/keys.ts';
import { operator } from '../../domain/audit/record.ts';
import { isAboutContent } from '../../domain/audit/actions.ts';
import { grantCredits } from '../../domain/usage/credits.ts';
import {
  addMember,
  changeRole,
  createOrganisation,
  removeMember,
  updateOrganisation,
} from '../../domain/organisations/organisations.ts';
import { createSecretBox } from '../../domain/kernel/secret-box.ts';
import { setPassword, signMemberOut } from '../../domain/sign-in/passwords.ts';
import { removeSecondFactor, startSecondFactor } from '../../domain/sign-in/second-factor.ts';
import {
  createSite,
  endMaintenance,
  startMaintenance,
  updateSite,
} from '../../domain/organisations/sites.ts';
import { useApi } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { buildMember, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { TestClock } from '../support/clock.ts';
import { poll, startDeviceSignIn } from '../support/device.ts';
import { siteState } from '../support/site-state.ts';
import { validRequest } from '../support/valid-requests.ts';
import type { ValidRequest } from '../support/valid-requests.ts';

/** Every operation that changes something, as declared. */
const writes = operations.filter((one): one is KeyedOperation => !one.keyless && one.method !== 'GET');
const rows = writes.map((one) => [`${one.method} ${one.path}`, one] as const);
/** Writes that leave no row (docs/spec/rulings.md, 14). */
const exceptions = ['POST /comments', 'POST /webhooks/:id/ping', 'POST /media/upload-url'];

let tenant: Tenant;
const clock = new TestClock();

const api = await useApi({ clock }, { ownDatabase: 'it adds a trigger' });
beforeAll(async () => {
  await api.db.pool.query(`
    create function refuse_row() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$`);
});
beforeEach(async () => {
  clock.advance(60_000);
  tenant = await buildTenant(api.db);
});

const send = ({ method }: KeyedOperation, { path, body }: ValidRequest): Promise<Answer> =>
  api.request(method, path, {
    key: tenant.secretKey,
    ...(method === 'DELETE' ? {} : { idempotencyKey: true }),
    ...(body === undefined ? {} : { body }),
  });

/** The rows that some work adds to the log, oldest first. */
async function linesOf(work: () => Promise<unknown>): Promise<any[]> {
  const { rows: before } = await api.db.pool.query('select id from audit_log');
  await work();
  const { rows: after } = await api.db.pool.query('select * from audit_log where id <> all($1) order by id', [
    before.map(({ id }: { id: string }) => id),
  ]);
  return after;
}

/** Makes the database refuse every row of the log in the meantime. */
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
  test('leaves exactly its row, by its key', async () => {
    const request = await validRequest(api, tenant, name);
    let requestId: string | null = null;
    const lines = await linesOf(async () => {
      const answer = await send(operation, request);
      expect(answer.status).toBeLessThan(300);
      requestId = answer.headers.get('request-id');
    });
    expect(exceptions.includes(name)).toBe(request.audit === undefined);
    expect(lines.map(({ action }) => action)).toEqual(request.audit === undefined ? [] : [request.audit]);
    for (const line of lines) {
      const content = isAboutContent(line.action);
      const { organisationId } = tenant;
      expect(line).toMatchObject({ actor_kind: 'key', organisation_id: organisationId, content });
      expect(line.request_id).toBe(requestId);
    }
  });

  test('is not done if its row cannot be written', async () => {
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

  test('leaves no row if it is refused', async () => {
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

test('collecting the key of a device leaves its row, in the name of the approver', async () => {
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
    'credits.grant': (tx) => grantCredits({ tx, actor: operator, now }, tenant.organisationId, 5),
    'organisation.create': (tx) =>
      createOrganisation({ tx, actor: operator, now }, { name: 'New', plan: 'free', credits: 7 }),
    'organisation.update': (tx) =>
      updateOrganisation({ tx, actor: operator, now }, tenant.organisationId, { agentAccess: false }),
    'member.add': (tx) => {
      const { organisationId } = tenant;
      return addMember(
        { tx, actor: operator, now },
        { organisationId, email: 'new@example.com', role: 'admin' },
      );
    },
    'member.role': (tx, member) => changeRole({ tx, actor: operator, now }, member, 'viewer'),
    'member.remove': (tx, member) => removeMember({ tx, actor: operator, now }, member),
    'member.password': (tx, member) => setPassword({ tx, actor: operator, now }, member, 'a hash'),
    'member.sign_out': (tx, member) => signMemberOut({ tx, actor: operator, now }, member),
    'member.two_factor_off': (tx, member) => removeSecondFactor({ tx, actor: operator, now }, member),
    'site.create': (tx) => {
      const place = { name: 'New', domain: 'new.example.com', locale: 'en', timezone: 'UTC' };
      return createSite(
        { tx, actor: operator, now },
        { ...place, organisationId: tenant.organisationId, spendCap: 9 },
      );
    },
    'site.update': (tx) =>
      updateSite({ tx, actor: operator, now }, tenant.siteId, 'https://blog.example', { spendCap: 3 }),
    'key.create': (tx) => {
      const { siteId, memberId } = tenant;
      const values = {
        kind: 'secret',
        scopes: ['meta:read'],
        heldByAgent: false,
        draftsOnly: false,
        expiresAt: null,
      } as const;
      return createKey({ tx, actor: operator, now }, { siteId, memberId, name: 'New', ...values });
    },
    'maintenance.on': (tx) => startMaintenance({ tx, actor: operator, now }, tenant.siteId, 60),
    'maintenance.off': (tx) => endMaintenance({ tx, actor: operator, now }, tenant.siteId),
  };
  const prepared: Record<string, (tx: Transaction, member: string) => Promise<unknown>> = {
    'member.two_factor_off': (tx, memberId) =>
      startSecondFactor(
        tx,
        createSecretBox(randomBytes(32)),
        { memberships: [{ memberId, organisationId: tenant.organisationId }] },
        now,
      ),
    'maintenance.off': (tx) =>
      tx.exec(
        statement`insert into maintenance (site_id, retry_after, started_at) values (${tenant.siteId}, 60, now())`,
      ),
  };

  test.each(Object.entries(works))('%s leaves its row, or is not done', async (action, work) => {
    const member = await buildMember(api.db, tenant.organisationId, 'editor');
    await api.db.transaction(async (tx) => prepared[action]?.(tx, member));
    const before = await siteState(api, tenant);
    await expect(withoutLog(() => api.db.transaction((tx) => work(tx, member)))).rejects.toThrow();
    expect(await siteState(api, tenant)).toBe(before);
    const lines = await linesOf(() => api.db.transaction((tx) => work(tx, member)));
    expect(lines.map((line) => [line.action, line.actor_kind, line.request_id])).toEqual([
      [action, 'system', null],
    ]);
  });
});

test('the deletion of an article is one row, with the number of its comments', async () => {
  const { body } = await validRequest(api, tenant, 'POST /comments');
  const key = tenant.secretKey;
  const { slug } = body as { slug: string };
  const [article] = (await api.request('GET', `/articles?slug=${slug}`, { key })).data.items;
  const lines = await linesOf(() => api.request('DELETE', `/articles/${article.id}`, { key }));
  expect(lines.map(({ action, target_id: target, details }) => [action, target, details])).toEqual([
    ['article.delete', article.id, { title: article.title, slug, status: 'published', comments: 1 }],
  ]);
});

test('no row contains a secret, a reader’s e-mail address, or more of an endpoint’s URL than its host', async () => {
  const { rows } = await api.db.pool.query(
    'select (to_jsonb(a) - array[$1])::text as text from audit_log a',
    ['actor_name'],
  );
  expect(rows.length).toBeGreaterThan(50);
  const told = rows.map(({ text }: { text: string }) => text).join('\n');
  // `receiver.example/hooks` is the endpoint’s URL, and ada@example.com the reader of test/support/home.ts.
  for (const part of [
    'svc_sk_',
    'svc_pub_',
    'whsec_',
    'ada@example.com',
    'Ada',
    'https://receiver',
    '/hooks',
    '"password',
  ])
    expect(told).not.toContain(part);
  expect(told).toContain('receiver.example');
});
