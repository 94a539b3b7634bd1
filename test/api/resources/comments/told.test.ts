import { startComments } from '../../../support/comments.ts';
import type { CommentSite, CommentStack } from '../../../support/comments.ts';
import { sweepSpam } from '../../../../domain/comments/remove.ts';
import { subscriptionsOf } from '../../../support/subscriptions.ts';

const DAY = 24 * 60 * 60_000;
const ADDRESS = 'grace.hopper@example.com';

let stack: CommentStack;
let site: CommentSite;
let told: ReturnType<typeof subscriptionsOf>;

beforeAll(async () => {
  stack = await startComments();
});
afterAll(() => stack.close());
beforeEach(async () => {
  site = await stack.newSite({ moderation: 'hold_all' });
  told = subscriptionsOf(stack.api, site);
  await told.subscribe('comment.approved', 'comment.removed');
});

const decide = (id: string, verb: string) => told.must('POST', `/comments/${id}/${verb}`);
const approved = async (body: object = {}) => {
  const comment = await site.comment(body);
  await decide(comment.id, 'approve');
  return comment;
};
const events = () => told.recorded('comment.approved', 'comment.removed');
const short = async () =>
  (await events()).map(({ event, data: { id, status } }) => [
    event.slice(event.indexOf('.') + 1),
    id,
    status,
  ]);

test('an approved comment is told of, with the shape of comment.created and its status', async () => {
  const comment = await approved({ author_email: ADDRESS });
  await decide(comment.id, 'approve');
  const [created] = await told.recorded('comment.created');
  const [event] = await events();
  expect(event.data).toEqual({ ...created.data, status: 'approved' });
  expect(JSON.stringify(event)).not.toContain(ADDRESS);
  expect(await short()).toHaveLength(1);
});

test('held and marked ones are removed with what they are now; what was not approved is not', async () => {
  const [one, two, three] = [await approved(), await approved(), await site.comment()];
  await decide(one.id, 'hold');
  await decide(one.id, 'spam');
  await decide(two.id, 'spam');
  await decide(three.id, 'spam');
  await decide(one.id, 'approve');
  expect((await short()).slice(2)).toEqual([
    ['removed', one.id, 'pending'],
    ['removed', two.id, 'spam'],
    ['approved', one.id, 'approved'],
  ]);
});

test('a thread that is deleted fires one for each approved comment of it', async () => {
  const first = await approved();
  const other = await approved();
  const reply = await approved({ parent_id: first.id });
  await site.comment({ parent_id: first.id });
  const own = await told.must('POST', `/comments/${first.id}/reply`, { body: 'Thanks', author_name: 'Us' });
  await told.must('DELETE', `/comments/${first.id}`);
  const removed = (await short()).filter(([event]) => event === 'removed');
  expect(removed.toSorted()).toEqual(
    [first, reply, own].map(({ id }) => ['removed', id, 'approved']).toSorted(),
  );
  await told.must('DELETE', `/comments/${other.id}`);
  expect((await short()).at(-1)).toEqual(['removed', other.id, 'approved']);
});

test('those of an article that is deleted, however many', async () => {
  await approved();
  await stack.api.db.pool.query(
    `insert into comments (id, site_id, article_id, status, is_public, author_name, body, created_at, updated_at)
     select uuidv7(), $1, $2, 'approved', true, 'Ada', 'Text ' || n, now(), now() from generate_series(1, 1200) n`,
    [site.siteId, site.articleId],
  );
  await told.must('POST', `/articles/${site.articleId}/unpublish`);
  await told.must('PATCH', `/articles/${site.articleId}`, { slug: null });
  await told.must('DELETE', `/articles/${site.articleId}`);
  const { rows } = await stack.api.db.pool.query(
    `select count(*)::int as all, count(distinct body::jsonb #>> '{data,id}')::int as comments,
       count(*) filter (where body::jsonb #>> '{data,slug}' is null)::int as without_slug,
       (select count(*)::int from comment_events where site_id = $1) as noted
     from events where site_id = $1 and event = 'comment.removed'`,
    [site.siteId],
  );
  // Those of comment.created and comment.approved are noted, too.
  expect(rows[0]).toEqual({ all: 1201, comments: 1201, without_slug: 1201, noted: 1203 });
});

test('replies that go with old spam are told of', async () => {
  const first = await approved();
  const reply = await approved({ parent_id: first.id });
  await decide(first.id, 'spam');
  stack.clock.advance(31 * DAY);
  while ((await stack.api.db.transaction((tx) => sweepSpam(tx, stack.clock.now(), 100))) !== null);
  const { rows } = await stack.api.db.pool.query(
    `select body::jsonb #>> '{data,id}' as id from events where site_id = $1 and event = 'comment.removed'
     order by created_at, id`,
    [site.siteId],
  );
  expect(rows.map(({ id }) => id)).toEqual([first.id, reply.id]);
});

test('an automatic approval and a reply of the Site fire nothing', async () => {
  const open = await stack.newSite();
  const seen = subscriptionsOf(stack.api, open);
  await seen.subscribe('*');
  const comment = await open.comment();
  await seen.must('POST', `/comments/${comment.id}/reply`, { body: 'Thanks', author_name: 'Us' });
  expect((await seen.recorded('comment.created', 'comment.approved')).map(({ event }) => event)).toEqual([
    'comment.created',
  ]);
});

describe('erasing an author', () => {
  const erase = () => told.must('POST', '/comments/erase', { author_email: ADDRESS });
  const stored = async () =>
    (
      await stack.api.db.pool.query(
        `select body from events where site_id = $1 and event like 'comment.%' order by created_at, id`,
        [site.siteId],
      )
    ).rows.map(({ body }) => body as string);

  test('redacts what was told, and tells of the removal without name and text', async () => {
    const comment = await approved({ author_email: ADDRESS, author_name: 'Grace', body: 'Moths are bugs' });
    await erase();
    const all = await events();
    expect(all.map(({ event, data }) => [event, data.id, data.author_name, data.body])).toEqual([
      ['comment.approved', comment.id, null, null],
      ['comment.removed', comment.id, null, null],
    ]);
    expect((await stored()).join()).not.toMatch(/Grace|Moths/);
  });

  test('redacts the events of comments deleted before, whose creation is forgotten', async () => {
    const comment = await approved({ author_email: ADDRESS, author_name: 'Grace', body: 'Moths are bugs' });
    await stack.api.db.pool.query(
      `delete from events where site_id = $1 and event in ('comment.created', 'comment.approved')`,
      [site.siteId],
    );
    await told.must('DELETE', `/comments/${comment.id}`);
    expect((await stored()).join()).toContain('Moths');
    await erase();
    expect((await stored()).map((body) => JSON.parse(body).data.author_name)).toEqual([null]);
    expect((await stored()).join()).not.toMatch(/Grace|Moths/);
  });
});
