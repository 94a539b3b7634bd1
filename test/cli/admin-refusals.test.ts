import { absent, startAdministrator, uuid } from './administrator.ts';
import type { Administrator } from './administrator.ts';

let operator: Administrator;

beforeAll(async () => {
  operator = await startAdministrator();
});
afterAll(() => operator.close());

describe('a refused change is exit 1, on stderr only', () => {
  const refused: [name: string, args: (site: Awaited<ReturnType<Administrator['buildSite']>>) => string[]][] =
    [
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
    const { code, stdout, stderr } = await operator.admin(args(await operator.buildSite()));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/\w/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test('an address that a member already has, in any case', async () => {
    const { org } = await operator.buildSite();
    const add = (email: string) =>
      operator.admin(['member', 'add', '--org', org, '--email', email, '--role', 'viewer']);
    expect((await add('a@example.com')).json).toEqual({ id: expect.stringMatching(uuid) });
    const { code, stdout, stderr } = await add('A@Example.com');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('member already');
  });

  test('a refusal of values names the mistakes', async () => {
    const { site, member } = await operator.buildSite();
    const args = ['--site', site, '--member', member, '--name', 'K', '--kind', 'publishable'];
    const { stderr } = await operator.admin(['key', 'create', ...args, '--scopes', 'articles:write']);
    expect(stderr).toContain('may not carry articles:write');
  });

  test('without DATABASE_URL, and without a running npm start', async () => {
    const { code, stdout, stderr } = await operator.admin(['org', 'create', '--name', 'O'], {});
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('DATABASE_URL');
  });

  test('a database that cannot be reached', async () => {
    const { code, stdout, stderr } = await operator.admin(['org', 'create', '--name', 'O'], {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/\w/);
  });
});

describe('wrong usage is exit 2, on stderr only, and writes nothing', () => {
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
    ['site create --org ID --name B --domain b.example.com --timezone BST'],
    ['site update --id ID --timezone Asia/kolkata'],
    ['site create --org ID --name B --domain b.example.com --spend-cap lots'],
    ['site create --org ID --name B --domain b.example.com --locale de_DE'],
    ['site create --org ID --name B --domain b.example.com --locale='],
    ['site create --org ID --name B --domain b.example.com:99999'],
    ['site create --org ID --name B --domain 1.2.3.4.5'],
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
    const count = async () =>
      (await operator.api.db.pool.query('select count(*) from audit_log')).rows[0].count;
    const before = await count();
    const args = line.split(' ').filter((part) => part !== '');
    const { code, stdout, stderr } = await operator.admin(
      args.map((part) => (part === 'ID' ? absent : part)),
    );
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/\w/);
    expect(await count()).toBe(before);
  });
});

test('a number out of range is refused with the range', async () => {
  const { stderr } = await operator.admin(['maintenance', 'on', '--retry-after', '2147483648']);
  expect(stderr).toContain('--retry-after');
  expect(stderr).toContain('from 1 to 2147483647');
});
