import { publicFolder } from '../../../../domain/media/reservation.ts';
import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildArticle, buildPublished, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { jsonFeedShape } from '../../../support/json-feed.ts';
import { mistakesIn } from '../../../support/xml-schemas.ts';

const api = await useApi();
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const call = (
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> => api.request(method, path, { key: tenant.secretKey, body, headers });
const disclose = async (ai_disclosure: string): Promise<void> => {
  expect((await call('PATCH', '/site', { ai_disclosure })).data.ai_disclosure).toBe(ai_disclosure);
};
const file = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${api.origin}/${publicFolder(tenant.siteId)}/${path}`, { headers });

const TYPES = 'http://cv.iptc.org/newscodes/digitalsourcetype';
const cases = [
  ['person', undefined],
  ['assisted', `${TYPES}/compositeWithTrainedAlgorithmicMedia`],
  ['generated', `${TYPES}/trainedAlgorithmicMedia`],
] as const;
const publish = (origin: string) =>
  buildPublished(api, tenant.secretKey, {
    title: 'Tea',
    content: '# Tea\n\n<div itemscope itemprop="digitalSourceType">Hot.</div>',
    ...(origin === 'person' ? {} : { origin }),
  });
const html = '<h1>Tea</h1>\n<div>Hot.</div>';

test.each(cases)('an article of the origin %s says so where the Site wants it', async (origin, type) => {
  const { id } = await publish(origin);
  const sources = async () => {
    const meta = (await call('GET', `/articles/${id}/meta`)).data;
    const [linked] = meta.json_ld;
    const read = (await call('GET', `/articles/${id}?fields=content_html`)).data.content_html;
    const [rss, atom, json] = await Promise.all(
      ['rss.xml', 'atom.xml', 'feed.json'].map(async (path) => (await file(path)).text()),
    );
    expect([await mistakesIn(rss as string, 'rss'), await mistakesIn(atom as string, 'atom')]).toEqual([
      [],
      [],
    ]);
    const inXml = (text = '') =>
      /<schema:digitalSourceType xmlns:schema="https:\/\/schema.org\/">([^<]*)</.exec(text)?.[1];
    const { items } = jsonFeedShape.parse(JSON.parse(json as string));
    return {
      html: read as string,
      types: [
        linked.digitalSourceType,
        inXml(rss),
        inXml(atom),
        items[0]?._presswork?.digital_source_type,
      ] as unknown[],
    };
  };
  const nothing = { html, types: [undefined, undefined, undefined, undefined] };
  expect(await sources()).toEqual(nothing);
  await disclose('mark');
  expect(await sources()).toEqual({
    html:
      type === undefined
        ? html
        : `<div itemscope itemtype="https://schema.org/Article"><link itemprop="digitalSourceType" href="${type}"><div itemprop="articleBody">${html}</div></div>`,
    types: [type, type, type, type],
  });
  await disclose('none');
  expect(await sources()).toEqual(nothing);
});

test('caches see the setting: tags of feeds, metadata and rendered contents change with it', async () => {
  const { id } = await publish('generated');
  const read = `/articles/${id}?fields=content_html`;
  const meta = `/articles/${id}/meta`;
  const feedTag = (await file('rss.xml')).headers.get('etag') as string;
  const tags = [(await call('GET', read)).headers.get('etag'), (await call('GET', meta)).headers.get('etag')];
  expect((await file('rss.xml', { 'If-None-Match': feedTag })).status).toBe(304);
  await disclose('mark');
  expect((await file('rss.xml', { 'If-None-Match': feedTag })).status).toBe(200);
  const known = (tag: string | null | undefined) => ({ 'If-None-Match': tag ?? '' });
  const marked = await call('GET', read, undefined, known(tags[0]));
  expect(marked.status).toBe(200);
  expect((await call('GET', meta, undefined, known(tags[1]))).status).toBe(200);
  const tag = marked.headers.get('etag') as string;
  expect(tag).not.toBe(tags[0]);
  expect((await call('GET', read, undefined, known(tag))).status).toBe(304);
  // Without the rendered content, nothing has changed.
  expect((await call('GET', `/articles/${id}`, undefined, known(tags[0]))).status).toBe(304);
  // The tag still names the version of the article.
  expect((await call('PATCH', `/articles/${id}`, { excerpt: 'Hot.' }, { 'If-Match': tag })).status).toBe(200);
  expect((await call('PATCH', `/articles/${id}`, { excerpt: 'Cold.' }, { 'If-Match': tag })).status).toBe(
    412,
  );
});

test('a preview shows the rendered content as the blog would, and an article without content has none', async () => {
  await disclose('mark');
  const { id } = await publish('assisted');
  const { url } = (
    await api.request('POST', `/articles/${id}/preview-links`, {
      key: tenant.secretKey,
      idempotencyKey: true,
    })
  ).data;
  const preview = await fetch(url, { headers: { Accept: 'application/json' } });
  expect(await preview.text()).toContain(`${TYPES}/compositeWithTrainedAlgorithmicMedia`);
  const empty = await buildArticle(api, tenant.secretKey, { origin: 'generated' });
  const { data } = await call('GET', `/articles/${empty.id}?fields=content_html`);
  expect(data.content_html).toBeNull();
});

test('the setting is one of two', async () => {
  expect((await call('GET', '/site')).data.ai_disclosure).toBe('none');
  for (const ai_disclosure of ['always', null, true])
    expect((await call('PATCH', '/site', { ai_disclosure })).status).toBe(422);
});
