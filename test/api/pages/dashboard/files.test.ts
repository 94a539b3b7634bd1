import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { readDashboard } from '../../../../api/pages/dashboard/files.ts';
import { startApi, useApi } from '../../../support/api.ts';
import { environment } from '../../../support/environment.ts';
import { sendRaw } from '../../raw-http.ts';

const script = 'console.log("a dashboard");'.repeat(40);
const folder = mkdtempSync(join(tmpdir(), 'dashboard-'));

mkdirSync(join(folder, 'assets'));
const page =
  '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style>';
writeFileSync(join(folder, 'index.html'), page);
writeFileSync(join(folder, 'secret.txt'), 'not served');
writeFileSync(join(folder, 'assets', 'app-1a2b.js'), script);
writeFileSync(join(folder, 'assets', 'app-1a2b.js.gz'), gzipSync(script));
writeFileSync(join(folder, 'assets', 'app-1a2b.js.br'), brotliCompressSync(script));
writeFileSync(join(folder, 'assets', 'icon-3c4d.svg'), '<svg/>');
const api = await useApi({ dashboard: readDashboard(folder) });
afterAll(() => rmSync(folder, { recursive: true }));

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const get = (path: string, headers: Record<string, string> = html, method = 'GET') =>
  api.request(method, api.origin + path, { headers });

test('a browser at the root goes to the dashboard; other clients are answered as before', async () => {
  const answer = await get('/');
  expect([answer.status, answer.headers.get('location')]).toEqual([302, 'dashboard']);
  for (const headers of [{ accept: '*/*' }, { accept: 'application/json' }])
    expect((await get('/', headers)).status).toBe(401);
  expect((await get('/', html, 'POST')).status).toBe(401);
});

test.each([
  '/dashboard',
  '/dashboard/',
  '/dashboard/0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11/articles?status=draft',
])('%s is the document, with a strict policy and a new nonce each time', async (path) => {
  const first = await get(path);
  const second = await get(path);
  expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(first.headers.get('cache-control')).toBe('no-store');
  const nonces = [first, second].map(({ headers, text }) => {
    const policy = headers.get('content-security-policy') ?? '';
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    expect(text.split(nonce)).toHaveLength(3);
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain(`connect-src 'self' ${new URL(environment('S3_ENDPOINT')).origin};`);
    expect(policy).toContain("frame-ancestors 'none'");
    return nonce;
  });
  expect(Buffer.from(nonces[0] ?? '', 'base64')).toHaveLength(16);
  expect(nonces[0]).not.toBe(nonces[1]);
  const head = await get(path, html, 'HEAD');
  expect([head.status, head.text]).toEqual([200, '']);
});

test('a client that does not take HTML, and another method, are answered by the API', async () => {
  expect((await get('/dashboard', { accept: 'application/json' })).status).toBe(401);
  expect((await get('/dashboard', html, 'POST')).status).toBe(401);
});

test.each([
  ['br, gzip', 'br'],
  ['gzip', 'gzip'],
  ['identity', null],
  ['br;q=0', null],
])('a file is sent as the client takes it: %s', async (accepted, encoding) => {
  const answer = await get('/dashboard/assets/app-1a2b.js', { 'accept-encoding': accepted });
  expect([answer.status, answer.headers.get('content-encoding'), answer.text]).toEqual([
    200,
    encoding,
    script,
  ]);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(answer.headers.get('content-type')).toMatch(/^text\/javascript|^application\/javascript/);
  expect(answer.headers.get('vary')).toContain('Accept-Encoding');
});

test('a file that was not compressed is sent as it is', async () => {
  const answer = await get('/dashboard/assets/icon-3c4d.svg', { 'accept-encoding': 'br' });
  expect([answer.status, answer.headers.get('content-encoding'), answer.text]).toEqual([200, null, '<svg/>']);
});

test('nothing else is served: no other file, no other folder, no compressed file by its name', async () => {
  for (const path of [
    '/dashboard/assets/',
    '/dashboard/assets/none.js',
    '/dashboard/assets/app-1a2b.js.gz',
    '/dashboard/assets/..%2fsecret.txt',
    '/dashboard/assets/%2e%2e/secret.txt',
    '/dashboard/assets/__proto__',
  ])
    expect([path, (await get(path)).text.includes('not served')]).toEqual([path, false]);
  expect((await get('/dashboard/assets/none.js')).status).toBe(404);
  const raw = await sendRaw(api.origin, [
    'GET /dashboard/assets/../secret.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  ]);
  expect(raw.status).toBe(404);
});

test('before it is built, a page says so', async () => {
  const bare = await startApi({}, { on: api });
  const ask = (language: string) =>
    bare.request('GET', `${bare.origin}/dashboard`, { headers: { ...html, 'accept-language': language } });
  const [english, german] = [await ask('en'), await ask('de')];
  await bare.close();
  expect([english.status, german.status]).toEqual([503, 503]);
  expect(english.text).toContain('has not been built');
  expect(german.text).toContain('nicht gebaut');
});

test('a folder that is not the dashboard is refused at the start, by the name of its setting', () => {
  expect(readDashboard(undefined)).toBeNull();
  expect(() => readDashboard(join(folder, 'assets'))).toThrow(/^DASHBOARD_FOLDER: /);
});
