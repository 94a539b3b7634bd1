import { readFile } from '../../../adapters/backlinks/read-file.ts';
import type { FileToRead } from '../../../adapters/backlinks/read-file.ts';
import type { ReadFile } from '../../../domain/seo/backlinks/link.ts';
import { measureWork } from '../../support/work.ts';

const blog = {
  domain: 'garden.example',
  url_paths: { article: '/blog/{slug}', category: '/c/{slug}', tag: '/t/{slug}', author: '/a/{slug}' },
};

function read(csv: string, source: FileToRead['source'] = 'auto'): ReadFile {
  const reading = readFile({ csv, source, blog });
  if ('refused' in reading) throw new Error(reading.refused);
  return reading;
}

const brief = ({ source, links }: ReadFile) => ({
  source,
  links: links.map((link) => [
    link.sourceUrl,
    link.targetUrl,
    link.anchor,
    link.rel,
    link.firstSeen?.toISOString().slice(0, 10) ?? null,
    link.lastSeen?.toISOString().slice(0, 10) ?? null,
  ]),
});

const link = [
  'https://news.example.org/a',
  'https://garden.example/blog/tea',
  'Green, tea',
  ['nofollow', 'ugc'],
];
const dated = (first: string | null, last: string | null) => [[...link, first, last]];

test('an export of Ahrefs, with its byte-order mark and tabs', () => {
  const csv = [
    '\uFEFFReferring page title\tReferring page URL\tDomain rating\tUR\tTarget URL\tAnchor\tNofollow\tUGC\tSponsored\tFirst seen\tLast seen\tLost',
    'News\thttps://news.example.org/a\t71\t12\thttps://garden.example/blog/tea\tGreen, tea\ttrue\ttrue\tfalse\t2026-01-02 10:11:12\t2026-02-03 10:11:12\t',
  ].join('\r\n');
  expect(brief(read(csv))).toEqual({ source: 'ahrefs', links: dated('2026-01-02', '2026-02-03') });
});

test('an export of Semrush', () => {
  const csv = [
    'Page ascore,Source title,Source url,Target url,Anchor,External links,Internal links,Nofollow,Sponsored,Ugc,Text,Frame,Form,Image,Sitewide,First seen,Last seen,New link,Lost link',
    '31,News,https://news.example.org/a,https://garden.example/blog/tea,"Green, tea",3,4,true,false,true,true,false,false,false,false,2026-01-02,2026-02-03,false,false',
  ].join('\n');
  expect(brief(read(csv))).toEqual({ source: 'semrush', links: dated('2026-01-02', '2026-02-03') });
});

test.each([
  ['English', 'Linking page,Last crawled', '2026-09-28'],
  ['English, written out', 'Linking page,Last crawled', '"Sep 28, 2026"'],
  ['German', 'Verweisende Seite,Zuletzt gecrawlt', '28.09.2026'],
  ['French', 'Page référente,Dernière exploration', '28/09/2026'],
  ['French, with a month', 'Page d’origine,Dernière exploration', '28 sept. 2026'],
  ['Spanish', 'Página que enlaza,Último rastreo', '28 de septiembre de 2026'],
  ['a language that is not known', 'דף מקשר,נסרק לאחרונה', '2026-09-28'],
])('the latest links of Search Console in %s', (_, header, date) => {
  const csv = `${header}\nhttps://news.example.org/a,${date}\nhttps://b.example.org/,${date}\n`;
  const { source, links } = read(csv);
  expect(source).toBe('search_console');
  expect(links.map(({ sourceUrl }) => sourceUrl)).toEqual([
    'https://news.example.org/a',
    'https://b.example.org/',
  ]);
  for (const { targetUrl, lastSeen, rel } of links)
    expect([targetUrl, lastSeen?.toISOString(), rel]).toEqual([
      'https://garden.example/',
      '2026-09-28T00:00:00.000Z',
      null,
    ]);
});

test.each([
  [
    'German',
    'Verweisende Seite;Zielseite;Ankertext',
    'https://news.example.org/a;https://garden.example/blog/tea;Tea',
  ],
  [
    'French',
    'Page d’origine;Texte d’ancre;Page visée',
    'https://news.example.org/a;Tea;https://garden.example/blog/tea',
  ],
  [
    'English',
    'Linking page;Page image;Linked page',
    'https://news.example.org/a;https://cdn.example.net/i.png;https://garden.example/blog/tea',
  ],
  [
    'English, to a subdomain',
    'Linking page;Linked page',
    'https://news.example.org/a;https://www.garden.example/blog/tea',
  ],
])('a target under a heading that is not known is found by what is in it: %s', (_, header, line) => {
  const { source, links } = read(`${header}\n${line}\n${line.replace('/a', '/b')}`);
  expect(source).not.toBe('search_console');
  for (const { targetUrl } of links) expect(targetUrl).toMatch(/garden\.example\/blog\/tea$/);
  expect(links).toHaveLength(2);
});

test('a sample of links of Search Console has one column', () => {
  expect(read('Linking page\nhttps://a.example.org/').links).toHaveLength(1);
  expect(read('Lähdesivu\nhttps://a.example.org/').source).toBe('search_console');
});

test.each([
  [
    'Ahrefs in German',
    'ahrefs',
    'Titel;URL der verweisenden Seite;DR;Ziel-URL;Ankertext;Nofollow;UGC;Gesponsert;Zuerst gesehen;Zuletzt gesehen',
    'News;https://news.example.org/a;71;https://garden.example/blog/tea;Green, tea;wahr;wahr;falsch;02.01.2026;03.02.2026',
  ],
  [
    'Semrush in Spanish',
    'semrush',
    'Título,URL de origen,URL de destino,Texto ancla,Nofollow,Ugc,Patrocinado,Visto por primera vez,Visto por última vez',
    'News,https://news.example.org/a,https://garden.example/blog/tea,"Green, tea",sí,sí,no,02/01/2026,03/02/2026',
  ],
])('an export of %s', (_, source, header, line) => {
  expect(brief(read(`${header}\n${line}`))).toEqual({ source, links: dated('2026-01-02', '2026-02-03') });
});

test.each([
  ['ahrefs', 'タイトル,参照元,DR,UR,リンク先,最初,最後', 'News,S,71,12,T,2026-01-02,2026-02-03'],
  ['semrush', 'スコア,タイトル,元,先,最初,最後', '31,News,S,T,2026-01-02,2026-02-03'],
  ['generic', 'から,まで', 'S,T'],
])('the columns of a translated export of %s are found by what is in them', (source, header, line) => {
  const filled = line
    .replace('S', 'https://news.example.org/a')
    .replace('T', 'https://garden.example/blog/tea');
  const found = read(`${header}\n${filled}`);
  expect(found.source).toBe(source);
  expect(found.links).toMatchObject([
    { sourceUrl: 'https://news.example.org/a', targetUrl: 'https://garden.example/blog/tea', slug: 'tea' },
  ]);
});

test.each(['Zielseite', 'Page cible', 'Página de destino', 'リンク先'])(
  'an anchor that is an address of the blog is no target beside the column %s',
  (target) => {
    const csv = `Verweisende Seite;Ankertext;${target}\nhttps://news.example.org/a;https://garden.example/;https://garden.example/blog/tea`;
    expect(read(csv).links).toMatchObject([{ anchor: 'https://garden.example/', slug: 'tea' }]);
  },
);

test('the own pages are the targets, in whichever order the columns are', () => {
  const csv = 'Quelle A;Quelle B\nhttps://garden.example/blog/tea;https://news.example.org/a';
  expect(read(csv).links).toMatchObject([{ sourceUrl: 'https://news.example.org/a', slug: 'tea' }]);
});

test('the list of the own pages has no sources, however the domain is written', () => {
  for (const domain of ['Bücher.example', 'xn--bcher-kva.example', 'bücher.example:8443']) {
    const csv = 'Target page,Incoming links\nhttps://xn--bcher-kva.example/a,10\n';
    const reading = readFile({ csv, source: 'auto', blog: { ...blog, domain } });
    expect('refused' in reading && reading.refused).toContain(
      'no column with the addresses of linking pages',
    );
  }
});

test('quoted cells hold separators, quotes and line breaks, and lines are counted as they are in the file', () => {
  const csv =
    'source_url,target_url,anchor\r\nhttps://a.example.org/,https://garden.example/,"say ""hi"",\r\nyou"\r\n\r\n , ,\r\nbad,https://garden.example/,\rworse,https://garden.example/,\n';
  const { links, rejected } = read(csv);
  expect(links.map(({ anchor }) => anchor)).toEqual(['say "hi",\nyou']);
  expect(rejected.map(({ line }) => line)).toEqual([6, 7]);
});

test('a quotation mark that is not closed costs the lines after it, and is rejected once', () => {
  const csv =
    'source_url,target_url\nhttps://a.example.org/,https://garden.example/\n\n\nhttps://b.example.org/,"https://garden.example/\nhttps://c.example.org/,https://garden.example/\n';
  const { links, rejected, rejectedTotal } = read(csv);
  expect(links).toHaveLength(1);
  expect([rejected[0]?.line, rejectedTotal]).toEqual([5, 1]);
});

test('a line with too few or too many cells is read as far as it goes', () => {
  const csv =
    'source_url,target_url,anchor\nhttps://a.example.org/,https://garden.example/\nhttps://b.example.org/,https://garden.example/,x,y,z';
  expect(read(csv).links.map(({ anchor }) => anchor)).toEqual(['', 'x']);
});

test('a link seen twice in a file was seen from the first time to the last', () => {
  const csv = [
    'source_url,target_url,first_seen,last_seen',
    'https://a.example.org/,https://garden.example/,2026-02-01,2026-02-10',
    'https://a.example.org/,https://garden.example/,2026-01-01,2026-01-10',
  ].join('\n');
  const [seen, ...others] = read(csv).links;
  expect(others).toEqual([]);
  expect(seen).toMatchObject({
    firstSeen: new Date('2026-01-01T00:00:00Z'),
    lastSeen: new Date('2026-02-10T00:00:00Z'),
  });
});

test('a million separators, quotes and line ends are little work', () => {
  for (const hostile of [',', '"', '\n', '"\n', 'a\n', ';', '\t', '\r'])
    for (const header of ['', 'source_url,target_url\n']) {
      const work = measureWork();
      readFile({ csv: header + hostile.repeat(1_000_000 / hostile.length), source: 'auto', blog });
      expect(work()).toBeLessThan(9_000);
    }
});
