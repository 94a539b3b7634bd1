import fc from 'fast-check';
import { writeFileSync } from 'node:fs';
import { useApi } from '../../support/api.ts';
import { buildTenant } from '../../support/builders.ts';
import type { Tenant } from '../../support/builders.ts';
import { flat } from '../../support/images.ts';
import { registerUpload, uploadBytes } from '../../support/uploads.ts';
import { runImport } from '../../packages/importer/import/importer.ts';
import { endExports, newTarget, runExport } from './exporter.ts';

const api = await useApi();
let image: Buffer;

beforeAll(async () => {
  image = await flat(700, 7).png().toBuffer();
});
afterEach(() => endExports());

const awkward = [
  '\u2028',
  '\r\n',
  '"',
  '\\',
  '\ufeff',
  '\u0001',
  '👍🏽',
  'é',
  'e\u0301',
  '  ',
  '<b>',
  '</script>',
  '#',
  '- ',
];
const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replaceAll('\0', '')),
  fc.constantFrom(...awkward),
);
const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));
const filled = text.map((value) => `${value}.`);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const few = <T>(value: fc.Arbitrary<T>) => fc.array(value, { maxLength: 3 });

const IMAGES = 3;
const imageIndex = fc.nat(IMAGES - 1);
/** How Markdown and HTML show an image; some of it is code. */
const showing = fc.constantFrom(
  (url: string) => `\n\n![a](${url} "title")\n\n`,
  (url: string) => `\n\n![b](<${url}>)\n\n`,
  (url: string) => `\n\n![c][ref]\n\n[ref]: ${url}\n\n`,
  (url: string) => `\n\n> <img alt='x' src="${url}">\n\n`,
  (url: string) => `\n\n\`![code](${url})\`\n\n`,
  (url: string) => `\n\n![d](${url}?width=320&format=webp)\n\n`,
  (url: string) => `\n\n<div>\n<img src=${url}?width=640&format=auto>\n</div>\n\n`,
  (url: string) => `\n\n[^note]\n\n[^note]: ![e](${url})\n\n`,
);
const content = fc.record({ before: filled, show: maybe(showing), image: imageIndex, after: text });

const article = fc.record({
  end: fc.constantFrom('draft', 'published', 'updated', 'unpublished', 'scheduled'),
  externalId: fc.oneof(fc.constant(undefined), fc.constantFrom('same', '', 'Ä'), filled),
  hasSlug: fc.boolean(),
  title: filled,
  content,
  origin: maybe(fc.constantFrom('assisted', 'generated')),
  excerpt: maybe(text),
  seo_title: maybe(text),
  seo_description: maybe(text),
  seo_keywords: maybe(few(text)),
  featured: maybe(imageIndex),
  author: maybe(fc.nat(2)),
  category: maybe(fc.nat(1)),
  tags: fc.uniqueArray(fc.nat(2), { maxLength: 3 }),
  format: maybe(fc.nat(2)),
  faqs: maybe(few(fc.record({ question: text, answer: text }))),
  key_takeaways: maybe(few(text)),
  howto_steps: maybe(few(fc.record({ name: text, text, image: fc.option(imageIndex) }))),
  comparison: maybe(
    fc.record({ title: fc.option(text), column: text, rows: few(fc.record({ label: text, value: text })) }),
  ),
  published: fc.date({ min: new Date('0001-01-02'), max: new Date('2025-01-01'), noInvalidDate: true }),
});

const site = fc.record({
  articles: fc.array(article, { maxLength: 5 }),
  authors: fc.tuple(
    ...[0, 1, 2].map(() => fc.record({ name: filled, bio: maybe(text), avatar: maybe(imageIndex) })),
  ),
  sameName: fc.boolean(),
  terms: fc.tuple(filled, filled, filled),
  alts: fc.tuple(...Array.from({ length: IMAGES }, () => maybe(filled))),
});
type GeneratedSite = typeof site extends fc.Arbitrary<infer Value> ? Value : never;
type GeneratedArticle = GeneratedSite['articles'][number];

interface Ids {
  readonly images: readonly string[];
  readonly authors: readonly string[];
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  readonly formats: readonly string[];
}

const sender =
  ({ secretKey: key }: Tenant) =>
  async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await api.request(method, path, { key, body, idempotencyKey: true });
    if (answer.status >= 400)
      throw new Error(`${method} ${path}: ${answer.text} for ${JSON.stringify(body)}`);
    return answer.data;
  };
type Send = ReturnType<typeof sender>;

async function upload({ secretKey: key }: Tenant, bucket: string, alt?: string): Promise<string> {
  const id = await uploadBytes(api, key, image, { content_type: 'image/png', bucket });
  return (await registerUpload(api, key, id, alt === undefined ? {} : { alt_text: alt })).data.url;
}

async function buildSite(tenant: Tenant, { articles, authors, sameName, terms, alts }: GeneratedSite) {
  const send = sender(tenant);
  const images: string[] = [];
  const buckets = ['blog-images', 'blog-images', 'author-avatars'];
  for (const [index, alt] of alts.entries()) images.push(await upload(tenant, buckets[index] ?? '', alt));
  const idsOf = async (kind: string, bodies: readonly object[]): Promise<string[]> => {
    const ids: string[] = [];
    for (const body of bodies) ids.push((await send('POST', `/${kind}`, body)).id);
    return ids;
  };
  const formats = (await send('GET', '/content-types')).items.slice(0, 3).map(({ id }: any) => id);
  const ids: Ids = {
    images,
    authors: await idsOf(
      'authors',
      authors.map(({ name, bio, avatar }, index) => ({
        name: sameName ? authors[0]?.name : name,
        slug: `author-${index}`,
        bio,
        avatar_url: avatar === undefined ? null : images[avatar],
        is_ai_generated: index === 1,
      })),
    ),
    categories: await idsOf('categories', [
      { name: terms[0], slug: 'term' },
      { name: terms[1], slug: 'b' },
    ]),
    tags: await idsOf(
      'tags',
      terms.map((name, index) => ({ name, slug: ['term', 'a', 'z'][index] })),
    ),
    formats,
  };
  for (const [index, each] of articles.entries()) await buildOne(send, each, index, ids);
}

async function buildOne(send: Send, generated: GeneratedArticle, index: number, ids: Ids): Promise<void> {
  const { end, content: parts, howto_steps: steps, comparison, tags, published } = generated;
  const at = <T>(list: readonly T[], place: number | undefined): T | undefined =>
    place === undefined ? undefined : list[place];
  const url = ids.images[parts.image] ?? '';
  const { id } = await send('POST', '/articles', {
    external_id: generated.externalId,
    title: generated.title,
    slug: end !== 'draft' || generated.hasSlug ? `slug-${index}` : null,
    content: `${parts.before}${parts.show?.(url) ?? ''}${parts.after}`,
    origin: generated.origin,
    excerpt: generated.excerpt,
    seo_title: generated.seo_title,
    seo_description: generated.seo_description,
    seo_keywords: generated.seo_keywords,
    featured_image_url: at(ids.images, generated.featured),
    author_id: at(ids.authors, generated.author),
    category_id: at(ids.categories, generated.category),
    tag_ids: tags.map((tag) => ids.tags[tag]),
    format_id: at(ids.formats, generated.format),
    faqs: generated.faqs,
    key_takeaways: generated.key_takeaways,
    howto_steps: steps?.map(({ name, text: words, image: place }) => ({
      name,
      text: words,
      ...(place === null ? (name === '' ? {} : { image_url: null }) : { image_url: ids.images[place] }),
    })),
    comparison: comparison && {
      title: comparison.title,
      columns: [comparison.column],
      rows: comparison.rows.map(({ label, value }) => ({ label, values: [value] })),
    },
  });
  if (end === 'scheduled') {
    await send('POST', `/articles/${id}/schedule`, { scheduled_publish_at: '2999-01-01T00:00:00Z' });
  } else if (end !== 'draft') {
    await send('POST', `/articles/${id}/publish`, { published_at: published.toISOString() });
    if (end === 'updated') await send('PATCH', `/articles/${id}`, { title: `${generated.title}!` });
    if (end === 'unpublished') await send('POST', `/articles/${id}/unpublish`);
  }
}

/** The file without the ids in media URLs, and without its source. */
const comparable = (file: string): string =>
  file
    .replace(/^ {2}"source": .*\n/m, '')
    .replaceAll(/public\/[0-9a-f]{32}\/([\w-]+)\/[0-9a-f-]{36}/g, 'public/$1/ID');

async function exported({ secretKey: key }: Tenant): Promise<{ path: string; text: string }> {
  const target = newTarget();
  const { code, err } = await runExport(`${api.origin}/v1`, key, target);
  expect([err, code]).toEqual([err, 0]);
  return { path: target.out, text: target.text() ?? '' };
}

/** Exports a Site, imports the file into an empty one, and exports that. */
async function thereAndBack(from: Tenant): Promise<[first: string, second: string, to: Tenant]> {
  const first = await exported(from);
  const to = await buildTenant(api.db);
  const args = ['--base-url', `${api.origin}/v1`, '--key', to.secretKey, '--allow-private-images'];
  const { code, report, err } = await runImport([first.path, ...args]);
  expect([err, code, report.refused, report.images.failed]).toEqual([err, 0, [], []]);
  const second = await exported(to);
  return [comparable(first.text), comparable(second.text), to];
}

test('any Site that is exported, imported into an empty Site and exported again gives the same file but for ids in media URLs', async () => {
  await fc.assert(
    fc.asyncProperty(site, async (generated) => {
      const tenant = await buildTenant(api.db);
      await buildSite(tenant, generated);
      const [first, second] = await thereAndBack(tenant);
      expect(second).toBe(first);
      const kept = generated.articles.filter(({ end }) => end !== 'scheduled');
      expect(JSON.parse(first).articles).toHaveLength(kept.length);
    }),
    { numRuns: 12, interruptAfterTimeLimit: 240_000, endOnFailure: true },
  );
}, 300_000);

test('an image stays in its bucket, and shown in a smaller width it is copied whole', async () => {
  const tenant = await buildTenant(api.db);
  const send = sender(tenant);
  const [photo, portrait] = [await upload(tenant, 'blog-images'), await upload(tenant, 'author-avatars')];
  const { id: author } = await send('POST', '/authors', { name: 'Ann', avatar_url: `${photo}?width=320` });
  await send('POST', '/articles', {
    external_id: 'a',
    author_id: author,
    content: `![a](${photo}?width=640&amp;format=webp) ![b](<${portrait}>) ![c](${photo}) <img src='${portrait}?width=320&format=auto'>`,
    featured_image_url: `${portrait}?format=avif&width=320`,
    howto_steps: [{ name: 'n', text: 't', image_url: `${photo}?width=640` }],
  });
  const [first, second, to] = await thereAndBack(tenant);
  expect(second).toBe(first);
  const { items } = await sender(to)('GET', '/media');
  const facts = items.map((each: any) => [each.bucket, each.width]).toSorted();
  expect(facts).toEqual([
    ['author-avatars', 700],
    ['blog-images', 700],
  ]);
});

test('an article as large as a request gets comes back unchanged', async () => {
  const tenant = await buildTenant(api.db);
  const send = sender(tenant);
  await send('POST', '/articles', { external_id: 'large', content: 'ü'.repeat(500_000) });
  const [first, second] = await thereAndBack(tenant);
  expect(second === first).toBe(true);
});

test('an article that an import refuses is named, and the exit code is 1', async () => {
  const tenant = await buildTenant(api.db);
  const send = sender(tenant);
  const { id } = await send('POST', '/articles', { external_id: 'huge', content: 'ü'.repeat(500_000) });
  await send('PATCH', `/articles/${id}`, {
    faqs: [...Array(30)].map(() => ({ question: 'é'.repeat(5_000), answer: '' })),
  });
  const target = newTarget();
  const { code, err } = await runExport(`${api.origin}/v1`, tenant.secretKey, target);
  expect(code).toBe(1);
  expect(err).toContain('presswork import will refuse the article "huge": content is too large');
  const { articles } = JSON.parse(target.text() ?? '');
  expect(articles[0].faqs).toHaveLength(30);
  const path = `${target.out}.copy`;
  writeFileSync(path, target.text() ?? '');
  const to = await buildTenant(api.db);
  const imported = await runImport([path, '--base-url', `${api.origin}/v1`, '--key', to.secretKey]);
  expect(imported.report.refused.map(({ external_id: name }) => name)).toEqual(['huge']);
});
