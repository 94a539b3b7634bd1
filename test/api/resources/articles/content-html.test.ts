import { JobUnfinished } from '../../../../adapters/jobs/helper-process.ts';
import { NoPermit } from '../../../../runtime/fair-semaphore.ts';
import { startApi, useApi } from '../../../support/api.ts';
import { buildArticle, buildPublished, buildTenant } from '../../../support/builders.ts';
import { testRenderer } from '../../../support/renderer.ts';

const api = await useApi();
const tenant = await buildTenant(api.db);

const content = '# Tea\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) ~~cold~~';
const html = '<h1>Tea</h1>\n\n<p><a>x</a> <del>cold</del></p>';

test.each(['secretKey', 'publishableKey'] as const)(
  'content_html is the content as sanitised HTML, for a %s',
  async (key) => {
    const { id, slug } = await buildPublished(api, tenant.secretKey, {
      content: '*a* <b onclick="b()">c</b>',
    });
    const path = `/articles/${id}?fields=slug,content_html`;
    const answer = await api.request('GET', path, { key: tenant[key] });
    expect(answer.data).toEqual({ id, slug, content_html: '<p><em>a</em> <b>c</b></p>' });
    expect(answer.headers.get('etag')).toBe('W/"2"');
  },
);

test('scripts and their links are gone', async () => {
  const { id } = await buildArticle(api, tenant.secretKey, { content });
  const { data } = await api.request('GET', `/articles/${id}?fields=content_html`, { key: tenant.secretKey });
  expect(data.content_html).toBe(html);
});

test('content_html is given only when it is named', async () => {
  const { id } = await buildArticle(api, tenant.secretKey, { content });
  const { data } = await api.request('GET', `/articles/${id}`, { key: tenant.secretKey });
  expect(data).toHaveProperty('content', content);
  expect(data).not.toHaveProperty('content_html');
});

test('without content it is null', async () => {
  const { id } = await buildArticle(api, tenant.secretKey);
  const { data } = await api.request('GET', `/articles/${id}?fields=content_html`, { key: tenant.secretKey });
  expect(data).toEqual({ id, content_html: null });
});

test('in a list it is an unknown name', async () => {
  const answer = await api.request('GET', '/articles?fields=id,content_html', { key: tenant.secretKey });
  expect([answer.status, answer.json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  expect(answer.json.error.message).toContain('content_html');
});

test('a content that no machine renders is 422, and the article can be read without it', async () => {
  const { id } = await buildArticle(api, tenant.secretKey, { title: 'Long', content: '['.repeat(200_000) });
  const path = `/articles/${id}?fields=`;
  const answer = await api.request('GET', `${path}content_html`, { key: tenant.secretKey });
  expect([answer.status, answer.json.error.code]).toEqual([422, 'VALIDATION_FAILED']);
  expect(answer.json.error.fields).toEqual({ content: expect.stringContaining('too many brackets') });
  expect((await api.request('GET', `${path}title`, { key: tenant.secretKey })).data.title).toBe('Long');
});

test.each([
  ['has no time for a text', new JobUnfinished('its process was killed')],
  ['has no turn for a text', new NoPermit({ ownShare: true, waited: true })],
])('a machine that %s is 503 with Retry-After', async (_, error) => {
  const busy = { ...testRenderer, render: () => Promise.reject(error) };
  const other = await startApi({ renderer: busy }, { on: api });
  try {
    const { id } = await buildArticle(other, tenant.secretKey, { content });
    const answer = await other.request('GET', `/articles/${id}?fields=content_html`, {
      key: tenant.secretKey,
    });
    expect([answer.status, answer.json.error.code]).toEqual([503, 'MAINTENANCE']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  } finally {
    await other.close();
  }
});

test('a footnote of one article is not that of another on the same page', async () => {
  const ids = await Promise.all(
    ['One', 'Two'].map(async (title) => {
      const { id } = await buildArticle(api, tenant.secretKey, { title, content: 'a[^1]\n\n[^1]: b' });
      const path = `/articles/${id}?fields=content_html`;
      const { data } = await api.request('GET', path, { key: tenant.secretKey });
      return [...data.content_html.matchAll(/ id="([^"]+)"/g)].map(([, each]) => each);
    }),
  );
  expect(new Set(ids.flat()).size).toBe(4);
});
