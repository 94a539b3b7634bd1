import { z } from 'zod';
import { dateTime, slug, text, uuid, webUrl } from './fields.ts';
import type { FieldMessages } from './mistakes.ts';
import { rule } from './rule.ts';

/** Limits of an array's items, and of the characters of a text inside one (docs/spec/rulings.md, 4). */
const MEMBERS = 100;
const member = text(5_000);
const members = <S extends z.ZodType>(item: S) => z.array(item).max(MEMBERS);

const FaqWrite = z.strictObject({ question: member, answer: member }).meta({ id: 'FaqWrite' });
const HowtoStepWrite = z
  .strictObject({ name: member, text: member, image_url: webUrl.nullable().optional() })
  .meta({ id: 'HowtoStepWrite' });
const ComparisonRowWrite = z
  .strictObject({ label: member, values: members(member).meta({ description: 'One value per column.' }) })
  .meta({ id: 'ComparisonRowWrite' });

const anything = z.array(z.unknown());
const oneValuePerColumn = rule(
  z.object({ columns: anything, rows: members(z.object({ values: anything }).nullable().catch(null)) }),
  ({ columns, rows }) =>
    rows.flatMap((row, index) =>
      row === null || row.values.length === columns.length
        ? []
        : {
            path: ['rows', index, 'values'],
            message: `must have one value per column: ${columns.length}`,
          },
    ),
);
const ComparisonWrite = z
  .strictObject({
    title: member.nullable().optional(),
    columns: members(member),
    rows: members(ComparisonRowWrite),
  })
  .check(oneValuePerColumn)
  .meta({ id: 'ComparisonWrite' });

/** The most sources of an article (docs/spec/rulings.md, 25). */
export const SOURCES = 50;

const SourceWrite = z
  .strictObject({
    n: z.int().optional().meta({ description: 'Ignored: it is the position.' }),
    url: webUrl,
    title: text(300).nullable().optional(),
    published_at: dateTime.nullable().optional(),
    accessed_at: dateTime.nullable().optional(),
  })
  .meta({ id: 'SourceWrite' });

/** The number of a source is its position. */
const numbered = (sources: readonly z.infer<typeof SourceWrite>[]) =>
  sources.map(({ url, title = null, published_at, accessed_at }, index) => ({
    n: index + 1,
    url,
    title,
    published_at: published_at?.toISOString() ?? null,
    accessed_at: accessed_at?.toISOString() ?? null,
  }));

export const articleWrite = z
  .strictObject({
    title: text(300).nullable(),
    slug: slug.nullable(),
    content: text(900_000).nullable(),
    excerpt: text(2_000).nullable(),
    featured_image_url: webUrl.nullable(),
    seo_title: text(300).nullable(),
    seo_description: text(1_000).nullable(),
    seo_keywords: members(member).nullable(),
    faqs: members(FaqWrite).nullable(),
    key_takeaways: members(member).nullable(),
    howto_steps: members(HowtoStepWrite).nullable(),
    comparison: ComparisonWrite.nullable(),
    sources: z.array(SourceWrite).max(SOURCES).transform(numbered).nullable(),
    category_id: uuid.nullable(),
    author_id: uuid.nullable(),
    format_id: uuid.nullable(),
    tag_ids: members(uuid),
    external_id: text(255).nullable(),
  })
  .partial();

/** An article that is created. Only the service itself finds out that a person wrote a text, or changed it. */
export const articleCreate = articleWrite.extend({ origin: z.enum(['assisted', 'generated']).optional() });

export const termName = text(200, 1);

/** What an author has besides name and slug. */
export const authorDetails = {
  bio: text(5_000).nullable().optional(),
  avatar_url: webUrl.nullable().optional(),
  is_ai_generated: z.boolean().optional(),
};

export const altText = text(1_000).nullable();

type Publishable = Readonly<Record<'title' | 'slug' | 'content', string | null>>;

/** The missing parts of an article for publication (docs/spec/service-api.md, States and transitions); empty if nothing. */
export function missingForPublication(article: Publishable): FieldMessages {
  const missing: Record<string, string> = {};
  for (const name of ['title', 'slug', 'content'] as const) {
    if ((article[name] ?? '').trim() === '')
      missing[name] = `must not be empty when the article is published: set ${name} first`;
  }
  return missing;
}
