import { z } from 'zod';
import { articleOrders } from '../../../domain/articles/list-rows.ts';
import { defaultProjection } from '../../../domain/articles/list.ts';
import { origins } from '../../../domain/kernel/origins.ts';
import { articleStatuses } from '../../../domain/articles/row.ts';
import { isSchedulingTime } from '../../../domain/articles/scheduling-time.ts';
import { dateTime, id, isoTime, nullableTime, pageOf, uuid } from '../../../packages/base/fields.ts';
import { articleCreate, articleWrite } from '../../../packages/base/content.ts';
import { cursor, fields, limit, search, webSearch } from '../../framework/schema/query.ts';
import { articleExample, articleWriteExample, listedArticleExample, publishedExample } from './examples.ts';

export const ArticleWrite = articleWrite.meta({ id: 'ArticleWrite', examples: [articleWriteExample] });

export const ArticleCreate = articleCreate.meta({ id: 'ArticleCreate', examples: [articleWriteExample] });

export const PublishBody = z
  .strictObject({ published_at: dateTime, content_updated_at: dateTime })
  .partial()
  .meta({ id: 'PublishArticle', examples: [{ published_at: '2024-05-01T08:00:00Z' }] });

export const ScheduleBody = z
  .strictObject({
    scheduled_publish_at: z
      .string()
      .refine(isSchedulingTime, {
        error:
          'must be a date-time, such as 2026-03-01T09:00:00Z, or 2026-03-01T09:00:00 in the Site’s timezone',
      })
      .meta({ description: 'Without an offset it is local time in the timezone of the Site.' }),
  })
  .meta({ id: 'ScheduleArticle', examples: [{ scheduled_publish_at: '2026-03-02T09:00:00' }] });

const status = z.enum(articleStatuses);
const origin = z.enum(origins);

const Faq = z.strictObject({ question: z.string(), answer: z.string() }).meta({ id: 'Faq' });
const HowtoStep = z
  .strictObject({ name: z.string(), text: z.string(), image_url: z.string().nullable().optional() })
  .meta({ id: 'HowtoStep' });
const ComparisonRow = z
  .strictObject({ label: z.string(), values: z.array(z.string()) })
  .meta({ id: 'ComparisonRow' });
const Comparison = z
  .strictObject({
    title: z.string().nullable().optional(),
    columns: z.array(z.string()),
    rows: z.array(ComparisonRow),
  })
  .meta({ id: 'Comparison' });

export const SourceShape = z
  .strictObject({
    n: z
      .int()
      .min(1)
      .meta({ description: 'Its position in the list, by which the content cites it: `[^1]`.' }),
    url: z.string(),
    title: z.string().nullable(),
    published_at: nullableTime,
    accessed_at: nullableTime,
  })
  .meta({ id: 'Source' });

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
    sources: z.array(SourceShape).nullable(),
    category_id: id.nullable(),
    author_id: id.nullable(),
    format_id: id.nullable(),
    tag_ids: z.array(id),
    external_id: z.string().nullable(),
    origin: origin.meta({
      description:
        'Who wrote the text: a person; the pipeline, and no person has changed it since (`generated`); or both (`assisted`). An agent counts as a person.',
    }),
    published_at: nullableTime,
    content_updated_at: nullableTime,
    scheduled_publish_at: nullableTime,
    created_at: isoTime,
    updated_at: isoTime,
  })
  .meta({ id: 'Article', examples: [articleExample] });

/** An article with the requested members only. */
export const PartialArticle = ArticleShape.partial()
  .required({ id: true })
  .meta({ id: 'PartialArticle', examples: [listedArticleExample] });

const contentHtml = z.string().nullable().meta({
  description:
    'The content as sanitised HTML, rendered as CommonMark with GFM; null without content. With `ai_disclosure` of the Site, that of an article that is not a person’s stands in an element with its `digitalSourceType` as microdata.',
});

/** One article as it is read: the rendered content only if it was named. */
export const ReadArticle = PartialArticle.extend({ content_html: contentHtml.optional() }).meta({
  id: 'ReadArticle',
  examples: [listedArticleExample],
});

export const ArticlePage = pageOf(PartialArticle).meta({ id: 'ArticlePage' });

export const ArticleLifecycleState = ArticleShape.pick({
  id: true,
  status: true,
  slug: true,
  published_at: true,
  content_updated_at: true,
  scheduled_publish_at: true,
  updated_at: true,
}).meta({ id: 'ArticleLifecycleState', examples: [publishedExample] });

const articleFields = Object.keys(ArticleShape.shape) as (keyof typeof ArticleShape.shape)[];

export const ListQuery = z.strictObject({
  cursor,
  limit: limit(),
  fields: fields(articleFields).meta({
    description: `The wanted members; id is always returned. The default is ${defaultProjection.join(', ')}.`,
    default: defaultProjection,
  }),
  status: z.array(status).optional().describe('Articles with one of these statuses.'),
  origin: z.array(origin).optional().describe('Articles with one of these origins.'),
  category_id: uuid.optional().describe('Articles of this category.'),
  author_id: uuid.optional().describe('Articles of this author.'),
  tag_id: uuid.optional().describe('Articles with this tag.'),
  slug: z.string().optional().describe('The article with exactly this slug.'),
  updated_since: dateTime.optional().meta({
    description:
      'Inclusive. A change can become visible a few seconds after its updated_at. To miss none, continue from 30 seconds before the latest updated_at you have seen.',
  }),
  external_id: z.string().optional().describe('Articles with exactly this external_id.'),
  q: search(
    `Articles with this in title, excerpt or content, as readers see it: without marks, addresses and HTML. ${webSearch}`,
  ),
  order: z.enum(articleOrders).default('updated_at.desc').describe('Articles that lack the time come last.'),
});

export const GetQuery = z.strictObject({
  fields: fields([...articleFields, 'content_html']).meta({
    description: 'The wanted members; id is always returned. The default is all but content_html.',
    default: articleFields,
  }),
});
