import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGuardedClient } from '../../../adapters/http/guarded-client.ts';
import { Names } from '../../../adapters/http/names.ts';
import type { Lookup } from '../../../adapters/http/resolve.ts';
import { createJobProcesses } from '../../../adapters/untrusted-text/processes.ts';
import { extractArticle } from '../../../adapters/writer/page.ts';
import { createSourceReader } from '../../../adapters/writer/source.ts';
import { detour } from '../http/clients.ts';
import { closeReceivers, httpReceiver } from '../../support/receivers.ts';

const attempt = { siteId: 'a site', signal: new AbortController().signal };
const jobProcesses = createJobProcesses();
const servers: Server[] = [];

/** A page on this machine, which the guarded client may reach. */
async function page(listener: RequestListener, { allowed = true } = {}) {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = createGuardedClient({ allowedHosts: new Set(allowed ? [host] : []) });
  const source = await createSourceReader(http, jobProcesses).read(`http://${host}/article`, attempt);
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
  expect(source).toEqual({ text: 'Rye', problem: null });
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
  const reader = createSourceReader(http, jobProcesses);
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

test('a topic without a source has nothing to read', async () => {
  const http = createGuardedClient();
  expect(await createSourceReader(http, jobProcesses).read(null, attempt)).toEqual({
    text: null,
    problem: null,
  });
  await http.close();
});

test.each(['', '<', '<html><body>', '<p>'.repeat(20_000), '\u0000', '<svg><script>x</script></svg>'])(
  'a degenerate page gives text or nothing, and never throws (%#)',
  (hostile) => {
    expect(() => extractArticle(hostile)).not.toThrow();
  },
);
