import { randomUUID } from 'node:crypto';
import { startComments } from '../../../support/comments.ts';
import type { CommentSite, CommentStack } from '../../../support/comments.ts';
import { buildArticle, buildKey, buildPublished } from '../../../support/builders.ts';

const DAY = 24 * 60 * 60_000;

let stack: CommentStack;

beforeAll(async () => {
  stack = await startComments();
});
afterAll(() => stack.close());

const stored = async (site: CommentSite) =>
  (
    await stack.api.db.pool.query('select * from comments where site_id = $1 order by created_at, id', [
      site.siteId,
    ])
  ).rows;

const eventsOf = async (site: CommentSite) =>
  (await site.request('GET', '/events?event=comment.created&limit=100')).data.items;

describe('an accepted comment', () => {
  test('answers 201 with only status and duplicate, without Location or ETag', async () => {
    const site = await stack.newSite();
    const answer = await site.submit();
    expect(answer.status).toBe(201);
    expect(answer.json).toEqual({ data: { status: 'approved', duplicate: false } });
    expect(answer.headers.has('location')).toBe(false);
    expect(answer.headers.has('etag')).toBe(false);
  });

  test('is stored as it was sent, with CRLF as LF', async () => {
    const site = await stack.newSite();
    const body = '  <b>1 < 2</b> & "x"\r\n\tأهلا 👩‍👩‍👧 \u202Ex\u00a0\n';
    expect(
      (await site.submit({ body, author_name: " O'Neil <i> ", author_email: 'Ada+x@Example.COM' })).status,
    ).toBe(201);
    const [row] = await stored(site);
    expect(row).toMatchObject({
      body: body.replace('\r\n', '\n'),
      author_name: " O'Neil <i> ",
      author_email: 'Ada+x@Example.COM',
    });
    const { data } = await site.show();
    expect(data.items[0]).toEqual({
      id: row.id,
      parent_id: null,
      author_name: " O'Neil <i> ",
      body: row.body,
      created_at: row.created_at.toISOString(),
    });
  });

  test('causes one event, without e-mail and IP address', async () => {
    const site = await stack.newSite({ moderation: 'hold_all' });
    await site.submit({ body: 'Told.', author_email: 'ada@example.com', reader_ip: '203.0.113.7' });
    const [row] = await stored(site);
    const events = await eventsOf(site);
    expect(events).toHaveLength(1);
    expect(events[0].data).toEqual({
      id: row.id,
      article_id: site.articleId,
      slug: site.slug,
      parent_id: null,
      status: 'pending',
      author_name: 'Ada',
      body: 'Told.',
      created_at: row.created_at.toISOString(),
    });
  });

  test.each([
    ['none', 'see http://x.example', 'approved'],
    ['hold_links', 'no link: http:/ ww.w https', 'approved'],
    ['hold_links', 'see HTTP://x.example', 'pending'],
    ['hold_links', 'see hTTps://x.example', 'pending'],
    ['hold_links', 'see WwW.x.example', 'pending'],
    ['hold_all', 'nothing', 'pending'],
  ])('with moderation %s, "%s" is %s', async (moderation, body, status) => {
    const site = await stack.newSite({ moderation });
    expect((await site.submit({ body })).data).toEqual({ status, duplicate: false });
    expect(await site.counts()).toEqual({ approved: 0, pending: 0, spam: 0, [status]: 1 });
  });

  test('is held for a link in the name, too', async () => {
    const site = await stack.newSite({ moderation: 'hold_links' });
    expect((await site.submit({ author_name: 'www.spam.example' })).data.status).toBe('pending');
  });
});

describe('the shape', () => {
  let site: CommentSite;
  beforeAll(async () => {
    site = await stack.newSite();
  });

  test.each([
    ['body', ''],
    ['body', ' \r\n\t '],
    ['body', 'x'.repeat(5_001)],
    ['body', null],
    ['body', 7],
    ['body', 'a\rb'],
    ['body', 'a\u0007b'],
    ['body', 'a\u007fb'],
    ['body', 'a\u0085b'],
    ['body', 'a\u0000b'],
    ['body', 'a\ud800b'],
    ['author_name', ''],
    ['author_name', 'x'.repeat(101)],
    ['author_name', 'a\u001bb'],
    ['author_email', 'ada'],
    ['author_email', ''],
    ['author_email', 'ada@localhost'],
    ['author_email', 'ada@@example.com'],
    ['author_email', 'ada @example.com'],
    ['author_email', ' ada@example.com'],
    ['author_email', 'ada..l@example.com'],
    ['author_email', '.ada@example.com'],
    ['author_email', 'ada@-example.com'],
    ['author_email', 'ada@example..com'],
    ['author_email', 'ada@example.com\n'],
    ['author_email', 'Ada <ada@example.com>'],
    ['author_email', 'ada@[127.0.0.1]'],
    ['author_email', `${'a'.repeat(65)}@example.com`],
    ['author_email', `${'a'.repeat(250)}@b.example`],
    ['parent_id', 'no uuid'],
    ['reader_ip', 'localhost'],
    ['reader_ip', ''],
    ['reader_ip', '1.2.3'],
    ['reader_ip', '256.1.1.1'],
    ['reader_ip', '01.2.3.4'],
    ['reader_ip', '203.0.113.7:80'],
    ['reader_ip', '203.0.113.0/24'],
    ['reader_ip', '[::1]'],
    ['reader_ip', 'fe80::1%eth0'],
    ['reader_ip', '1::2::3'],
    ['slug', null],
    ['status', 'approved'],
    ['is_reply_by_site', true],
  ])('%s with an unusable value (%#) is 422 and names it', async (name, value) => {
    const answer = await site.submit({ [name]: value });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.json.error.fields)).toEqual([name]);
  });

  test.each(['slug', 'body', 'author_name'])('%s is required', async (name) => {
    const answer = await site.submit({ [name]: undefined });
    expect(answer.json.error.fields).toEqual({ [name]: 'is required' });
  });

  test('lengths count code points, after CRLF became LF', async () => {
    expect((await site.submit({ body: '𝒳'.repeat(5_000), author_name: '𝒳'.repeat(100) })).status).toBe(201);
    expect((await site.submit({ body: `${'x'.repeat(4_998)}\r\ny` })).status).toBe(201);
    expect((await site.submit({ body: '𝒳'.repeat(5_001) })).status).toBe(422);
  });

  test.each(["o'neil+x=y@mail.example.co.uk", 'a&b/c@1.example.xn--p1ai', `${'a'.repeat(64)}@b.example`])(
    'the address %s is taken',
    async (author_email) => expect((await site.submit({ author_email })).status).toBe(201),
  );

  test('null means absent', async () => {
    expect((await site.submit({ author_email: null, parent_id: null, reader_ip: null })).status).toBe(201);
  });

  test('a publishable key and a secret key without the scope are refused', async () => {
    const body = { slug: site.slug, body: 'x', author_name: 'y' };
    const { secret } = await buildKey(stack.api.db, site.siteId, site.memberId, {
      scopes: ['comments:write'],
    });
    for (const key of [site.publishableKey, secret]) {
      const answer = await stack.api.request('POST', '/comments', { key, body });
      expect(answer.json.error.code).toBe('INSUFFICIENT_SCOPE');
    }
  });
});

describe('refusals, in their order', () => {
  const code = (answer: { json: any }) => answer.json.error?.code;

  test('each one takes precedence over those that follow', async () => {
    const site = await stack.newSite({ require_email: true, close_after_days: 1, moderation: 'hold_all' });
    const parent = randomUUID();
    await stack.api.db.pool.query(
      `update articles set published_at = published_at - interval '2 days' where id = $1`,
      [site.articleId],
    );
    await stack.api.db.pool.query('update site_comments set pending = 2000 where site_id = $1', [
      site.siteId,
    ]);
    await site.set({ enabled: false });
    const bad = { slug: 'nowhere', parent_id: parent };
    expect((await site.submit({ ...bad, author_name: '' })).status).toBe(422);
    expect(code(await site.submit(bad))).toBe('COMMENTS_DISABLED');
    await site.set({ enabled: true });
    expect(code(await site.submit(bad))).toBe('NOT_FOUND');
    expect(code(await site.submit({ parent_id: parent }))).toBe('PARENT_NOT_FOUND');
    expect(code(await site.submit())).toBe('COMMENTS_CLOSED');
    await site.set({ close_after_days: null });
    const missing = await site.submit();
    expect([code(missing), Object.keys(missing.json.error.fields)]).toEqual([
      'VALIDATION_FAILED',
      ['author_email'],
    ]);
    const full = await site.submit({ author_email: 'ada@example.com' });
    expect([code(full), full.json.error.limit, full.headers.get('retry-after')]).toEqual([
      'RATE_LIMIT_EXCEEDED',
      'queue',
      '3600',
    ]);
    expect(await stored(site)).toEqual([]);
    expect(await eventsOf(site)).toEqual([]);
  });

  test('the statuses are those of the specification', async () => {
    const site = await stack.newSite({ enabled: false });
    expect((await site.submit()).status).toBe(404);
    await site.set({ enabled: true, close_after_days: 1 });
    expect((await site.submit({ slug: 'nowhere' })).status).toBe(404);
    expect((await site.submit({ parent_id: randomUUID() })).status).toBe(404);
    stack.clock.advance(DAY);
    expect((await site.submit()).status).toBe(422);
    expect((await site.show()).data.open).toBe(false);
  });

  test('a draft, an unpublished article and one of another Site are not published articles', async () => {
    const [site, other] = [await stack.newSite(), await stack.newSite()];
    const draft = await buildArticle(stack.api, site.secretKey, { title: 'A draft', content: 'x' });
    expect(code(await site.submit({ slug: draft.slug }))).toBe('NOT_FOUND');
    expect(code(await site.submit({ slug: other.slug }))).toBe('NOT_FOUND');
    await site.request('POST', `/articles/${site.articleId}/unpublish`);
    expect(code(await site.submit())).toBe('NOT_FOUND');
    expect((await site.show()).status).toBe(404);
  });

  test('a parent has to be approved, in an approved thread, and on the same article', async () => {
    const site = await stack.newSite({ moderation: 'hold_all' });
    const root = await site.comment();
    expect(code(await site.submit({ parent_id: root.id }))).toBe('PARENT_NOT_FOUND');
    await site.request('POST', `/comments/${root.id}/approve`);
    const reply = await site.comment({ parent_id: root.id.toUpperCase() });
    expect(reply.parent_id).toBe(root.id);
    expect(code(await site.submit({ parent_id: reply.id }))).toBe('PARENT_NOT_FOUND');
    await site.request('POST', `/comments/${reply.id}/approve`);
    expect((await site.comment({ parent_id: reply.id })).parent_id).toBe(root.id);
    const elsewhere = await buildPublished(stack.api, site.secretKey);
    expect(code(await site.submit({ parent_id: root.id, slug: elsewhere.slug }))).toBe('PARENT_NOT_FOUND');
    await site.request('POST', `/comments/${root.id}/hold`);
    expect(code(await site.submit({ parent_id: reply.id }))).toBe('PARENT_NOT_FOUND');
  });

  test('comments close at the time after published_at, to the millisecond', async () => {
    const site = await stack.newSite({ close_after_days: 3_650 });
    const { data: article } = await site.request('GET', `/articles/${site.articleId}`);
    await site.set({ close_after_days: 2 });
    stack.clock.freeze(new Date(Date.parse(article.published_at) + 2 * DAY - 1));
    expect((await site.show()).data.open).toBe(true);
    expect((await site.submit()).status).toBe(201);
    stack.clock.advance(1);
    expect((await site.show()).data.open).toBe(false);
    expect(code(await site.submit())).toBe('COMMENTS_CLOSED');
  });
});

describe('the same comment again', () => {
  const text = { body: 'Twice.', author_email: 'ada@example.com' };

  test('within a day is answered with the status of the first, stores nothing and causes no event', async () => {
    const site = await stack.newSite();
    const first = await site.comment(text);
    stack.clock.advance(DAY - 1_000);
    const again = { ...text, body: ' Twice. \r\n', author_name: ' Ada' };
    expect(await site.submit(again)).toMatchObject({
      status: 201,
      data: { status: 'approved', duplicate: true },
    });
    await site.request('POST', `/comments/${first.id}/hold`);
    expect((await site.submit(text)).data).toEqual({ status: 'pending', duplicate: true });
    await site.request('POST', `/comments/${first.id}/spam`);
    expect((await site.submit(text)).data).toEqual({ status: 'pending', duplicate: true });
    expect(await stored(site)).toHaveLength(1);
    expect(await eventsOf(site)).toHaveLength(1);
    stack.clock.advance(1_000);
    expect((await site.submit(text)).data).toEqual({ status: 'approved', duplicate: false });
  });

  test.each([
    ['article', {}],
    ['parent', {}],
    ['name', { author_name: 'ada' }],
    ['address', { author_email: 'bob@example.com' }],
    ['address left out', { author_email: null }],
    ['body', { body: 'Twice!' }],
  ])('with another %s is another comment', async (what, change) => {
    const site = await stack.newSite();
    const first = await site.comment(text);
    const other = what === 'article' ? { slug: (await buildPublished(stack.api, site.secretKey)).slug } : {};
    const parent = what === 'parent' ? { parent_id: first.id } : {};
    expect((await site.submit({ ...text, ...change, ...other, ...parent })).data.duplicate).toBe(false);
  });

  test('with a reader_ip, only counts as the same from the same reader', async () => {
    const site = await stack.newSite();
    const from = async (reader_ip: string | null) =>
      (await site.submit({ ...text, reader_ip })).data.duplicate;
    expect(await from('203.0.113.1')).toBe(false);
    expect(await from('203.0.113.1')).toBe(true);
    expect(await from('203.0.113.2')).toBe(false);
    expect(await from(null)).toBe(true);
  });

  test('is accepted again once the first is deleted', async () => {
    const site = await stack.newSite();
    const first = await site.comment(text);
    await site.request('DELETE', `/comments/${first.id}`);
    expect((await site.submit(text)).data.duplicate).toBe(false);
  });

  test('is recognised before every limit, and counts against none', async () => {
    const site = await stack.newSite({ moderation: 'hold_all' });
    const reader_ip = '203.0.113.9';
    for (let number = 0; number < 4; number += 1) await site.submit({ reader_ip });
    await site.submit({ ...text, reader_ip });
    for (let time = 0; time < 3; time += 1)
      expect((await site.submit({ ...text, reader_ip })).data.duplicate).toBe(true);
    expect((await site.submit({ reader_ip })).json.error.limit).toBe('reader');
    await stack.api.db.pool.query('update site_comments set pending = 2000 where site_id = $1', [
      site.siteId,
    ]);
    expect((await site.submit({ ...text, reader_ip })).data).toEqual({ status: 'pending', duplicate: true });
  });

  test('with one Idempotency-Key is a replay, not a duplicate', async () => {
    const site = await stack.newSite();
    const headers = { 'idempotency-key': `comment-${randomUUID()}` };
    const [first, again] = [await site.submit(text, headers), await site.submit(text, headers)];
    expect(again.json).toEqual(first.json);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await site.submit({ ...text, body: 'Other.' }, headers)).json.error.code).toBe(
      'IDEMPOTENCY_KEY_CONFLICT',
    );
  });
});
