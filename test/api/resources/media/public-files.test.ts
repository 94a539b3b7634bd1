import { useApi } from '../../../support/api.ts';
import { buildTenant } from '../../../support/builders.ts';
import { noise } from '../../../support/images.ts';
import { registerUpload, uploadBytes } from '../../../support/uploads.ts';

const api = await useApi();
let bytes: Buffer;
let url: string;

beforeAll(async () => {
  const { secretKey } = await buildTenant(api.db);
  bytes = await noise(60, 40).jpeg().toBuffer();
  const { data } = await registerUpload(api, secretKey, await uploadBytes(api, secretKey, bytes));
  url = api.origin + new URL(data.url).pathname.replace(/^.*?\/public\//, '/public/');
});

const headersOf = ({ headers }: Response, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, headers.get(name)]));

const expected = {
  'content-type': 'image/jpeg',
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

test('a public image may be cached for a year, and browsers treat it only as an image', async () => {
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  expect(headersOf(answer, Object.keys(expected))).toEqual(expected);
  expect(answer.headers.get('content-length')).toBe(String(bytes.length));
  expect(answer.headers.get('etag')).toMatch(/^"[^"]+"$/);
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
});

test('HEAD has the same headers without the bytes', async () => {
  const answer = await fetch(url, { method: 'HEAD' });
  expect([answer.status, await answer.text()]).toEqual([200, '']);
  expect(headersOf(answer, Object.keys(expected))).toEqual(expected);
  expect(answer.headers.get('content-length')).toBe(String(bytes.length));
});

test('the current ETag gets 304, another one the bytes', async () => {
  const etag = (await fetch(url)).headers.get('etag') ?? '';
  const same = await fetch(url, { headers: { 'if-none-match': etag } });
  expect([same.status, (await same.arrayBuffer()).byteLength]).toEqual([304, 0]);
  expect(same.headers.get('etag')).toBe(etag);
  expect(same.headers.get('cache-control')).toBe(expected['cache-control']);
  for (const known of [`"another", ${etag}`, `W/${etag}`])
    expect((await fetch(url, { headers: { 'if-none-match': known } })).status).toBe(304);
  const other = await fetch(url, { headers: { 'if-none-match': '"another"' } });
  expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, bytes.length]);
});

test('a missing image is a 404 that is not cached', async () => {
  const answer = await fetch(url.replace(/\.jpg$/, '.png'));
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'private, no-cache']);
});
