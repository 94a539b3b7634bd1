import { z } from 'zod';
import type { Effects } from '../../db/effects.ts';
import { at, sql, timestamp } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import { traceparent } from '../../observability/tracing/trace.ts';
import { origins } from '../kernel/origins.ts';

/** The statuses the pipeline owns (docs/spec/service-api.md, Article status values). */
export const pipelineStatuses = [
  'discovered',
  'scored',
  'skipped',
  'scraped',
  'generated',
  'needs_improvement',
  'needs_images',
  'queued',
  'rejected',
  'failed',
] as const;

/** Every status of an article; clients set the first three by the lifecycle calls. */
export const articleStatuses = ['draft', 'scheduled', 'published', ...pipelineStatuses] as const;

export type ArticleStatus = (typeof articleStatuses)[number];

/** Types of columns. */
const types = {
  text: sql.fragment`text`,
  uuid: sql.fragment`uuid`,
  jsonb: sql.fragment`jsonb`,
  integer: sql.fragment`integer`,
  time: sql.fragment`timestamptz`,
};

interface Column<Value extends z.ZodType> {
  readonly type: keyof typeof types;
  readonly value: Value;
}

const column = <Value extends z.ZodType>(type: keyof typeof types, value: Value): Column<Value> => ({
  type,
  value,
});
const text = column('text', z.string().nullable());
const uuid = column('uuid', z.string().nullable());
const time = column('time', timestamp.nullable());
const jsonb = <Value extends z.ZodType>(value: Value) => column('jsonb', value.nullable());
const texts = z.array(z.string());

/** A page that the text rests on, and cites by its number. */
const source = z.object({
  n: z.number(),
  url: z.string(),
  title: z.string().nullable(),
  published_at: z.string().nullable(),
  accessed_at: z.string().nullable(),
});

export type Source = z.infer<typeof source>;

/** The columns that a client may write, in the order of the API. */
const written = {
  title: text,
  slug: text,
  content: text,
  excerpt: text,
  featured_image_url: text,
  seo_title: text,
  seo_description: text,
  seo_keywords: jsonb(texts),
  faqs: jsonb(z.array(z.object({ question: z.string(), answer: z.string() }))),
  key_takeaways: jsonb(texts),
  howto_steps: jsonb(
    z.array(z.object({ name: z.string(), text: z.string(), image_url: z.string().nullable().optional() })),
  ),
  comparison: jsonb(
    z.object({
      title: z.string().nullable().optional(),
      columns: texts,
      rows: z.array(z.object({ label: z.string(), values: texts })),
    }),
  ),
  sources: jsonb(z.array(source)),
  category_id: uuid,
  author_id: uuid,
  format_id: uuid,
  external_id: text,
};

/** The columns that only operations change. */
const managed = {
  status: column('text', z.enum(articleStatuses)),
  origin: column('text', z.enum(origins)),
  published_at: time,
  content_updated_at: time,
  scheduled_publish_at: time,
  version: column('integer', z.number()),
  updated_at: column('time', timestamp),
};

const valuesOf = <Columns extends Record<string, Column<z.ZodType>>>(columns: Columns) =>
  Object.fromEntries(Object.entries(columns).map(([name, { value }]) => [name, value])) as {
    readonly [Name in keyof Columns]: Columns[Name]['value'];
  };

/** A member of an article that a client may write. */
export type WrittenMember = keyof typeof written | 'tag_ids';

export const writtenMembers = [...Object.keys(written), 'tag_ids'] as readonly WrittenMember[];

export const articleRow = z.object({
  id: z.string(),
  ...valuesOf(written),
  tag_ids: z.array(z.string()),
  ...valuesOf(managed),
  created_at: timestamp,
});

export type Article = z.infer<typeof articleRow>;

/** The members that a client may write; members that are left out stay unchanged. */
export type ArticleChanges = Partial<Pick<Article, WrittenMember>>;

/** The values of an empty article. */
export const blankArticle = {
  ...(Object.fromEntries(Object.keys(written).map((name) => [name, null])) as {
    readonly [Name in keyof typeof written]: null;
  }),
  origin: 'person' as Article['origin'],
  published_at: null,
  content_updated_at: null,
  scheduled_publish_at: null,
  version: 1,
};

const list = (parts: readonly FragmentSqlToken[]) => sql.join(parts, sql.fragment`, `);
const name = (column: string): FragmentSqlToken => sql.fragment`${sql.identifier([column])}`;

/** The tags of the article `a`. */
export const tagIds = sql.fragment`
  array(select t.tag_id from article_tags t where t.article_id = a.id order by t.tag_id) as tag_ids`;

export const columnNames: readonly string[] = [
  'id',
  ...Object.keys({ ...written, ...managed }),
  'created_at',
];

/** Some columns, from the table `a`. */
export const someColumns = (names: readonly string[]): FragmentSqlToken =>
  sql.fragment`${list(names.map((column) => sql.fragment`a.${name(column)}`))}`;

/** The columns of a whole article, from the table `a`. */
export const articleColumns = sql.fragment`${someColumns(columnNames)}, ${tagIds}`;

// All values travel as one JSON parameter, so that the texts of the statements are composed once. Only the content is
// a parameter of its own, because it is large, and is not sent if it stays the same.
const { content: _content, ...inJson } = { ...written, ...managed };
const names = Object.keys(inJson) as (keyof typeof inJson)[];
const columns = list(names.map(name));
const values = list(names.map((column) => sql.fragment`n.${name(column)}`));
const shape = list(
  Object.entries(inJson).map(([column, { type }]) => sql.fragment`${name(column)} ${types[type]}`),
);

const asJson = (article: Article): string =>
  JSON.stringify(Object.fromEntries(names.map((column) => [column, article[column]])));

/**
 * Bytes of an article, from the table `a`. The length of a text is known without reading it, that of a document is not
 * known before it is written out.
 */
export const articleWeight = sql.fragment`
  coalesce(octet_length(a.content), 0) + coalesce(octet_length(a.seo_keywords::text), 0)
  + coalesce(octet_length(a.faqs::text), 0) + coalesce(octet_length(a.key_takeaways::text), 0)
  + coalesce(octet_length(a.howto_steps::text), 0) + coalesce(octet_length(a.comparison::text), 0)
  + coalesce(octet_length(a.sources::text), 0)`;

/** Inserts an article, without its tags, if `when` holds. */
export const insertion = (
  siteId: string,
  article: Article,
  when: FragmentSqlToken = sql.fragment`true`,
): FragmentSqlToken => sql.fragment`
  insert into articles (id, site_id, created_at, content, ${columns})
  select ${article.id}::uuid, ${siteId}::uuid, ${at(article.created_at)}::timestamptz, ${article.content}::text, ${values}
  from jsonb_to_record(${asJson(article)}::jsonb) as n (${shape})
  where ${when}`;

/**
 * Updates an article, without its tags, if `current` is still its newest version and `where` holds. Who schedules it
 * leaves the trace that its publication continues, in a column that is not read with the article.
 */
export function updateRow(
  effects: Effects,
  current: Article,
  next: Article,
  where: FragmentSqlToken = sql.fragment`true`,
): void {
  const withContent = next.content !== current.content;
  const trace = next.scheduled_publish_at === null ? null : traceparent();
  effects.change(
    (when) => sql.fragment`
      update articles a set
        content = case when ${withContent}::boolean then ${withContent ? next.content : null}::text else a.content end,
        schedule_traceparent =
          case when a.scheduled_publish_at = n.scheduled_publish_at then a.schedule_traceparent else ${trace}::text end,
        (${columns}) = (${values})
      from jsonb_to_record(${asJson(next)}::jsonb) as n (${shape})
      where a.id = ${current.id}::uuid and a.version = ${current.version}::int and ${where} and ${when}`,
  );
}
