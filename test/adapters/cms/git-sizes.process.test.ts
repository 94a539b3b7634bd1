import { readdirSync } from 'node:fs';
import { createGit } from '../../../adapters/cms/git/program.ts';
import { initialise, storeBlobs } from '../../../adapters/cms/git/repository.ts';
import { inWorkspace } from '../../../adapters/cms/git/workspace.ts';
import { startGitServer } from '../../support/cms/git-server.ts';
import type { GitServer } from '../../support/cms/git-server.ts';
import { startPushes } from '../../support/pushes.ts';
import type { PushStack } from '../../support/pushes.ts';

// A process that pushes has not got the memory for a hundred of the largest articles.

let stack: PushStack;
let server: GitServer;
let connection: string;

beforeAll(async () => {
  stack = await startPushes();
});
afterAll(() => stack.close());
beforeEach(async () => {
  server = await startGitServer();
  stack.allowedHosts.add(server.host);
  const config = { remote_url: server.url, path: '' };
  ({ id: connection } = await stack.connect({ kind: 'git', config, secret: server.password }));
});
afterEach(() => server.close());

/** Pushes all that is due. @returns the messages of the commits, in their order */
async function commitsOf(articles: readonly any[]): Promise<string[]> {
  const push = await stack.push(
    connection,
    articles.map((article) => article.id),
  );
  while ((await stack.work(connection)).waiting > 0);
  const items = await stack.items(push.id);
  expect(items.map(({ status, attempts }) => `${status} ${attempts}`)).toEqual(
    articles.map(() => 'succeeded 1'),
  );
  return (await server.git('log', '--reverse', '--format=%s', 'main')).trim().split('\n').slice(1);
}

const content = 'repeat($2, $3)';
const takeaways = 'jsonb_build_array(repeat($2, $3))';
const five = Array<number>(5).fill(900_000);

test.each([
  ['content', content, [1, ...five, 1], ['Publish the changes of 6 articles', 'Publish article 7']],
  ['key_takeaways', takeaways, [1, ...five, 1], ['Publish the changes of 6 articles', 'Publish article 7']],
  ['content', content, [5_000_000, 1], ['Publish article 1', 'Publish article 2']],
])('articles of more than 4 MiB, by their %s, are several commits', async (member, value, sizes, commits) => {
  const articles = [];
  for (const [index, size] of sizes.entries()) {
    const article = await stack.publish({ title: `article ${index + 1}` });
    await stack.api.db.pool.query(`update articles set ${member} = ${value} where id = $1`, [
      article.id,
      'a',
      size,
    ]);
    articles.push(article);
  }
  expect(await commitsOf(articles)).toEqual(commits);
  const names = await server.git('ls-tree', '--name-only', 'main');
  expect(names.trim().split('\n')).toHaveLength(sizes.length + 1);
});

test('the file of an article is made when the one before it is stored', () =>
  inWorkspace(async (folder) => {
    const { signal } = new AbortController();
    const git = createGit({ folder, config: [], limitMs: 60_000, signal });
    await initialise(git, server.url);
    const stored: number[] = [];
    function* texts(): Iterable<string> {
      for (const text of ['a', 'b', 'c']) {
        stored.push(readdirSync(folder).filter((name) => name.startsWith('text-')).length);
        yield text;
      }
    }
    expect(await storeBlobs(git, folder, texts())).toHaveLength(3);
    expect(stored).toEqual([0, 1, 2]);
  }));
