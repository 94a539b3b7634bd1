import { createRenderer } from '../../../adapters/markdown/renderer.ts';
import { startApi, useApi } from '../../support/api.ts';
import { buildArticle, buildPublished, buildTenant } from '../../support/builders.ts';

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

test('a content that cannot be rendered in time is 422, and the article can be read without it', async () => {
  const strict = createRenderer();
  const other = await startApi({ renderer: strict }, { on: api });
  try {
    const { secretKey: key } = await buildTenant(other.db);
    const { id } = await buildArticle(other, key, { title: 'Long', content: '*a _b '.repeat(150_000) });
    const answer = await other.request('GET', `/articles/${id}?fields=content_html`, { key });
    expect([answer.status, answer.json.error.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(answer.json.error.fields).toEqual({ content: expect.stringContaining('cannot be rendered') });
    expect((await other.request('GET', `/articles/${id}?fields=title`, { key })).data.title).toBe('Long');
  } finally {
    await other.close();
    strict.close();
  }
});
