import { connectionWrite } from '../../../support/connection-write.ts';
import { startPushes } from '../../../support/pushes.ts';
import type { PushStack } from '../../../support/pushes.ts';
import { openSshKey, privateKey } from '../../../support/private-key.ts';

let stack: PushStack;
let request: PushStack['request'];

beforeAll(async () => {
  stack = await startPushes();
  ({ request } = stack);
});
afterAll(() => stack.close());
afterEach(async () => {
  await stack.disconnect();
  await stack.forgetLimits();
});

const create = (values: object) => request('POST', '/delivery/connections', { name: 'One', ...values });
const fieldsOf = (answer: { json: any }): Record<string, string> => answer.json.error.fields;

const git = { kind: 'git', config: { remote_url: 'https://git.example.com/blog.git' } };
const ghost = {
  kind: 'ghost',
  config: { admin_url: 'https://ghost.example.com/ghost' },
  secret: `${'a1'.repeat(12)}:${'b2'.repeat(32)}`,
};
const wordpress = {
  kind: 'wordpress',
  config: { site_url: 'https://wp.example.com/blog', user: 'ada' },
  secret: 'abcd EFGH ijkl MNOP qrst UVWX',
};

test.each([
  ['git over https', git, { remote_url: git.config.remote_url, branch: 'main', path: '' }],
  [
    'git over ssh',
    {
      kind: 'git',
      config: {
        remote_url: 'ssh://git@git.example.com:2222/~/blog.git',
        branch: 'site/live',
        path: 'content/posts',
      },
      secret: privateKey,
    },
    { remote_url: 'ssh://git@git.example.com:2222/~/blog.git', branch: 'site/live', path: 'content/posts' },
  ],
  [
    'git in the short form',
    { kind: 'git', config: { remote_url: 'git@git.example.com:acme/blog.git' } },
    { remote_url: 'git@git.example.com:acme/blog.git', branch: 'main', path: '' },
  ],
  [
    'git with a user and a password',
    { ...git, secret: 'ada:secret' },
    { ...git.config, branch: 'main', path: '' },
  ],
  ['ghost', ghost, ghost.config],
  ['wordpress', wordpress, wordpress.config],
])('%s is accepted', async (_, values, config) => {
  const answer = await create(values);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  expect(answer.data).toMatchObject({ config, secret_set: 'secret' in values });
});

test.each([
  ['an address that is no URL', { ...git, config: { remote_url: 'blog' } }, 'config.remote_url'],
  ['plain http', { ...git, config: { remote_url: 'http://git.example.com/blog.git' } }, 'config.remote_url'],
  ['a local file', { ...git, config: { remote_url: 'file:///etc' } }, 'config.remote_url'],
  ['another transport', { ...git, config: { remote_url: 'ext::sh -c id' } }, 'config.remote_url'],
  [
    'the git protocol',
    { ...git, config: { remote_url: 'git://git.example.com/a.git' } },
    'config.remote_url',
  ],
  [
    'a user in an https address',
    { ...git, config: { remote_url: 'https://ada:x@git.example.com/a' } },
    'config.remote_url',
  ],
  ['a private address', { ...git, config: { remote_url: 'https://10.0.0.1/blog.git' } }, 'config.remote_url'],
  [
    'a private address over ssh',
    { ...git, config: { remote_url: 'ssh://git@127.0.0.1/blog.git' } },
    'config.remote_url',
  ],
  [
    'a private address in the short form',
    { ...git, config: { remote_url: 'git@[::1]:blog.git' } },
    'config.remote_url',
  ],
  ['localhost over ssh', { ...git, config: { remote_url: 'git@localhost:blog.git' } }, 'config.remote_url'],
  [
    'a host that is an option',
    { ...git, config: { remote_url: 'ssh://-oProxyCommand=id/blog.git' } },
    'config.remote_url',
  ],
  [
    'a user that is an option',
    { ...git, config: { remote_url: '-oProxyCommand=id@git.example.com:a.git' } },
    'config.remote_url',
  ],
  [
    'a path that is an option',
    { ...git, config: { remote_url: 'git@git.example.com:--upload-pack=id' } },
    'config.remote_url',
  ],
  [
    'a password over ssh in the address',
    { ...git, config: { remote_url: 'ssh://git:x@git.example.com/a' } },
    'config.remote_url',
  ],
  ['no address', { kind: 'git', config: {} }, 'config.remote_url'],
  ['a branch that git refuses', { ...git, config: { ...git.config, branch: 'a..b' } }, 'config.branch'],
  ['a branch that is an option', { ...git, config: { ...git.config, branch: '--force' } }, 'config.branch'],
  ['an empty branch', { ...git, config: { ...git.config, branch: '' } }, 'config.branch'],
  ['an absolute folder', { ...git, config: { ...git.config, path: '/posts' } }, 'config.path'],
  ['a folder above', { ...git, config: { ...git.config, path: 'a/../../b' } }, 'config.path'],
  ['the folder of git', { ...git, config: { ...git.config, path: 'a/.GIT' } }, 'config.path'],
  [
    'a member of another kind',
    { ...git, config: { ...git.config, url: 'https://a.example.com' } },
    'config.url',
  ],
  ['an unknown member', { ...git, config: { ...git.config, token: 'x' } }, 'config.token'],
  ['a member of another type', { ...git, config: { ...git.config, branch: 7 } }, 'config.branch'],
  ['a secret in config', { ...ghost, config: { ...ghost.config, secret: 'x' } }, 'config.secret'],
  [
    'a password over ssh',
    { kind: 'git', config: { remote_url: 'git@git.example.com:a.git' }, secret: 'pass' },
    'secret',
  ],
  ['a private key over https', { ...git, secret: privateKey }, 'secret'],
  [
    'a private key with a passphrase',
    {
      kind: 'git',
      config: { remote_url: 'git@git.example.com:a.git' },
      secret: openSshKey('aes256-ctr'),
    },
    'secret',
  ],
  [
    'half a private key',
    { kind: 'git', config: { remote_url: 'git@git.example.com:a.git' }, secret: privateKey.slice(0, 60) },
    'secret',
  ],
  [
    'a private address of Ghost',
    { ...ghost, config: { admin_url: 'https://192.168.0.2' } },
    'config.admin_url',
  ],
  [
    'an address of Ghost with a query',
    { ...ghost, config: { admin_url: 'https://ghost.example.com/?a=1' } },
    'config.admin_url',
  ],
  ['a key that is none of Ghost', { ...ghost, secret: 'nope' }, 'secret'],
  ['no user of WordPress', { ...wordpress, config: { site_url: wordpress.config.site_url } }, 'config.user'],
  ['a user with a colon', { ...wordpress, config: { ...wordpress.config, user: 'a:b' } }, 'config.user'],
  [
    'a private address of WordPress',
    { ...wordpress, config: { ...wordpress.config, site_url: 'https://[::1]/' } },
    'config.site_url',
  ],
  [
    'a private address of a receiver',
    { ...connectionWrite, config: { url: 'https://169.254.169.254/' } },
    'config.url',
  ],
  ['a signing secret of another form', { ...connectionWrite, secret: 'secret' }, 'secret'],
  ['no name', { ...git, name: '' }, 'name'],
  ['an unknown kind', { ...git, kind: 'ftp' }, 'kind'],
  ['no config', { kind: 'git' }, 'config'],
  ['an unknown member beside', { ...git, secret_set: true }, 'secret_set'],
])('%s is 422 and names the field', async (_, values, field) => {
  const answer = await create(values);
  expect([answer.status, answer.json.error?.code]).toEqual([422, 'VALIDATION_FAILED']);
  expect(Object.keys(fieldsOf(answer))).toEqual([field]);
});

test('all mistakes are named at once', async () => {
  const answer = await create({
    kind: 'git',
    name: '',
    config: { branch: 'a b', path: '/x', url: 'y' },
    secret: '',
  });
  expect(Object.keys(fieldsOf(answer)).toSorted()).toEqual(
    ['config.branch', 'config.path', 'config.remote_url', 'config.url', 'name', 'secret'].toSorted(),
  );
});

test('WEBHOOK_ALLOWED_HOSTS exempts addresses by host and port, also over ssh', async () => {
  stack.allowedHosts.add('127.0.0.1:9001').add('127.0.0.1:22');
  for (const remote of ['http://127.0.0.1:9001/blog.git', 'ssh://git@127.0.0.1/blog.git'])
    expect((await create({ kind: 'git', config: { remote_url: remote } })).status).toBe(201);
  for (const remote of ['http://127.0.0.1:9002/blog.git', 'ssh://git@127.0.0.1:23/blog.git'])
    expect((await create({ kind: 'git', config: { remote_url: remote } })).status).toBe(422);
  stack.allowedHosts.clear();
});

test('a name that leads to a private address is refused', async () => {
  const answer = await create({
    ...git,
    config: { remote_url: 'https://localhost.localdomain.example.localhost/a' },
  });
  expect([answer.status, Object.keys(fieldsOf(answer))]).toEqual([422, ['config.remote_url']]);
});
