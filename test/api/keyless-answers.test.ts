import { createClientAddress } from '../../api/http/client-address.ts';
import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { parseNetworks } from '../../runtime/networks.ts';
import { startApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { buildTenant } from '../support/builders.ts';
import { TestClock } from '../support/clock.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { noise } from '../support/images.ts';
import { createWire } from '../support/temporal.ts';
import type { Wire } from '../support/temporal.ts';
import { registerUpload, uploadBytes } from '../support/uploads.ts';

const MINUTE = Date.parse('2030-01-01T12:00:00Z');
const clock = new TestClock();

let own: TestDatabase;
let wire: Wire;
let db: Database;
let api: TestApi;
let image: string;

beforeAll(async () => {
  own = await createTestDatabase();
  const url = new URL(own.url);
  wire = await createWire(url.host);
  url.port = wire.address.split(':')[1] as string;
  db = createDatabase({ connectionString: url.href, applicationName: 'over-the-wire' });
  const clientAddress = createClientAddress(parseNetworks('127.0.0.1'));
  api = await startApi({ clock, db, clientAddress }, { on: own });
  const { secretKey } = await buildTenant(own.db);
  const bytes = await noise(30, 20).png().toBuffer();
  const { data } = await registerUpload(api, secretKey, await uploadBytes(api, secretKey, bytes));
  image = new URL(data.url).pathname.replace(/^.*?\/public\//, '/public/');
});
beforeEach(() => clock.freeze(new Date(MINUTE + 12_345)));
afterAll(async () => {
  await db.close();
  await wire.cut();
  await api.close();
  await own.drop();
});

const from = (address: string, path: string, method = 'GET'): Promise<Answer> =>
  api.request(method, api.origin + path, { headers: { 'x-forwarded-for': address } });
const figures = ({ headers }: Answer) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`)));

/** `/healthz`, because it is the cheapest. */
async function use(address: string, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 100) {
    await Promise.all(Array.from({ length: Math.min(100, count - sent) }, () => from(address, '/healthz')));
  }
}

test('images, documentation and probes share one count per client, and show it', async () => {
  const paths = ['/healthz', '/readyz', '/docs', '/openapi.json', '/sign-in/style.css', image];
  for (const [index, path] of paths.entries()) {
    const answer = await from('192.0.2.1', path);
    expect([path, answer.status, ...figures(answer)]).toEqual([
      path,
      200,
      6_000,
      5_999 - index,
      MINUTE / 1_000 + 60,
    ]);
  }
  expect(figures(await from('192.0.2.1', image, 'HEAD'))[1]).toBe(5_993);
  expect(figures(await from('192.0.2.1', image.replace(/.png$/, '.gif')))[1]).toBe(5_992);
  expect(figures(await from('192.0.2.2', '/healthz'))[1]).toBe(5_999);
});

test('beyond 6,000 a minute each of them is 429 with Retry-After, and the next minute starts from zero', async () => {
  await use('192.0.2.3', 6_000);
  for (const path of ['/healthz', '/readyz', '/docs', '/openapi.json', image]) {
    const answer = await from('192.0.2.3', path);
    expect([path, answer.status, answer.json.error.code]).toEqual([path, 429, 'RATE_LIMIT_EXCEEDED']);
    expect([answer.headers.get('retry-after'), answer.headers.get('cache-control')]).toEqual([
      '48',
      'private, no-cache',
    ]);
    expect(figures(answer)).toEqual([6_000, 0, MINUTE / 1_000 + 60]);
  }
  expect((await from('192.0.2.4', image)).status).toBe(200);
  // Requests without a usable key have their own count, and so does each key.
  expect(figures(await from('192.0.2.3', '/v1/ping'))).toEqual([600, 599, MINUTE / 1_000 + 60]);
  clock.freeze(new Date(MINUTE + 60_000));
  expect(figures(await from('192.0.2.3', image))).toEqual([6_000, 5_999, MINUTE / 1_000 + 120]);
});

test('the addresses of one IPv6 network are one client in every limit by address', async () => {
  const [one, other, foreign] = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:3::1'];
  const remaining = async (address: string, path: string, method = 'GET') =>
    figures(await from(address, path, method))[1];
  expect([await remaining(one, '/healthz'), await remaining(other, '/healthz')]).toEqual([5_999, 5_998]);
  expect(await remaining(foreign, '/healthz')).toBe(5_999);
  expect([await remaining(one, '/v1/ping'), await remaining(other, '/v1/ping')]).toEqual([599, 598]);
  expect(await remaining(foreign, '/v1/ping')).toBe(599);
  expect([
    await remaining(one, '/v1/auth/device/token', 'POST'),
    await remaining(other, '/v1/auth/device/token', 'POST'),
  ]).toEqual([59, 58]);
  expect(await remaining(foreign, '/v1/auth/device/token', 'POST')).toBe(59);
});

test('an IPv4-mapped IPv6 address counts as the IPv4 address', async () => {
  expect(figures(await from('192.0.2.9', '/healthz'))[1]).toBe(5_999);
  expect(figures(await from('::ffff:192.0.2.9', '/healthz'))[1]).toBe(5_998);
  expect(figures(await from('::ffff:c000:209', '/healthz'))[1]).toBe(5_997);
});

test('while the database is unavailable, probes and documentation are answered and counted, and images are 503', async () => {
  await wire.cut();
  try {
    expect(figures(await from('192.0.2.5', '/healthz'))[1]).toBe(5_999);
    expect((await from('192.0.2.5', '/openapi.json')).status).toBe(200);
    const answer = await from('192.0.2.5', image);
    expect([answer.status, answer.json.error.code, figures(answer)[1]]).toEqual([503, 'MAINTENANCE', 5_997]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  } finally {
    await wire.open();
  }
});

test('thousands of forwarded addresses are read from the right, ten of them at most', async () => {
  const long = Array.from({ length: 2_000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
  const answer = await from([...long, '192.0.2.7'].join(', '), '/healthz');
  expect([answer.status, figures(answer)[1]]).toEqual([200, 5_999]);
  expect(figures(await from('192.0.2.7', '/healthz'))[1]).toBe(5_998);
  // Every entry is trusted, so the last one read is the client.
  const proxies = Array.from({ length: 3_000 }, () => '127.0.0.1').join(',');
  expect((await from(`192.0.2.8,${proxies}`, '/healthz')).status).toBe(200);
  expect(figures(await from('192.0.2.8', '/healthz'))[1]).toBe(5_999);
});
