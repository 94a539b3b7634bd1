import { spawnSync } from 'node:child_process';
import { createGit } from '../../../adapters/cms/git/program.ts';
import { inWorkspace } from '../../../adapters/cms/git/workspace.ts';
import { startGitServer } from '../../support/cms/git-server.ts';
import type { GitServer } from '../../support/cms/git-server.ts';
import { startPushes } from '../../support/pushes.ts';
import type { PushStack } from '../../support/pushes.ts';

let stack: PushStack;
let server: GitServer;

beforeAll(async () => {
  stack = await startPushes();
});
afterAll(() => stack.close());
beforeEach(async () => {
  server = await startGitServer();
  stack.allowedHosts.add(server.host);
});
afterEach(() => server.close());

const connect = () =>
  stack.connect({
    kind: 'git',
    config: { remote_url: server.url, path: 'content/posts' },
    secret: server.password,
  });

/** Stores a tree or a blob in the repository. @returns its id */
function store(command: readonly string[], input: string): string {
  const { stdout, status, stderr } = spawnSync('git', ['-C', server.folder, ...command], { input });
  if (status !== 0) throw new Error(String(stderr));
  return stdout.toString().trim();
}
const blob = (text: string) => store(['hash-object', '-w', '--stdin'], text);
const tree = (...entries: readonly string[]) => store(['mktree', '--missing'], `${entries.join('\n')}\n`);

/** Makes a tree the newest commit of the branch. */
async function commitTree(id: string): Promise<string> {
  const identity = ['-c', 'user.name=Eve', '-c', 'user.email=eve@example.com'];
  const commit = (await server.git(...identity, 'commit-tree', id, '-p', 'main', '-m', 'Odd')).trim();
  await server.git('update-ref', 'refs/heads/main', commit);
  return commit;
}

/** A tree of ten trees, and so on, which are all the same. */
function nested(depth: number): string {
  let id = tree(`100644 blob ${blob('x')}\tf`);
  for (let left = depth; left > 0; left--)
    id = tree(...Array.from({ length: 10 }, (_, index) => `040000 tree ${id}\td${index}`));
  return id;
}

const head = async () => (await server.git('rev-parse', 'main')).trim();

test('a few objects that stand for ten thousand million files end within the limit of memory', async () => {
  const odd = await commitTree(nested(10));
  const { id: connection } = await connect();
  expect(await stack.pushed(connection, (await stack.publish()).id)).toMatchObject({
    status: 'failed',
    attempts: 1,
    error: expect.stringContaining('too many files'),
  });
  expect(await head()).toBe(odd);
});

test('git has a quarter of the worker’s memory, and is the first to be killed', () =>
  inWorkspace(async (folder) => {
    const git = createGit({ folder, config: [], limitMs: 60_000, signal: new AbortController().signal });
    const look = 'alias.look=!cat /proc/self/oom_score_adj; ulimit -v';
    expect((await git.run(['-c', look, 'look'])).trim().split('\n')).toEqual(['1000', '262144']);
    // As the system does when memory runs out.
    const killed = git.run(['-c', 'alias.die=!kill -9 $PPID', 'die']);
    await expect(killed).rejects.toMatchObject({
      final: true,
      message: expect.stringContaining('too many files'),
    });
  }));

test('a hostile repository costs one push; another repository goes on', async () => {
  const odd = await commitTree(nested(10));
  const { id } = await connect();
  const article = await stack.publish();
  const other = await startGitServer();
  stack.allowedHosts.add(other.host);
  try {
    const config = { remote_url: other.url, path: '' };
    const { id: good } = await stack.connect({ kind: 'git', config, secret: other.password });
    const [failed, succeeded] = await Promise.all([
      stack.pushed(id, article.id),
      stack.pushed(good, article.id),
    ]);
    expect(failed).toMatchObject({ status: 'failed', attempts: 1 });
    expect(succeeded).toMatchObject({ status: 'succeeded' });
    expect((await stack.work(id)).nextAt).toBeNull();
    expect(await head()).toBe(odd);
  } finally {
    await other.close();
  }
});

test.each([
  ['a link to a folder of the machine', () => `120000 blob ${blob('/etc')}\tcontent`],
  ['a submodule', () => `160000 commit ${'1'.repeat(40)}\tcontent`],
  ['a file', () => `100644 blob ${blob('x')}\tcontent`],
])('%s in the way of the folder is named and stays, unless forced', async (_, entry) => {
  const odd = await commitTree(tree(entry()));
  const { id } = await connect();
  const article = await stack.publish();
  expect(await stack.pushed(id, article.id)).toMatchObject({
    status: 'diverged',
    error: expect.stringContaining('content is a file, a link or a submodule'),
  });
  expect(await head()).toBe(odd);
  expect(await stack.pushed(id, article.id, { force: true })).toMatchObject({ status: 'succeeded' });
  expect(Object.keys(await server.files())).toEqual([`content/posts/${article.slug}.md`]);
});

test('a link under the name of the file is left alone; with force the file takes its place', async () => {
  const { id } = await connect();
  const article = await stack.publish();
  const link = `120000 blob ${blob('/etc/passwd')}\t${article.slug}.md`;
  await commitTree(tree(`040000 tree ${tree(`040000 tree ${tree(link)}\tposts`)}\tcontent`));
  expect(await stack.pushed(id, article.id)).toMatchObject({ status: 'diverged' });
  expect(await stack.pushed(id, article.id, { force: true })).toMatchObject({ status: 'succeeded' });
  const listed = await server.git('ls-tree', 'main', `content/posts/${article.slug}.md`);
  expect(listed).toMatch(/^100644 blob /);
});
