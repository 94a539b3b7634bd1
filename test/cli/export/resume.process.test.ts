import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { startApi } from '../../support/api.ts';
import type { TestApi } from '../../support/api.ts';
import { buildArticle, buildPublished, buildTenant, buildTerm } from '../../support/builders.ts';
import type { Tenant } from '../../support/builders.ts';
import { flat } from '../../support/images.ts';
import { registerUpload, uploadBytes } from '../../support/uploads.ts';
import { closeProxies, startApiProxy } from '../../packages/importer/import/api-proxy.ts';
import type { ApiProxy } from '../../packages/importer/import/api-proxy.ts';
import { endPrograms, startProgram } from '../../support/program.ts';
import { endExports, exportArgs, newTarget, runExport } from './exporter.ts';
import type { Target } from './exporter.ts';

let api: TestApi;
let tenant: Tenant;

beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  tenant = await buildTenant(api.db);
});
afterEach(async () => {
  endPrograms();
  await endExports();
  await closeProxies();
});
afterAll(() => api.close());

/** Articles of half a megabyte, so that a page has some of them only. */
const HEAVY = 'x'.repeat(500_000);

async function buildSite(): Promise<void> {
  const { secretKey: key } = tenant;
  const uploadId = await uploadBytes(api, key, await flat(9, 7).png().toBuffer(), {
    content_type: 'image/png',
  });
  const { url } = (await registerUpload(api, key, uploadId)).data;
  const author = await buildTerm(api, key, 'authors', { avatar_url: url });
  for (let number = 10; number < 30; number += 1) {
    await buildArticle(api, key, { external_id: `a${number}`, author_id: author.id, content: HEAVY });
  }
}

const run = (target: Target, baseUrl = `${api.origin}/v1`) =>
  runExport(baseUrl, tenant.secretKey, target, '--media', target.media);

/** A read of articles with their content. */
const isHeavy = (path: string): boolean => path.includes('content_updated_at');

const heavyReads = ({ seen }: ApiProxy): number => seen.filter(({ path }) => isHeavy(path)).length;

/** Stops an export at its second page of articles, which the API never answers. */
async function interrupt(target: Target, signal: NodeJS.Signals): Promise<number | null> {
  const reached = Promise.withResolvers<void>();
  let heavy = 0;
  const proxy = await startApiProxy(api.origin, ({ path }) => {
    if (!isHeavy(path) || (heavy += 1) < 2) return 'pass';
    reached.resolve();
    return 'hold';
  });
  const exporter = startProgram(exportArgs(proxy.baseUrl, tenant.secretKey, target));
  await reached.promise;
  exporter.kill(signal);
  const code = await exporter.ended;
  expect([exporter.out(), existsSync(target.out)]).toEqual(['', false]);
  return code;
}

test('killed at any request and run again, it gives the file of an export that was not interrupted', async () => {
  await buildSite();
  const whole = newTarget();
  const straight = await startApiProxy(api.origin);
  expect((await run(whole, straight.baseUrl)).code).toBe(0);
  const requests = straight.seen.length;
  expect(heavyReads(straight)).toBeGreaterThan(1);
  for (let number = 1; number <= requests; number += 1) {
    const target = newTarget();
    const reached = Promise.withResolvers<void>();
    const proxy = await startApiProxy(api.origin, (_, count) => {
      if (count !== number) return 'pass';
      reached.resolve();
      return 'hold';
    });
    const exporter = startProgram(
      exportArgs(proxy.baseUrl, tenant.secretKey, target, '--media', target.media),
    );
    await reached.promise;
    exporter.kill('SIGKILL');
    await exporter.ended;
    const { code, report } = await run(target);
    expect([number, code, report?.articles, report?.images]).toEqual([
      number,
      0,
      20,
      { written: 1, failed: 0 },
    ]);
    expect(target.text() === whole.text()).toBe(true);
    expect(existsSync(`${target.out}.progress`)).toBe(false);
  }
}, 300_000);

test.each<[NodeJS.Signals, number]>([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])('%s ends it with exit code %d, and the next run reads only what is missing', async (signal, code) => {
  await buildSite();
  const target = newTarget();
  expect(await interrupt(target, signal)).toBe(code);
  const read = readFileSync(`${target.out}.progress`, 'utf8').trim().split('\n').length - 1;
  expect(read).toBeGreaterThan(0);
  const proxy = await startApiProxy(api.origin);
  expect((await run(target, proxy.baseUrl)).report?.articles).toBe(20);
  const [first] = proxy.seen.filter(({ path }) => isHeavy(path));
  const { rows } = await api.db.pool.query(
    'select updated_at from articles where site_id = $1 order by updated_at, id offset $2 limit 1',
    [tenant.siteId, read],
  );
  const since = new URL(first?.path ?? '', api.origin).searchParams.get('updated_since');
  expect(since).toBe(rows[0].updated_at.toISOString());
});

test('articles that were changed, deleted, created or published between two runs are as they are now', async () => {
  const { secretKey: key } = tenant;
  await buildSite();
  const target = newTarget();
  await interrupt(target, 'SIGKILL');
  const items = (await api.request('GET', '/articles?limit=100&fields=external_id', { key })).data.items;
  const idOf = (externalId: string): string => items.find((each: any) => each.external_id === externalId).id;
  await api.request('PATCH', `/articles/${idOf('a10')}`, { key, body: { title: 'Changed' } });
  await api.request('DELETE', `/articles/${idOf('a11')}`, { key });
  await api.request('PATCH', `/articles/${idOf('a12')}`, { key, body: { title: 'T', slug: 't' } });
  const body = { scheduled_publish_at: '2999-01-01T00:00:00Z' };
  expect((await api.request('POST', `/articles/${idOf('a12')}/schedule`, { key, body })).status).toBe(200);
  await buildPublished(api, key, { external_id: 'a99' });
  const [resumed, straight] = [target, newTarget()];
  expect((await run(resumed)).code).toBe(0);
  await run(straight);
  expect(resumed.text() === straight.text()).toBe(true);
  const { articles } = JSON.parse(resumed.text() ?? '');
  expect(articles.map((each: any) => each.external_id)).toEqual([
    'a10',
    ...Array.from({ length: 17 }, (_, index) => `a${index + 13}`),
    'a99',
  ]);
  expect(articles[0].title).toBe('Changed');
});

test('an article that changes while the others are read is in the file once, as it is afterwards', async () => {
  const { secretKey: key } = tenant;
  await buildSite();
  const target = newTarget();
  const [oldest] = (await api.request('GET', '/articles?order=updated_at.asc&limit=1', { key })).data.items;
  let heavy = 0;
  const proxy = await startApiProxy(api.origin, ({ path }) => {
    if (!isHeavy(path) || (heavy += 1) !== 2) return 'pass';
    const change = api.request('PATCH', `/articles/${oldest.id}`, { key, body: { title: 'Meanwhile' } });
    return { after: change.then(() => undefined), answered: () => 'give' };
  });
  expect((await run(target, proxy.baseUrl)).report?.articles).toBe(20);
  const { articles } = JSON.parse(target.text() ?? '');
  expect(articles.filter((each: any) => each.title === 'Meanwhile')).toHaveLength(1);
  expect(new Set(articles.map((each: any) => each.external_id)).size).toBe(20);
});

test('a line of the progress that was cut is read again', async () => {
  await buildSite();
  const [target, whole] = [newTarget(), newTarget()];
  await interrupt(target, 'SIGKILL');
  const progress = `${target.out}.progress`;
  const text = readFileSync(progress, 'utf8');
  writeFileSync(progress, text.slice(0, -1_000));
  appendFileSync(progress, '\0\0');
  expect((await run(target)).code).toBe(0);
  await run(whole);
  expect(target.text() === whole.text()).toBe(true);
});

test('it waits as long as the API asks for, and repeats what was not answered', async () => {
  await buildSite();
  const target = newTarget();
  const proxy = await startApiProxy(api.origin, (_, count) => {
    if (count % 4 === 2) return { status: 503, headers: { 'retry-after': '1' } };
    return count % 4 === 0 ? { answered: () => 'cut' } : 'pass';
  });
  const { code, report, err } = await run(target, proxy.baseUrl);
  expect([code, report?.articles]).toEqual([0, 20]);
  expect(err).toContain('waiting 1 s');
});

test('a key that is revoked on the way leaves no file; with another key the export continues', async () => {
  await buildSite();
  const target = newTarget();
  let heavy = 0;
  const proxy = await startApiProxy(api.origin, ({ path }) =>
    isHeavy(path) && (heavy += 1) === 2
      ? { status: 401, body: '{"error":{"code":"API_KEY_REVOKED","message":"Revoked."}}' }
      : 'pass',
  );
  const { code, err } = await run(target, proxy.baseUrl);
  expect([code, existsSync(target.out)]).toEqual([2, false]);
  expect(err).toContain('API_KEY_REVOKED');
  expect((await run(target)).report?.articles).toBe(20);
});
