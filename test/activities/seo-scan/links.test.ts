import { createBacklinks } from '../../../activities/seo-scan/backlinks.ts';
import { createOutboundLinks } from '../../../activities/seo-scan/outbound-links.ts';
import { createStructuredData } from '../../../activities/seo-scan/structured-data.ts';
import { createJobProcesses } from '../../../adapters/untrusted-text/processes.ts';
import { createArticleReader } from '../../../adapters/articles/reader.ts';
import { systemClock } from '../../../domain/kernel/clock.ts';
import { newId } from '../../../domain/kernel/ids.ts';
import { recordFindings } from '../../../domain/seo/record-findings.ts';
import type { Fault } from '../../../domain/seo/scan-kind.ts';
import { useApi } from '../../support/api.ts';
import { buildTenant } from '../../support/builders.ts';
import type { Tenant } from '../../support/builders.ts';
import { createAuthority } from '../../support/certificates.ts';
import { page, redirect, startSite } from '../../support/generated-site.ts';
import type { Answering, GeneratedSite } from '../../support/generated-site.ts';
import { driveScan } from '../../support/scan-driver.ts';
import { visitorOf } from '../../support/scan-visitor.ts';

const authority = createAuthority();
const { certificate: cert, key } = authority.issue('DNS:localhost');
const processes = createJobProcesses();
const articles = createArticleReader(processes);
const api = await useApi();
let tenant: Tenant;
/** The Site's own pages, and another site. */
let own: GeneratedSite;
let other: GeneratedSite;
let visitor: ReturnType<typeof visitorOf>;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  [own, other] = await Promise.all([
    startSite({ cert, key }, new Map()),
    startSite({ cert, key }, new Map()),
  ]);
  await api.db.pool.query('update sites set domain = $2 where id = $1', [tenant.siteId, own.host]);
  visitor = visitorOf([own.host, other.host], authority.file);
});
afterEach(async () => {
  await visitor.end();
  await Promise.all([own.close(), other.close()]);
});
afterAll(() => {
  processes.close();
  authority.remove();
});

const ports = () => ({ db: api.db, pages: visitor, articles, clock: systemClock });
const post = (path: string, body?: object) =>
  api.request('POST', path, { key: tenant.secretKey, idempotencyKey: true, body });

async function publish(slug: string, content = 'Text.'): Promise<string> {
  const { data } = await post('/articles', { title: slug, slug, content });
  await post(`/articles/${data.id}/publish`);
  return data.id;
}

describe('outbound links', () => {
  const scan = async () => {
    const { faults, counted } = await driveScan(createOutboundLinks(ports()), tenant.siteId);
    return { found: faults.map(({ rule, url }) => `${rule} ${url}`).toSorted(), counted, faults };
  };

  test('are followed, and each fault is found once in its article', async () => {
    const answers: [string, Answering][] = [
      ['/good', page('/good')],
      ['/gone', (_, response) => response.writeHead(410).end()],
      ['/moved', redirect('/good')],
      ['/moved-away', redirect('/missing', 302)],
      ['/members', (_, response) => response.writeHead(403).end()],
      ['/secret/x', page('/secret/x')],
      ['/robots.txt', (_, response) => response.end('User-agent: PressworkBot\nDisallow: /secret')],
    ];
    for (const [path, answer] of answers) other.paths.set(path, answer);
    const to = (path: string): string => `${other.origin}${path}`;
    const paths = [
      '/good',
      '/good#part',
      '/gone',
      '/missing',
      '/moved',
      '/moved-away',
      '/members',
      '/secret/x',
    ];
    const links = [
      ...paths.map(to),
      `${own.origin}/inside`,
      'mailto:a@b.example',
      '/relative',
      'https://nowhere.invalid/',
      'https://127.0.0.1:1/',
    ];
    const id = await publish('with-links', links.map((link) => `[link](${link})`).join('\n\n'));
    await publish('without', 'No link, but `https://not.example/`.');
    const { found, counted, faults } = await scan();
    expect(found).toEqual(
      [
        `broken-link ${to('/gone')}`,
        `broken-link ${to('/missing')}`,
        `broken-link ${to('/moved-away')}`,
        `redirected-link ${to('/moved')}`,
        'broken-link https://nowhere.invalid/',
        'broken-link https://127.0.0.1:1/',
      ].toSorted(),
    );
    expect(counted).toBe(8);
    expect(new Set(faults.map(({ articleId }) => articleId))).toEqual(new Set([id]));
    expect(other.requests.filter((path) => path === '/good')).toHaveLength(2);
    expect(other.requests).not.toContain('/secret/x');
  });

  test('that nobody may follow stay as broken as they were', async () => {
    other.paths.set('/robots.txt', 'User-agent: *\nDisallow: /forbidden');
    other.paths.set('/refused', (_, response) => response.writeHead(403).end());
    const paths = ['/forbidden', '/refused', '/missing'];
    const id = await publish('links', paths.map((path) => `[x](${other.origin}${path})`).join(' '));
    const { lookedAt } = await driveScan(createOutboundLinks(ports()), tenant.siteId);
    const rulesOf = (path: string): string[] =>
      ['broken-link', 'redirected-link', 'insecure-link'].filter((rule) =>
        lookedAt.has(`${rule} ${id} ${other.origin}${path}`),
      );
    expect(paths.map(rulesOf)).toEqual([
      ['insecure-link'],
      ['redirected-link', 'insecure-link'],
      ['broken-link', 'redirected-link', 'insecure-link'],
    ]);
  });

  test('stay broken in articles that were not looked at, and are mended where they were taken out', async () => {
    const content = `[x](${other.origin}/missing)`;
    const [edited, hidden] = [await publish('edited', content), await publish('hidden', content)];
    const unreadable = await publish('unreadable', `${content} unreadable`);
    const full = await publish('full', content);
    const first = await scan();
    expect(first.faults).toHaveLength(4);
    const found = { id: newId(), site_id: tenant.siteId, kind: 'outbound-links' as const };
    const faults = first.faults.map((fault): Fault => ({ ...fault }));
    await api.db.transaction((tx) => recordFindings(tx, found, { faults, lookedAt: [] }, systemClock.now()));
    const edit = (id: string, body: object) =>
      api.request('PATCH', `/articles/${id}`, { key: tenant.secretKey, body });
    await edit(edited, { content: 'Without.' });
    await post(`/articles/${hidden}/unpublish`);
    await edit(hidden, { content: 'Without.' });
    // More links before it than are followed.
    const many = Array.from({ length: 500 }, (_, at) => `<https://127.0.0.1:1/${at}>`);
    await edit(full, { content: [...many, content].join(' ') });
    const reader = {
      ...articles,
      outline: (...of: Parameters<typeof articles.outline>) =>
        of[1].endsWith('unreadable') ? Promise.resolve(null) : articles.outline(...of),
    };
    const mended = async (parameters = {}): Promise<string[]> => {
      const kind = createOutboundLinks({ ...ports(), articles: reader });
      const { lookedAt } = await driveScan(kind, tenant.siteId, parameters);
      return [edited, hidden, unreadable, full].filter((id) =>
        lookedAt.has(`broken-link ${id} ${other.origin}/missing`),
      );
    };
    expect(await mended()).toEqual([edited]);
    expect(await mended({ article_ids: [hidden, unreadable] })).toEqual([hidden]);
  });

  test('by plain http are insecure, whatever they lead to', async () => {
    await publish('insecure', '[a](http://nowhere.invalid/)');
    expect((await scan()).found).toEqual([
      'broken-link http://nowhere.invalid/',
      'insecure-link http://nowhere.invalid/',
    ]);
  });
});

describe('structured data', () => {
  const scan = async () => {
    const { faults, counted, lookedAt } = await driveScan(createStructuredData(ports()), tenant.siteId);
    const found = faults.map(({ rule, url, evidence: { type, property, block } }) =>
      [rule, url?.split('/').at(-1), type, property, block].filter((part) => part !== undefined).join(' '),
    );
    return { found: found.toSorted(), counted, lookedAt };
  };
  const block = (data: unknown): string =>
    `<script type="application/ld+json">${typeof data === 'string' ? data : JSON.stringify(data)}</script>`;
  const whole = {
    '@context': 'https://schema.org',
    '@type': 'Article',
    headline: 'H',
    image: 'https://a.example/i.png',
    datePublished: '2026-01-01',
    dateModified: '2026-01-01',
    author: { '@type': 'Person', name: 'A' },
  };

  test('of each page is held against the rules, wherever it stands', async () => {
    const { headline: _, ...headless } = whole;
    const { image: __, author: ___, ...bare } = whole;
    const pages: Record<string, string> = {
      whole: block(whole),
      none: '',
      microdata: '<div itemscope itemtype="https://schema.org/Article"></div>',
      invalid: block('{"@type": "Article",}'),
      'one-of-two': block(whole) + block('not JSON'),
      headless: block({ '@graph': [headless, { '@type': 'BreadcrumbList', itemListElement: [{}] }] }),
      bare: block([bare]),
      'lists-in-lists': block(`{"@type": "FAQPage", "mainEntity": ${'['.repeat(5_000)}${']'.repeat(5_000)}}`),
      commented: `<script type="application/ld+json; charset=utf-8"><!-- ${JSON.stringify({ '@type': ['FAQPage'], mainEntity: [] })} --></script>`,
      nested: block({
        '@type': 'WebPage',
        mainEntity: { '@type': 'HowTo' },
        breadcrumb: { '@type': 'BreadcrumbList', '@id': '#b' },
      }),
    };
    for (const [slug, head] of Object.entries(pages)) {
      await publish(slug);
      own.paths.set(`/${slug}`, page(`/${slug}`, [], head));
    }
    await publish('missing-page');
    const { found, counted, lookedAt } = await scan();
    expect(found).toEqual(
      [
        'no-structured-data none',
        'invalid-json-ld invalid 1',
        'invalid-json-ld one-of-two 2',
        'missing-required-property headless Article headline',
        'missing-recommended-property bare Article image',
        'missing-recommended-property bare Article author',
        'missing-required-property commented FAQPage mainEntity',
        'missing-required-property nested HowTo step',
      ].toSorted(),
    );
    expect(counted).toBe(11);
    expect(lookedAt.size).toBe(10 * 4);
  });
});

describe('backlinks', () => {
  test('are live or lost, with what is wrong with them', async () => {
    own.paths.set('/tea', page('/tea'));
    const id = await publish('tea');
    const answers: Record<string, Answering> = {
      '/live': page('/live').replace(
        '</body>',
        `<a href="${own.origin}/tea/" rel="noopener">good <b>tea</b></a></body>`,
      ),
      '/ugc': page('/ugc').replace('</body>', `<a href="${own.origin}/tea" rel="UGC nofollow">x</a></body>`),
      '/page-nofollow': page('/p', [`${own.origin}/tea`], '<meta name="robots" content="nofollow">'),
      '/both': page('/both').replace(
        '</body>',
        `<a href="${own.origin}/tea" rel="nofollow">x</a><a href="${own.origin}/tea">y</a></body>`,
      ),
      '/lost': page('/lost', [`${own.origin}/coffee`]),
      '/dead-target': page('/dead-target', [`${own.origin}/old`]),
      '/failing': (_, response) => response.writeHead(500).end(),
    };
    for (const [path, answer] of Object.entries(answers)) other.paths.set(path, answer);
    const rows = [...Object.keys(answers), '/gone'].map(
      (path) => `${other.origin}${path},${own.origin}/${path === '/dead-target' ? 'old' : 'tea'}`,
    );
    await post('/seo/backlinks/import', { csv: ['source_url,target_url', ...rows].join('\n') });
    const { faults, counted } = await driveScan(createBacklinks(ports()), tenant.siteId);
    const found = faults.map(({ rule, url }) => `${rule} ${url?.replace(other.origin, '')}`).toSorted();
    expect(found).toEqual([
      'backlink-to-missing-page /dead-target',
      'lost-backlink /gone',
      'lost-backlink /lost',
      'nofollow-backlink /page-nofollow',
      'nofollow-backlink /ugc',
    ]);
    expect(counted).toBe(8);
    expect(faults.find(({ rule }) => rule === 'nofollow-backlink')?.articleId).toBe(id);
    const { data } = await api.request('GET', '/seo/backlinks', { key: tenant.secretKey });
    const shown = Object.fromEntries(
      data.items.map((link: any) => [
        link.source_url.replace(other.origin, ''),
        [link.status, link.checked_at !== null],
      ]),
    );
    expect(shown).toEqual({
      '/live': ['live', true],
      '/ugc': ['live', true],
      '/page-nofollow': ['live', true],
      '/both': ['live', true],
      '/dead-target': ['live', true],
      '/lost': ['lost', true],
      '/gone': ['lost', true],
      '/failing': ['unknown', false],
    });
    const live = data.items.find((link: any) => link.source_url.endsWith('/live'));
    expect([live.anchor, live.rel]).toEqual(['good tea', ['noopener']]);
  });

  test('are live, whatever their texts are made of', async () => {
    own.paths.set('/', page('/'));
    // The second text is cut within a character.
    const texts = { '/nul': 'a\0b', '/cut': `${'x'.repeat(199)}🍵` };
    for (const [path, text] of Object.entries(texts))
      other.paths.set(path, `<title>x</title><a rel="a\0" href="${own.origin}/">${text}</a>`);
    const rows = Object.keys(texts).map((path) => `${other.origin}${path},${own.origin}/`);
    await post('/seo/backlinks/import', { csv: ['source_url,target_url', ...rows].join('\n') });
    expect((await driveScan(createBacklinks(ports()), tenant.siteId)).faults).toEqual([]);
    const { data } = await api.request('GET', '/seo/backlinks', { key: tenant.secretKey });
    expect(data.items.map(({ status }: any) => status)).toEqual(['live', 'live']);
    expect(data.items.map(({ anchor }: any) => anchor)).toContain('a\uFFFDb');
  });
});
