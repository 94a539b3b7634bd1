import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareBlogs, sharesOf } from '../../../tools/bench/open-loop/blogs.ts';
import type { Blog } from '../../../tools/bench/open-loop/blogs.ts';
import { walkDeep } from '../../../tools/bench/open-loop/deep-pages.ts';
import { pace } from '../../../tools/bench/open-loop/generator.ts';
import { byShare } from '../../../tools/bench/open-loop/random.ts';
import { findRate } from '../../../tools/bench/open-loop/search.ts';
import { slope } from '../../../tools/bench/open-loop/soak.ts';
import { createTraffic } from '../../../tools/bench/open-loop/traffic.ts';
import { startApi } from '../../support/api.ts';
import type { TestApi } from '../../support/api.ts';

const size = { sites: 4, articles: 1_200, comments: 4_000, keys: 80 };

describe('the mixed traffic', () => {
  const home = mkdtempSync(join(tmpdir(), 'presswork-load-test-'));
  let api: TestApi;
  let blogs: Blog[];

  beforeAll(async () => {
    api = await startApi();
    blogs = await prepareBlogs(api.adminUrl, home, size);
  });
  afterAll(async () => {
    await api.close();
    rmSync(home, { recursive: true });
  });

  const off = async (text: string): Promise<unknown> => (await api.db.pool.query(text)).rows;

  test('is sent to Sites whose counts match their rows', async () => {
    expect(
      await off(`
        select s.site_id from site_usage s
        where s.documents <> (select count(*) from articles a where a.site_id = s.site_id)
          or exists (select from usage_changes)`),
    ).toEqual([]);
    expect(
      await off(`
        select c.id from categories c
        cross join lateral (
          select count(*) as articles, count(*) filter (where status = 'published') as published
          from articles where category_id = c.id
        ) a
        where c.article_count <> a.articles or c.published_article_count <> a.published`),
    ).toEqual([]);
    expect(
      await off(`
        select s.site_id from site_comments s
        cross join lateral (
          select count(*) filter (where status = 'approved') as approved,
            count(*) filter (where status = 'pending') as pending, count(*) filter (where status = 'spam') as spam
          from comments where site_id = s.site_id
        ) c
        where s.approved <> c.approved or s.pending <> c.pending or s.spam <> c.spam`),
    ).toEqual([]);
    expect(
      await off(`
        select c.id from comments c left join comments p on p.id = c.parent_id
        where c.is_public <> (c.status = 'approved' and coalesce(p.status, 'approved') = 'approved')`),
    ).toEqual([]);
    const parts = sharesOf(size.sites).map((share) => Math.round(size.comments * share));
    expect(await off('select count(*)::int as comments from comments')).toEqual([
      { comments: parts.reduce((sum, part) => sum + part) },
    ]);
  });

  test('reuses them with the same keys', async () => {
    const [again] = await prepareBlogs(api.adminUrl, home, size);
    expect(again).toEqual(blogs[0]);
  });

  test('consists of valid requests, each by its share', async () => {
    const next = createTraffic(blogs, await walkDeep(blogs[0] as Blog, api.origin));
    const requests = { read: 0, write: 0 };
    const names = new Set<string>();
    // A busy machine falls behind, and then a measurement ends early.
    for (let left = 1_200; left > 0; left = 1_200 - requests.read - requests.write) {
      const at = { rate: 150, warmUpMs: 0, measureMs: Math.ceil((left * 1_000) / 150) };
      const { operations } = await pace([api.origin], next, at);
      expect(operations.flatMap(({ firstError }) => firstError ?? [])).toEqual([]);
      for (const operation of operations) {
        names.add(operation.name);
        requests[operation.kind] += operation.requests;
      }
    }
    expect([...names]).toEqual(
      expect.arrayContaining([
        'list',
        'public comments, deep page',
        'publish',
        'cancel a schedule',
        'delete',
      ]),
    );
    expect(names.size).toBe(32);
    expect(requests.read + requests.write).toBe(1_200);
    // An operation without an article to work on is skipped.
    expect(requests.write).toBeGreaterThan(100);
    expect(requests.write).toBeLessThanOrEqual(120);
  });
});

describe('the generator', () => {
  test('counts a stall for every request that was due in it', async () => {
    const held: (() => void)[] = [];
    let stalled = true;
    const server = createServer((_request, response) => {
      if (stalled) held.push(() => response.end());
      else response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    setTimeout(() => {
      stalled = false;
      for (const answer of held) answer();
    }, 700);
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const planned = { request: { method: 'GET', path: '/', headers: {} }, status: 200 } as const;
    const { reads } = await pace([origin], () => ({ ...planned, operation: 'read', kind: 'read' }), {
      rate: 400,
      warmUpMs: 0,
      measureMs: 1_000,
    });
    server.closeAllConnections();
    server.close();
    expect(reads.requests).toBe(400);
    // Most were due during the stall, and all but 64 of these had no free connection: measured from the time they were
    // sent, they would look fast.
    expect(reads.p50).toBeGreaterThan(100);
  });
});

describe('the search', () => {
  const attempt =
    (capacity: number, shortly = capacity) =>
    async (rate: number, longer: boolean) => ({
      rate,
      held: rate <= (longer ? capacity : shortly),
    });

  test('approaches the highest rate that holds, from either side', async () => {
    for (const capacity of [37, 200, 1_234]) {
      const { best } = await findRate(200, attempt(capacity));
      expect(best?.rate).toBeGreaterThan(capacity * 0.9);
      expect(best?.rate).toBeLessThanOrEqual(capacity);
    }
  });

  test('steps back from a rate that only holds for seconds', async () => {
    const { best } = await findRate(200, attempt(900, 1_000));
    expect(best?.rate).toBeGreaterThan(800);
    expect(best?.rate).toBeLessThanOrEqual(900);
  });

  test('reports that no rate holds', async () => {
    expect((await findRate(200, attempt(0))).best).toBeNull();
  });
});

describe('its arithmetic', () => {
  test('distributes turns by share, evenly spread', () => {
    const next = byShare([
      { name: 'often', share: 3 },
      { name: 'seldom', share: 1 },
    ]);
    const names = Array.from({ length: 8 }, () => next().name);
    expect(names.filter((name) => name === 'seldom')).toHaveLength(2);
    expect(names.slice(0, 4)).toContain('seldom');
  });

  test('fits a line to samples', () => {
    const line = [0, 1, 2, 3].map((at) => ({ at, value: 100 + 5 * at }));
    expect(slope(line)).toBeCloseTo(5);
    expect(slope([{ at: 1, value: 7 }])).toBe(0);
  });
});
