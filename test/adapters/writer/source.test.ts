import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateSync } from 'node:zlib';
import { createGuardedClient } from '../../../adapters/http/guarded-client.ts';
import type { GuardedClient } from '../../../adapters/http/guarded-client.ts';
import { Names } from '../../../adapters/http/names.ts';
import type { Lookup } from '../../../adapters/http/resolve.ts';
import { createPageVisitor } from '../../../adapters/pages/visitor.ts';
import { createJobProcesses } from '../../../adapters/untrusted-text/processes.ts';
import { extractArticle } from '../../../adapters/writer/page.ts';
import { createSourceReader } from '../../../adapters/writer/source.ts';
import { detour } from '../http/clients.ts';
import { closeReceivers, httpReceiver } from '../../support/receivers.ts';

const attempt = { siteId: 'a site', signal: new AbortController().signal };
const jobProcesses = createJobProcesses();
const servers: Server[] = [];

/** Every host is asked at once. */
const turns = { take: async () => 0, begin: async () => 0 };

const readerOf = (http: GuardedClient) =>
  createSourceReader(createPageVisitor({ http, turns }, jobProcesses), jobProcesses);

/** A page on this machine, which the guarded client may reach. */
async function page(listener: RequestListener, { allowed = true } = {}) {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = createGuardedClient({ allowedHosts: new Set(allowed ? [host] : []) });
  const source = await readerOf(http).read(`http://${host}/article`, attempt);
  await http.close();
  return source;
}

afterAll(() => jobProcesses.close());
afterEach(async () => {
  await Promise.all(
    servers.splice(0).map((server) => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    }),
  );
});

const html = `<!doctype html><html><head><title>Rye</title><script>alert('never')</script></head><body>
  <nav><a href="/">Home</a> <a href="/shop">Buy our flour now</a></nav>
  <article><h1>Rye bread</h1>${'<p>Rye bread needs a sourdough that is active, and a long rest in the cold.</p>'.repeat(12)}</article>
  <footer>Imprint</footer></body></html>`;

test('the article of a page is extracted, without navigation and scripts', async () => {
  const source = await page((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html),
  );
  expect(source.problem).toBeNull();
  expect(source.text).toContain('Rye bread needs a sourdough');
  expect(source.text).not.toMatch(/never|Buy our flour|Imprint/);
});

test('the character set of the page is respected', async () => {
  const source = await page((_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-1' })
      .end(Buffer.from('Br\u00f6tchen', 'latin1')),
  );
  expect(source.text).toBe('Brötchen');
});

test('a page that says twice what it is, is what it says first', async () => {
  const source = await page((_, response) => {
    response.setHeader('content-type', ['text/plain', 'image/png'] as unknown as string);
    response.writeHead(200).end('Rye');
  });
  expect(source).toMatchObject({ text: 'Rye', title: null, published_at: null, problem: null });
});

test.each<[string, RequestListener, RegExp]>([
  ['is not there', (_, response) => response.writeHead(404).end(), /status 404/],
  [
    'is a picture',
    (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('x'),
    /no page of text/,
  ],
  ['is empty', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(''), /no text/],
  ['breaks off', (_, response) => response.destroy(), /connection|protocol/],
])('a source that %s is reported, and the article is written without it', async (_, listener, problem) => {
  const source = await page(listener);
  expect(source.text).toBeNull();
  expect(source.problem).toMatch(problem);
});

test('a source at a private address is not fetched', async () => {
  let asked = 0;
  const source = await page((_, response) => void ((asked += 1), response.end(html)), { allowed: false });
  expect([source.text, asked]).toEqual([null, 0]);
});

test('names of one Site that hang do not take another Site’s source; its own next one is tried again, not left out', async () => {
  const lookup: Lookup = (name, signal) =>
    name.startsWith('hangs')
      ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      : Promise.resolve([{ address: '93.184.216.34', family: 4 }]);
  const receiver = await httpReceiver((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(html),
  );
  const http = createGuardedClient({
    targets: { plainHttp: true },
    // One look-up of a Site at a time, and longer than others wait for their turn.
    names: new Names({ lookup, perShare: 1, limitMs: 4_000 }),
    ...detour(receiver),
  });
  const reader = readerOf(http);
  const hangs = reader.read('http://hangs.example/', attempt);
  const [theirs, own] = await Promise.allSettled([
    reader.read('http://theirs.example/', { ...attempt, siteId: 'another site' }),
    reader.read('http://own.example/', attempt),
  ]);
  const { problem } = await hangs;
  await http.close();
  await closeReceivers();
  expect(theirs).toMatchObject({
    status: 'fulfilled',
    value: { text: expect.stringContaining('Rye'), problem: null },
  });
  expect(own).toMatchObject({ status: 'rejected', reason: expect.any(Error) });
  expect(problem).toContain('(dns)');
});

test.each(['', '<', '<html><body>', '<p>'.repeat(20_000), '\u0000', '<svg><script>x</script></svg>'])(
  'a degenerate page gives text or nothing, and never throws (%#)',
  (hostile) => {
    expect(() => extractArticle(hostile)).not.toThrow();
  },
);

/** Answers robots.txt with rules, and every other address as it should be. */
const robots =
  (rules: string, other: RequestListener): RequestListener =>
  (request, response) =>
    request.url === '/robots.txt' ? response.end(rules) : other(request, response);

const text =
  (type: string, body: string | Uint8Array): RequestListener =>
  (_, response) =>
    response.writeHead(200, { 'content-type': type }).end(body);

test('a page that robots.txt keeps from programs is not fetched', async () => {
  let asked = 0;
  const source = await page(robots('User-agent: *\nDisallow: /article', () => void (asked += 1)));
  expect([source.text, asked]).toEqual([null, 0]);
  expect(source.problem).toContain('its robots.txt does not allow it');
});

test.each([
  [5, null],
  [6, 'it redirects too often'],
])('%i redirects: %p', async (hops, problem) => {
  let left = hops;
  const source = await page(
    robots('', (request, response) => {
      if (left === 0) return text('text/plain', 'Rye')(request, response);
      left -= 1;
      return response.writeHead(302, { location: `/hop-${left}` }).end();
    }),
  );
  expect(source.problem ?? '').toContain(problem ?? '');
  expect(source.text).toBe(problem === null ? 'Rye' : null);
});

test('a redirect into robots.txt’s forbidden ground is not followed', async () => {
  const source = await page(
    robots('User-agent: *\nDisallow: /private', (_, response) =>
      response.writeHead(302, { location: '/private' }).end(),
    ),
  );
  expect(source.problem).toContain('its robots.txt does not allow it');
});

test.each(['text/markdown', 'text/x-markdown; charset=utf-8', 'TEXT/PLAIN'])(
  '%s is read as it is',
  async (type) => {
    const source = await page(robots('', text(type, '# Rye\n\nIt *rests*.')));
    expect(source.text).toBe('# Rye\n\nIt *rests*.');
  },
);

test('a page without a character set in its header is read by its own declaration', async () => {
  const latin = Buffer.from(
    html.replace('<title>', '<meta charset="iso-8859-1"><title>').replaceAll('cold', 'k\u00e4lte'),
    'latin1',
  );
  const source = await page(robots('', text('text/html', latin)));
  expect(source.text).toContain('kälte');
});

interface Packed {
  readonly data: Buffer;
  readonly filter: string;
}

/** A PDF with a page for each text. The content of a page may be packed. */
function pdf(pages: readonly string[], pack: (content: Buffer) => Packed = bare): Buffer {
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ');
  const objects: Buffer[] = [
    `1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj`,
    `2 0 obj <</Type/Pages/Kids[${kids}]/Count ${pages.length}>> endobj`,
    `3 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj`,
  ].map((object) => Buffer.from(`${object}\n`));
  pages.forEach((content, index) => {
    const { data, filter } = pack(Buffer.from(`BT /F1 12 Tf 72 720 Td (${content}) Tj ET`));
    const [own, stream] = [4 + 2 * index, 5 + 2 * index];
    objects.push(
      Buffer.from(
        `${own} 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents ${stream} 0 R>> endobj\n` +
          `${stream} 0 obj <</Length ${data.length}${filter}>> stream\n`,
      ),
      data,
      Buffer.from('\nendstream endobj\n'),
    );
  });
  return Buffer.concat([
    Buffer.from('%PDF-1.4\n'),
    ...objects,
    Buffer.from('trailer <</Root 1 0 R>>\n%%EOF'),
  ]);
}

const bare = (data: Buffer): Packed => ({ data, filter: '' });
const packed = (data: Buffer): Packed => ({ data: deflateSync(data), filter: '/Filter/FlateDecode' });

test.each([
  ['bare', bare],
  ['packed', packed],
])('a PDF is read, page by page (%s)', async (_, pack) => {
  const source = await page(robots('', text('application/pdf', pdf(['Rye bread', 'needs time'], pack))));
  expect(source).toMatchObject({
    text: expect.stringMatching(/^Rye bread\s+needs time\s*$/),
    problem: null,
  });
});

test.each<[string, Uint8Array]>([
  ['is none', Buffer.from('<html>')],
  ['is empty', Buffer.alloc(0)],
  ['breaks off', pdf(['Rye']).subarray(0, 60)],
  [
    'has no end of pages',
    Buffer.from(pdf(['Rye']).toString('latin1').replace('Kids[4 0 R]', 'Kids[2 0 R]'), 'latin1'),
  ],
  // 400 MB of one page.
  [
    'unpacks without end',
    pdf(['x'], () => ({ data: deflateSync(Buffer.alloc(400_000_000, ' ')), filter: '/Filter/FlateDecode' })),
  ],
])('a PDF that %s is reported', async (_, body) => {
  const source = await page(robots('', text('application/pdf', body)));
  expect(source).toEqual({ text: null, problem: expect.stringContaining('could not be read') });
});
