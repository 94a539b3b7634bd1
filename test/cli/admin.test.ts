import { scopes } from '../../domain/access/scopes.ts';
import { absent, startAdministrator, uuid } from './administrator.ts';
import type { Administrator } from './administrator.ts';

let operator: Administrator;

beforeAll(async () => {
  operator = await startAdministrator();
});
afterAll(() => operator.close());

/** The only output of a successful command: an object. */
async function done(...args: string[]): Promise<any> {
  const { code, stdout, stderr, json } = await operator.admin(args);
  expect([args.slice(0, 2).join(' '), code, stderr]).toEqual([args.slice(0, 2).join(' '), 0, '']);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  expect(json).toEqual(expect.any(Object));
  return json;
}

const rowOf = async (table: string, id: string) =>
  (await operator.api.db.pool.query(`select * from ${table} where id = $1`, [id])).rows[0];

const createKey = (site: string, member: string, ...rest: string[]) =>
  done('key', 'create', '--site', site, '--member', member, '--name', 'Key', ...rest);

describe('organisations and members', () => {
  test('org create needs a name only, and prints the id', async () => {
    const created = await done('org', 'create', '--name', 'Ünïcode & Söhne');
    expect(created).toEqual({ id: expect.stringMatching(uuid) });
    expect(await rowOf('organisations', created.id)).toMatchObject({
      name: 'Ünïcode & Söhne',
      plan: 'free',
      credit_balance: 0,
      agent_access: true,
    });
  });

  test('org update changes the given fields; credits grant adds', async () => {
    const { org } = await operator.buildSite();
    await done('org', 'update', '--id', org, '--agent-access', 'off');
    await done('org', 'update', '--id', org.toUpperCase(), '--plan', 'free');
    await done('credits', 'grant', '--org', org, '--amount', '37');
    expect(await rowOf('organisations', org)).toMatchObject({
      plan: 'free',
      agent_access: false,
      credit_balance: 42,
    });
    await done('org', 'update', '--id', org, '--agent-access', 'on', '--limits', '3');
    expect(await rowOf('organisations', org)).toMatchObject({ agent_access: true, limits: 3 });
    await done('org', 'update', '--id', org, '--plan', 'pro');
    expect((await rowOf('organisations', org)).limits).toBe(3);
  });

  test('member role and remove apply to the person’s keys from the next request on', async () => {
    const { member, site } = await operator.buildSite();
    const { secret } = await createKey(site, member, '--kind', 'secret', '--scopes', 'all');
    const statusOf = async (method: string, path: string) =>
      (await operator.api.request(method, path, { key: secret, idempotencyKey: true })).status;
    expect(await statusOf('POST', '/articles')).toBe(201);
    await done('member', 'role', '--id', member, '--role', 'viewer');
    expect(await statusOf('POST', '/articles')).toBe(403);
    await done('member', 'remove', '--id', member);
    expect([await statusOf('GET', '/articles'), await statusOf('GET', '/ping')]).toEqual([403, 200]);
  });
});

describe('Sites', () => {
  test('site create accepts every option, and site update changes cap and timezone', async () => {
    const { org } = await operator.buildSite();
    const flags = ['--timezone', 'Europe/Berlin', '--locale', 'de', '--spend-cap', '100'];
    const { id } = await done(
      'site',
      'create',
      '--org',
      org,
      '--name',
      'B',
      '--domain',
      'b.example.com',
      ...flags,
    );
    expect(await rowOf('sites', id)).toMatchObject({
      timezone: 'Europe/Berlin',
      locale: 'de',
      spend_cap: 100,
    });
    await done('site', 'update', '--id', id, '--spend-cap', '0');
    expect(await rowOf('sites', id)).toMatchObject({ timezone: 'Europe/Berlin', spend_cap: 0 });
    await done('site', 'update', '--id', id, '--spend-cap', 'none', '--timezone', 'Asia/Tokyo');
    expect(await rowOf('sites', id)).toMatchObject({ timezone: 'Asia/Tokyo', spend_cap: null });
  });

  test('maintenance on and off, of one Site and of the platform', async () => {
    const { site, member } = await operator.buildSite();
    const { secret: key } = await createKey(site, member, '--kind', 'secret', '--scopes', 'all');
    const write = async () => {
      const answer = await operator.api.request('POST', '/articles', { key, idempotencyKey: true });
      return [answer.status, answer.headers.get('retry-after')];
    };
    await done('maintenance', 'on', '--site', site, '--retry-after', '17');
    expect(await write()).toEqual([503, '17']);
    await done('maintenance', 'off', '--site', site);
    expect(await write()).toEqual([201, null]);
    await done('maintenance', 'on');
    const [status, wait] = await write();
    expect([status, Number(wait) > 0]).toEqual([503, true]);
    await done('maintenance', 'off');
    expect(await write()).toEqual([201, null]);
  });
});

describe('keys', () => {
  test('key create prints the ApiKey with a secret that works', async () => {
    const { member, site } = await operator.buildSite();
    const key = await createKey(site, member, '--kind', 'secret', '--scopes', 'meta:read,articles:read');
    expect(key).toMatchObject({
      id: expect.stringMatching(uuid),
      name: 'Key',
      kind: 'secret',
      scopes: ['meta:read', 'articles:read'],
      held_by_agent: false,
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
    });
    expect(key.secret.startsWith(key.key_prefix)).toBe(true);
    expect((await operator.api.request('GET', '/ping', { key: key.secret })).data.scopes).toEqual(key.scopes);
  });

  test('all means every scope of the kind; --agent marks the key as an agent’s', async () => {
    const { member, site } = await operator.buildSite();
    const secret = await createKey(site, member, '--kind', 'secret', '--scopes', 'all', '--agent');
    expect([secret.held_by_agent, [...secret.scopes].sort()]).toEqual([true, [...scopes].sort()]);
    const drafts = await createKey(site, member, '--kind', 'secret', '--scopes', 'all', '--drafts-only');
    expect([secret.drafts_only, drafts.drafts_only]).toEqual([false, true]);
    const publishable = await createKey(site, member, '--kind', 'publishable', '--scopes', 'all');
    expect([...publishable.scopes].sort()).toEqual(
      ['articles:read', 'authors:read', 'comments:read', 'keys:read', 'meta:read', 'taxonomy:read'].sort(),
    );
  });

  test('a scope beyond the person’s permissions is left out', async () => {
    const { org, site } = await operator.buildSite();
    const viewer = await done('member', 'add', '--org', org, '--email', 'v@example.com', '--role', 'viewer');
    const key = await createKey(
      site,
      viewer.id,
      '--kind',
      'secret',
      '--scopes',
      'articles:write,articles:read',
    );
    expect(key.scopes).toEqual(['articles:read']);
  });
});

test('migrate does nothing on a migrated database', async () => {
  expect(await done('migrate')).toEqual({ applied: [] });
});

test('an update without a change leaves no row in the audit log, and no new version', async () => {
  const { org, site } = await operator.buildSite();
  const actions = async (): Promise<string[]> =>
    (
      await operator.api.db.pool.query(
        'select action from audit_log where organisation_id = $1 order by id',
        [org],
      )
    ).rows.map(({ action }) => action);
  await done('org', 'update', '--id', org, '--plan', 'pro', '--agent-access', 'off');
  await done('site', 'update', '--id', site, '--spend-cap', '7', '--timezone', 'Asia/Tokyo');
  const [before, row] = [await actions(), await rowOf('organisations', org)];
  expect(before.slice(-2)).toEqual(['organisation.update', 'site.update']);
  await done('org', 'update', '--id', org, '--plan', 'pro', '--agent-access', 'off');
  await done('org', 'update', '--id', org);
  await done('site', 'update', '--id', site, '--spend-cap', '7', '--timezone', 'Asia/Tokyo');
  await done('site', 'update', '--id', site);
  expect([await actions(), await rowOf('organisations', org)]).toEqual([before, row]);
  await done('site', 'update', '--id', site, '--spend-cap', 'none', '--timezone', 'Asia/Tokyo');
  expect(await actions()).toEqual([...before, 'site.update']);
  for (const noun of ['org', 'site'])
    expect((await operator.admin([noun, 'update', '--id', absent])).code).toBe(1);
});

test('its changes are in the audit log, as the system’s', async () => {
  const { id: org } = await done('org', 'create', '--name', 'Org', '--plan', 'pro', '--credits', '5');
  const { id: member } = await done(
    'member',
    'add',
    '--org',
    org,
    '--email',
    'a@example.com',
    '--role',
    'admin',
  );
  const { id: site } = await done(
    'site',
    'create',
    '--org',
    org,
    '--name',
    'Blog',
    '--domain',
    'Blog.example.com',
  );
  await createKey(site, member, '--kind', 'secret', '--scopes', 'all');
  expect(await rowOf('sites', site)).toMatchObject({
    domain: 'blog.example.com',
    timezone: 'UTC',
    spend_cap: null,
  });
  const { rows } = await operator.api.db.pool.query(
    'select action, actor_kind from audit_log where organisation_id = $1 order by id',
    [org],
  );
  const actions = ['organisation.create', 'member.add', 'site.create', 'key.create'];
  expect(rows).toEqual(actions.map((action) => ({ action, actor_kind: 'system' })));
});
