import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scopes } from '../../domain/access/scopes.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildMember, buildOrganisation, buildSite as buildSiteOf } from '../support/builders.ts';

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly json: any;
}

let api: TestApi;
let home: string;

beforeAll(async () => {
  api = await startApi();
  home = mkdtempSync(join(tmpdir(), 'presswork-cli-'));
});
afterAll(async () => {
  await api.close();
  rmSync(home, { recursive: true, force: true });
});

/** Runs the command as a person would, over the test's database. */
function admin(args: readonly string[], env: NodeJS.ProcessEnv = { DATABASE_URL: api.url }): Promise<Run> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const clean = { PATH, NODE_COMPILE_CACHE, PRESSWORK_HOME: home, ...env };
  return new Promise((resolve) => {
    execFile(process.execPath, ['cli/main.ts', 'admin', ...args], { env: clean }, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code);
      resolve({ code, stdout, stderr, json: stdout.startsWith('{') ? JSON.parse(stdout) : undefined });
    });
  });
}

/** The object that a successful command prints, and nothing else. */
async function done(...args: string[]): Promise<any> {
  const { code, stdout, stderr, json } = await admin(args);
  expect([args.slice(0, 2).join(' '), code, stderr]).toEqual([args.slice(0, 2).join(' '), 0, '']);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  expect(json).toEqual(expect.any(Object));
  return json;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const absent = '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11';

const rowOf = async (table: string, id: string) =>
  (await api.db.pool.query(`select * from ${table} where id = $1`, [id])).rows[0];

/** An organisation with 5 credits, its owner and a Site, made without the command. */
async function buildSite() {
  const org = await buildOrganisation(api.db, { credits: 5 });
  return { org, member: await buildMember(api.db, org), site: await buildSiteOf(api.db, org) };
}

const createKey = (site: string, member: string, ...rest: string[]) =>
  done('key', 'create', '--site', site, '--member', member, '--name', 'Key', ...rest);

describe('organisations and members', () => {
  test('org create takes a name alone, and gives the id', async () => {
    const created = await done('org', 'create', '--name', 'Ünïcode & Söhne');
    expect(created).toEqual({ id: expect.stringMatching(uuid) });
    expect(await rowOf('organisations', created.id)).toMatchObject({
      name: 'Ünïcode & Söhne',
      plan: 'free',
      credit_balance: 0,
      agent_access: true,
    });
  });

  test('org update changes what is named; credits grant adds', async () => {
    const { org } = await buildSite();
    await done('org', 'update', '--id', org, '--agent-access', 'off');
    await done('org', 'update', '--id', org.toUpperCase(), '--plan', 'free');
    await done('credits', 'grant', '--org', org, '--amount', '37');
    expect(await rowOf('organisations', org)).toMatchObject({
      plan: 'free',
      agent_access: false,
      credit_balance: 42,
    });
    await done('org', 'update', '--id', org, '--agent-access', 'on');
    expect((await rowOf('organisations', org)).agent_access).toBe(true);
  });

  test('member role and remove reach the person’s keys with the next request', async () => {
    const { member, site } = await buildSite();
    const { secret } = await createKey(site, member, '--kind', 'secret', '--scopes', 'all');
    const statusOf = async (method: string, path: string) =>
      (await api.request(method, path, { key: secret, idempotencyKey: true })).status;
    expect(await statusOf('POST', '/articles')).toBe(201);
    await done('member', 'role', '--id', member, '--role', 'viewer');
    expect(await statusOf('POST', '/articles')).toBe(403);
    await done('member', 'remove', '--id', member);
    expect([await statusOf('GET', '/articles'), await statusOf('GET', '/ping')]).toEqual([403, 200]);
  });
});

describe('Sites', () => {
  test('site create takes everything, and site update changes cap and timezone', async () => {
    const { org } = await buildSite();
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
    const { site, member } = await buildSite();
    const { secret: key } = await createKey(site, member, '--kind', 'secret', '--scopes', 'all');
    const write = async () => {
      const answer = await api.request('POST', '/articles', { key, idempotencyKey: true });
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
    const { member, site } = await buildSite();
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
    expect((await api.request('GET', '/ping', { key: key.secret })).data.scopes).toEqual(key.scopes);
  });

  test('all is every scope the kind may carry; --agent makes it an agent’s', async () => {
    const { member, site } = await buildSite();
    const secret = await createKey(site, member, '--kind', 'secret', '--scopes', 'all', '--agent');
    expect([secret.held_by_agent, [...secret.scopes].sort()]).toEqual([true, [...scopes].sort()]);
    const publishable = await createKey(site, member, '--kind', 'publishable', '--scopes', 'all');
    expect([...publishable.scopes].sort()).toEqual(
      ['articles:read', 'authors:read', 'comments:read', 'keys:read', 'meta:read', 'taxonomy:read'].sort(),
    );
  });

  test('a scope beyond the person’s permissions is left out', async () => {
    const { org, site } = await buildSite();
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

test('migrate brings nothing new to a migrated database', async () => {
  expect(await done('migrate')).toEqual({ applied: [] });
});

describe('what was tried and refused is exit 1, on stderr alone', () => {
  const refused: [name: string, args: (site: Awaited<ReturnType<typeof buildSite>>) => string[]][] = [
    [
      'an unknown organisation',
      () => ['site', 'create', '--org', absent, '--name', 'B', '--domain', 'b.example.com'],
    ],
    ['an unknown organisation to update', () => ['org', 'update', '--id', absent, '--plan', 'pro']],
    ['credits for nobody', () => ['credits', 'grant', '--org', absent, '--amount', '1']],
    ['an unknown member', () => ['member', 'role', '--id', absent, '--role', 'owner']],
    ['an unknown member to remove', () => ['member', 'remove', '--id', absent]],
    ['an unknown Site', () => ['site', 'update', '--id', absent, '--timezone', 'UTC']],
    ['maintenance of an unknown Site', () => ['maintenance', 'on', '--site', absent]],
    [
      'a scope that a publishable key may not carry',
      ({ site, member }) =>
        `key create --site ${site} --member ${member} --name K --kind publishable --scopes articles:write`.split(
          ' ',
        ),
    ],
  ];

  test.each(refused)('%s', async (_name, args) => {
    const { code, stdout, stderr } = await admin(args(await buildSite()));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/\w/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test('an address that a member has, in any letters', async () => {
    const { org } = await buildSite();
    const add = (email: string) =>
      admin(['member', 'add', '--org', org, '--email', email, '--role', 'viewer']);
    expect((await add('a@example.com')).json).toEqual({ id: expect.stringMatching(uuid) });
    const { code, stdout, stderr } = await add('A@Example.com');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('member already');
  });

  test('a refusal of values says what is wrong with them', async () => {
    const { site, member } = await buildSite();
    const args = ['--site', site, '--member', member, '--name', 'K', '--kind', 'publishable'];
    const { stderr } = await admin(['key', 'create', ...args, '--scopes', 'articles:write']);
    expect(stderr).toContain('may not carry articles:write');
  });

  test('no database named, and none running here', async () => {
    const { code, stdout, stderr } = await admin(['org', 'create', '--name', 'O'], {});
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('DATABASE_URL');
  });

  test('a database that cannot be reached', async () => {
    const { code, stdout, stderr } = await admin(['org', 'create', '--name', 'O'], {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/\w/);
  });
});

describe('wrong usage is exit 2, on stderr alone, and writes nothing', () => {
  test.each<[string]>([
    [''],
    ['org'],
    ['nonsense'],
    ['org destroy'],
    ['org create'],
    ['org create --name'],
    ['org create --name O --colour red'],
    ['org create --name O extra'],
    ['org create --name O --plan gold'],
    ['org create --name O --credits -1'],
    ['org create --name O --credits 1.5'],
    ['org update --plan pro'],
    ['org update --id 17'],
    ['org update --id ID --agent-access maybe'],
    ['member add --org ID --email nobody --role owner'],
    ['member add --org ID --email a@example.com --role king'],
    ['member add --org ID --email a@example.com'],
    ['member role --id ID'],
    ['site create --org ID --name B'],
    ['site create --org ID --name B --domain b.example.com --timezone Mars/Olympus'],
    ['site create --org ID --name B --domain b.example.com --spend-cap lots'],
    ['site update --id ID --spend-cap -1'],
    ['key create --site ID --member ID --kind secret --name K'],
    ['key create --site ID --member ID --kind master --name K --scopes all'],
    ['key create --site ID --member ID --kind secret --name K --scopes articles:read,nope'],
    ['credits grant --org ID --amount 0'],
    ['credits grant --org ID'],
    ['maintenance'],
    ['maintenance maybe'],
    ['maintenance on --retry-after 0'],
    ['maintenance on --retry-after 2147483648'],
    ['maintenance on --retry-after 9007199254740993'],
    ['credits grant --org ID --amount 1000000000000000'],
    ['maintenance on --site 17'],
  ])('admin %s', async (line) => {
    const count = async () => (await api.db.pool.query('select count(*) from audit_log')).rows[0].count;
    const before = await count();
    const args = line.split(' ').filter((part) => part !== '');
    const { code, stdout, stderr } = await admin(args.map((part) => (part === 'ID' ? absent : part)));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/\w/);
    expect(await count()).toBe(before);
  });
});

test('a number out of range is told what would be in it', async () => {
  const { stderr } = await admin(['maintenance', 'on', '--retry-after', '2147483648']);
  expect(stderr).toContain('--retry-after');
  expect(stderr).toContain('from 1 to 2147483647');
});

test('an update that changes nothing leaves no line in the audit log, and no new version', async () => {
  const { org, site } = await buildSite();
  const actions = async (): Promise<string[]> =>
    (
      await api.db.pool.query('select action from audit_log where organisation_id = $1 order by id', [org])
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
  for (const noun of ['org', 'site']) expect((await admin([noun, 'update', '--id', absent])).code).toBe(1);
});

test('what it does is in the audit log, as the system', async () => {
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
  const { rows } = await api.db.pool.query(
    'select action, actor_kind from audit_log where organisation_id = $1 order by id',
    [org],
  );
  const actions = ['organisation.create', 'member.add', 'site.create', 'key.create'];
  expect(rows).toEqual(actions.map((action) => ({ action, actor_kind: 'system' })));
});
