import { createHash } from 'node:crypto';
import { pino } from 'pino';
import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildArticle, buildPublished, buildTenant } from '../../../support/builders.ts';
import { TestClock } from '../../../support/clock.ts';

const clock = new TestClock();
const logged: string[] = [];
const api = await useApi({ clock, log: pino({}, { write: (line: string) => void logged.push(line) }) });
const tenant = await buildTenant(api.db);

async function linkTo(articleId: string, body?: object): Promise<string> {
  const path = `/articles/${articleId}/preview-links`;
  return (await api.request('POST', path, { key: tenant.secretKey, body })).data.url;
}
const open = (url: string, accept = 'text/html,*/*;q=0.8', method = 'GET'): Promise<Answer> =>
  api.request(method, url, { headers: { accept } });

const content = '# Water\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) *hot*';

test('a draft is shown as a page, with everything that it has', async () => {
  const { id } = await buildArticle(api, tenant.secretKey, {
    title: 'Tea & <b>water</b>',
    excerpt: 'Water "first".',
    content,
    key_takeaways: ['Use fresh water.'],
    faqs: [{ question: 'How long?', answer: 'Three <minutes>.' }],
    howto_steps: [{ name: 'Boil', text: 'To the boil.' }],
    comparison: { columns: ['Black'], rows: [{ label: 'Degrees', values: ['95'] }] },
  });
  const { status, headers, text } = await open(await linkTo(id));
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  for (const part of [
    '<h1>Tea &amp; &lt;b&gt;water&lt;/b&gt;</h1>',
    'Water &quot;first&quot;.',
    '<h1>Water</h1>',
    '<em>hot</em>',
    'Use fresh water.',
    'Three &lt;minutes&gt;.',
    'Boil',
    'Degrees',
  ])
    expect(text).toContain(part);
  expect(text).not.toMatch(/<script|javascript:/);
});

test('the page is not cached, not indexed, and neither runs nor loads anything but images, sounds and films', async () => {
  const { id } = await buildArticle(api, tenant.secretKey, { title: 'Tea', content });
  const { headers, text } = await open(await linkTo(id));
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-robots-tag')).toContain('noindex');
  expect(text).toContain('<meta name="robots" content="noindex');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none';/);
  expect(policy).not.toMatch(/unsafe|script-src|\*/);
  const [, style = ''] = /<style>([^]*?)<\/style>/.exec(text) ?? [];
  expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
});

test('with Accept: application/json it is the article with content_html', async () => {
  const { id } = await buildPublished(api, tenant.secretKey, { content });
  const { data: article } = await api.request('GET', `/articles/${id}`, { key: tenant.secretKey });
  const { status, headers, json } = await open(await linkTo(id), 'application/json');
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  const html = '<h1>Water</h1>\n\n<p><a>x</a> <em>hot</em></p>';
  expect(json).toEqual({ data: { ...article, content_html: html } });
  expect([headers.get('cache-control'), headers.get('x-robots-tag')]).toEqual([
    'no-store',
    'noindex, nofollow',
  ]);
});

test('the article is shown as it is when the link is opened', async () => {
  const { id } = await buildArticle(api, tenant.secretKey, { title: 'Before' });
  const url = await linkTo(id);
  await api.request('PATCH', `/articles/${id}`, { key: tenant.secretKey, body: { title: 'After' } });
  expect((await open(url, 'application/json')).data).toMatchObject({ title: 'After', content_html: null });
});

test('an expired, revoked, malformed or unknown link is 404, as a page or as an envelope', async () => {
  const { id } = await buildArticle(api, tenant.secretKey);
  const url = await linkTo(id, { expires_in: 60 });
  expect((await open(url)).status).toBe(200);
  clock.advance(60_000);
  const base = `${api.origin}/preview`;
  for (const gone of [url, `${base}/${'a'.repeat(43)}`, `${base}/`, `${base}/a`, `${url}/`, `${base}/%00`]) {
    const page = await open(gone);
    expect([gone, page.status, page.headers.get('content-type')]).toEqual([
      gone,
      404,
      'text/html; charset=utf-8',
    ]);
    expect(page.headers.get('cache-control')).toBe('no-store');
    const answer = await open(gone, 'application/json');
    expect([answer.status, answer.json.error.code]).toEqual([404, 'NOT_FOUND']);
  }
});

test('the previews of a Site that is being deleted are 404', async () => {
  const leaving = await buildTenant(api.db);
  const { id } = await buildArticle(api, leaving.secretKey);
  const { data } = await api.request('POST', `/articles/${id}/preview-links`, { key: leaving.secretKey });
  await api.db.pool.query('update sites set deleting_since = now() where id = $1', [leaving.siteId]);
  expect((await open(data.url)).status).toBe(404);
});

test('HEAD answers like GET, and no other method is a preview', async () => {
  const { id } = await buildArticle(api, tenant.secretKey);
  const url = await linkTo(id);
  const head = await open(url, undefined, 'HEAD');
  expect([head.status, head.text]).toEqual([200, '']);
  expect((await open(url, undefined, 'POST')).status).toBe(401);
});

test('a published article is shown with its pending edit, until that is discarded', async () => {
  const { id } = await buildPublished(api, tenant.secretKey, { title: 'Live', content: 'Shown to all.' });
  const url = await linkTo(id);
  const pending = `/articles/${id}/pending`;
  await api.request('PATCH', pending, { key: tenant.secretKey, body: { title: 'Edited' } });
  const edited = await open(url, 'application/json');
  expect(edited.data).toMatchObject({ title: 'Edited', content: 'Shown to all.', status: 'published' });
  expect((await open(url)).text).toContain('<h1>Edited</h1>');
  await api.request('DELETE', pending, { key: tenant.secretKey });
  expect((await open(url, 'application/json')).data.title).toBe('Live');
});

test('a text that cannot be rendered is shown as it was written', async () => {
  const content = `${'> '.repeat(200)}<b>deep</b>`;
  const { id } = await buildArticle(api, tenant.secretKey, { content });
  const url = await linkTo(id);
  const page = await open(url);
  expect(page.status).toBe(200);
  expect(page.text).toContain('&lt;b&gt;deep&lt;/b&gt;</pre>');
  expect((await open(url, 'application/json')).json.error.code).toBe('VALIDATION_FAILED');
});

test('previews count per client with the other keyless answers', async () => {
  const { id } = await buildArticle(api, tenant.secretKey);
  const url = await linkTo(id);
  clock.advance(60_000);
  const remaining = async (to: string) => Number((await open(to)).headers.get('ratelimit-remaining'));
  expect(await remaining(url)).toBe(5_999);
  expect(await remaining(`${api.origin}/healthz`)).toBe(5_998);
  expect(await remaining(`${api.origin}/preview/unknown`)).toBe(5_997);
});

test('the log does not have the token', async () => {
  const { id } = await buildArticle(api, tenant.secretKey);
  const url = await linkTo(id);
  await open(url);
  await open(`${url}/`);
  const token = url.split('/').at(-1) ?? '';
  expect(logged.join('')).toContain('/preview/');
  expect(logged.join('')).not.toContain(token);
});
