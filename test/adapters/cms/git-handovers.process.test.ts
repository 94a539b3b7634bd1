import { startGitServer } from '../../support/cms/git-server.ts';
import type { GitServer } from '../../support/cms/git-server.ts';
import { startPushes } from '../../support/pushes.ts';
import type { PushStack } from '../../support/pushes.ts';

// Articles that take each other's slugs, and so each other's files, in one push.

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
  await stack.api.db.pool.query('update cms_connections set deleted_at = now() where deleted_at is null');
  await stack.api.db.pool.query('delete from rate_limit_counters');
  const config = { remote_url: server.url, path: 'posts' };
  ({ id: connection } = await stack.connect({ kind: 'git', config, secret: server.password }));
});
afterEach(() => server.close());

const publish = async (count: number): Promise<any[]> => {
  const articles = [];
  for (let index = 0; index < count; index += 1)
    articles.push(await stack.publish({ content: `The text of number ${index}.` }));
  return articles;
};
const rename = async (article: any, slug: string): Promise<void> => {
  expect((await stack.request('PATCH', `/articles/${article.id}`, { slug })).status).toBe(200);
};
/** Unpublishes an article and gives its slug away. */
const remove = async (article: any): Promise<void> => {
  await stack.request('POST', `/articles/${article.id}/unpublish`);
  await rename(article, `${article.slug}-removed`);
};
const push = async (articles: any[]): Promise<string[]> => {
  const { id } = await stack.push(
    connection,
    articles.map((article) => article.id),
  );
  await stack.work(connection);
  return (await stack.items(id)).map((item: any) => item.status);
};
const done = (count: number): string[] => Array(count).fill('succeeded');
/** The numbers of the articles, by slug. */
const there = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(await server.files()).flatMap(([path, text]) => {
      const [, number] = /The text of number (\d)/.exec(text) ?? [];
      return number === undefined ? [] : [[path.slice('posts/'.length, -'.md'.length), Number(number)]];
    }),
  );

test.each([
  ['moved', (article: any) => rename(article, `${article.slug}-moved`)],
  ['removed', (article: any) => remove(article)],
])('the file of an article that is %s can become that of another', async (_, leave) => {
  const [first, second] = await publish(2);
  expect(await push([first])).toEqual(done(1));
  await leave(first);
  await rename(second, first.slug);
  expect(await push([first, second])).toEqual(done(2));
  expect(await there()).toMatchObject({ [first.slug]: 1 });
});

test('each of several articles can take the file of the next', async () => {
  const articles = await publish(4);
  expect(await push(articles)).toEqual(done(4));
  await rename(articles[0], 'the-end');
  for (const index of [1, 2, 3]) await rename(articles[index], articles[index - 1].slug);
  expect(await push(articles)).toEqual(done(4));
  const [first, second, third] = articles.map(({ slug }) => slug);
  expect(await there()).toEqual({ 'the-end': 0, [first]: 1, [second]: 2, [third]: 3 });
});

test('two articles can swap their files', async () => {
  const [first, second] = await publish(2);
  expect(await push([first, second])).toEqual(done(2));
  await rename(first, 'between');
  await rename(second, first.slug);
  await rename(first, second.slug);
  expect(await push([first, second])).toEqual(done(2));
  expect(await there()).toEqual({ [first.slug]: 1, [second.slug]: 0 });
});

test('the file of an article that is in a later part of the push is waited for', async () => {
  const [second, ...large] = await publish(6);
  const first = large.pop();
  for (const article of large)
    await stack.api.db.pool.query(`update articles set content = repeat('a', 1200000) where id = $1`, [
      article.id,
    ]);
  expect(await push([second])).toEqual(done(1));
  expect(await push([first])).toEqual(done(1));
  await rename(first, `${first.slug}-moved`);
  await rename(second, first.slug);
  const ids = [second, ...large, first].map((article) => article.id);
  const { id } = await stack.push(connection, ids);
  await stack.work(connection);
  const { nextAt } = await stack.work(connection);
  expect((await stack.items(id)).map((item: any) => item.status)).toEqual(['waiting', ...done(5)]);
  stack.clock.advanceTo(new Date(nextAt as string));
  await stack.work(connection);
  expect((await stack.items(id)).map((item: any) => item.status)).toEqual(done(6));
  const at = (slug: string): Promise<string> => server.git('show', `main:posts/${slug}.md`);
  expect(await at(first.slug)).toContain('number 0');
  expect(await at(`${first.slug}-moved`)).toContain('number 5');
});

test('an article whose file was changed stays, and its file becomes nobody else’s', async () => {
  const [first, second] = await publish(2);
  expect(await push([first, second])).toEqual(done(2));
  await server.commit(`posts/${first.slug}.md`, 'Changed by a person.');
  await rename(first, 'elsewhere');
  await rename(second, first.slug);
  expect(await push([first, second])).toEqual(['diverged', 'diverged']);
  expect((await server.files())[`posts/${first.slug}.md`]).toBe('Changed by a person.');
});

test.each(['the removed one', 'the other'])(
  'after a lost answer the file of a removed article that became that of another stays: %s first',
  async (order) => {
    const [first, second] = await publish(2);
    expect(await push([first, second])).toEqual(done(2));
    const { slug } = first;
    await remove(first);
    await rename(second, slug);
    server.cutsAnswers = true;
    const { id } = await stack.push(connection, [first.id, second.id], { force: true });
    await stack.work(connection);
    server.cutsAnswers = false;
    expect(await there()).toEqual({ [slug]: 1 });
    // Each has its own delay, so that one is pushed again without the other.
    const early = order === 'the removed one' ? first.id : second.id;
    await stack.api.db.pool.query(
      `update cms_push_items set due_at = due_at + case when article_id = $1 then -interval '1 day' else interval '1 day' end
     where push_id = $2`,
      [early, id],
    );
    await stack.work(connection);
    stack.clock.advance(3 * 24 * 60 * 60_000);
    await stack.work(connection);
    expect((await stack.items(id)).map((item: any) => item.status)).toEqual(done(2));
    expect(await there()).toEqual({ [slug]: 1 });
  },
);
