import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildTerm } from '../../support/builders.ts';
import { startGitServer } from '../../support/cms/git-server.ts';
import type { GitServer } from '../../support/cms/git-server.ts';
import { startPushes } from '../../support/pushes.ts';
import type { PushStack } from '../../support/pushes.ts';

let stack: PushStack;
let server: GitServer;
/** A folder of this suite alone: workers that other suites kill leave their own in the usual one. */
let folder: string;
const { TMPDIR } = process.env;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'presswork-test-'));
  process.env.TMPDIR = folder;
  stack = await startPushes();
});
afterAll(async () => {
  await stack.close();
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  server = await startGitServer();
  stack.allowedHosts.add(server.host);
  await stack.api.db.pool.query('update cms_connections set deleted_at = now() where deleted_at is null');
});
afterEach(() => server.close());

const connect = (config: object = {}, values: object = {}) =>
  stack.connect({
    kind: 'git',
    config: { remote_url: server.url, path: 'content/posts', ...config },
    secret: server.password,
    ...values,
  });
const lastError = async (id: string) =>
  (await stack.request('GET', `/delivery/connections/${id}`)).data.last_error;
const patch = (article: any, values: object) => stack.request('PATCH', `/articles/${article.id}`, values);
const fileOf = ({ slug }: { slug: string }) => `content/posts/${slug}.md`;

test('an article becomes a file of Markdown with YAML front matter, beside the others', async () => {
  const { id } = await connect();
  const { secretKey } = stack.tenant;
  const category = await buildTerm(stack.api, secretKey, 'categories', { name: 'How “to”: do #1' });
  const author = await buildTerm(stack.api, secretKey, 'authors', { name: 'Ada' });
  const tags = [
    await buildTerm(stack.api, secretKey, 'tags', { name: 'B' }),
    await buildTerm(stack.api, secretKey, 'tags', { name: 'A' }),
  ];
  const article = await stack.publish({
    title: 'Say "cheese": a\\b — ünï 🎉',
    slug: 'say-cheese',
    content: '# Hello\n\n---\n\n![](https://example.com/a.png)',
    excerpt: 'Line one\nLine two',
    category_id: category.id,
    author_id: author.id,
    tag_ids: tags.map((tag) => tag.id),
  });
  const item = await stack.pushed(id, article.id);
  expect(item).toEqual({
    article_id: article.id,
    status: 'succeeded',
    remote_url: `${server.url}#main:content/posts/say-cheese.md`,
    error: null,
    attempts: 1,
  });
  const files = await server.files();
  expect(Object.keys(files)).toEqual(['README.md', 'content/posts/say-cheese.md']);
  expect(files['content/posts/say-cheese.md']).toBe(`---
title: "Say \\"cheese\\": a\\\\b — ünï 🎉"
slug: "say-cheese"
date: ${article.published_at}
updated: ${article.content_updated_at ?? article.published_at}
excerpt: "Line one\\nLine two"
tags: ["A", "B"]
category: "How “to”: do #1"
author: "Ada"
---

# Hello

---

![](https://example.com/a.png)
`);
  expect(await server.git('log', '-1', '--format=%s|%an', 'main')).toMatch(/^Publish Say "cheese"/);
});

test('the first push to an empty repository makes its branch', async () => {
  const empty = await startGitServer({ empty: true });
  stack.allowedHosts.add(empty.host);
  const { id } = await connect({ remote_url: empty.url, path: '', branch: 'site/live' });
  const article = await stack.publish();
  expect((await stack.pushed(id, article.id)).status).toBe('succeeded');
  expect(Object.keys(await empty.files('site/live'))).toEqual([`${article.slug}.md`]);
  await empty.close();
});

test('all articles of a push are one commit, and nothing that is there already makes one', async () => {
  const { id } = await connect();
  const articles = [await stack.publish(), await stack.publish(), await stack.publish()];
  const ids = articles.map((article) => article.id);
  await stack.push(id, ids);
  await stack.work(id);
  expect(await server.commits()).toBe(2);
  const again = await stack.push(id, ids);
  await stack.work(id);
  expect((await stack.items(again.id)).map(({ status }) => status)).toEqual([
    'succeeded',
    'succeeded',
    'succeeded',
  ]);
  expect(await server.commits()).toBe(2);
});

test('an update changes the file, a changed slug leaves one file, unpublishing removes it', async () => {
  const { id } = await connect();
  const article = await stack.publish();
  await stack.pushed(id, article.id);
  await patch(article, { title: 'Another title' });
  await stack.pushed(id, article.id);
  expect((await server.files())[fileOf(article)]).toContain('title: "Another title"');
  await patch(article, { slug: `${article.slug}-moved` });
  await stack.pushed(id, article.id);
  expect(Object.keys(await server.files())).toEqual(['README.md', `content/posts/${article.slug}-moved.md`]);
  await stack.request('POST', `/articles/${article.id}/unpublish`);
  expect(await stack.pushed(id, article.id)).toMatchObject({ status: 'succeeded' });
  expect(Object.keys(await server.files())).toEqual(['README.md']);
  expect(await stack.pushed(id, article.id)).toMatchObject({ status: 'succeeded' });
  await stack.request('POST', `/articles/${article.id}/publish`);
  await stack.pushed(id, article.id);
  expect(Object.keys(await server.files())).toContain(`content/posts/${article.slug}-moved.md`);
});

test('an article that was never there fails its item alone', async () => {
  const { id } = await connect();
  const [shown, hidden] = [await stack.publish(), await stack.publish()];
  await stack.request('POST', `/articles/${hidden.id}/unpublish`);
  const push = await stack.push(id, [hidden.id, shown.id]);
  await stack.work(id);
  expect((await stack.items(push.id)).map(({ status }) => status)).toEqual(['failed', 'succeeded']);
  expect(await lastError(id)).toBeNull();
});

test.each([
  ['changed', async (path: string) => server.commit(path, 'By hand.\n')],
  ['deleted', async (path: string) => server.commit(path, null)],
])('what was %s in the repository since is left alone, unless forced', async (_, byHand) => {
  const { id } = await connect();
  const article = await stack.publish();
  await stack.pushed(id, article.id);
  await byHand(fileOf(article));
  const before = await server.files();
  await patch(article, { title: 'Another title' });
  const item = await stack.pushed(id, article.id);
  expect(item).toMatchObject({ status: 'diverged', attempts: 1, error: expect.stringContaining('force') });
  await patch(article, { slug: `${article.slug}-moved` });
  expect(await stack.pushed(id, article.id)).toMatchObject({ status: 'diverged' });
  expect(await server.files()).toEqual(before);
  expect(await lastError(id)).toBeNull();
  expect(await stack.pushed(id, article.id, { force: true })).toMatchObject({ status: 'succeeded' });
  expect(Object.keys(await server.files())).toEqual(['README.md', `content/posts/${article.slug}-moved.md`]);
});

test('a changed file is not removed either, and one that is gone is', async () => {
  const { id } = await connect();
  const [changed, gone] = [await stack.publish(), await stack.publish()];
  const both = [changed.id, gone.id];
  await stack.push(id, both);
  await stack.work(id);
  await server.commit(fileOf(changed), 'By hand.\n');
  await server.commit(fileOf(gone), null);
  for (const each of both) await stack.request('POST', `/articles/${each}/unpublish`);
  const push = await stack.push(id, both);
  await stack.work(id);
  expect((await stack.items(push.id)).map(({ status }) => status)).toEqual(['diverged', 'succeeded']);
  expect((await server.files())[fileOf(changed)]).toBe('By hand.\n');
});

test('a file of somebody else under the same name is not overwritten', async () => {
  const { id } = await connect();
  const article = await stack.publish();
  await server.commit(fileOf(article), 'Mine.\n');
  expect(await stack.pushed(id, article.id)).toMatchObject({ status: 'diverged' });
  expect((await server.files())[fileOf(article)]).toBe('Mine.\n');
});

test('commits of others meanwhile are kept', async () => {
  const { id } = await connect();
  const article = await stack.publish();
  let made = 0;
  server.before = async (request) => {
    // After the fetch, and before the push, which is refused because the branch has moved.
    if (request.url?.includes('service=git-receive-pack') && made < 2) {
      made += 1;
      await server.commit(`${made}.txt`, 'By hand.\n');
    }
    return false;
  };
  expect(await stack.pushed(id, article.id)).toMatchObject({ status: 'succeeded', attempts: 1 });
  expect(Object.keys(await server.files()).toSorted()).toEqual([
    '1.txt',
    '2.txt',
    'README.md',
    fileOf(article),
  ]);
  expect(await server.git('log', '--format=%s', 'main')).toMatch(/^Publish .*\nBy hand\nBy hand\n/);
});

test('two connections to one branch push at once, and none loses anything', async () => {
  const [one, two] = [await connect(), await connect({ path: 'other' })];
  const articles = [await stack.publish(), await stack.publish()];
  await stack.push(one.id, [articles[0].id]);
  await stack.push(two.id, [articles[1].id]);
  await Promise.all([stack.work(one.id), stack.work(two.id)]);
  expect(Object.keys(await server.files()).toSorted()).toEqual(
    ['README.md', fileOf(articles[0]), `other/${articles[1].slug}.md`].toSorted(),
  );
});

test('after a lost answer the file is known again: published, changed, moved or removed', async () => {
  const { id } = await connect();
  const article = await stack.publish();
  const lost = async (expected: string[]) => {
    server.cutsAnswers = true;
    await stack.api.db.pool.query('delete from rate_limit_counters');
    const push = await stack.push(id, [article.id]);
    const { nextAt } = await stack.work(id);
    server.cutsAnswers = false;
    const commits = await server.commits();
    expect((await stack.items(push.id))[0]).toMatchObject({ status: 'waiting', attempts: 1 });
    stack.clock.advanceTo(new Date(nextAt as string));
    await stack.work(id);
    expect((await stack.items(push.id))[0]).toMatchObject({ status: 'succeeded', attempts: 2 });
    expect(await server.commits()).toBe(commits);
    expect(Object.keys(await server.files())).toEqual(['README.md', ...expected]);
  };
  await lost([fileOf(article)]);
  await patch(article, { title: 'Another title' });
  await lost([fileOf(article)]);
  await patch(article, { slug: `${article.slug}-moved` });
  await lost([`content/posts/${article.slug}-moved.md`]);
  await stack.request('POST', `/articles/${article.id}/unpublish`);
  await lost([]);
});

test('an article that changes between a lost answer and its retry is pushed as it is then', async () => {
  const { id } = await connect();
  const article = await stack.publish();
  server.cutsAnswers = true;
  const push = await stack.push(id, [article.id]);
  const { nextAt } = await stack.work(id);
  server.cutsAnswers = false;
  await patch(article, { title: 'Another title', slug: `${article.slug}-moved` });
  stack.clock.advanceTo(new Date(nextAt as string));
  await stack.work(id);
  expect((await stack.items(push.id))[0]).toMatchObject({ status: 'succeeded' });
  const files = await server.files();
  expect(Object.keys(files)).toEqual(['README.md', `content/posts/${article.slug}-moved.md`]);
  expect(files[`content/posts/${article.slug}-moved.md`]).toContain('Another title');
});

test('a revoked password fails the item, and the connection says what to do', async () => {
  const { id } = await connect();
  server.password = 'another one';
  const article = await stack.publish();
  const item = await stack.pushed(id, article.id);
  expect(item).toMatchObject({
    status: 'failed',
    attempts: 1,
    error: expect.stringContaining('PATCH /delivery/connections/{id}'),
  });
  expect(await lastError(id)).toBe(item.error);
  await stack.request('PATCH', `/delivery/connections/${id}`, { secret: 'git:another one' });
  expect(await stack.pushed(id, article.id)).toMatchObject({ status: 'succeeded' });
  expect(await lastError(id)).toBeNull();
});

test.each([
  [429, 'waiting'],
  [503, 'waiting'],
  [404, 'failed'],
  [403, 'failed'],
])('an answer of %i leaves the item %s', async (status, expected) => {
  const { id } = await connect();
  const article = await stack.publish();
  server.before = (_, response) => {
    response.writeHead(status).end();
    return true;
  };
  expect(await stack.pushed(id, article.id)).toMatchObject({ status: expected, attempts: 1 });
});

test('no redirect is followed, so a password goes to no other address', async () => {
  const { id } = await connect();
  const other = await startGitServer();
  stack.allowedHosts.add(other.host);
  server.before = (request, response) => {
    response.writeHead(302, { location: `http://${other.host}${request.url}` }).end();
    return true;
  };
  expect(await stack.pushed(id, (await stack.publish()).id)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('leads elsewhere'),
  });
  expect(other.requests).toEqual([]);
  await other.close();
});

test('an address that has become private is not called', async () => {
  const { id } = await connect();
  stack.allowedHosts.delete(server.host);
  expect(await stack.pushed(id, (await stack.publish()).id)).toMatchObject({ status: 'failed' });
  expect(server.requests).toEqual([]);
});

test('a branch that is not there is named', async () => {
  const { id } = await connect({ branch: 'live' });
  expect(await stack.pushed(id, (await stack.publish()).id)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('no branch live'),
  });
});

test('the test of a connection looks whether it may write, and writes nothing', async () => {
  const { id } = await connect();
  const path = `/delivery/connections/${id}/test`;
  const test = async () => (await stack.request('POST', path)).data;
  expect(await test()).toEqual({ ok: true, message: 'The repository and its branch main can be written.' });
  expect(await server.commits()).toBe(1);
  expect(await server.git('branch', '--list')).toBe('* main\n');
  await server.git('config', 'http.receivepack', 'false');
  expect(await test()).toMatchObject({
    ok: false,
    message: expect.stringContaining('does not allow to write'),
  });
  server.password = 'another one';
  expect(await test()).toMatchObject({ ok: false, message: expect.stringContaining('does not accept') });
  await stack.request('PATCH', `/delivery/connections/${id}`, {
    config: { remote_url: `http://${server.host}/none.git` },
    secret: 'another one',
  });
  expect(await test()).toMatchObject({ ok: false, message: expect.stringContaining('no such repository') });
});

test('no temporary folder is left', async () => {
  expect((await readdir(folder)).filter((name) => name.startsWith('presswork-git-'))).toEqual([]);
});
