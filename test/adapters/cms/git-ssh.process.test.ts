import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeHostKey } from '../../../domain/cms/remote-posts.ts';
import { startGitServer } from '../../support/cms/git-server.ts';
import type { GitServer } from '../../support/cms/git-server.ts';
import { newKeys, startSshServer } from '../../support/cms/ssh-server.ts';
import type { SshServer } from '../../support/cms/ssh-server.ts';
import { startPushes } from '../../support/pushes.ts';
import type { PushStack } from '../../support/pushes.ts';

let stack: PushStack;
let repository: GitServer;
let server: SshServer;
const [host, user] = [newKeys(), newKeys()];

beforeAll(async () => {
  stack = await startPushes();
});
afterAll(() => stack.close());
beforeEach(async () => {
  repository = await startGitServer();
  server = await startSshServer({ hostKey: host.private, userKey: user.public });
  stack.allowedHosts.add(`127.0.0.1:${server.port}`);
  await stack.api.db.pool.query('update cms_connections set deleted_at = now() where deleted_at is null');
});
afterEach(async () => {
  await server.close();
  await repository.close();
});

const connect = (secret = user.private) =>
  stack.connect({
    kind: 'git',
    config: { remote_url: `ssh://git@127.0.0.1:${server.port}${repository.folder}` },
    secret,
  });
const hostKeyOf = async (id: string): Promise<string | null> =>
  (await stack.api.db.pool.query('select host_key from cms_connections where id = $1', [id])).rows[0]
    .host_key;

test('an article is pushed over ssh, and the key of the server kept from the first contact', async () => {
  const { id } = await connect();
  const article = await stack.publish();
  expect(await stack.pushed(id, article.id)).toMatchObject({ status: 'succeeded', error: null });
  expect(Object.keys(await repository.files())).toEqual(['README.md', `${article.slug}.md`]);
  const publicKey = host.public.split(' ')[1];
  expect(await hostKeyOf(id)).toContain(publicKey);
  expect(await stack.pushed(id, (await stack.publish()).id)).toMatchObject({ status: 'succeeded' });
  expect(new Set(server.commands.map((command) => command.split(' ')[0]))).toEqual(
    new Set(['git-upload-pack', 'git-receive-pack']),
  );
});

test('a server with another key than before gets nothing', async () => {
  const { id } = await connect();
  await stack.pushed(id, (await stack.publish()).id);
  const kept = await hostKeyOf(id);
  const { port } = server;
  await server.close();
  server = await startSshServer({ hostKey: newKeys().private, userKey: user.public, port });
  const item = await stack.pushed(id, (await stack.publish()).id);
  expect(item).toMatchObject({
    status: 'failed',
    attempts: 1,
    error: expect.stringContaining('another key'),
  });
  expect(server.commands).toEqual([]);
  expect(await hostKeyOf(id)).toBe(kept);
  const connection = await stack.request('GET', `/delivery/connections/${id}`);
  expect(connection.data.last_error).toBe(item.error);
});

test('a private key that the server does not know fails the item, and says what to do', async () => {
  const { id } = await connect(newKeys().private);
  expect(await stack.pushed(id, (await stack.publish()).id)).toMatchObject({
    status: 'failed',
    attempts: 1,
    error: expect.stringContaining('PATCH /delivery/connections/{id}'),
  });
});

test('the test of a connection keeps the key of the server too', async () => {
  const { id } = await connect();
  const { data } = await stack.request('POST', `/delivery/connections/${id}/test`);
  expect(data).toMatchObject({ ok: true });
  expect(await hostKeyOf(id)).toContain('ssh-ed25519');
});

test('the key of an address that the connection has no more is not kept', async () => {
  const { id } = await connect();
  const { rows } = await stack.api.db.pool.query('select generation from cms_connections where id = $1', [
    id,
  ]);
  const before = { connectionId: id, generation: rows[0].generation };
  const config = { remote_url: `ssh://git@127.0.0.1:${server.port}/elsewhere.git` };
  const changed = await stack.request('PATCH', `/delivery/connections/${id}`, {
    config,
    secret: user.private,
  });
  expect(changed.status).toBe(200);
  await stack.api.db.transaction((tx) => storeHostKey(tx, before, 'the key of the address before'));
  expect(await hostKeyOf(id)).toBeNull();
});

test('a server that is away is tried again', async () => {
  const { id } = await connect();
  await server.close();
  expect(await stack.pushed(id, (await stack.publish()).id)).toMatchObject({
    status: 'waiting',
    attempts: 1,
    error: expect.stringContaining('connection refused'),
  });
  server = await startSshServer({ hostKey: host.private, userKey: user.public });
});

test('a missing program is named', async () => {
  const { id } = await connect();
  const article = await stack.publish();
  const empty = await mkdtemp(join(tmpdir(), 'no-programs-'));
  const { PATH } = process.env;
  process.env['PATH'] = empty;
  try {
    expect(await stack.pushed(id, article.id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('git is not installed'),
    });
  } finally {
    process.env['PATH'] = PATH;
    await rm(empty, { recursive: true });
  }
});
