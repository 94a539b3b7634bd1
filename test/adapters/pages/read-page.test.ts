import { decode } from '../../../adapters/pages/decode.ts';
import { readPage } from '../../../adapters/pages/read-page.ts';
import { readSitemap } from '../../../adapters/pages/read-sitemap.ts';
import { measureWork } from '../../support/work.ts';

const read = (html: string, robotsTag = '') =>
  readPage({
    bytes: Buffer.from(html),
    url: 'https://a.example/dir/page?x#y',
    contentType: 'text/html',
    robotsTag,
  });

test('links are absolute, without fragments, by the base of the page, and only to pages', () => {
  const { links } = read(
    '<base href="/other/"><a href="one#part" rel="NoFollow  ugc"> first <b>link</b></a><a href="//b.example/x">2</a><area href="?q"><a href="javascript:x">3</a><a href="mailto:a@b.c">4</a><a href="https://user:pass@c.example/">5</a><a name="no">6</a><a href="http://[">7</a><template><a href="/inert"></a></template><!-- <a href="/comment"> -->',
  );
  expect(links).toEqual([
    { url: 'https://a.example/other/one', rel: ['nofollow', 'ugc'], text: 'first link' },
    { url: 'https://b.example/x', rel: [], text: '2' },
    { url: 'https://a.example/other/?q', rel: [], text: '' },
  ]);
});

test('the title, the description and the canonical address are the first of the page itself', () => {
  const facts = read(
    '<svg><title>icon</title></svg><title> One\n two &amp; three</title><title>later</title><meta NAME=Description content=" about  it "><meta name="description" content="later"><link rel="alternate canonical" href="/c">',
  );
  expect([facts.title, facts.description, facts.canonicals]).toEqual([
    'One two & three',
    'about it',
    ['https://a.example/c'],
  ]);
});

test('directives come from the markup and the header, except those for other crawlers', () => {
  const html = '<meta name="robots" content="NOINDEX, follow"><meta name="googlebot" content="none">';
  expect(read(html, 'nosnippet, otherbot: noindex, unavailable_after: 1 Jan 2027').robots).toEqual(
    expect.arrayContaining(['nosnippet', 'noindex', 'follow']),
  );
  expect(read('', 'otherbot: noindex').robots).not.toContain('noindex');
  expect(read('', 'otherbot: nofollow, noindex').robots).not.toContain('noindex');
  expect(read('', 'otherbot: nofollow\nmax-snippet: 20, noindex').robots).toContain('noindex');
});

test('what is loaded by plain http is found, and what is only linked is not', () => {
  const html = `<img src="http://i.example/1" srcset="https://i.example/2 1x, http://i.example/3 2x"><script src="//i.example/4"></script>
    <link rel="stylesheet" href="http://i.example/5"><link rel="next" href="http://i.example/6"><a href="http://i.example/7">x</a>
    <video poster="http://i.example/8"></video><iframe src="HTTP://i.example/9"></iframe><form action="http://i.example/10"></form>`;
  expect(read(html).insecureLoads.map((url) => url.at(-1))).toEqual(['1', '3', '5', '8', '9']);
});

test('words are those that readers see', () => {
  expect(
    read(
      '<head><title>not this</title></head><body>one two<script>no no</script><p>three</p><style>no</style></body>',
    ).words,
  ).toBe(3);
});

test('the texts of links are read if the end of the head is left out', () => {
  const { links } = read('<html><head><title>x</title><body><a href="/">read</a>');
  expect(links.map(({ text }) => text)).toEqual(['read']);
});

test('an address that is written with other octets for the same characters is the same', () => {
  const { links, canonicals } = read('<link rel=canonical href="/caf%c3%a9%2D1#x"><a href="/café-1">x</a>');
  expect(canonicals).toEqual(links.map(({ url }) => url));
});

test('a page is little work, whatever it is made of', () => {
  for (const part of [
    '<div><b>',
    '<a href="/x">',
    '</p>',
    '<!--',
    '<p x="',
    '&amp;',
    '<title>',
    '<script type="application/ld+json">',
    '\u0000<',
  ]) {
    const work = measureWork();
    read(part.repeat(2_000_000 / part.length));
    expect(work()).toBeLessThan(8_000);
  }
});

test.each([
  ['utf-8', Buffer.from('é'), 'text/html'],
  ['its byte-order mark', Buffer.from('\uFEFFé', 'utf16le'), 'text/html; charset=utf-8'],
  ['its header', Buffer.from([0xe9]), 'text/html; charset="ISO-8859-1"'],
  [
    'what it declares',
    Buffer.concat([Buffer.from('<meta charset=windows-1252>'), Buffer.from([0xe9])]),
    'text/html',
  ],
  ['what its bytes can only be', Buffer.from([0xe9, 0x20]), 'text/html; charset=nonsense'],
  ['its bytes, where it says UTF-16 in ASCII', Buffer.from('<meta charset="utf-16">é'), 'text/html'],
])('a page is text by %s', (_, bytes, type) => {
  expect(decode(bytes, type)).toContain('é');
});

test('a sitemap names pages or sitemaps, and anything else nothing', () => {
  const sitemap = (text: string) => readSitemap({ bytes: Buffer.from(text), origin: 'https://a.example' });
  expect(
    sitemap(
      '<?xml version="1.0"?><urlset xmlns:image="i"><url><loc> https://a.example/?a=1&amp;b=2#c </loc><image:image><image:loc>https://a.example/i.png</image:loc></image:image></url><url><loc>relative</loc></url></urlset>',
    ),
  ).toEqual({ pages: ['https://a.example/?a=1&b=2'], sitemaps: [], listed: 2, whole: true });
  expect(
    sitemap('<sitemapindex><sitemap><loc>https://a.example/s</loc></sitemap></sitemapindex>').sitemaps,
  ).toHaveLength(1);
  expect(sitemap('https://a.example/1\nhttps://a.example/2\nhttps://b.example/1')).toMatchObject({
    pages: ['https://a.example/1', 'https://a.example/2'],
    listed: 3,
  });
  expect(sitemap('<html><body>Not found')).toEqual({
    pages: [],
    sitemaps: [],
    listed: 0,
    whole: false,
  });
});
