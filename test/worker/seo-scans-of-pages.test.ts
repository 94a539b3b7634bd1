import type { PageVisitor } from '../../adapters/pages/visitor.ts';
import { createAuthority } from '../support/certificates.ts';
import { buildPublished } from '../support/builders.ts';
import { balances, buildPurse } from '../support/pipeline.ts';
import { page, redirect, startSite } from '../support/generated-site.ts';
import type { Answering, GeneratedSite } from '../support/generated-site.ts';
import { visitorOf } from '../support/scan-visitor.ts';
import { endedScan, findingsOf, startScan, startScans } from '../support/scans.ts';
import type { ScanStack } from '../support/scans.ts';

const authority = createAuthority();
let site: GeneratedSite;
let visitor: ReturnType<typeof visitorOf>;
/** A path whose page cannot be read; settable. */
let unreadable: string | null = null;
let stack: ScanStack;

/** The visitor of each test, which remembers no robots.txt of another one. */
const pages: PageVisitor = {
  visit: (...of) => visitor.visit(...of),
  read: async (answer, options) =>
    new URL(answer.url).pathname === unreadable ? null : visitor.read(answer, options),
  readLinks: (...of) => visitor.readLinks(...of),
  sitemapPages: (...of) => visitor.sitemapPages(...of),
};
const renewVisitor = (): void => void (visitor = visitorOf([site.host], authority.file));

beforeAll(async () => {
  const { certificate: cert, key } = authority.issue('DNS:localhost');
  site = await startSite({ cert, key }, new Map());
  stack = await startScans({}, pages);
});
beforeEach(renewVisitor);
afterEach(async () => {
  site.paths.clear();
  unreadable = null;
  await visitor.end();
});
afterAll(async () => {
  await stack.close();
  await site.close();
  authority.remove();
});

async function purseAt(host: string) {
  const purse = await buildPurse(stack.api, 100);
  await stack.api.db.pool.query('update sites set domain = $2 where id = $1', [purse.siteId, host]);
  return purse;
}

const shown = (findings: readonly any[]): string[] =>
  findings.map(({ rule, status, url }) => `${rule} ${status} ${url.replace(site.origin, '')}`).toSorted();

test('a crawl is paid by ten pages, and the next one fixes what is no longer found', async () => {
  const purse = await purseAt(site.host);
  const good = Array.from({ length: 20 }, (_, at) => `/good/${at}`);
  site.paths.set('/', page('/', [...good, '/missing', '/loop', '/chain', '/untitled']));
  for (const path of good) site.paths.set(path, page(path, ['/']));
  site.paths.set('/loop', redirect('/loop'));
  site.paths.set('/chain', redirect('/chain/2'));
  site.paths.set('/chain/2', redirect('/good/1'));
  site.paths.set('/untitled', '<meta name="description" content="x">');
  const first = await endedScan(
    stack.api,
    purse.key,
    (await startScan(stack.api, purse.key, 'site-crawl')).id,
  );
  // The start, 20 good pages, the missing and the untitled one.
  expect(first).toMatchObject({
    status: 'completed',
    units: { done: 3 },
    credits_spent: 3,
    found: { error: 3, warning: 1, notice: 0 },
  });
  expect((await balances(stack.api, purse.organisationId))[0]).toBe(97);
  expect(shown(await findingsOf(stack.api, purse.key))).toEqual([
    'broken-page open /missing',
    'missing-title open /untitled',
    'redirect-chain open /chain',
    'redirect-loop open /loop',
  ]);
  site.paths.set('/', page('/', [...good, '/chain', '/untitled']));
  site.paths.set('/untitled', page('/untitled'));
  const second = await endedScan(
    stack.api,
    purse.key,
    (await startScan(stack.api, purse.key, 'site-crawl')).id,
  );
  expect(second).toMatchObject({ status: 'completed', found: { error: 0, warning: 1, notice: 0 } });
  expect(shown(await findingsOf(stack.api, purse.key))).toEqual([
    'broken-page fixed /missing',
    'missing-title fixed /untitled',
    'redirect-chain open /chain',
    'redirect-loop fixed /loop',
  ]);
});

test('max_pages ends a crawl, which is complete then', async () => {
  const purse = await purseAt(site.host);
  const paths = Array.from({ length: 40 }, (_, at) => `/p/${at}`);
  site.paths.set('/', page('/', paths));
  for (const path of paths) site.paths.set(path, page(path));
  const { id } = await startScan(stack.api, purse.key, 'site-crawl', { max_pages: 15 });
  expect(await endedScan(stack.api, purse.key, id)).toMatchObject({
    status: 'completed',
    units: { done: 2 },
    credits_spent: 2,
  });
});

test('a crawl that the credits do not cover ends partial, and goes on where it ended', async () => {
  const purse = await buildPurse(stack.api, 1);
  await stack.api.db.pool.query('update sites set domain = $2 where id = $1', [purse.siteId, site.host]);
  const paths = Array.from({ length: 14 }, (_, at) => `/rest/${at}`);
  site.paths.set('/', page('/', paths));
  for (const path of paths) site.paths.set(path, page(path));
  const { id } = await startScan(stack.api, purse.key, 'site-crawl');
  expect(await endedScan(stack.api, purse.key, id)).toMatchObject({
    status: 'partial',
    reason: 'insufficient_credits',
    credits_spent: 1,
  });
  await stack.api.db.pool.query('update organisations set credit_balance = 5 where id = $1', [
    purse.organisationId,
  ]);
  const rest = await startScan(stack.api, purse.key, 'site-crawl', { resume_scan_id: id });
  expect(await endedScan(stack.api, purse.key, rest.id)).toMatchObject({
    status: 'completed',
    credits_spent: 1,
  });
  expect(site.requests.filter((path) => path === '/rest/3').length).toBe(1);
});

test('links, structured data and backlinks are scanned by the same machinery', async () => {
  const purse = await purseAt(site.host);
  const article = await buildPublished(stack.api, purse.key, {
    title: 'Tea',
    slug: 'tea',
    content: `[gone](${site.origin.replace('localhost', '127.0.0.1')}/gone) [insecure](http://nowhere.invalid/)`,
  });
  site.paths.set('/tea', page('/tea'));
  site.paths.set('/elsewhere', page('/elsewhere'));
  await stack.api.request('POST', '/seo/backlinks/import', {
    key: purse.key,
    body: { csv: `source_url,target_url\n${site.origin}/elsewhere,${site.origin}/tea` },
  });
  for (const kind of ['outbound-links', 'structured-data', 'backlinks']) {
    const { id } = await startScan(stack.api, purse.key, kind);
    expect(await endedScan(stack.api, purse.key, id)).toMatchObject({
      status: 'completed',
      credits_spent: 1,
      units: { done: 1, total: 1 },
    });
  }
  const findings = await findingsOf(stack.api, purse.key);
  expect(findings.map(({ rule }) => rule).toSorted()).toEqual([
    'broken-link',
    'broken-link',
    'insecure-link',
    'lost-backlink',
    'no-structured-data',
  ]);
  expect(new Set(findings.map(({ article_id: id }) => id))).toEqual(new Set([article.id]));
  // A link that was taken out is no fault any more.
  await stack.api.request('PATCH', `/articles/${article.id}`, {
    key: purse.key,
    body: { content: '[insecure](http://nowhere.invalid/)' },
  });
  await endedScan(stack.api, purse.key, (await startScan(stack.api, purse.key, 'outbound-links')).id);
  expect(await findingsOf(stack.api, purse.key, '&status=fixed')).toHaveLength(1);
});

test('a link to a page of the front end is not broken once a crawl has found it, as a link to nothing is', async () => {
  const purse = await purseAt(site.host);
  const { key } = purse;
  site.paths.set('/', page('/', ['/about', '/imprint/', '/tea', '/closed']));
  for (const path of ['/about', '/imprint/', '/tea']) site.paths.set(path, page(path));
  const { id: teaId } = await buildPublished(stack.api, key, { title: 'Tea', slug: 'tea', content: 'x' });
  const links = ['about', 'imprint', 'closed', 'tea', 'never-was'].map((slug) => `[a link](/${slug})`);
  await buildPublished(stack.api, key, { title: 'Pots', slug: 'pots', content: links.join(' ') });
  const broken = async (): Promise<string[]> => {
    await endedScan(stack.api, key, (await startScan(stack.api, key, 'internal-links')).id);
    const found = await findingsOf(stack.api, key, '&rule=broken-internal-link&status=open');
    return found.map(({ evidence }) => evidence.link).toSorted();
  };
  expect(await broken()).toEqual(['/about', '/closed', '/imprint', '/never-was']);
  await endedScan(stack.api, key, (await startScan(stack.api, key, 'site-crawl')).id);
  expect(await broken()).toEqual(['/closed', '/never-was']);
  // The crawl found its page, but as an article's.
  await stack.api.request('POST', `/articles/${teaId}/unpublish`, { key, idempotencyKey: true });
  expect(await broken()).toEqual(['/closed', '/never-was', '/tea']);
});

describe('what a crawl did not look at stays open', () => {
  const failing =
    (status: number): Answering =>
    (_, response) =>
      response.writeHead(status).end();
  const crawled = async ({ key }: { key: string }, body: object = {}): Promise<string[]> => {
    const { id } = await startScan(stack.api, key, 'site-crawl', body);
    expect(await endedScan(stack.api, key, id)).toMatchObject({ status: 'completed' });
    return shown(await findingsOf(stack.api, key, '&status=open'));
  };
  const sitemapOf = (paths: readonly string[]): string =>
    `<urlset>${paths.map((path) => `<url><loc>${site.origin}${path}</loc></url>`).join('')}</urlset>`;
  const robots = 'User-agent: *\nDisallow: /cart\n';

  test.each<[string, () => Promise<void> | void, string?]>([
    ['the crawl starts elsewhere', () => {}, '/deep'],
    ['the page with the link fails', () => void site.paths.set('/list', failing(500))],
    ['it breaks off', () => void site.paths.set('/list', (request) => request.socket.destroy())],
    ['it leads back to itself', () => void site.paths.set('/list', redirect('/list'))],
    ['it cannot be read', () => void (unreadable = '/list')],
    [
      'it may not be fetched any more',
      async () => {
        site.paths.set('/robots.txt', `${robots}Disallow: /list\n`);
        await visitor.end();
        renewVisitor();
      },
    ],
    ['the sitemap fails', () => void site.paths.set('/sitemap.xml', failing(503))],
    ['the sitemap is cut', () => void site.paths.set('/sitemap.xml', sitemapOf(['/']).slice(0, -9))],
    ['the sitemap is none', () => void site.paths.set('/sitemap.xml', '<html>Sorry.</html>')],
  ])('if %s, and is fixed once the pages are gone', async (_, breakSite, start = '/') => {
    const purse = await purseAt(site.host);
    // These never show what they have, which hides nothing that was found.
    site.paths.set('/', page('/', ['/list', '/deep', '/cart', '/members']));
    site.paths.set('/robots.txt', robots);
    site.paths.set('/members', failing(403));
    site.paths.set('/deep', page('/deep'));
    site.paths.set('/list', page('/list', ['/untitled']));
    site.paths.set('/untitled', '<meta name="description" content="x">');
    site.paths.set('/sitemap.xml', sitemapOf(['/', '/lonely']));
    const lasting = ['blocked-by-robots open /cart', 'broken-page open /members'];
    const passing = ['missing-title open /untitled', 'orphan-page open /lonely'];
    expect(await crawled(purse)).toEqual([...lasting, ...passing]);
    const whole = new Map(site.paths);
    await breakSite();
    const second = await crawled(purse, { start_url: site.origin + start });
    expect(second).toEqual(expect.arrayContaining([...lasting, ...passing]));

    unreadable = null;
    for (const [path, answer] of whole) site.paths.set(path, answer);
    site.paths.set('/list', page('/list'));
    site.paths.set('/sitemap.xml', sitemapOf(['/']));
    await visitor.end();
    renewVisitor();
    expect(await crawled(purse)).toEqual(lasting);
  });

  test('but not if a sitemap could be read neither time', async () => {
    const purse = await purseAt(site.host);
    const files = ['/map-1.xml', '/map-2.xml'].map(
      (path) => `<sitemap><loc>${site.origin}${path}</loc></sitemap>`,
    );
    site.paths.set('/sitemap.xml', `<sitemapindex>${files.join('')}</sitemapindex>`);
    site.paths.set('/map-1.xml', sitemapOf(['/', '/old']));
    site.paths.set('/map-2.xml', failing(503));
    site.paths.set('/', page('/', ['/old']));
    site.paths.set('/old', '<meta name="description" content="x">');
    expect(await crawled(purse)).toEqual(['missing-title open /old']);
    site.paths.set('/', page('/'));
    site.paths.set('/map-1.xml', sitemapOf(['/']));
    site.paths.delete('/old');
    await visitor.end();
    renewVisitor();
    expect(await crawled(purse)).toEqual([]);
  });

  test('if it is a title, until every page that had it was read or this one has another', async () => {
    const purse = await purseAt(site.host);
    const twin = page('/twin');
    site.paths.set('/', page('/', ['/a', '/b']));
    for (const path of ['/a', '/b']) site.paths.set(path, twin);
    const both = ['duplicate-title open /a', 'duplicate-title open /b'];
    expect(await crawled(purse)).toEqual(both);
    expect(await crawled(purse, { max_pages: 2 })).toEqual(both);
    site.paths.set('/b', failing(503));
    expect(await crawled(purse)).toEqual(['broken-page open /b', ...both]);
    site.paths.set('/a', page('/a'));
    expect(await crawled(purse)).toEqual(['broken-page open /b', 'duplicate-title open /b']);
    site.paths.set('/a', twin);
    site.paths.set('/b', twin);
    expect(await crawled(purse)).toEqual(both);
    site.paths.delete('/b');
    expect(await crawled(purse)).toEqual(['broken-page open /b']);
  });
});
