import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { TooBusy } from '../../../adapters/pages/visit.ts';
import { createAuthority } from '../../support/certificates.ts';
import { page, redirect, startSite } from '../../support/generated-site.ts';
import type { Answering, GeneratedSite } from '../../support/generated-site.ts';
import { visitorOf } from '../../support/scan-visitor.ts';

const authority = createAuthority();
const { certificate: cert, key } = authority.issue('DNS:localhost');
const options = { siteId: 'site', signal: new AbortController().signal, read: true };
let site: GeneratedSite;
let other: GeneratedSite;
let visitor: ReturnType<typeof visitorOf>;
const asked: string[] = [];
let turn: number | null;

beforeEach(async () => {
  [site, other] = await Promise.all([
    startSite({ cert, key }, new Map()),
    startSite({ cert, key }, new Map()),
  ]);
  asked.length = 0;
  turn = 0;
  visitor = visitorOf([site.host, other.host], authority.file, async (host) => {
    asked.push(host);
    return turn;
  });
  for (const { paths } of [site, other]) paths.set('/page', page('/page'));
});
afterEach(async () => {
  await visitor.end();
  await Promise.all([site.close(), other.close()]);
});
afterAll(() => authority.remove());

const outcome = async (path = '/page'): Promise<string> =>
  (await visitor.visit(site.origin + path, options)).outcome;
const robots = (answering: Answering) => site.paths.set('/robots.txt', answering);
const status =
  (code: number): Answering =>
  (_, response) =>
    response.writeHead(code).end('User-agent: *\nDisallow: /');
const forbidding: Answering = (_, response) => response.end('User-agent: *\nDisallow: /page');

test.each([
  [404, 'answered'],
  [403, 'answered'],
  [429, 'answered'],
  [500, 'forbidden'],
  [503, 'forbidden'],
])('a robots.txt that answers %d: a page is %s', async (code, expected) => {
  robots(status(code));
  expect(await outcome()).toBe(expected);
});

test('a robots.txt is read once for many pages, and decides about each', async () => {
  robots(forbidding);
  expect(await Promise.all([outcome(), outcome('/other'), outcome('/page/2')])).toEqual([
    'forbidden',
    'answered',
    'forbidden',
  ]);
  expect(site.requests.filter((path) => path === '/robots.txt')).toHaveLength(1);
});

test('five redirects of a robots.txt are followed, also to another host; with six there is none', async () => {
  robots(redirect('/r/1'));
  for (let at = 1; at < 4; at += 1) site.paths.set(`/r/${at}`, redirect(`/r/${at + 1}`));
  site.paths.set('/r/4', redirect(`${other.origin}/rules`));
  other.paths.set('/rules', forbidding);
  expect(await outcome()).toBe('forbidden');
  const far = visitorOf([site.host, other.host], authority.file);
  other.paths.set('/rules', redirect('/more'));
  other.paths.set('/more', forbidding);
  expect((await far.visit(`${site.origin}/page`, options)).outcome).toBe('answered');
  await far.end();
});

test('what follows the first 500 KiB of a robots.txt does not count', async () => {
  robots((_, response) => response.end(`#${'x'.repeat(512_000)}\nUser-agent: *\nDisallow: /`));
  expect(await outcome()).toBe('answered');
});

const packed =
  (coding: string, bytes: Buffer): Answering =>
  (_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': coding }).end(bytes);

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['BR', brotliCompressSync],
  ['identity, gzip', gzipSync],
])('a page that comes as %s, although nobody asked for that, is read', async (coding, pack) => {
  site.paths.set('/page', packed(coding, pack(page('/page'))));
  const visit = await visitor.visit(`${site.origin}/page`, options);
  expect(visit).toMatchObject({ outcome: 'answered' });
  if (visit.outcome === 'answered')
    expect(await visitor.read(visit, options)).toMatchObject({ title: 'Page /page' });
});

const html = 'text/html; charset=utf-8';

test('headers that are repeated, which one client or another would give as a list, are understood', async () => {
  const bytes = gzipSync(gzipSync(page('/page')));
  const fields = {
    'Content-Type': [html, 'application/pdf'],
    'Content-Encoding': ['gzip', 'gzip'],
    'X-Robots-Tag': ['otherbot: nofollow', 'noindex'],
  };
  site.paths.set('/page', (_, response) => response.writeHead(200, fields).end(bytes));
  site.paths.set('/away', (_, response) => {
    response.writeHead(301, { Location: ['/page', '/elsewhere'] as unknown as string }).end();
  });
  const visit = await visitor.visit(`${site.origin}/away`, options);
  expect(visit).toMatchObject({ outcome: 'answered', url: `${site.origin}/page` });
  if (visit.outcome !== 'answered') return;
  const read = await visitor.read(visit, options);
  expect([read?.title, read?.robots]).toEqual(['Page /page', expect.arrayContaining(['noindex'])]);
  expect(read?.robots).not.toContain('nofollow');
});

/** An answer on which the reader fails, as it would by a defect of ours. */
const failing = { outcome: 'answered', hops: [], url: 'https://a.example/', status: 200 } as const;
const unreadable = { ...failing, headers: { 'content-type': html }, body: null as unknown as Buffer };

test('a page that makes reading fail is one that cannot be read, and no error', async () => {
  expect(await visitor.read(unreadable, options)).toBeNull();
  expect(await visitor.readLinks(unreadable, ['https://b.example/'], options)).toBeNull();
});

test('if no helper process starts, that is our failure, and not that of the page', async () => {
  const { execPath } = process;
  process.execPath = '/nowhere/node';
  try {
    await expect(visitor.read({ ...unreadable, body: Buffer.from('x') }, options)).rejects.toThrow(
      /did not start/,
    );
  } finally {
    process.execPath = execPath;
  }
});

test('a robots.txt that comes as gzip is obeyed', async () => {
  robots(packed('gzip', gzipSync('User-agent: *\nDisallow: /page')));
  expect(await outcome()).toBe('forbidden');
});

test('of a page that becomes huge when it is unpacked, 2 MiB are kept', async () => {
  const begin = page('/page').replace('</body>', '');
  site.paths.set('/page', packed('gzip', gzipSync(begin.padEnd(300 * 2 ** 20))));
  const visit = await visitor.visit(`${site.origin}/page`, options);
  expect(visit.outcome === 'answered' && visit.body.length).toBe(2 * 2 ** 20);
});

test.each([
  ['gzip', Buffer.from('<title>not packed</title>')],
  ['zip', gzipSync('x')],
  ['gzip, gzip, gzip', gzipSync(gzipSync(gzipSync('x')))],
])('a page that is not packed as %s, or too often, fails', async (coding, bytes) => {
  site.paths.set('/page', packed(coding, bytes));
  expect(await visitor.visit(`${site.origin}/page`, options)).toMatchObject({
    outcome: 'failed',
    cause: 'protocol',
  });
});

test('within an origin, a redirect to another one is not followed, and that one is asked for nothing', async () => {
  site.paths.set('/away', redirect('/further'));
  site.paths.set('/further', redirect(`${other.origin}/page`));
  const visit = await visitor.visit(`${site.origin}/away`, { ...options, within: site.origin });
  expect(visit).toMatchObject({ outcome: 'left', url: `${other.origin}/page` });
  expect(visit.hops).toHaveLength(2);
  expect(other.requests).toEqual([]);
});

test('each redirect takes its host’s turn and is held against its robots.txt', async () => {
  site.paths.set('/away', redirect(`${other.origin}/page`));
  const visit = await visitor.visit(`${site.origin}/away`, options);
  expect(visit).toMatchObject({
    outcome: 'answered',
    status: 200,
    url: `${other.origin}/page`,
    hops: [{ url: `${site.origin}/away`, status: 301 }],
  });
  expect(asked).toEqual([site.host, site.host, other.host, other.host]);
  other.paths.set('/back', redirect(`${site.origin}/away`));
  other.paths.set('/page', redirect('/back'));
  expect(await outcome('/away')).toBe('loop');
});

test('a visit without a turn is to be made later', async () => {
  turn = null;
  await expect(outcome()).rejects.toThrow(TooBusy);
  expect(site.requests).toEqual([]);
});

test('an address that is private or does not exist fails, and nothing is asked of it', async () => {
  expect(await visitor.visit('http://169.254.169.254/latest', options)).toMatchObject({
    outcome: 'failed',
    cause: 'private_address',
  });
  expect(await visitor.visit('https://nowhere.invalid/', options)).toMatchObject({
    outcome: 'failed',
    cause: 'dns',
  });
});
