import { z } from 'zod';
import { ArticleWrite } from '../../../../api/resources/articles/schema.ts';
import { slug, text, webUrl } from '../../../../packages/base/fields.ts';

const time = z.iso.datetime({ precision: 3 });
const term = z.strictObject({ slug, name: text(200, 1) });
const entry = z.strictObject({
  ...ArticleWrite.pick({
    title: true,
    slug: true,
    content: true,
    excerpt: true,
    seo_title: true,
    seo_description: true,
  }).shape,
  external_id: text(255, 1),
  status: z.enum(['published', 'draft']),
  featured_image: z.strictObject({ url: webUrl, alt: text(1_000).optional() }).optional(),
  author: z.string().optional(),
  category: z.string().optional(),
  tags: z.array(z.string()).max(100).optional(),
  published_at: time.optional(),
  content_updated_at: time.optional(),
});
const file = z.strictObject({
  format: z.literal('service-import'),
  version: z.literal(1),
  source: z.strictObject({ name: z.string().optional(), url: z.string().optional() }),
  authors: z.array(
    z.strictObject({
      ref: z.string(),
      name: text(200, 1),
      bio: text(5_000).optional(),
      avatar_url: webUrl.optional(),
    }),
  ),
  categories: z.array(term),
  tags: z.array(term),
  articles: z.array(entry),
});

/**
 * Checks a file against the rules of the format and the shapes of the API (docs/spec/service-api.md, Import file;
 * docs/spec/rulings.md, 13).
 */
export function expectImportable(given: unknown): void {
  const { authors, categories, tags, articles } = file.parse(given);
  const only = (values: readonly (string | undefined)[]): void => {
    const named = values.filter((value) => value !== undefined);
    expect(named).toEqual([...new Set(named)]);
  };
  only(articles.map(({ external_id: id }) => id));
  only(articles.map(({ slug }) => slug ?? undefined));
  only(authors.map(({ ref }) => ref));
  only(categories.map(({ slug }) => slug));
  only(tags.map(({ slug }) => slug));
  const known = {
    authors: new Set(authors.map(({ ref }) => ref)),
    categories: new Set(categories.map(({ slug }) => slug)),
    tags: new Set(tags.map(({ slug }) => slug)),
  };
  for (const article of articles) {
    if (article.author !== undefined) expect(known.authors).toContain(article.author);
    if (article.category !== undefined) expect(known.categories).toContain(article.category);
    for (const tag of article.tags ?? []) expect(known.tags).toContain(tag);
    if (article.status !== 'published') continue;
    expect(article).toMatchObject({
      title: expect.stringMatching(/\S/),
      slug: expect.any(String),
      content: expect.stringMatching(/\S/),
      published_at: expect.any(String),
    });
    const published = Date.parse(article.published_at as string);
    expect(published).toBeLessThanOrEqual(Date.now());
    if (article.content_updated_at !== undefined) {
      expect(Date.parse(article.content_updated_at)).toBeGreaterThanOrEqual(published);
    }
  }
}
