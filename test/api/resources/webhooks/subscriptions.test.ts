import { useApi } from '../../../support/api.ts';
import { buildArticle, buildKey, buildPublished, buildTenant, buildTerm } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { moderateComment } from '../../../../domain/comments/moderate.ts';
import { getCommentForUpdate } from '../../../../domain/comments/comment.ts';
import { operator } from '../../../../domain/audit/record.ts';
import { subscriptionsOf } from '../../../support/subscriptions.ts';

const api = await useApi();
let tenant: Tenant;
let site: ReturnType<typeof subscriptionsOf>;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  site = subscriptionsOf(api, tenant);
});

const names = async () => (await site.recorded()).map(({ event }) => event);
const refused = (events: unknown) =>
  api.request('POST', '/webhooks', {
    key: tenant.secretKey,
    body: { url: 'https://receiver.example/hooks', events },
    idempotencyKey: true,
  });
const subscribed = async () =>
  (await api.db.pool.query('select subscribed_events from sites where id = $1', [tenant.siteId])).rows[0]
    .subscribed_events as string[];
const waiting = async (endpointId: string) =>
  (
    await api.db.pool.query(
      `select e.event from webhook_queue q join events e on e.id = q.event_id where q.endpoint_id = $1
       order by e.created_at, e.id`,
      [endpointId],
    )
  ).rows.map(({ event }) => event as string);

describe('a new event', () => {
  test('is recorded only while an enabled endpoint of the Site subscribes to it', async () => {
    const other = await buildTenant(api.db);
    await subscriptionsOf(api, other).subscribe('*');
    await buildTerm(api, tenant.secretKey, 'tags');
    expect(await names()).toEqual([]);
    const { id } = await site.subscribe('category.created', 'tag.created');
    await buildTerm(api, tenant.secretKey, 'tags');
    await buildTerm(api, tenant.secretKey, 'authors');
    expect(await names()).toEqual(['tag.created']);
    await site.must('PATCH', `/webhooks/${id}`, { enabled: false });
    await buildTerm(api, tenant.secretKey, 'tags');
    await site.must('PATCH', `/webhooks/${id}`, { enabled: true });
    await buildTerm(api, tenant.secretKey, 'categories');
    await site.must('PATCH', `/webhooks/${id}`, { events: ['author.*'] });
    await buildTerm(api, tenant.secretKey, 'tags');
    await buildTerm(api, tenant.secretKey, 'authors');
    await site.must('DELETE', `/webhooks/${id}`);
    await buildTerm(api, tenant.secretKey, 'authors');
    expect(await names()).toEqual(['tag.created', 'category.created', 'author.created']);
    expect(await subscribed()).toEqual([]);
  });

  test('that nobody subscribed to cannot be replayed; what was recorded can, by a pattern too', async () => {
    await buildTerm(api, tenant.secretKey, 'tags');
    const first = await site.subscribe('tag.created');
    await buildTerm(api, tenant.secretKey, 'tags');
    await buildPublished(api, tenant.secretKey);
    const late = await site.subscribe('*');
    const since = '2020-01-01T00:00:00Z';
    expect(await site.must('POST', `/webhooks/${late.id}/replay`, { since })).toEqual({ events: 2 });
    expect(await waiting(late.id)).toEqual(['tag.created', 'article.published']);
    expect(await waiting(first.id)).toEqual(['tag.created']);
    const some = await site.subscribe('tag.*');
    const events = ['tag.created', 'article.published'];
    expect(await site.must('POST', `/webhooks/${some.id}/replay`, { since, events })).toEqual({ events: 1 });
    expect(await waiting(some.id)).toEqual(['tag.created']);
  });

  test('of a write that began before its last endpoint went is not recorded, and the write succeeds', async () => {
    await site.must('PATCH', '/comments/settings', { enabled: true, moderation: 'hold_all' });
    const { slug } = await buildPublished(api, tenant.secretKey);
    await site.must('POST', '/comments', { slug, body: 'Well said', author_name: 'Ada' });
    const [comment] = (await site.must('GET', '/comments')).items;
    const known = { id: tenant.siteId, organisationId: tenant.organisationId, subscribedEvents: ['*'] };
    await api.db.transaction(async (tx) => {
      const change = { tx, site: known, actor: operator, now: new Date() };
      const purging = { site: { id: tenant.siteId }, db: api.db, purger: null };
      await moderateComment(
        change,
        purging as never,
        await getCommentForUpdate(tx, tenant.siteId, comment.id),
        'approved',
      );
    });
    expect((await site.must('GET', `/comments?status=approved`)).items).toHaveLength(1);
    expect(await names()).toEqual(['article.published', 'comment.created']);
  });
});

describe('patterns', () => {
  test('are kept as they were sent, and subscribe to all events of a noun, or to all', async () => {
    const articles = await site.subscribe('article.*');
    const all = await site.subscribe('*');
    const both = await site.subscribe('tag.created', 'tag.*');
    expect((await site.must('GET', `/webhooks/${articles.id}`)).events).toEqual(['article.*']);
    await buildArticle(api, tenant.secretKey);
    await buildTerm(api, tenant.secretKey, 'tags');
    await site.must('POST', `/webhooks/${all.id}/ping`);
    expect(await waiting(articles.id)).toEqual(['article.created']);
    expect(await waiting(both.id)).toEqual(['tag.created']);
    expect((await waiting(all.id)).toSorted()).toEqual(['article.created', 'ping', 'tag.created']);
    expect(await names()).toEqual(['article.created', 'tag.created']);
    expect(await subscribed()).toEqual(['*', 'article.*', 'tag.*', 'tag.created']);
  });

  test.each(['article', 'article.', '*.created', '**', 'ping', 'ping.*', 'article.created*', 'press.*', ''])(
    '%j is refused',
    async (pattern) => {
      const { status, json } = await refused([pattern]);
      expect(status).toBe(422);
      expect(Object.keys(json.error.details ?? json.error.fields)[0]).toMatch(/^events/);
    },
  );

  test('filter no list, and choose nothing of a replay', async () => {
    const { id } = await site.subscribe('*');
    const get = (path: string) => api.request('GET', path, { key: tenant.secretKey });
    expect((await get('/events?event=article.*')).status).toBe(400);
    expect((await get(`/webhooks/${id}/deliveries?event=*`)).status).toBe(400);
    const body = { since: '2020-01-01T00:00:00Z', events: ['*'] };
    const replay = { key: tenant.secretKey, body };
    expect((await api.request('POST', `/webhooks/${id}/replay`, replay)).status).toBe(422);
  });
});

describe('what a Site subscribes to', () => {
  test('is exact when its endpoints are changed at once', async () => {
    const endpoints = await Promise.all([
      site.subscribe('tag.created'),
      site.subscribe('author.*'),
      site.subscribe('key.*'),
    ]);
    for (let round = 0; round < 5; round += 1) {
      const chosen = [['media.*'], ['tag.*', 'site.updated'], [`push.finished`]];
      await Promise.all(
        endpoints.map(({ id }, index) =>
          site.must('PATCH', `/webhooks/${id}`, {
            events: chosen[(index + round) % 3],
            enabled: (index + round) % 2 === 0,
          }),
        ),
      );
      const { rows } = await api.db.pool.query(
        `select array(select distinct e from webhook_endpoints w, unnest(w.events) e
           where w.site_id = $1 and w.enabled order by e) as events`,
        [tenant.siteId],
      );
      expect(await subscribed()).toEqual(rows[0].events);
    }
    await Promise.all(endpoints.map(({ id }) => site.must('DELETE', `/webhooks/${id}`)));
    expect(await subscribed()).toEqual([]);
  });

  test('is known to the request that follows the answer', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await site.subscribe('tag.created');
      const tag = await buildTerm(api, tenant.secretKey, 'tags');
      expect((await site.recorded()).at(-1).data.id).toBe(tag.id);
      await site.must('DELETE', `/webhooks/${id}`);
    }
  });

  test('stays true when a process of the version before writes endpoints', async () => {
    await api.db.pool.query(
      `insert into webhook_endpoints (id, site_id, url, events, secret, created_at, updated_at)
       values (gen_random_uuid(), $1, 'https://receiver.example/', '{article.published}', 'sealed', now(), now())`,
      [tenant.siteId],
    );
    expect(await subscribed()).toEqual(['article.published']);
    await api.db.pool.query(
      `update webhook_endpoints set enabled = false, disabled_reason = 'a', disabled_at = now() where site_id = $1`,
      [tenant.siteId],
    );
    expect(await subscribed()).toEqual([]);
  });
});

test('while the events of the Site are full, a large new event is refused only if it is wanted', async () => {
  await api.db.pool.query('update sites set events_full = true where id = $1', [tenant.siteId]);
  const create = () =>
    api.request('POST', '/articles', { key: tenant.secretKey, body: { title: 'A' }, idempotencyKey: true });
  expect((await create()).status).toBe(201);
  await site.subscribe('article.*', 'tag.*');
  const { status, json } = await create();
  expect([status, json.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
  await buildTerm(api, tenant.secretKey, 'tags');
  expect(await names()).toEqual(['tag.created']);
});

test('a key that is read from memory knows what was subscribed to since', async () => {
  const { secret } = await buildKey(api.db, tenant.siteId, tenant.memberId);
  await buildTerm(api, secret, 'tags');
  await site.subscribe('tag.*');
  await buildTerm(api, secret, 'tags');
  expect(await names()).toEqual(['tag.created']);
});
