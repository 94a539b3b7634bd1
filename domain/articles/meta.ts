import { z } from 'zod';
import { sql, timestamp } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import { notFound } from '../kernel/errors.ts';
import { homeUrl, publicUrl, urlPathsRow } from '../purge/public-urls.ts';
import { digitalSourceType } from './origin.ts';
import { aiDisclosures } from '../kernel/origins.ts';
import { articleRow } from './row.ts';

const named = z.object({ name: z.string(), slug: z.string() });

const metaRow = articleRow
  .pick({
    title: true,
    slug: true,
    excerpt: true,
    featured_image_url: true,
    seo_title: true,
    seo_description: true,
    seo_keywords: true,
    faqs: true,
    howto_steps: true,
    published_at: true,
    content_updated_at: true,
    origin: true,
  })
  .extend({
    updated_at: timestamp,
    site_name: z.string(),
    domain: z.string(),
    locale: z.string(),
    url_paths: urlPathsRow,
    ai_disclosure: z.enum(aiDisclosures),
    category: named.nullable(),
    author: named.nullable(),
    tags: z.array(z.string()),
  });

/** The sources of an article's metadata. */
export type MetaSource = z.infer<typeof metaRow>;

/**
 * @param publicOnly whether articles that are not published are hidden
 * @throws ServiceError NOT_FOUND
 */
export async function readMetaSource(
  db: Queryable,
  siteId: string,
  id: string,
  publicOnly: boolean,
): Promise<MetaSource> {
  const found = await db.maybeOne(sql.type(metaRow)`
    select a.title, a.slug, a.excerpt, a.featured_image_url, a.seo_title, a.seo_description, a.seo_keywords, a.faqs,
      a.howto_steps, a.published_at, a.content_updated_at, a.updated_at, a.origin,
      s.name as site_name, s.domain, s.locale, s.url_paths, s.ai_disclosure,
      (select jsonb_build_object('name', c.name, 'slug', c.slug) from categories c where c.id = a.category_id) as category,
      (select jsonb_build_object('name', u.name, 'slug', u.slug) from authors u where u.id = a.author_id) as author,
      array(select t.name from article_tags x join tags t on t.id = x.tag_id where x.article_id = a.id order by t.name, t.id)
        as tags
    from articles a join sites s on s.id = a.site_id
    where a.id = ${id} and a.site_id = ${siteId} and (a.status = 'published' or not ${publicOnly}::boolean)`);
  if (found === null) throw notFound('article');
  return found;
}

/** The metadata of an article's page (docs/spec/rulings.md, 20). */
export function presentMeta(source: MetaSource) {
  const title = source.seo_title ?? source.title;
  const description = source.seo_description ?? source.excerpt;
  const url = source.slug === null ? null : publicUrl(source, 'article', source.slug);
  return {
    title,
    description,
    canonical_url: url,
    open_graph: openGraph(source, { title, description, url }),
    twitter: given({
      'twitter:card': source.featured_image_url === null ? 'summary' : 'summary_large_image',
      'twitter:title': title,
      'twitter:description': description,
      'twitter:image': source.featured_image_url,
    }),
    json_ld: [
      articleLd(source, { title, description, url }),
      breadcrumbs(source, url),
      faqPage(source),
      howTo(source),
    ].filter((one) => one !== null),
  };
}

interface Page {
  readonly title: string | null;
  readonly description: string | null;
  readonly url: string | null;
}

type Tags = Readonly<Record<string, string>>;

/** The members that have a value. */
const given = <Value>(members: Readonly<Record<string, Value | null | undefined>>): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(members).filter(
      (member): member is [string, Value] => member[1] !== null && member[1] !== undefined,
    ),
  );

const openGraph = (source: MetaSource, { title, description, url }: Page): Tags =>
  given({
    'og:type': 'article',
    'og:site_name': source.site_name,
    'og:locale': source.locale.replaceAll('-', '_'),
    'og:title': title,
    'og:description': description,
    'og:url': url,
    'og:image': source.featured_image_url,
  });

type Thing = Readonly<Record<string, unknown>>;

const thing = (type: string, members: Readonly<Record<string, unknown>>): Thing => ({
  '@type': type,
  ...given(members),
});
const root = (type: string, members: Readonly<Record<string, unknown>>): Thing => ({
  '@context': 'https://schema.org',
  ...thing(type, members),
});

/** The times of an article that was never published are left out. */
function articleLd(source: MetaSource, { title, description, url }: Page): Thing | null {
  if (isEmpty(title)) return null;
  const { published_at: published, content_updated_at: edited, author, tags } = source;
  const keywords = source.seo_keywords?.length ? source.seo_keywords : tags;
  const modified = published && new Date(Math.max(published.getTime(), edited?.getTime() ?? 0));
  return root('Article', {
    headline: title,
    description,
    url,
    mainEntityOfPage: url && thing('WebPage', { '@id': url }),
    image: source.featured_image_url && [source.featured_image_url],
    datePublished: published?.toISOString(),
    dateModified: modified?.toISOString(),
    inLanguage: source.locale,
    author: author && thing('Person', { name: author.name, url: publicUrl(source, 'author', author.slug) }),
    publisher: thing('Organization', { name: source.site_name, url: homeUrl(source) }),
    articleSection: source.category?.name,
    keywords: keywords.length === 0 ? null : keywords,
    digitalSourceType: digitalSourceType(source.ai_disclosure, source.origin),
  });
}

function breadcrumbs(source: MetaSource, url: string | null): Thing | null {
  const { title, category } = source;
  if (isEmpty(title) || url === null) return null;
  const steps = [
    { name: source.site_name, item: homeUrl(source) },
    ...(category === null
      ? []
      : [{ name: category.name, item: publicUrl(source, 'category', category.slug) }]),
    { name: title, item: url },
  ];
  return root('BreadcrumbList', {
    itemListElement: steps.map((step, index) => thing('ListItem', { position: index + 1, ...step })),
  });
}

const isEmpty = (text: string | null): boolean => text === null || text.trim() === '';

/** Questions and steps that are not complete yet are left out: schema.org would not accept them. */
function faqPage({ faqs }: MetaSource): Thing | null {
  const complete = faqs?.filter(({ question, answer }) => !isEmpty(question) && !isEmpty(answer)) ?? [];
  if (complete.length === 0) return null;
  return root('FAQPage', {
    mainEntity: complete.map(({ question, answer }) =>
      thing('Question', { name: question, acceptedAnswer: thing('Answer', { text: answer }) }),
    ),
  });
}

function howTo({ title, howto_steps: steps }: MetaSource): Thing | null {
  const complete = steps?.filter(({ text }) => !isEmpty(text)) ?? [];
  if (isEmpty(title) || complete.length === 0) return null;
  return root('HowTo', {
    name: title,
    step: complete.map(({ name, text, image_url: image }, index) =>
      thing('HowToStep', { position: index + 1, name: isEmpty(name) ? null : name, text, image }),
    ),
  });
}
