import { randomUUID } from 'node:crypto';
import { buildKey, buildMember, buildPublished } from '../../../support/builders.ts';
import { startComments } from '../../../support/comments.ts';
import type { CommentSite, CommentStack } from '../../../support/comments.ts';

let stack: CommentStack;

beforeAll(async () => {
  stack = await startComments();
});
afterAll(() => stack.close());

const audit = async (site: CommentSite) =>
  (
    await stack.api.db.pool.query(
      `select action, target_type, target_id, actor_kind, details, organisation_id from audit_log
       where site_id = $1 and action like 'comment%' order by id`,
      [site.siteId],
    )
  ).rows;

describe('settings', () => {
  const defaults = { enabled: false, moderation: 'hold_links', require_email: false, close_after_days: null };

  test('have defaults, change as far as they are sent, and are audited if they changed', async () => {
    const site = await stack.newSite({ moderation: 'hold_links' });
    expect((await site.request('GET', '/comments/settings')).data).toEqual({ ...defaults, enabled: true });
    expect((await site.set({ close_after_days: 30, require_email: true })).data).toEqual({
      enabled: true,
      moderation: 'hold_links',
      require_email: true,
      close_after_days: 30,
    });
    expect((await site.set({ close_after_days: null })).data.close_after_days).toBeNull();
    expect((await site.set({})).data.require_email).toBe(true);
    await site.set({ require_email: true });
    expect((await audit(site)).map(({ action, details }) => [action, details])).toEqual([
      ['comments.settings', { enabled: { before: false, after: true } }],
      [
        'comments.settings',
        { close_after_days: { before: null, after: 30 }, require_email: { before: false, after: true } },
      ],
      ['comments.settings', { close_after_days: { before: 30, after: null } }],
    ]);
  });

  test.each([
    ['enabled', 'yes'],
    ['enabled', null],
    ['moderation', 'hold'],
    ['moderation', null],
    ['require_email', 1],
    ['close_after_days', 0],
    ['close_after_days', 3_651],
    ['close_after_days', 1.5],
    ['close_after_days', '7'],
    ['site_id', randomUUID()],
  ])('%s as %j is 422', async (name, value) => {
    const site = await stack.newSite();
    const answer = await site.set({ [name]: value });
    expect([answer.status, Object.keys(answer.json.error.fields)]).toEqual([422, [name]]);
  });

  test.each([1, 3_650])('close_after_days may be %d', async (days) => {
    const site = await stack.newSite();
    expect((await site.set({ close_after_days: days })).data.close_after_days).toBe(days);
  });
});

describe('the moderation page', () => {
  test('has comments of every status, newest first, with address and counts of the whole Site', async () => {
    const site = await stack.newSite();
    const { slug } = await buildPublished(stack.api, site.secretKey);
    const old = await site.comment({ body: 'Old', author_email: 'Ada@example.com' });
    await site.comment({ body: 'Elsewhere', slug });
    const spam = await site.comment({ body: 'Spam' });
    await site.request('POST', `/comments/${spam.id}/spam`);
    const held = await site.comment({ body: 'Held', parent_id: old.id });
    await site.request('POST', `/comments/${held.id}/hold`);
    const { data } = await site.request('GET', '/comments');
    const counts = { approved: 2, pending: 1, spam: 1 };
    expect(data.items.map(({ body }: any) => body)).toEqual(['Held', 'Spam', 'Elsewhere', 'Old']);
    expect(data).toMatchObject({ next_cursor: null, counts });
    expect(data.items.at(-1)).toEqual({
      id: old.id,
      article_id: site.articleId,
      slug: site.slug,
      parent_id: null,
      status: 'approved',
      author_name: 'Ada',
      author_email: 'Ada@example.com',
      body: 'Old',
      is_reply_by_site: false,
      created_at: old.created_at,
      updated_at: old.created_at,
      spam_marked_at: null,
    });
    const list = async (query: string) => {
      const answer = await site.request('GET', `/comments?${query}`);
      expect(answer.data.counts).toEqual(counts);
      return answer.data.items.map(({ body }: any) => body);
    };
    expect(await list('status=approved')).toEqual(['Elsewhere', 'Old']);
    expect(await list('status=spam')).toEqual(['Spam']);
    expect(await list(`slug=${slug}`)).toEqual(['Elsewhere']);
    expect(await list(`slug=${site.slug}&status=pending`)).toEqual(['Held']);
    expect(await list('slug=nowhere')).toEqual([]);
    await site.request('POST', `/articles/${site.articleId}/unpublish`);
    expect(await list(`slug=${site.slug}&status=approved`)).toEqual(['Old']);
  });

  test('continues after its cursor, with a default limit of 50, clamped at 100', async () => {
    const site = await stack.newSite();
    await stack.api.db.pool.query(
      `insert into comments (id, site_id, article_id, status, is_public, author_name, body, created_at, updated_at)
       select uuidv7(), $1, $2, 'approved', true, 'Ada', 'Comment ' || n, t, t
       from generate_series(1, 230) n, lateral (select now() - (n / 4) * interval '1 second') as t (t)`,
      [site.siteId, site.articleId],
    );
    const page = async (query: string) => (await site.request('GET', `/comments?${query}`)).data;
    expect((await page('')).items).toHaveLength(50);
    expect((await page('limit=1000')).items).toHaveLength(100);
    const seen: string[] = [];
    let data = await page('limit=60&status=approved');
    for (; ; data = await page(`limit=70&status=approved&cursor=${data.next_cursor}`)) {
      seen.push(...data.items.map(({ id }: any) => id));
      if (data.next_cursor === null) break;
    }
    expect(seen).toHaveLength(230);
    expect(new Set(seen).size).toBe(230);
    const { next_cursor: cursor } = await page('limit=1');
    expect((await site.request('GET', `/comments?status=approved&cursor=${cursor}`)).status).toBe(400);
  });

  test.each(['limit=0', 'limit=x', 'status=held', 'status=spam&status=spam', 'fields=id', 'cursor=x', 'q=1'])(
    '?%s is 400',
    async (query) => {
      const site = await stack.newSite();
      expect((await site.request('GET', `/comments?${query}`)).status).toBe(400);
    },
  );
});

describe('a moderator', () => {
  test('approves, holds and marks as spam; each updates the counts, and is audited once', async () => {
    const site = await stack.newSite();
    const { id } = await site.comment();
    const call = async (verb: string) => (await site.request('POST', `/comments/${id}/${verb}`)).data;
    stack.clock.freeze();
    const spam = await call('spam');
    expect(spam).toMatchObject({ id, status: 'spam', spam_marked_at: stack.clock.now().toISOString() });
    expect(spam.updated_at).toBe(spam.spam_marked_at);
    expect(await site.counts()).toEqual({ approved: 0, pending: 0, spam: 1 });
    stack.clock.advance(1_000);
    expect(await call('spam')).toEqual(spam);
    expect(await call('hold')).toMatchObject({ status: 'pending', spam_marked_at: null });
    expect(await site.counts()).toEqual({ approved: 0, pending: 1, spam: 0 });
    expect(await call('approve')).toMatchObject({ status: 'approved', spam_marked_at: null });
    expect(await site.counts()).toEqual({ approved: 1, pending: 0, spam: 0 });
    const entry = {
      target_type: 'comment',
      target_id: id,
      actor_kind: 'key',
      organisation_id: site.organisationId,
    };
    expect((await audit(site)).slice(1)).toEqual([
      { action: 'comment.spam', details: { status: { before: 'approved', after: 'spam' } }, ...entry },
      { action: 'comment.hold', details: { status: { before: 'spam', after: 'pending' } }, ...entry },
      { action: 'comment.approve', details: { status: { before: 'pending', after: 'approved' } }, ...entry },
    ]);
  });

  test('replies in the thread, approved, under the Site’s or another name', async () => {
    const site = await stack.newSite({ moderation: 'none', require_email: true, close_after_days: 1 });
    const root = await site.comment({ author_email: 'ada@example.com' });
    const { data: name } = await site.request('GET', '/site');
    const first = await site.request('POST', `/comments/${root.id}/reply`, {
      body: 'Thanks.\r\nhttp://x.example',
    });
    expect(first.status).toBe(201);
    expect(first.headers.has('location') || first.headers.has('etag')).toBe(false);
    expect(first.data).toMatchObject({
      parent_id: root.id,
      status: 'approved',
      author_name: name.name,
      author_email: null,
      body: 'Thanks.\nhttp://x.example',
      is_reply_by_site: true,
      slug: site.slug,
    });
    stack.clock.advance(48 * 60 * 60_000);
    const second = await site.request('POST', `/comments/${first.data.id}/reply`, {
      body: 'PS',
      author_name: 'Editor',
    });
    expect(second.data).toMatchObject({ parent_id: root.id, author_name: 'Editor' });
    expect((await site.show()).data.items).toHaveLength(3);
    expect(await site.counts()).toEqual({ approved: 3, pending: 0, spam: 0 });
    expect((await site.request('GET', '/events?event=comment.created')).data.items).toHaveLength(1);
  });

  test('cannot reply to an unapproved comment or in a hidden thread', async () => {
    const site = await stack.newSite();
    const root = await site.comment();
    const reply = await site.comment({ parent_id: root.id });
    for (const verb of ['hold', 'spam']) {
      await site.request('POST', `/comments/${root.id}/${verb}`);
      for (const { id } of [root, reply]) {
        const answer = await site.request('POST', `/comments/${id}/reply`, { body: 'x' });
        expect([answer.status, answer.json.error.code]).toEqual([409, 'CONFLICT']);
      }
    }
  });

  test.each([
    {},
    { body: ' ' },
    { body: 'x', author_name: '' },
    { body: 'x', status: 'spam' },
    { body: 'a\u0001' },
  ])('a reply of %j is 422', async (body) => {
    const site = await stack.newSite();
    const { id } = await site.comment();
    expect((await site.request('POST', `/comments/${id}/reply`, body)).status).toBe(422);
  });

  test('deletes a comment with its replies, or a single reply', async () => {
    const site = await stack.newSite();
    const [root, other] = [await site.comment(), await site.comment({ body: 'Other' })];
    const reply = await site.comment({ parent_id: root.id });
    await site.comment({ parent_id: root.id });
    expect((await site.request('DELETE', `/comments/${reply.id}`)).status).toBe(204);
    expect(await site.counts()).toEqual({ approved: 3, pending: 0, spam: 0 });
    const answer = await site.request('DELETE', `/comments/${root.id.toUpperCase()}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await site.show()).data.items.map(({ id }: any) => id)).toEqual([other.id]);
    expect(await site.counts()).toEqual({ approved: 1, pending: 0, spam: 0 });
    expect((await audit(site)).slice(1).map(({ action, details }) => [action, details])).toEqual([
      ['comment.delete', { deleted: 1 }],
      ['comment.delete', { deleted: 2 }],
    ]);
  });

  test('deleting an article deletes its comments, and no others', async () => {
    const site = await stack.newSite();
    const { slug } = await buildPublished(stack.api, site.secretKey);
    const root = await site.comment();
    await site.comment({ parent_id: root.id });
    await site.comment({ slug });
    expect((await site.request('DELETE', `/articles/${site.articleId}`)).status).toBe(204);
    expect((await site.request('GET', '/comments')).data).toMatchObject({
      items: [{ slug }],
      counts: { approved: 1, pending: 0, spam: 0 },
    });
  });

  const calls = [
    ['POST', 'approve'],
    ['POST', 'hold'],
    ['POST', 'spam'],
    ['POST', 'reply'],
    ['DELETE', ''],
  ] as const;

  test.each(calls)(
    "%s %s of another Site's comment, an unknown one, or of no uuid is 404",
    async (method, verb) => {
      const [site, other] = [await stack.newSite(), await stack.newSite()];
      const { id } = await other.comment();
      const path = verb === '' ? '' : `/${verb}`;
      for (const each of [id, randomUUID(), 'x', `{${id}}`]) {
        const body = verb === 'reply' ? { body: 'x' } : undefined;
        const answer = await site.request(method, `/comments/${each}${path}`, body);
        expect([answer.status, answer.json.error.code]).toEqual([404, 'NOT_FOUND']);
      }
    },
  );

  test('needs the scope and the current permission', async () => {
    const site = await stack.newSite();
    const { id } = await site.comment();
    const author = await buildMember(stack.api.db, site.organisationId, 'author');
    const keys = [
      site.publishableKey,
      (await buildKey(stack.api.db, site.siteId, site.memberId, { scopes: ['comments:read'] })).secret,
      (await buildKey(stack.api.db, site.siteId, author)).secret,
    ];
    const paths = ['approve', 'hold', 'spam'].map((verb) => ['POST', `/comments/${id}/${verb}`] as const);
    for (const key of keys)
      for (const [method, path] of [
        ...paths,
        ['DELETE', `/comments/${id}`],
        ['PATCH', '/comments/settings'],
      ] as const)
        expect((await stack.api.request(method, path, { key, body: undefined })).json.error.code).toBe(
          'INSUFFICIENT_SCOPE',
        );
    const editor = await buildMember(stack.api.db, site.organisationId, 'editor');
    const { secret: key } = await buildKey(stack.api.db, site.siteId, editor);
    expect((await stack.api.request('POST', `/comments/${id}/hold`, { key })).status).toBe(200);
  });
});
