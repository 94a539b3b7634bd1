import { buildPublished, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { cleanOnce, doOnce, startTimeSkippingStack } from './time-skipping-stack.ts';
import type { TimeSkippingStack } from './time-skipping-stack.ts';

const DAY = 24 * 60 * 60_000;

let stack: TimeSkippingStack;

beforeAll(async () => {
  stack = await startTimeSkippingStack();
});
afterAll(() => stack.close());

const sweep = (): Promise<number> => doOnce(stack, 'spam-sweep');

const clean = async (): Promise<number> => (await cleanOnce(stack)).commentRepairs;

interface Commented extends Tenant {
  readonly slug: string;
  readonly articleId: string;
  request(method: string, path: string, body?: unknown): Promise<any>;
}

async function newSite(): Promise<Commented> {
  const tenant = await buildTenant(stack.api.db);
  const { slug, id } = await buildPublished(stack.api, tenant.secretKey);
  const request = (method: string, path: string, body?: unknown) =>
    stack.api.request(method, path, { key: tenant.secretKey, body });
  await request('PATCH', '/comments/settings', { enabled: true, moderation: 'none' });
  return { ...tenant, slug, articleId: id, request };
}

async function comment(site: Commented, body: string, parent_id?: string): Promise<string> {
  await site.request('POST', '/comments', { slug: site.slug, author_name: 'Ada', body, parent_id });
  return (await site.request('GET', '/comments?limit=1')).data.items[0].id;
}

const bodies = async (site: Commented): Promise<string[]> =>
  (await site.request('GET', '/comments')).data.items.map((item: any) => item.body).sort();

test('spam is deleted 30 days after it was marked, with its replies, and nothing else is', async () => {
  const site = await newSite();
  const root = await comment(site, 'Spam');
  await comment(site, 'Reply to spam', root);
  const freed = await comment(site, 'Not spam after all');
  await comment(site, 'Good');
  await site.request('POST', `/comments/${root}/spam`);
  await site.request('POST', `/comments/${freed}/spam`);
  await stack.pass(DAY);
  const later = await comment(site, 'Spam of a day later');
  await site.request('POST', `/comments/${later}/spam`);
  await site.request('POST', `/comments/${freed}/approve`);

  await stack.pass(29 * DAY - 60_000);
  expect(await sweep()).toBe(0);
  expect(await bodies(site)).toHaveLength(5);
  await stack.pass(60_000);
  expect(await sweep()).toBe(2);
  expect(await bodies(site)).toEqual(['Good', 'Not spam after all', 'Spam of a day later']);
  expect((await site.request('GET', '/comments')).data.counts).toEqual({ approved: 2, pending: 0, spam: 1 });
  const { rows } = await stack.api.db.pool.query(
    `select actor_kind, actor_name, details from audit_log where site_id = $1 and action = 'comments.sweep'`,
    [site.siteId],
  );
  expect(rows).toEqual([{ actor_kind: 'system', actor_name: 'spam-sweep', details: { deleted: 2 } }]);
  await stack.pass(DAY);
  expect(await sweep()).toBe(1);
  expect(await sweep()).toBe(0);
});

/** Old spam, in rows and counts. */
async function fill(site: Commented, count: number): Promise<void> {
  await stack.api.db.pool.query(
    `insert into comments (id, site_id, article_id, status, is_public, author_name, body, created_at, updated_at, spam_marked_at)
     select uuidv7(), $1, $2, 'spam', false, 'Ada', 'Spam', t, t, t
     from generate_series(1, $3::int), lateral (select $4::timestamptz) as t (t)`,
    [site.siteId, site.articleId, count, new Date((await stack.now()).getTime() - 31 * DAY)],
  );
  await stack.api.db.pool.query('update site_comments set spam = spam + $2 where site_id = $1', [
    site.siteId,
    count,
  ]);
}

test('several Sites are swept in batches, by concurrent sweeps as by one', async () => {
  const sites = [await newSite(), await newSite(), await newSite()];
  for (const [number, site] of sites.entries()) await fill(site, 150 + number * 200);
  const swept = await Promise.all([sweep(), sweep(), sweep()]);
  expect(swept.reduce((sum, count) => sum + count, 0)).toBe(150 + 350 + 550);
  for (const site of sites) {
    const { items, counts } = (await site.request('GET', '/comments')).data;
    expect([items, counts]).toEqual([[], { approved: 0, pending: 0, spam: 0 }]);
  }
});

test('a sweep that fails half-way is retried, and deletes the rest', async () => {
  const site = await newSite();
  await fill(site, 500);
  let calls = 0;
  stack.throughDatabase = (db) => ({
    ...db,
    transaction: (work) => {
      calls += 1;
      if (calls === 2) throw new Error('The database went away');
      return db.transaction(work);
    },
  });
  try {
    // 200 were deleted before the failure, which the retried activity does not count.
    expect(await sweep()).toBe(300);
  } finally {
    stack.throughDatabase = (db) => db;
  }
  expect((await site.request('GET', '/comments')).data).toMatchObject({ items: [], counts: { spam: 0 } });
});

test('wrong counts are corrected once a day, also during submissions, and correct ones stay', async () => {
  const [site, other] = [await newSite(), await newSite()];
  await comment(site, 'One');
  await comment(other, 'One');
  await stack.pass(2 * DAY);
  await clean();
  await stack.api.db.pool.query(
    'update site_comments set approved = 17, pending = 4, spam = 2 where site_id = $1',
    [site.siteId],
  );
  expect(await clean()).toBe(0);
  await stack.pass(DAY);
  const [repaired] = await Promise.all([clean(), comment(site, 'Two'), comment(other, 'Two')]);
  expect(repaired).toBe(1);
  for (const each of [site, other]) {
    expect((await each.request('GET', '/comments')).data.counts).toEqual({
      approved: 2,
      pending: 0,
      spam: 0,
    });
  }
  await stack.pass(DAY);
  expect(await clean()).toBe(0);
});

test('what identified readers is deleted after a day, and its salt after two', async () => {
  const site = await newSite();
  const body = { slug: site.slug, author_name: 'Ada', body: 'Hello.', reader_ip: '203.0.113.7' };
  await site.request('POST', '/comments', body);
  const left = async () => {
    const { rows } = await stack.api.db.pool.query(
      `select (select count(*)::int from comment_submissions where site_id = $1) as submissions,
         (select count(*)::int from reader_salts) as salts`,
      [site.siteId],
    );
    return rows[0];
  };
  await clean();
  expect(await left()).toEqual({ submissions: 1, salts: 1 });
  await stack.pass(DAY);
  await clean();
  expect(await left()).toEqual({ submissions: 0, salts: 1 });
  await stack.pass(DAY);
  await clean();
  expect(await left()).toEqual({ submissions: 0, salts: 0 });
  expect(await bodies(site)).toEqual(['Hello.']);
});
