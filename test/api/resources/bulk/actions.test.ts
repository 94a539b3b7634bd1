import { randomUUID } from 'node:crypto';
import { useApi } from '../../../support/api.ts';
import { buildArticle, buildPublished, buildTenant, buildTerm } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { carriedOut } from '../../../support/bulk.ts';

const api = await useApi();
let tenant: Tenant;

// A key may send 120 writes a minute.
beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const call = (method: string, path: string, body?: unknown) =>
  api.request(method, path, { key: tenant.secretKey, body });
const readArticle = async (id: string) => (await call('GET', `/articles/${id}`)).data;
const draft = (body: object = {}) =>
  buildArticle(api, tenant.secretKey, { title: 'A draft', content: 'Text.', ...body });
const published = (body: object = {}) => buildPublished(api, tenant.secretKey, body);
const term = async (kind: 'categories' | 'tags' | 'authors'): Promise<string> =>
  (await buildTerm(api, tenant.secretKey, kind)).id;
const counts = async (kind: string, id: string) => {
  const { rows } = await api.db.pool.query(
    `select article_count::int as articles, published_article_count::int as published from ${kind} where id = $1`,
    [id],
  );
  return rows[0];
};

/** What stands in the database about articles, without what differs by chance. */
async function effects(ids: readonly string[]) {
  const { rows: events } = await api.db.pool.query(
    `select event, body::jsonb -> 'data' ->> 'id' as id, (body::jsonb -> 'data') - 'id' - 'slug' - 'updated_at' - 'published_at' - 'created_at' - 'title' as data
     from events where body::jsonb #>> '{data,id}' = any($1) and event <> 'article.published' or
       (event = 'article.published' and body::jsonb #>> '{data,id}' = any($1)) order by created_at, id`,
    [ids],
  );
  const { rows: audit } = await api.db.pool.query(
    `select action, target_id as id, actor_kind, actor_id, details - 'slug' - 'published_at' - 'title' as details from audit_log
     where target_id = any($1) and action <> 'article.create' order by at, id`,
    [ids],
  );
  const { rows: revisions } = await api.db.pool.query(
    `select article_id as id, number, changed, actor_kind, actor_id from article_revisions where article_id = any($1)
     order by number`,
    [ids],
  );
  const of = (id: string, rows: any[]) =>
    rows.filter((row) => row.id === id).map(({ id: _id, ...rest }) => rest);
  return ids.map((id) => ({ events: of(id, events), audit: of(id, audit), revisions: of(id, revisions) }));
}

/** What an article is, without what differs by chance. */
const state = async (id: string) => {
  const answer = await call('GET', `/articles/${id}`);
  if (answer.status !== 200) return answer.status;
  const {
    id: _id,
    slug: _slug,
    title: _title,
    updated_at: _updated,
    created_at: _created,
    published_at,
    ...rest
  } = answer.data;
  return { ...rest, etag: answer.headers.get('etag'), published: published_at !== null };
};

interface Case {
  readonly make: () => Promise<{ id: string }>;
  readonly single: (id: string) => Promise<{ status: number; json: any }>;
  readonly job: object;
}

const later = '2999-01-01T00:00:00';

/** Does the same to two articles, once by the single call and once by a job, and compares all that follows. */
async function expectTheSame({ make, single, job }: Case): Promise<void> {
  const [one, other] = [await make(), await make()];
  const answer = await single(one.id);
  const { items, status } = await carriedOut(api, tenant, { ...job, article_ids: [other.id] });
  const error =
    answer.status < 300
      ? null
      : {
          code: answer.json.error.code,
          message: answer.json.error.message,
        };
  expect(status).toBe('completed');
  expect(items).toEqual([{ article_id: other.id, status: error === null ? 'done' : 'failed', error }]);
  expect(await state(other.id)).toEqual(await state(one.id));
  const [byCall, byJob] = await effects([one.id, other.id]);
  expect(byJob).toEqual(byCall);
}

const post = (verb: string, body?: object) => (id: string) => call('POST', `/articles/${id}/${verb}`, body);
const patch = (body: object) => (id: string) => call('PATCH', `/articles/${id}`, body);
const inStatus = (status: string) => async () => {
  const article = await draft();
  await api.db.pool.query('update articles set status = $2 where id = $1', [article.id, status]);
  return article;
};
const scheduled = async () => {
  const article = await draft();
  await post('schedule', { scheduled_publish_at: later })(article.id);
  return article;
};
const edited = async () => {
  const article = await published();
  await call('PATCH', `/articles/${article.id}/pending`, { title: 'Edited' });
  await call('POST', `/articles/${article.id}/pending/schedule`, { scheduled_at: later });
  return article;
};
const remove = (id: string) => call('DELETE', `/articles/${id}`);

const lifecycle: readonly [name: string, Case][] = [
  ['publish a draft', { make: () => draft(), single: post('publish'), job: { action: 'publish' } }],
  ['publish a scheduled one', { make: scheduled, single: post('publish'), job: { action: 'publish' } }],
  [
    'publish a published one',
    { make: () => published(), single: post('publish'), job: { action: 'publish' } },
  ],
  [
    'publish one that lacks all',
    { make: () => buildArticle(api, tenant.secretKey), single: post('publish'), job: { action: 'publish' } },
  ],
  [
    'publish a rejected one',
    { make: inStatus('rejected'), single: post('publish'), job: { action: 'publish' } },
  ],
  ['publish a queued one', { make: inStatus('queued'), single: post('publish'), job: { action: 'publish' } }],
  [
    'unpublish a published one',
    { make: () => published(), single: post('unpublish'), job: { action: 'unpublish' } },
  ],
  ['unpublish one with an edit', { make: edited, single: post('unpublish'), job: { action: 'unpublish' } }],
  ['unpublish a draft', { make: () => draft(), single: post('unpublish'), job: { action: 'unpublish' } }],
  ['unpublish a scheduled one', { make: scheduled, single: post('unpublish'), job: { action: 'unpublish' } }],
  ['delete a draft', { make: () => draft(), single: remove, job: { action: 'delete' } }],
  ['delete a published one', { make: () => published(), single: remove, job: { action: 'delete' } }],
  ['delete a scheduled one', { make: scheduled, single: remove, job: { action: 'delete' } }],
  ['delete one with an edit', { make: edited, single: remove, job: { action: 'delete' } }],
  ...[later, '2999-01-01T00:00:00+05:00', '2001-01-01T00:00:00Z', '2999-03-31T02:30:00'].flatMap(
    (time): [string, Case][] => {
      const at = { scheduled_publish_at: time };
      const rest = { single: post('schedule', at), job: { action: 'schedule', ...at } };
      return [
        [`schedule a draft for ${time}`, { make: () => draft(), ...rest }],
        [`schedule a scheduled one for ${time}`, { make: scheduled, ...rest }],
      ];
    },
  ),
  [
    'schedule a published one',
    {
      make: () => published(),
      single: post('schedule', { scheduled_publish_at: later }),
      job: { action: 'schedule', scheduled_publish_at: later },
    },
  ],
  [
    'schedule one that lacks all',
    {
      make: () => buildArticle(api, tenant.secretKey),
      single: post('schedule', { scheduled_publish_at: later }),
      job: { action: 'schedule', scheduled_publish_at: later },
    },
  ],
];

test.each(lifecycle)('%s: as the single call does', async (_name, each) => expectTheSame(each));

test.each([
  ['category_id', 'set_category', 'categories'],
  ['author_id', 'set_author', 'authors'],
] as const)('%s is set, cleared and refused as an update does', async (member, action, kind) => {
  const id = await term(kind);
  for (const make of [draft, published]) {
    for (const value of [id, null, randomUUID()]) {
      const body = { [member]: value };
      await expectTheSame({ make: () => make(), single: patch(body), job: { action, ...body } });
      await expectTheSame({
        make: () => make({ [member]: id }),
        single: patch(body),
        job: { action, ...body },
      });
    }
  }
});

test('tags are added and taken off as an update does, with the counts', async () => {
  const tags = [await term('tags'), await term('tags'), await term('tags')].sort();
  const [first = '', second = '', third = ''] = tags;
  const make = () => published({ tag_ids: [first] });
  for (const added of [[second, third], [first], [first, second], [randomUUID()]]) {
    // A missing tag is named by its place, which differs.
    const single =
      added.length === 1 && !tags.includes(added[0] as string) ? added : [...new Set([first, ...added])];
    await expectTheSame({
      make,
      single: patch({ tag_ids: single }),
      job: { action: 'add_tags', tag_ids: added },
    });
  }
  for (const gone of [[first], [second], [first, second, randomUUID()]])
    await expectTheSame({
      make,
      single: patch({ tag_ids: [first].filter((tag) => !gone.includes(tag)) }),
      job: { action: 'remove_tags', tag_ids: gone },
    });
});

test('an article that would get more than 100 tags is refused as an update does', async () => {
  const { rows } = await api.db.pool.query(
    `insert into tags (id, site_id, name, slug, article_count, published_article_count, version, created_at, updated_at)
     select gen_random_uuid(), $1, 'T' || n, 't' || n, 0, 0, 1, now(), now() from generate_series(1, 101) n returning id`,
    [tenant.siteId],
  );
  const ids = rows.map(({ id }) => id as string);
  await expectTheSame({
    make: () => draft({ tag_ids: ids.slice(0, 60) }),
    single: patch({ tag_ids: ids }),
    job: { action: 'add_tags', tag_ids: ids.slice(60) },
  });
});

test('counts are those of the articles after each action', async () => {
  const [category, author, tag] = [await term('categories'), await term('authors'), await term('tags')];
  const ids: string[] = [];
  for (let number = 0; number < 6; number += 1)
    ids.push((await draft({ category_id: category, author_id: author, tag_ids: [tag] })).id);
  const all = async (expected: object) => {
    for (const [kind, id] of [
      ['categories', category],
      ['authors', author],
      ['tags', tag],
    ] as const)
      expect(await counts(kind, id)).toEqual(expected);
  };
  await all({ articles: 6, published: 0 });
  await carriedOut(api, tenant, { action: 'publish', article_ids: ids });
  await all({ articles: 6, published: 6 });
  await carriedOut(api, tenant, { action: 'unpublish', article_ids: ids.slice(0, 2) });
  await all({ articles: 6, published: 4 });
  await carriedOut(api, tenant, { action: 'delete', article_ids: ids.slice(1, 4) });
  await all({ articles: 3, published: 2 });
  await carriedOut(api, tenant, { action: 'set_category', category_id: null, article_ids: ids });
  await carriedOut(api, tenant, { action: 'set_author', author_id: null, article_ids: ids });
  await carriedOut(api, tenant, { action: 'remove_tags', tag_ids: [tag], article_ids: ids });
  await all({ articles: 0, published: 0 });
});

test('refused items leave nothing, and the others of the job are done, in the order sent', async () => {
  const ids = [
    (await draft()).id,
    randomUUID(),
    (await buildArticle(api, tenant.secretKey)).id,
    (await draft()).id,
  ];
  const stranger = await buildTenant(api.db);
  ids.push((await buildArticle(api, stranger.secretKey, { title: 'Theirs', content: 'Text.' })).id);
  const job = await carriedOut(api, tenant, { action: 'publish', article_ids: ids });
  expect(job.items.map((item: any) => [item.article_id, item.status, item.error?.code ?? null])).toEqual([
    [ids[0], 'done', null],
    [ids[1], 'failed', 'NOT_FOUND'],
    [ids[2], 'failed', 'VALIDATION_FAILED'],
    [ids[3], 'done', null],
    [ids[4], 'failed', 'NOT_FOUND'],
  ]);
  expect(job.totals).toEqual({ waiting: 0, done: 2, failed: 3 });
  expect((await readArticle(ids[3] as string)).status).toBe('published');
  const { rows } = await api.db.pool.query(`select status from articles where id = $1`, [ids[4]]);
  expect(rows).toEqual([{ status: 'draft' }]);
});

test('a Site whose events are full: publishing is refused per item, unpublishing is not', async () => {
  const [one, other] = [await draft(), await published()];
  await api.db.pool.query('update sites set events_full = true where id = $1', [tenant.siteId]);
  const refused = await carriedOut(api, tenant, { action: 'publish', article_ids: [one.id] });
  expect(refused.items[0].error.code).toBe('RATE_LIMIT_EXCEEDED');
  const done = await carriedOut(api, tenant, { action: 'unpublish', article_ids: [other.id] });
  expect(done.items[0].status).toBe('done');
});
