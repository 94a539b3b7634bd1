import { failureOf, wasOvertaken } from '../../../adapters/cms/git/failures.ts';
import { GitFailed } from '../../../adapters/cms/git/program.ts';
import { startGitServer } from '../../support/cms/git-server.ts';
import type { GitServer } from '../../support/cms/git-server.ts';
import { startPushes } from '../../support/pushes.ts';
import type { PushStack } from '../../support/pushes.ts';
import { measureWork } from '../../support/work.ts';

let stack: PushStack;
let server: GitServer;

beforeAll(async () => {
  stack = await startPushes();
});
afterAll(() => stack.close());
beforeEach(async () => {
  server = await startGitServer();
  stack.allowedHosts.add(server.host);
  await stack.api.db.pool.query('update cms_connections set deleted_at = now() where deleted_at is null');
});
afterEach(() => server.close());

const connect = () =>
  stack.connect({
    kind: 'git',
    config: { remote_url: server.url, path: 'content/posts' },
    secret: server.password,
  });
const patch = (article: any, values: object) => stack.request('PATCH', `/articles/${article.id}`, values);

test.each([
  ['moved', (slug: string) => `${slug}-moved`],
  ['changed', (slug: string) => slug],
])(
  'a commit that fails after one whose answer was lost leaves a file that is still known, and is %s',
  async (_, next) => {
    const { id } = await connect();
    const article = await stack.publish();
    const slug = next(article.slug);
    server.cutsAnswers = true;
    const push = await stack.push(id, [article.id]);
    const lost = await stack.work(id);
    server.cutsAnswers = false;
    await patch(article, { title: 'Another title', slug });
    server.before = ({ method, url }, response) => {
      const isPush = method === 'POST' && url?.includes('receive-pack') === true;
      if (isPush) response.writeHead(503).end();
      return isPush;
    };
    stack.clock.advanceTo(new Date(lost.nextAt as string));
    const refused = await stack.work(id);
    server.before = () => false;
    await patch(article, { title: 'The last title' });
    stack.clock.advanceTo(new Date(refused.nextAt as string));
    await stack.work(id);
    expect((await stack.items(push.id))[0]).toMatchObject({ status: 'succeeded', attempts: 3 });
    const files = await server.files();
    expect(Object.keys(files)).toEqual(['README.md', `content/posts/${slug}.md`]);
    expect(files[`content/posts/${slug}.md`]).toContain('The last title');
  },
);

const failed = (stderr: string, stdout = '') => new GitFailed(Buffer.from(stdout), Buffer.from(stderr));
const messageOf = (stderr: string) => (failureOf(failed(stderr)) as Error).message;

test.each([
  ['remote: Repository not found.', 'no such repository'],
  [`fatal: repository 'https://git.example.com/${'a'.repeat(1_900)}.git/' not found`, 'no such repository'],
  ['fatal: repository ada/blog was not found', 'no such repository'],
  ['Load key "/tmp/presswork-git-x/key": error in libcrypto', 'private key'],
  ['Load key "/tmp/presswork-git-x/key": invalid format', 'private key'],
  [`@@@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @@@\n${'a'.repeat(100_000)}`, 'another key'],
  [`remote: ${'a '.repeat(4_000_000)}\nfatal: Authentication failed for x`, 'does not accept the secret'],
])('%.60s… has its meaning', (stderr, meaning) => {
  expect(messageOf(stderr)).toContain(meaning);
});

const hostile = [
  'Repository ',
  'repository a ',
  'Repository a a ',
  'Load key ',
  'Load key a ',
  'Permission denied (',
  'could not read ',
  'returned error: ',
  '[rejected',
  'a ',
  'a',
  '\n',
];

test.each(hostile)('what a remote says, such as %j again and again, is little work to read', (text) => {
  const said = failed(text.repeat(8_000_000 / text.length), text.repeat(8_000_000 / text.length));
  const work = measureWork();
  wasOvertaken(said);
  failureOf(said);
  expect(work()).toBeLessThan(50);
});

test.each(hostile)('no pattern takes more than linear time for %j, whatever its length', (text) => {
  const said = text.repeat(300_000 / text.length);
  const uncut = Object.assign(failed(''), { stderr: said, stdout: said });
  const work = measureWork();
  wasOvertaken(uncut);
  failureOf(uncut);
  expect(work()).toBeLessThan(500);
});

test('a long answer of a remote, which git repeats, does not hold up the process', async () => {
  const { id } = await connect();
  const article = await stack.publish();
  server.before = (_, response) => {
    response.writeHead(500, { 'content-type': 'text/plain' }).end('Repository '.repeat(30_000));
    return true;
  };
  const work = measureWork();
  expect(await stack.pushed(id, article.id)).toMatchObject({
    status: 'waiting',
    error: expect.stringContaining('500'),
  });
  expect(work()).toBeLessThan(1_000);
});

test('a repository that does not answer within the time of a test is named by it', async () => {
  const { id } = await connect();
  server.before = () => true;
  const { timeout } = AbortSignal;
  AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms === 20_000 ? 500 : ms);
  try {
    const { status, data } = await stack.request('POST', `/delivery/connections/${id}/test`);
    expect([status, data]).toEqual([
      200,
      { ok: false, message: expect.stringContaining('did not answer in time') },
    ]);
  } finally {
    AbortSignal.timeout = timeout;
  }
});
