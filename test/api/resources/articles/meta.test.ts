import { useApi } from '../../../support/api.ts';
import { buildArticle, buildPublished, buildTenant, buildTerm } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { jsonLdShapes } from '../../../support/json-ld.ts';

const api = await useApi();
let tenant: Tenant;
let blog: string;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  blog = `https://${(await api.request('GET', '/site', { key: tenant.secretKey })).data.domain}`;
});

const meta = (id: string, key = tenant.secretKey, headers: Record<string, string> = {}) =>
  api.request('GET', `/articles/${id}/meta`, { key, headers });
/** The JSON-LD of an answer, by type; each is valid. */
const linked = (data: { json_ld: { '@type': string }[] }) =>
  Object.fromEntries(data.json_ld.map((one) => [one['@type'], jsonLdShapes.parse(one)]));

test('the metadata has what the article says, ready for its page', async () => {
  const [category, tag, author] = await Promise.all([
    buildTerm(api, tenant.secretKey, 'categories', { name: 'Drinks', slug: 'drinks' }),
    buildTerm(api, tenant.secretKey, 'tags', { name: 'Tea' }),
    buildTerm(api, tenant.secretKey, 'authors', { name: 'Ada', slug: 'ada' }),
  ]);
  await api.request('PATCH', '/site', {
    key: tenant.secretKey,
    body: { name: 'The Tea Blog', locale: 'de-AT' },
  });
  const article = await buildPublished(api, tenant.secretKey, {
    title: 'Tea',
    slug: 'tea',
    excerpt: 'Short',
    featured_image_url: 'https://img.example.com/tea.png',
    category_id: category.id,
    tag_ids: [tag.id],
    author_id: author.id,
    faqs: [
      { question: 'Why?', answer: 'Because.' },
      { question: '', answer: 'Not complete' },
    ],
    howto_steps: [
      { name: 'Boil', text: 'Boil water.', image_url: 'https://img.example.com/boil.png' },
      { name: '', text: 'Wait.' },
    ],
  });
  const { data } = await meta(article.id);
  expect(data).toMatchObject({
    title: 'Tea',
    description: 'Short',
    canonical_url: `${blog}/tea`,
    open_graph: {
      'og:type': 'article',
      'og:site_name': 'The Tea Blog',
      'og:locale': 'de_AT',
      'og:title': 'Tea',
      'og:description': 'Short',
      'og:url': `${blog}/tea`,
      'og:image': 'https://img.example.com/tea.png',
    },
    twitter: {
      'twitter:card': 'summary_large_image',
      'twitter:title': 'Tea',
      'twitter:description': 'Short',
      'twitter:image': 'https://img.example.com/tea.png',
    },
  });
  for (const name of Object.keys(data.open_graph)) expect(name).toMatch(/^og:/);
  for (const name of Object.keys(data.twitter)) expect(name).toMatch(/^twitter:/);
  expect(linked(data)).toEqual({
    Article: expect.objectContaining({
      headline: 'Tea',
      image: ['https://img.example.com/tea.png'],
      datePublished: article.published_at,
      dateModified: article.published_at,
      inLanguage: 'de-AT',
      author: { '@type': 'Person', name: 'Ada', url: `${blog}/author/ada` },
      articleSection: 'Drinks',
      keywords: ['Tea'],
    }),
    BreadcrumbList: expect.objectContaining({
      itemListElement: [
        { '@type': 'ListItem', position: 1, name: 'The Tea Blog', item: `${blog}/` },
        { '@type': 'ListItem', position: 2, name: 'Drinks', item: `${blog}/category/drinks` },
        { '@type': 'ListItem', position: 3, name: 'Tea', item: `${blog}/tea` },
      ],
    }),
    FAQPage: expect.objectContaining({
      mainEntity: [
        { '@type': 'Question', name: 'Why?', acceptedAnswer: { '@type': 'Answer', text: 'Because.' } },
      ],
    }),
    HowTo: expect.objectContaining({
      name: 'Tea',
      step: [
        {
          '@type': 'HowToStep',
          position: 1,
          name: 'Boil',
          text: 'Boil water.',
          image: 'https://img.example.com/boil.png',
        },
        { '@type': 'HowToStep', position: 2, text: 'Wait.' },
      ],
    }),
  });
});

test('seo_title and seo_description win', async () => {
  const { id } = await buildPublished(api, tenant.secretKey, {
    title: 'Long title',
    excerpt: 'Excerpt',
    seo_title: 'Short title',
    seo_description: 'Described',
  });
  const { data } = await meta(id);
  expect([data.title, data.description]).toEqual(['Short title', 'Described']);
  expect([data.open_graph['og:title'], data.twitter['twitter:description']]).toEqual([
    'Short title',
    'Described',
  ]);
  expect(linked(data)['Article']).toMatchObject({ headline: 'Short title', description: 'Described' });
});

test('an empty draft has metadata, without what it lacks', async () => {
  const { id } = await buildArticle(api, tenant.secretKey);
  expect((await meta(id)).data).toEqual({
    title: null,
    description: null,
    canonical_url: null,
    open_graph: { 'og:type': 'article', 'og:site_name': expect.any(String), 'og:locale': 'en' },
    twitter: { 'twitter:card': 'summary' },
    json_ld: [],
  });
});

test('nothing in the answer can end a script element', async () => {
  const hostile = '</script><script>alert(1)</script><!--';
  const { id } = await buildPublished(api, tenant.secretKey, {
    title: hostile,
    excerpt: hostile,
    faqs: [{ question: hostile, answer: hostile }],
  });
  const answer = await meta(id);
  expect(answer.text).not.toContain('<');
  expect(answer.text).toContain(String.raw`\u003c/script>`);
  expect(answer.data.title).toBe(hostile);
});

test('a publishable key reads what is published; another Site reads nothing', async () => {
  const { id } = await buildPublished(api, tenant.secretKey);
  const draft = await buildArticle(api, tenant.secretKey, { title: 'Draft' });
  const other = await buildTenant(api.db);
  expect((await meta(id, tenant.publishableKey)).status).toBe(200);
  expect((await meta(draft.id, tenant.publishableKey)).status).toBe(404);
  expect((await meta(id, other.secretKey)).status).toBe(404);
});

test('its ETag follows everything that it shows', async () => {
  const author = await buildTerm(api, tenant.secretKey, 'authors', { name: 'Ada' });
  const { id } = await buildPublished(api, tenant.secretKey, { author_id: author.id });
  const etag = async (): Promise<string> => (await meta(id)).headers.get('etag') as string;
  const first = await etag();
  expect((await meta(id, tenant.secretKey, { 'if-none-match': first })).status).toBe(304);
  await api.request('PATCH', `/authors/${author.id}`, { key: tenant.secretKey, body: { name: 'Grace' } });
  const second = await etag();
  await api.request('PATCH', '/site', { key: tenant.secretKey, body: { name: 'Renamed' } });
  expect(new Set([first, second, await etag()]).size).toBe(3);
});
