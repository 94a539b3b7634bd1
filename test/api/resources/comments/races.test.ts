import { randomUUID } from 'node:crypto';
import { buildPublished } from '../../../support/builders.ts';
import { startComments } from '../../../support/comments.ts';
import type { CommentSite, CommentStack } from '../../../support/comments.ts';
import type { Answer } from '../../../support/api.ts';

let stack: CommentStack;

beforeAll(async () => {
  stack = await startComments();
});
afterAll(() => stack.close());

const atOnce = <T>(count: number, run: (number: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, number) => run(number)));

const taken = (answers: readonly Answer[]): number =>
  answers.filter(({ status, data }) => status === 201 && !data.duplicate).length;

const counted = async (site: CommentSite) => {
  const { rows } = await stack.api.db.pool.query(
    `select count(*) filter (where status = 'approved')::int as approved,
       count(*) filter (where status = 'pending')::int as pending, count(*) filter (where status = 'spam')::int as spam
     from comments where site_id = $1`,
    [site.siteId],
  );
  return rows[0];
};

test('twenty identical concurrent submissions are one comment and one event', async () => {
  const site = await stack.newSite();
  const answers = await atOnce(20, () => site.submit({ body: 'Same.', reader_ip: '203.0.113.1' }));
  expect(answers.every(({ status }) => status === 201)).toBe(true);
  expect(taken(answers)).toBe(1);
  expect(await counted(site)).toEqual({ approved: 1, pending: 0, spam: 0 });
  expect((await site.request('GET', '/events?event=comment.created')).data.items).toHaveLength(1);
});

test('of twenty different concurrent ones of one reader, five are accepted', async () => {
  const site = await stack.newSite();
  const spellings = ['::ffff:203.0.113.1', '203.0.113.1'];
  const answers = await atOnce(20, (number) => site.submit({ reader_ip: spellings[number % 2] }));
  expect(taken(answers)).toBe(5);
  for (const { status, json } of answers) if (status !== 201) expect(json.error.limit).toBe('reader');
  expect(await site.counts()).toEqual({ approved: 5, pending: 0, spam: 0 });
});

test('a Site’s last place in the hour is used once', async () => {
  const site = await stack.newSite();
  await stack.api.db.pool.query(
    `insert into comment_submissions (comment_id, site_id, article_id, created_at)
     select gen_random_uuid(), $1, $2, $3 from generate_series(1, 297)`,
    [site.siteId, site.articleId, stack.clock.now()],
  );
  const answers = await atOnce(20, () => site.submit());
  expect(taken(answers)).toBe(3);
  expect(answers.filter(({ json }) => json.error?.limit === 'site')).toHaveLength(17);
});

test('the last places in the queue are used once', async () => {
  const site = await stack.newSite({ moderation: 'hold_all' });
  await stack.api.db.pool.query('update site_comments set pending = 1998 where site_id = $1', [site.siteId]);
  const answers = await atOnce(20, () => site.submit());
  expect(taken(answers)).toBe(2);
  expect(answers.filter(({ json }) => json.error?.limit === 'queue')).toHaveLength(18);
  expect((await site.counts()).pending).toBe(2_000);
});

test('concurrent requests with one Idempotency-Key are one comment', async () => {
  const site = await stack.newSite();
  const headers = { 'idempotency-key': randomUUID() };
  const answers = await atOnce(10, () => site.submit({ body: 'Once.' }, headers));
  for (const { status, json } of answers)
    if (status !== 201) expect(json.error.code).toBe('IDEMPOTENCY_KEY_IN_FLIGHT');
  expect(await counted(site)).toEqual({ approved: 1, pending: 0, spam: 0 });
});

test('concurrent moderation, comments and replies leave counts that match the comments', async () => {
  const site = await stack.newSite();
  const roots: any[] = [];
  for (let number = 0; number < 4; number += 1) roots.push(await site.comment());
  const verbs = ['approve', 'hold', 'spam', 'approve', 'reply'];
  const answers = await atOnce(60, (number) => {
    const root = roots[number % roots.length];
    if (number % 6 === 5) return site.submit({ parent_id: root.id });
    if (number === 40) return site.request('DELETE', `/comments/${roots[0].id}`);
    const verb = verbs[number % 5];
    return site.request(
      'POST',
      `/comments/${root.id}/${verb}`,
      verb === 'reply' ? { body: 'Thanks.' } : undefined,
    );
  });
  for (const { status } of answers) expect([200, 201, 204, 404, 409]).toContain(status);
  expect(await site.counts()).toEqual(await counted(site));
  const { rows } = await stack.api.db.pool.query(
    `select c.id from comments c left join comments f on f.id = c.parent_id where c.site_id = $1
     and c.is_public <> (c.status = 'approved' and coalesce(f.status, 'approved') = 'approved')`,
    [site.siteId],
  );
  expect(rows).toEqual([]);
});

test('an article deleted during submissions leaves no comment behind', async () => {
  const site = await stack.newSite();
  const { id, slug } = await buildPublished(stack.api, site.secretKey);
  const [deleted, ...answers] = await Promise.all([
    site.request('DELETE', `/articles/${id}`),
    ...Array.from({ length: 15 }, () => site.submit({ slug })),
  ]);
  expect(deleted?.status).toBe(204);
  for (const { status } of answers) expect([201, 404]).toContain(status);
  expect(await counted(site)).toEqual({ approved: 0, pending: 0, spam: 0 });
  expect(await site.counts()).toEqual({ approved: 0, pending: 0, spam: 0 });
});

test('a comment deleted twice concurrently is deleted once, and so is an erasure', async () => {
  const site = await stack.newSite();
  const { id } = await site.comment({ author_email: 'ada@example.com' });
  const deleted = await atOnce(5, () => site.request('DELETE', `/comments/${id}`));
  expect(deleted.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
  await site.comment({ author_email: 'ada@example.com' });
  const erased = await atOnce(5, () =>
    site.request('POST', '/comments/erase', { author_email: 'ada@example.com' }),
  );
  expect(erased.map(({ data }) => data.deleted).sort()).toEqual([0, 0, 0, 0, 1]);
  expect(await site.counts()).toEqual({ approved: 0, pending: 0, spam: 0 });
});
