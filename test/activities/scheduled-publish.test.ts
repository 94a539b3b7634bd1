import { createScheduledPublishActivities } from '../../activities/scheduled-publish.ts';
import type { ScheduledPublishActivities } from '../../activities/scheduled-publish.ts';
import { DueArticles } from '../../activities/scheduled-publish/publish-all-due.ts';
import { systemClock } from '../../domain/kernel/clock.ts';
import type { CachePurger } from '../../domain/purge/purge.ts';
import { useApi } from '../support/api.ts';
import { buildArticle, buildTenant, buildTerm } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { silent } from '../support/temporal.ts';

const api = await useApi();
let tenant: Tenant;
let activities: ScheduledPublishActivities;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  activities = worker();
});

/** The activities of one worker. */
function worker(purger: CachePurger | null = null): ScheduledPublishActivities {
  const ports = { db: api.db, clock: systemClock, log: silent, purger };
  return createScheduledPublishActivities({ ...ports, dueArticles: new DueArticles(ports) });
}

/** Articles that have been due for a second. @returns their ids */
async function dueArticles(count: number, { secretKey } = tenant, body: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1)
    ids.push((await buildArticle(api, secretKey, { title: `Due ${number}`, content: 'Text.', ...body })).id);
  await api.db.pool.query(
    `update articles set status = 'scheduled', scheduled_publish_at = now() - interval '1 second' where id = any($1)`,
    [ids],
  );
  return ids;
}

/** A webhook endpoint for publications, and a connection that pushes them by itself. */
async function addReceivers({ siteId }: Tenant): Promise<void> {
  await api.db.pool.query(
    `insert into webhook_endpoints (id, site_id, url, events, secret, created_at, updated_at)
     values (gen_random_uuid(), $1, 'https://receiver.example', '{article.published}', '', now(), now())`,
    [siteId],
  );
  await api.db.pool.query(
    `insert into cms_connections (id, site_id, kind, name, config, auto, enabled, created_at, updated_at)
     values (gen_random_uuid(), $1, 'http', 'A system', '{}', true, true, now(), now())`,
    [siteId],
  );
}

async function statusesOf(ids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await api.db.pool.query(
    `select status from articles where id = any($1) order by array_position($1, id)`,
    [ids],
  );
  return rows.map(({ status }) => status);
}

/** The bodies of a Site's events of publication. */
async function eventsOf({ siteId }: Tenant): Promise<readonly any[]> {
  const { rows } = await api.db.pool.query(
    `select body from events where site_id = $1 and event = 'article.published' order by id`,
    [siteId],
  );
  return rows.map(({ body }) => JSON.parse(body));
}

test('the first timer that fires publishes everything that is due, of every Site, each article once and with its event', async () => {
  const other = await buildTenant(api.db);
  const news = await buildTerm(api, tenant.secretKey, 'categories');
  const mine = await dueArticles(5, tenant, { category_id: news.id });
  const theirs = await dueArticles(3, other);
  const [first = ''] = mine;
  expect(await activities.publishDueArticle(first)).toBe(true);
  expect(new Set(await statusesOf([...mine, ...theirs]))).toEqual(new Set(['published']));
  const events = await eventsOf(tenant);
  expect(events.map(({ data }) => data.id).toSorted()).toEqual(mine.toSorted());
  for (const { id, created_at: at, data } of events) {
    const shown = (await api.request('GET', `/articles/${data.id}`, { key: tenant.secretKey })).data;
    expect(data).toEqual(shown);
    expect(at).toBe(shown.published_at);
    expect((await api.request('GET', `/events/${id}`, { key: tenant.secretKey })).data.id).toBe(id);
  }
  expect(await eventsOf(other)).toHaveLength(3);
  const counted = await api.db.pool.query(
    `select article_count, published_article_count from categories where id = $1`,
    [news.id],
  );
  expect(counted.rows).toEqual([{ article_count: 5, published_article_count: 5 }]);
});

test('what is due a moment later stays scheduled, even beside articles of its Site that are due', async () => {
  const [due = '', later = ''] = await dueArticles(2);
  await api.db.pool.query(
    `update articles set scheduled_publish_at = now() + interval '30 seconds' where id = $1`,
    [later],
  );
  expect(await activities.publishDueArticle(due)).toBe(true);
  expect(await statusesOf([due, later])).toEqual(['published', 'scheduled']);
});

test('timers that fire together in two workers publish each article once, and each finds its article public', async () => {
  const ids = await dueArticles(30);
  const workers = [activities, worker()];
  const answers = await Promise.all(
    ids.flatMap((id) => workers.map(({ publishDueArticle }) => publishDueArticle(id))),
  );
  expect(new Set(answers)).toEqual(new Set([true]));
  const published = (await eventsOf(tenant)).map(({ data }) => data.id);
  expect(published.toSorted()).toEqual(ids.toSorted());
});

test('a transaction publishes a limited number of articles, and the next one the rest', async () => {
  const ids = await dueArticles(12, tenant, { content: 'x'.repeat(900_000) });
  for (const id of ids) expect(await activities.publishDueArticle(id)).toBe(true);
  expect(new Set(await statusesOf(ids))).toEqual(new Set(['published']));
  const { rows } = await api.db.pool.query(
    `select count(*)::int as size from articles where id = any($1) group by xmin::text::bigint`,
    [ids],
  );
  expect(rows.length).toBeGreaterThan(1);
  for (const { size } of rows) expect(size).toBeLessThanOrEqual(9);
});

test('a Site with locked articles delays no other Site, and its own articles wait only for their own rows', async () => {
  const other = await buildTenant(api.db);
  const [locked = '', free = ''] = await dueArticles(2);
  const [theirs = ''] = await dueArticles(1, other);
  const client = await api.db.pool.connect();
  try {
    await client.query('begin');
    await client.query('select from articles where id = $1 for update', [locked]);
    expect(await activities.publishDueArticle(theirs)).toBe(true);
    expect(await statusesOf([locked, free, theirs])).toEqual(['scheduled', 'published', 'published']);
    const waiting = activities.publishDueArticle(locked);
    await client.query('commit');
    expect(await waiting).toBe(true);
  } finally {
    client.release();
  }
});

test('a Site whose category is locked delays no other Site that is published together with it', async () => {
  const other = await buildTenant(api.db);
  const news = await buildTerm(api, tenant.secretKey, 'categories');
  const [mine = ''] = await dueArticles(1, tenant, { category_id: news.id });
  const [theirs = ''] = await dueArticles(1, other);
  const client = await api.db.pool.connect();
  try {
    await client.query('begin');
    await client.query('select from categories where id = $1 for update', [news.id]);
    const waiting = activities.publishDueArticle(mine);
    await eventually(
      'the other Site is published',
      async () => (await statusesOf([theirs]))[0] === 'published',
    );
    expect(await statusesOf([mine])).toEqual(['scheduled']);
    await client.query('commit');
    expect(await waiting).toBe(true);
  } finally {
    client.release();
  }
});

test('Sites that are published together share no event, delivery or push', async () => {
  const tenants = [tenant, ...(await Promise.all([1, 2, 3].map(() => buildTenant(api.db))))];
  const due = new Map<string, readonly string[]>();
  for (const each of tenants) {
    await addReceivers(each);
    due.set(each.siteId, (await dueArticles(2, each)).toSorted());
  }
  await activities.publishDueArticle(due.get(tenant.siteId)?.[0] ?? '');
  for (const [siteId, ids] of due) {
    const { rows: delivered } = await api.db.pool.query(
      `select e.body::jsonb -> 'data' ->> 'id' as id, e.site_id from webhook_queue q
       join webhook_endpoints w on w.id = q.endpoint_id join events e on e.id = q.event_id
       where w.site_id = $1 order by 1`,
      [siteId],
    );
    expect(delivered).toEqual(ids.map((id) => ({ id, site_id: siteId })));
    const { rows: pushed } = await api.db.pool.query(
      `select i.article_id as id, p.site_id, count(*) over (partition by p.id)::int as together
       from cms_connections c join cms_pushes p on p.connection_id = c.id join cms_push_items i on i.push_id = p.id
       where c.site_id = $1 order by 1`,
      [siteId],
    );
    expect(pushed).toEqual(ids.map((id) => ({ id, site_id: siteId, together: 2 })));
    const { rows: told } = await api.db.pool.query(
      `select kind from outbox where payload ->> 'siteId' = $1 and kind = 'cms-push'`,
      [siteId],
    );
    expect(told).toHaveLength(1);
  }
});

test('an article that cannot be published fails only its own timer', async () => {
  const [poison = '', sound = ''] = await dueArticles(2);
  await api.db.pool.query(`
    create function refuse_poison() returns trigger language plpgsql as
      $$ begin if new.body like '%${poison}%' then raise 'no'; end if; return new; end $$;
    create trigger refuse_poison before insert on events for each row execute function refuse_poison()`);
  try {
    await expect(activities.publishDueArticle(poison)).rejects.toThrow('no');
    expect(await activities.publishDueArticle(sound)).toBe(true);
    expect(await statusesOf([poison, sound])).toEqual(['scheduled', 'published']);
  } finally {
    await api.db.pool.query('drop function refuse_poison cascade');
  }
});

test('an article that is not yet due, unscheduled or gone is not published; an already public one counts as published', async () => {
  const [early = '', taken = '', published = ''] = await dueArticles(3);
  await api.db.pool.query(
    `update articles set scheduled_publish_at = now() + interval '1 hour' where id = $1`,
    [early],
  );
  await api.request('POST', `/articles/${taken}/cancel-schedule`, { key: tenant.secretKey });
  await api.request('POST', `/articles/${published}/publish`, { key: tenant.secretKey });
  expect(await activities.publishDueArticle(early)).toBe(false);
  expect(await activities.publishDueArticle(taken)).toBe(false);
  expect(await activities.publishDueArticle('00000000-0000-7000-8000-000000000000')).toBe(false);
  expect(await activities.publishDueArticle(published)).toBe(true);
  expect(await statusesOf([early, taken, published])).toEqual(['scheduled', 'draft', 'published']);
  expect(await activities.readScheduledTime(published)).toBe('published');
  expect(await activities.readScheduledTime(taken)).toBeNull();
});

test('a cache that never answers delays no scheduled publication: its purge is left to a workflow at once', async () => {
  const ids = await dueArticles(20);
  let calls = 0;
  const purge = (): Promise<boolean> => {
    calls += 1;
    return new Promise(() => {});
  };
  const { publishDueArticle } = worker({ publicUrl: 'http://files.example', purge });
  expect(await Promise.all(ids.map((id) => publishDueArticle(id)))).toEqual(ids.map(() => true));
  expect(calls).toBe(0);
  const { rows } = await api.db.pool.query(
    `select count(*)::int as purges, sum((select count(*) from unnest(p.urls) url where url like 'https://%'))::int as urls
     from cache_purges p join outbox o on o.id = p.outbox_id
     where p.site_id = $1 and o.kind = 'cache-purge' and o.available_at <= now()`,
    [tenant.siteId],
  );
  expect(rows).toEqual([{ purges: 1, urls: 20 }]);
});
