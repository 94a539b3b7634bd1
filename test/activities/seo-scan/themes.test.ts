import { readFileSync } from 'node:fs';
import { createSiteCrawl } from '../../../activities/seo-scan/site-crawl.ts';
import { createStructuredData } from '../../../activities/seo-scan/structured-data.ts';
import { useApi } from '../../support/api.ts';
import { buildPublished, buildTenant } from '../../support/builders.ts';
import { createAuthority } from '../../support/certificates.ts';
import type { Authority } from '../../support/certificates.ts';
import { redirect, startSite } from '../../support/generated-site.ts';
import type { Answering, GeneratedSite } from '../../support/generated-site.ts';
import { driveScan } from '../../support/scan-driver.ts';
import { visitorOf } from '../../support/scan-visitor.ts';

const api = await useApi();
let authority: Authority;
let identity: { key: string; cert: string };
let site: GeneratedSite;
let visitor: ReturnType<typeof visitorOf>;

beforeAll(async () => {
  authority = createAuthority();
  const { certificate, key } = authority.issue('DNS:localhost');
  identity = { key, cert: certificate };
});
beforeEach(async () => {
  site = await startSite(identity, new Map());
  visitor = visitorOf([site.host], authority.file);
});
afterEach(async () => {
  await visitor.end();
  await site.close();
});
afterAll(() => authority.remove());

/** A page of a theme, as a site at this address has it. */
function pageOf(file: string, path: string): string {
  const values: Readonly<Record<string, string>> = {
    origin: site.origin,
    upper: site.origin.toUpperCase(),
    host: site.host,
    path,
  };
  const text = readFileSync(new URL(`themes/${file}.html`, import.meta.url), 'utf8');
  return text.replace(/\{\{(origin|upper|host|path)\}\}/g, (_, name: string) => values[name] ?? '');
}

const file =
  (type: string): Answering =>
  (_, response) =>
    void response.writeHead(200, { 'Content-Type': type }).end('x');

interface Theme {
  readonly name: string;
  /** Paths and the files of their pages. */
  readonly pages: Readonly<Record<string, string>>;
  readonly others?: Readonly<Record<string, Answering>>;
  readonly start: string;
  /** What a crawl asks for besides the pages. */
  readonly asked: readonly string[];
  readonly crawlFinds: readonly string[];
  /** What is wrong with the structured data, by file. */
  readonly dataFinds: Readonly<Record<string, readonly string[]>>;
}

const themes: readonly Theme[] = [
  {
    name: 'magazine',
    pages: {
      '/': 'home',
      '/about': 'plain',
      '/category/green/': 'plain',
      '/privacy': 'plain',
      '/?s=': 'search',
      '/th%C3%A9-vert/': 'post',
      '/th%C3%A9-vert/?replytocom=7': 'post',
      '/old-kettles/': 'kettles',
      '/page/2/': 'page-2',
    },
    others: {
      '/feed/': file('application/rss+xml'),
      '/moved/': redirect('/old-kettles/'),
      '/gone/': (_, response) => void response.writeHead(410).end(),
    },
    start: '/',
    asked: ['/feed/', '/moved/', '/gone/', '/old-kettles/'],
    crawlFinds: [
      'noindex /?s=',
      'missing-description /old-kettles/',
      'canonical-mismatch /old-kettles/',
      'mixed-content /old-kettles/',
      'broken-page /gone/',
    ],
    dataFinds: {
      home: [],
      post: [],
      kettles: [
        'missing-recommended-property NewsArticle dateModified',
        'missing-recommended-property NewsArticle image',
      ],
      search: ['no-structured-data'],
    },
  },
  {
    name: 'handbook',
    pages: {
      '/docs/1.x/': 'start',
      '/docs/1.x/install': 'install',
      '/docs/1.x/install?utm_source=docs': 'install',
      '/docs/1.x/api/index.html': 'api',
      '/docs/1.x/changelog': 'changelog',
      '/docs/0.9/': 'old',
    },
    start: '/docs/1.x/',
    asked: ['/docs/1.x/api/missing'],
    crawlFinds: [
      'broken-page /docs/1.x/api/missing',
      'canonical-mismatch /docs/0.9/',
      'duplicate-title /docs/1.x/changelog',
      'duplicate-title /docs/1.x/install',
    ],
    dataFinds: {
      start: [],
      install: [],
      changelog: [],
      api: ['invalid-json-ld 1', 'missing-required-property FAQPage mainEntity'],
      old: ['no-structured-data'],
    },
  },
  {
    name: 'shop',
    pages: {
      '/': 'home',
      '/products/sencha': 'product',
      '/products/sencha?variant=42': 'product',
      '/products/assam': 'assam',
      '/collections/all?page=2': 'plain',
      '/blogs/leaves': 'blog',
      '/policies/cookies': 'plain',
    },
    others: {
      '/robots.txt': (_, response) =>
        void response.end(
          'User-agent: *\nDisallow: /cart\nDisallow: /account\nDisallow: /blogs/*/private$\nDisallow: /*?*sort_by=\n',
        ),
    },
    start: '/',
    asked: [],
    crawlFinds: [
      'blocked-by-robots /account/login?return_to=%2F',
      'blocked-by-robots /blogs/leaves/private',
      'blocked-by-robots /cart',
      'canonical-mismatch /blogs/leaves',
      'missing-title /blogs/leaves',
      'duplicate-title /products/assam',
      'duplicate-title /products/sencha',
      'mixed-content /products/assam',
    ],
    dataFinds: {
      home: [],
      product: [],
      blog: ['missing-required-property BlogPosting headline'],
      plain: ['no-structured-data'],
    },
  },
];

describe.each(themes)('the theme of a $name', ({ name, pages, others = {}, start, asked, ...expected }) => {
  beforeEach(() => {
    for (const [path, of] of Object.entries(pages)) site.paths.set(path, pageOf(`${name}/${of}`, path));
    for (const [path, answering] of Object.entries(others)) site.paths.set(path, answering);
  });

  test('has the faults that a crawl finds, each once, and no other', async () => {
    const { siteId } = await buildTenant(api.db);
    const kind = createSiteCrawl({ db: api.db, pages: visitor });
    const { faults, counted } = await driveScan(kind, siteId, { start_url: site.origin + start });
    expect(faults.map(({ rule, url }) => `${rule} ${url?.replace(site.origin, '')}`).toSorted()).toEqual(
      [...expected.crawlFinds].toSorted(),
    );
    const broken = expected.crawlFinds.filter((found) => found.startsWith('broken-page'));
    expect(counted).toBe(Object.keys(pages).length + broken.length);
    // Nothing is asked for that only looks like a link.
    const known = new Set(['/robots.txt', '/sitemap.xml']);
    const requested = site.requests.filter((path) => !known.has(path));
    expect(requested.toSorted()).toEqual([...Object.keys(pages), ...asked].toSorted());
  });

  test('has the structured data that a scan reads, and no other', async () => {
    const tenant = await buildTenant(api.db);
    await api.db.pool.query('update sites set domain = $2 where id = $1', [tenant.siteId, site.host]);
    for (const of of Object.keys(expected.dataFinds)) {
      await buildPublished(api, tenant.secretKey, { title: of, slug: of, content: 'x' });
      site.paths.set(`/${of}`, pageOf(`${name}/${of}`, `/${of}`));
    }
    const kind = createStructuredData({ db: api.db, pages: visitor });
    const { faults } = await driveScan(kind, tenant.siteId);
    const found = faults.map(({ rule, url, evidence: { type, property, block } }) => {
      const parts = [rule, type, property, block].filter((part) => part !== undefined);
      return `${url?.split('/').at(-1)}: ${parts.join(' ')}`;
    });
    const wanted = Object.entries(expected.dataFinds).flatMap(([of, all]) =>
      all.map((one) => `${of}: ${one}`),
    );
    expect(found.toSorted()).toEqual(wanted.toSorted());
  });
});
