import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatImport, measureImport } from '../../../tools/bench/import.ts';
import { measure, quantile, summarize } from '../../../tools/bench/load.ts';
import type { Measurement } from '../../../tools/bench/load.ts';
import { createReport, formatReport } from '../../../tools/bench/report.ts';
import { scenarios } from '../../../tools/bench/scenarios.ts';
import type { Scenario } from '../../../tools/bench/requests.ts';
import { seed } from '../../../tools/bench/seed.ts';
import type { Seeded, SeededSite } from '../../../tools/bench/seed.ts';
import { startApi } from '../../support/api.ts';
import type { TestApi } from '../../support/api.ts';

const size = {
  smallSites: 2,
  articlesInLarge: 9_200,
  articlesInSmall: 30,
  keysInLarge: 20,
  keysInSmall: 20,
};
const measured: Measurement = {
  requests: 10,
  answered: 12,
  perSecond: 100,
  p50: 1,
  p99: 2,
  errors: 0,
  firstError: null,
};

describe('the benchmark', () => {
  let api: TestApi;
  let seeded: Seeded;

  beforeAll(async () => {
    api = await startApi();
    seeded = await seed(api.adminUrl, size);
  });
  afterAll(() => api.close());

  const onApi = Object.entries(scenarios).filter(([, { target }]) => target === 'api');

  test.each(onApi)('%s sends valid requests', async (name, scenario: Scenario) => {
    const next = await scenario.prepare(seeded, api.origin);
    let left = 40;
    const few = () => ((left -= 1) < 0 ? null : next());
    const { answered, errors, firstError } = await measure(api.origin, few, scenario.status, {
      warmUpMs: 0,
      measureMs: 20_000,
    });
    // On a machine that is too busy to answer in time a search is 503.
    if (name === 'search' && firstError !== null) expect(firstError).toMatch(/^503/);
    else expect(firstError).toBeNull();
    expect(answered).toBeGreaterThan(0);
    expect(answered + errors).toBe(40);
  });

  test('the import benchmark imports every article that it measures, and exports the Site', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'presswork-bench-test-'));
    const [site] = seeded.small;
    const speed = await measureImport(api.origin, site as SeededSite, folder, 30);
    rmSync(folder, { recursive: true });
    expect(speed).toMatchObject({ articles: 30, completed: true });
    expect(speed.exported.articles).toBeGreaterThanOrEqual(30);
    const shown = { ...speed, perSecond: 50, exported: { articles: 40, perSecond: 20 } };
    expect(formatImport(shown, 200)).toBe(
      'import of 30 published articles: 50 articles/s; 25 % of 200 bare creates/s\nexport of 40 articles: 20 articles/s',
    );
  });

  test('keeps counts that match the articles', async () => {
    const { rows } = await api.db.pool.query(`
      select c.article_count, count(a.id)::int as articles from categories c
      left join articles a on a.category_id = c.id group by c.id`);
    expect(rows.every((row) => row.article_count === row.articles)).toBe(true);
  });

  test('counts an answer of another status as an error', async () => {
    const next = () => ({ method: 'GET', path: '/v1/articles', headers: {} }) as const;
    const { errors, firstError, times } = await measure(api.origin, next, 200, {
      warmUpMs: 0,
      measureMs: 100,
    });
    expect(errors).toBeGreaterThan(0);
    expect(firstError).toMatch(/^401 .*INVALID_API_KEY/);
    expect(times).toEqual([]);
  });
});

describe('a summary', () => {
  test('combines all samples of a load', () => {
    const one = { times: [4, 2], measuredMs: 500, answered: 3, errors: 0, firstError: null };
    const other = { times: [1, 3], measuredMs: 1_500, answered: 5, errors: 1, firstError: 'refused' };
    expect(summarize([one, other])).toEqual({
      requests: 4,
      answered: 8,
      perSecond: 2,
      p50: 2,
      p99: 4,
      errors: 1,
      firstError: 'refused',
    });
  });
});

describe('quantile', () => {
  test('is the value that this share of the values does not exceed', () => {
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(2);
    expect(quantile([1, 2, 3, 4], 0.99)).toBe(4);
    expect(quantile([], 0.5)).toBe(0);
  });
});

describe('the report', () => {
  const line = (name: string, perSecond: number) => ({
    ...measured,
    name,
    title: `measured ${name}`,
    perSecond,
    megabytes: null,
    processorUs: null,
  });

  test('compares each speed with one prepared read, and the deep page with the first', () => {
    const report = createReport([line('row', 200), line('list', 100), line('deep', 95)], {
      idleMegabytes: 90,
      peakMegabytes: 120,
    });
    expect(report.ratios['list']).toBe(0.5);
    expect(report.deepToFirst).toBe(0.95);
    expect(formatReport(report)).toContain('deep page against the first: 95 %');
    expect(formatReport(report)).toMatch(/measured list +100 +1\.00 +2\.00 +0 +50 % +– +–/);
  });

  test('leaves out what was not measured', () => {
    const report = createReport([line('read', 10)], { idleMegabytes: null, peakMegabytes: null });
    expect(report.deepToFirst).toBeNull();
    expect(formatReport(report)).toContain('memory of the API: – MB idle, – MB at most under load');
  });
});
