import { pino } from 'pino';
import { createHousekeepingActivities } from '../../activities/housekeeping.ts';
import { publishDueArticle } from '../../domain/publication/publish-due.ts';
import { EVENT_BYTES_LIMIT } from '../../domain/events/ceiling.ts';
import { useApi } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { buildArticle, buildPublished, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { TestClock } from '../support/clock.ts';

const DAY = 24 * 60 * 60_000;
const clock = new TestClock();
const logged: { site_id?: string; msg: string }[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => logged.push(JSON.parse(line)) });

let tenant: Tenant;

const api = await useApi(
  { clock },
  { ownDatabase: 'the usage of all Sites is added up, and their old events are deleted' },
);
beforeEach(async () => {
  tenant = await buildTenant(api.db);
  logged.length = 0;
});

const housekeeping = () => createHousekeepingActivities({ db: api.db, clock, log });
const post = (path: string, body?: object, key = tenant.secretKey): Promise<Answer> =>
  api.request('POST', path, { key, ...(body === undefined ? {} : { body }) });
const patch = (id: string, body: object, key = tenant.secretKey): Promise<Answer> =>
  api.request('PATCH', `/articles/${id}`, { key, body });
const comment = (slug: string, text = 'Well said.'): Promise<Answer> =>
  post('/comments', { slug, body: text, author_name: 'A reader' });
const published = (key = tenant.secretKey): Promise<{ id: string; slug: string }> =>
  buildPublished(api, key, { content: 'x'.repeat(20_000) });

/** The stored total, and the actual size of the events. */
const figures = async (): Promise<{ kept: number; taken: number }> => {
  const { rows } = await api.db.pool.query(
    `select coalesce((select event_bytes from site_usage where site_id = $1), 0)::float8 as kept,
       (select coalesce(sum(octet_length(body)), 0) from events where site_id = $1)::float8 as taken`,
    [tenant.siteId],
  );
  return rows[0];
};

/** As if the Site had other events that leave it `room`. */
const fillUpTo = async (room: number): Promise<void> => {
  await api.db.pool.query(
    'insert into event_byte_changes (site_id, bytes) select $1::uuid, $2::bigint - coalesce(sum(octet_length(body)), 0) from events where site_id = $1',
    [tenant.siteId, EVENT_BYTES_LIMIT - room],
  );
  await housekeeping().keepUsage();
};

function expectRefused({ status, json, headers }: Answer): void {
  expect([status, json.error?.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
  expect(Number(headers.get('retry-after'))).toBe(3600);
  expect(json.error.message).toContain('10 GB');
}

test('a Site whose events have reached the ceiling cannot publish, change published articles or accept comments', async () => {
  const article = await published();
  const draft = await buildArticle(api, tenant.secretKey, { title: 'Later', slug: 'later', content: 'Text' });
  await api.request('PATCH', '/comments/settings', { key: tenant.secretKey, body: { enabled: true } });
  const first = await comment(article.slug, 'Sent before.');
  expect(first.status).toBe(201);
  await fillUpTo(10_000);
  expect((await patch(article.id, { excerpt: 'This one goes over.' })).status).toBe(200);
  await housekeeping().keepUsage();

  const before = await figures();
  expectRefused(await patch(article.id, { excerpt: 'One more' }));
  expectRefused(await post(`/articles/${draft.id}/publish`));
  const when = new Date(clock.now().getTime() + DAY).toISOString();
  expectRefused(await post(`/articles/${draft.id}/schedule`, { scheduled_publish_at: when }));
  const refused = await comment(article.slug);
  expectRefused(refused);
  expect(refused.json.error.limit).toBe('site');
  await housekeeping().keepUsage();
  expect(await figures()).toEqual(before);
  expect(logged).toMatchObject([
    { site_id: tenant.siteId, msg: 'the events of a Site have reached their ceiling' },
  ]);

  // Writes without an event, no-ops, and taking content off the blog still work.
  expect((await patch(article.id, { excerpt: 'This one goes over.' })).status).toBe(200);
  expect((await patch(draft.id, { title: 'Still a draft' })).status).toBe(200);
  expect((await comment(article.slug, 'Sent before.')).data).toMatchObject({ duplicate: true });
  expect((await post(`/articles/${article.id}/unpublish`)).status).toBe(200);
  expect((await api.request('DELETE', `/articles/${article.id}`, { key: tenant.secretKey })).status).toBe(
    204,
  );
});

test('other Sites are not affected, nor is what the worker publishes for the same Site', async () => {
  const due = await buildArticle(api, tenant.secretKey, { title: 'Due', slug: 'due', content: 'Text' });
  const when = new Date(clock.now().getTime() + DAY);
  expect(
    (await post(`/articles/${due.id}/schedule`, { scheduled_publish_at: when.toISOString() })).status,
  ).toBe(200);
  await fillUpTo(0);
  const draft = await buildArticle(api, tenant.secretKey, { title: 'A', slug: 'a', content: 'Text' });
  expectRefused(await post(`/articles/${draft.id}/publish`));

  const other = await buildTenant(api.db);
  const theirs = await published(other.secretKey);
  expect((await patch(theirs.id, { excerpt: 'New' }, other.secretKey)).status).toBe(200);

  const outcome = await api.db.transaction((tx) =>
    publishDueArticle(tx, { db: api.db, purger: null }, due.id, when),
  );
  expect(outcome?.scheduledFor).toEqual(when);
});

test('events older than 30 days make room again', async () => {
  const article = await published();
  await fillUpTo(0);
  expectRefused(await patch(article.id, { excerpt: 'One more' }));
  clock.advance(31 * DAY);
  await housekeeping().deleteOldEvents();
  await housekeeping().keepUsage();
  expect((await patch(article.id, { excerpt: 'One more' })).status).toBe(200);
  expect(logged.at(-1)).toMatchObject({
    site_id: tenant.siteId,
    msg: 'the events of a Site have room again',
  });
});

test('the total equals the size of the events while they are recorded, erased, deleted, and folded concurrently', async () => {
  await api.request('PATCH', '/comments/settings', { key: tenant.secretKey, body: { enabled: true } });
  const old = await published();
  clock.advance(31 * DAY);
  const articles = await Promise.all(Array.from({ length: 8 }, () => published()));
  const email = 'reader@example.com';
  for (const text of ['A long story. '.repeat(50), 'Ü'])
    await post('/comments', { slug: old.slug, body: text, author_name: 'Reader', author_email: email });

  await Promise.all([
    ...articles.map(({ id }, index) => patch(id, { excerpt: `New ${index}` })),
    post('/comments/erase', { author_email: email }),
    housekeeping().deleteOldEvents(),
    housekeeping().keepUsage(),
    housekeeping().keepUsage(),
  ]);
  await housekeeping().keepUsage();
  const { kept, taken } = await figures();
  expect(taken).toBeGreaterThan(16 * 20_000);
  expect(kept).toBe(taken);
  const { rows } = await api.db.pool.query(
    `select count(*)::int as events from events where site_id = $1 and body like '%"author_name":null%'`,
    [tenant.siteId],
  );
  expect(rows).toEqual([{ events: 2 }]);
});
