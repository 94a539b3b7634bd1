import { createSiteCrawl } from '../../../activities/seo-scan/site-crawl.ts';
import { useApi } from '../../support/api.ts';
import { buildPublished, buildTenant } from '../../support/builders.ts';
import type { Tenant } from '../../support/builders.ts';
import { createAuthority } from '../../support/certificates.ts';
import type { Authority } from '../../support/certificates.ts';
import { page, redirect, startSite } from '../../support/generated-site.ts';
import type { Answering, GeneratedSite } from '../../support/generated-site.ts';
import { driveScan } from '../../support/scan-driver.ts';
import { visitorOf } from '../../support/scan-visitor.ts';

const api = await useApi();
let tenant: Tenant;
let authority: Authority;
let identity: { key: string; cert: string };
let site: GeneratedSite;
let visitor: ReturnType<typeof visitorOf>;

beforeAll(async () => {
  tenant = await buildTenant(api.db);
  authority = createAuthority();
  const { certificate, key } = authority.issue('DNS:localhost');
  identity = { key, cert: certificate };
});
afterAll(() => authority.remove());
afterEach(async () => {
  await visitor.end();
  await site.close();
});

async function open(paths: Iterable<readonly [string, Answering]>): Promise<void> {
  site = await startSite(identity, new Map(paths));
  visitor = visitorOf([site.host], authority.file);
}

/** @returns `rule path` of each fault, in order */
async function crawl(parameters: { max_pages?: number; start?: string; article_ids?: string[] } = {}) {
  const { start = '/', ...others } = parameters;
  const kind = createSiteCrawl({ db: api.db, pages: visitor });
  const driven = await driveScan(kind, tenant.siteId, {
    max_pages: 2_000,
    start_url: site.origin + start,
    ...others,
  });
  const short = (url: string | null): string => (url ?? '').replace(site.origin, '');
  return { ...driven, found: driven.faults.map(({ rule, url }) => `${rule} ${short(url)}`).toSorted() };
}

const html =
  (body: string, headers: Record<string, string> = {}, status = 200): Answering =>
  (_, response) => {
    response.writeHead(status, { 'Content-Type': 'text/html', ...headers });
    response.end(body);
  };

test('on a site of 500 pages, each fault is found once, and none is invented', async () => {
  const good = Array.from({ length: 480 }, (_, at) => `/good/${at}`);
  const links = (path: string): string[] => {
    const at = Number(path.split('/').at(-1));
    // A tree, so that pages are found at every depth, and links back.
    return [
      ...good.slice(at * 3 + 3, at * 3 + 6),
      '/',
      path,
      `${path}#part`,
      'mailto:a@b.example',
      'https://elsewhere.example/',
    ];
  };
  const bad = [
    '/missing',
    '/error',
    '/chain',
    '/one-hop',
    '/loop',
    '/no-title',
    '/empty-title',
    '/no-description',
    '/noindex',
    '/noindex-header',
    '/canonical',
    '/mixed',
    '/twin-a',
    '/twin-b',
    '/forbidden/x',
    '/file.pdf',
  ];
  await open([
    ['/', page('/', [...good.slice(0, 3), ...bad, '/?page=2'])],
    ['/?page=2', page('/?page=2', ['/'], '<link rel="canonical" href="/">')],
    ...good.map((path) => [path, page(path, links(path), `<link rel="canonical" href="${path}">`)] as const),
    ['/error', html('<title>x</title>', {}, 500)],
    ['/chain', redirect('/chain-2')],
    ['/chain-2', redirect('/chain-end', 302)],
    ['/chain-end', page('/chain-end')],
    ['/one-hop', redirect('/hop-end', 308)],
    ['/hop-end', page('/hop-end')],
    ['/loop', redirect('/loop-2')],
    ['/loop-2', redirect('/loop')],
    ['/no-title', html('<meta name="description" content="d"><svg><title>Icon</title></svg>')],
    ['/empty-title', html('<title> \n </title><meta name="description" content="d">')],
    ['/no-description', html('<title>No description</title><meta name="description" content=" ">')],
    ['/noindex', page('/noindex', [], '<meta name="ROBOTS" content="NoIndex, follow">')],
    ['/noindex-header', html(page('/noindex-header'), { 'X-Robots-Tag': 'none' })],
    ['/canonical', page('/canonical', [], '<link rel="canonical" href="/good/1">')],
    [
      '/mixed',
      page('/mixed', [], '<script src="http://cdn.example/a.js"></script><a href="http://plain.example/">'),
    ],
    ['/twin-a', page('/twin')],
    ['/twin-b', page('/twin').replace('Page /twin', 'page  /TWIN')],
    [
      '/file.pdf',
      (_, response) => response.writeHead(200, { 'Content-Type': 'application/pdf' }).end('%PDF'),
    ],
    ['/orphan', page('/orphan')],
    [
      '/robots.txt',
      (_, response) => response.end('User-agent: *\nDisallow: /forbidden/\nSitemap: /index.xml'),
    ],
    [
      '/index.xml',
      (request, response) =>
        response.end(
          `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://${request.headers.host}/map.xml</loc></sitemap></sitemapindex>`,
        ),
    ],
    [
      '/map.xml',
      (request, response) =>
        response.end(
          `<urlset>${['/', '/orphan', ...good].map((path) => `<url><loc>https://${request.headers.host}${path}</loc></url>`).join('')}</urlset>`,
        ),
    ],
  ]);
  const { found, counted, lookedAt, faults } = await crawl();
  expect(found).toEqual(
    [
      'broken-page /missing',
      'broken-page /error',
      'redirect-chain /chain',
      'redirect-loop /loop',
      'missing-title /no-title',
      'missing-title /empty-title',
      'missing-description /no-description',
      'noindex /noindex',
      'noindex /noindex-header',
      'canonical-mismatch /canonical',
      'mixed-content /mixed',
      'duplicate-title /twin-a',
      'duplicate-title /twin-b',
      'blocked-by-robots /forbidden/x',
      'orphan-page /orphan',
    ].toSorted(),
  );
  // Neither redirects, nor the file, nor what robots.txt forbids.
  expect(counted).toBe(495);
  expect(lookedAt.has(`missing-title ${site.origin}/good/400`)).toBe(true);
  expect(faults.find(({ rule }) => rule === 'mixed-content')?.evidence).toEqual({
    total: 1,
    urls: ['http://cdn.example/a.js'],
  });
  expect(site.requests.filter((path) => path.startsWith('/forbidden'))).toEqual([]);
  expect(site.requests.filter((path) => path === '/robots.txt')).toHaveLength(1);
});

test('a crawl ends at its number of pages, and does not call a page an orphan that it did not reach', async () => {
  const paths = Array.from({ length: 30 }, (_, at) => `/p/${at}`);
  await open([
    ['/', page('/', paths)],
    ...paths.map((path) => [path, page(path, ['/'])] as const),
    [
      '/sitemap.xml',
      (request, response) =>
        response.end(`<urlset><url><loc>https://${request.headers.host}/far</loc></url></urlset>`),
    ],
  ]);
  const { found, counted } = await crawl({ max_pages: 12 });
  expect([counted, found]).toEqual([12, []]);
  expect(site.requests.filter((path) => path.startsWith('/p/'))).toHaveLength(11);
});

test('a site that forbids everything costs nothing and says so once', async () => {
  await open([
    ['/', page('/', ['/a'])],
    ['/robots.txt', (_, response) => response.end('User-agent: *\nDisallow: /')],
  ]);
  const { found, counted } = await crawl();
  expect([counted, found]).toEqual([0, ['blocked-by-robots /']]);
  expect(site.requests).toEqual(['/robots.txt']);
});

test('a site whose robots.txt cannot be read is not visited', async () => {
  await open([
    ['/', page('/')],
    ['/robots.txt', (_, response) => response.writeHead(503).end()],
  ]);
  const { found, counted } = await crawl();
  expect([counted, found]).toEqual([0, ['blocked-by-robots /']]);
  expect(site.requests).not.toContain('/');
});

test('hostile pages neither stop a crawl nor hide its other findings', async () => {
  let drips: NodeJS.Timeout[] = [];
  const endless: Answering = (request, response) => {
    const step = Number(/\d+$/.exec(request.url ?? '')?.[0] ?? 0) + 1;
    response.writeHead(302, { Location: `/endless/${step}` }).end();
  };
  const paths = ['/endless/0', '/huge', '/drip', '/broken-utf8', '/deep', '/odd-location', '/good'];
  await open([
    ['/', page('/', paths)],
    ...Array.from({ length: 30 }, (_, at) => [`/endless/${at}`, endless] as const),
    [
      '/huge',
      (_, response) => {
        response.writeHead(200, { 'Content-Type': 'text/html' });
        response.write(page('/huge'));
        const chunk = Buffer.alloc(2 ** 20, '<p>x ');
        const more = (left: number): void => {
          if (left > 0 && !response.destroyed) response.write(chunk, () => more(left - 1));
          else response.end();
        };
        more(100);
      },
    ],
    [
      '/drip',
      (_, response) => {
        response.writeHead(200, { 'Content-Type': 'text/html' });
        drips.push(setInterval(() => response.write('x'), 200));
      },
    ],
    [
      '/broken-utf8',
      (_, response) =>
        response
          .writeHead(200, { 'Content-Type': 'text/html; charset=nonsense' })
          .end(
            Buffer.concat([
              Buffer.from('<title>a'),
              Buffer.from([0xff, 0xfe, 0xc3]),
              Buffer.from('</title><meta name=description content=x>'),
            ]),
          ),
    ],
    [
      '/deep',
      html(
        `<title>Deep</title><meta name="description" content="d">${'<div><b>'.repeat(100_000)}<a href="/good">`,
      ),
    ],
    ['/odd-location', redirect('javascript:alert(1)')],
    ['/good', page('/good')],
  ]);
  const { found, counted } = await crawl();
  for (const drip of drips) clearInterval(drip);
  expect(found).toEqual(['broken-page /drip', 'broken-page /odd-location', 'redirect-loop /endless/0']);
  expect(counted).toBe(6);
});

test('a crawl says of an address only what its answer shows, so that other findings stay as they are', async () => {
  await open([
    ['/', page('/', ['/gone', '/moved', '/failing', '/forbidden'])],
    ['/moved', redirect('/')],
    ['/failing', html('', {}, 500)],
    ['/robots.txt', 'User-agent: *\nDisallow: /forbidden'],
  ]);
  const { lookedAt } = await crawl();
  const isLookedAt = (rule: string, path: string): boolean => lookedAt.has(`${rule} ${site.origin}${path}`);
  // A page that is no longer there has a title no more than a description.
  expect(
    ['/gone', '/moved', '/failing', '/forbidden'].map((path) => isLookedAt('missing-title', path)),
  ).toEqual([true, true, false, false]);
  expect(isLookedAt('broken-page', '/failing')).toBe(true);
  expect(isLookedAt('broken-page', '/forbidden')).toBe(false);
  expect(isLookedAt('blocked-by-robots', '/forbidden')).toBe(true);
});

test('a redirect chain that leaves the origin is one, and the other origin is asked for nothing', async () => {
  const elsewhere = await startSite(identity, new Map([['/', page('/')]]));
  await open([
    ['/', page('/', ['/chain', '/one-hop'])],
    ['/chain', redirect('/one-hop')],
    ['/one-hop', redirect(`${elsewhere.origin}/`)],
  ]);
  await visitor.end();
  visitor = visitorOf([site.host, elsewhere.host], authority.file);
  expect((await crawl()).found).toEqual(['redirect-chain /chain']);
  expect(elsewhere.requests).toEqual([]);
  await elsewhere.close();
});

describe('the pages of published articles', () => {
  const articleOf = async (slug: string): Promise<string> =>
    (await buildPublished(api, tenant.secretKey, { slug })).id;
  const crawled = async (parameters = {}) => {
    await api.db.pool.query('update sites set domain = $2 where id = $1', [tenant.siteId, site.host]);
    return crawl(parameters);
  };
  beforeEach(async () => {
    tenant = await buildTenant(api.db);
  });

  test('that nothing links to are orphans of these articles', async () => {
    await open([
      ['/', page('/', ['/linked', '/slash/'])],
      ['/linked', page('/linked')],
      ['/slash/', page('/slash/')],
    ]);
    const alone = await articleOf('alone');
    for (const slug of ['linked', 'slash']) await articleOf(slug);
    const { faults } = await crawled();
    expect(faults.map(({ rule, articleId }) => [rule, articleId])).toEqual([['orphan-page', alone]]);
  });

  test('are orphans among the named ones only, and nothing is said about the others', async () => {
    await open([['/', page('/')]]);
    const [one, other] = [await articleOf('one'), await articleOf('other')];
    const { faults, lookedAt } = await crawled({ article_ids: [one] });
    expect(faults.map(({ rule, articleId }) => [rule, articleId])).toEqual([['orphan-page', one]]);
    expect([...lookedAt].filter((looked) => looked.endsWith('/other'))).toEqual([]);
    expect(other).not.toBe(one);
  });

  test.each<[string, Answering]>([
    ['forbids the crawl', 'forbidden'],
    ['answers no page', html('', {}, 500)],
  ])('are no orphans of a site that %s', async (_, start) => {
    const robots = start === 'forbidden' ? 'User-agent: *\nDisallow: /' : '';
    await open([
      ['/', start],
      ['/robots.txt', robots],
    ]);
    await articleOf('alone');
    const { faults } = await crawled();
    expect(faults.map(({ rule }) => rule)).toEqual([robots === '' ? 'broken-page' : 'blocked-by-robots']);
  });
});
