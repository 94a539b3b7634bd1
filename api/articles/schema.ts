import { z } from 'zod';
import { articleStatuses } from '../../domain/articles/article.ts';
import { articleOrders, defaultProjection } from '../../domain/articles/list.ts';
import { isSchedulingTime } from '../../domain/scheduling-time.ts';
import { dateTime, id, isoTime, nullableTime, pageOf, slug, text, uuid, webUrl } from '../schema/fields.ts';
import { cursor, fields, limit } from '../schema/query.ts';
import { rule } from '../schema/rule.ts';

/** Members of an array at most, and characters of a text inside one (decisions 4). */
const MEMBERS = 100;
const member = text(5_000);
const members = <S extends z.ZodType>(item: S) => z.array(item).max(MEMBERS);

const Faq = z.strictObject({ question: member, answer: member });
const HowtoStep = z.strictObject({ name: member, text: member, image_url: webUrl.nullable().optional() });

const anything = z.array(z.unknown());
const oneValueAColumn = rule(
  z.object({ columns: anything, rows: members(z.object({ values: anything }).nullable().catch(null)) }),
  ({ columns, rows }) =>
    rows.flatMap((row, index) =>
      row === null || row.values.length === columns.length
        ? []
        : {
            path: ['rows', index, 'values'],
            message: `must have as many values as there are columns: ${columns.length}`,
          },
    ),
);
const Comparison = z
  .strictObject({
    title: member.nullable().optional(),
    columns: members(member),
    rows: members(z.strictObject({ label: member, values: members(member) })),
  })
  .check(oneValueAColumn);

/** The writable members of an article. */
export const ArticleWrite = z
  .strictObject({
    title: text(300).nullable(),
    slug: slug.nullable(),
    content: text(900_000).nullable(),
    excerpt: text(2_000).nullable(),
    featured_image_url: webUrl.nullable(),
    seo_title: text(300).nullable(),
    seo_description: text(1_000).nullable(),
    seo_keywords: members(member).nullable(),
    faqs: members(Faq).nullable(),
    key_takeaways: members(member).nullable(),
    howto_steps: members(HowtoStep).nullable(),
    comparison: Comparison.nullable(),
    category_id: uuid.nullable(),
    author_id: uuid.nullable(),
    format_id: uuid.nullable(),
    tag_ids: members(uuid),
    external_id: text(255).nullable(),
  })
  .partial()
  .meta({ id: 'ArticleWrite' });

export const PublishBody = z
  .strictObject({ published_at: dateTime, content_updated_at: dateTime })
  .partial()
  .meta({ id: 'PublishArticle' });

export const ScheduleBody = z
  .strictObject({
    scheduled_publish_at: z
      .string()
      .refine(isSchedulingTime, {
        error:
          'must be a date-time such as 2026-03-01T09:00:00Z, or 2026-03-01T09:00:00 in the Site’s timezone',
      })
      .meta({ description: 'With an offset, or without one as wall time in the timezone of the Site.' }),
  })
  .meta({ id: 'ScheduleArticle' });

const status = z.enum(articleStatuses);

export const ArticleShape = z
  .strictObject({
    id,
    status,
    title: z.string().nullable(),
    slug: z.string().nullable(),
    content: z.string().nullable(),
    excerpt: z.string().nullable(),
    featured_image_url: z.string().nullable(),
    seo_title: z.string().nullable(),
    seo_description: z.string().nullable(),
    seo_keywords: z.array(z.string()).nullable(),
    faqs: z.array(Faq).nullable(),
    key_takeaways: z.array(z.string()).nullable(),
    howto_steps: z.array(HowtoStep).nullable(),
    comparison: Comparison.nullable(),
    category_id: id.nullable(),
    author_id: id.nullable(),
    format_id: id.nullable(),
    tag_ids: z.array(id),
    external_id: z.string().nullable(),
    published_at: nullableTime,
    content_updated_at: nullableTime,
    scheduled_publish_at: nullableTime,
    created_at: isoTime,
    updated_at: isoTime,
  })
  .meta({ id: 'Article' });

/** An article of which only some members were asked for. */
export const PartialArticle = ArticleShape.partial().required({ id: true }).meta({ id: 'PartialArticle' });

export const ArticlePage = pageOf(PartialArticle).meta({ id: 'ArticlePage' });

export const ArticleLifecycleState = ArticleShape.pick({
  id: true,
  status: true,
  slug: true,
  published_at: true,
  content_updated_at: true,
  scheduled_publish_at: true,
  updated_at: true,
}).meta({ id: 'ArticleLifecycleState' });

const articleFields = Object.keys(ArticleShape.shape) as (keyof typeof ArticleShape.shape)[];

export const ListQuery = z.strictObject({
  cursor,
  limit: limit(),
  fields: fields(articleFields).meta({
    description: `Comma-separated; default ${defaultProjection.join(', ')}.`,
  }),
  status: z.array(status).optional(),
  category_id: uuid.optional(),
  author_id: uuid.optional(),
  tag_id: uuid.optional(),
  slug: z.string().optional(),
  updated_since: dateTime.optional(),
  external_id: z.string().optional(),
  order: z.enum(articleOrders).default('updated_at.desc'),
});

export const GetQuery = z.strictObject({ fields: fields(articleFields) });
