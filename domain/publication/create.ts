import { z } from 'zod';
import type { Rows } from '../../db/transaction.ts';
import type { Effects } from '../../db/effects.ts';
import { sql } from '../../db/sql.ts';
import type { Act } from '../audit/change.ts';
import { requireQuotaIfWanted } from '../events/ceiling.ts';
import { offerEvent } from '../events/events.ts';
import { newId } from '../kernel/ids.ts';
import type { Site, Subscriptions } from '../kernel/site.ts';
import { deriveSlug, firstFreeSlug } from '../../packages/base/slugs.ts';
import { moveCounts } from '../taxonomy/article-counts.ts';
import { noteWords } from '../search/note-words.ts';
import { presentArticle } from '../articles/present.ts';
import { recordRevision } from '../articles/record-revision.ts';
import { blankArticle, insertion } from '../articles/row.ts';
import type { Article, ArticleChanges } from '../articles/row.ts';
import { addTags, requireReferences } from '../articles/references.ts';

/** The members of a new article; a client may say that a machine took part in its text. */
export type NewArticle = ArticleChanges & { readonly origin?: Article['origin'] | undefined };

/** Where articles are made; without `eventsFull` nothing is refused. */
export type ArticleSite = Pick<Site, 'id'> & Partial<Pick<Site, 'eventsFull'>> & Subscriptions;

const slugRow = z.object({ slug: z.string() });

/**
 * Creates a draft (docs/spec/service-api.md, What the service does, rule 3), or an article for the pipeline to write. A
 * missing slug is derived from the title, with a number appended if it is taken. A given slug that is taken violates
 * the constraint.
 *
 * @throws ServiceError VALIDATION_FAILED for references that do not exist; RATE_LIMIT_EXCEEDED while the Site's events
 *   have reached their ceiling, if one has to be recorded
 */
export async function createArticle(
  rows: Rows,
  act: Act<Effects>,
  site: ArticleSite,
  values: NewArticle,
  status: 'draft' | 'discovered' = 'draft',
): Promise<Article> {
  requireQuotaIfWanted(site, 'article.created');
  const siteId = site.id;
  const wanted = compose(values, status, act.now);
  // In a transaction both travel in one packet. A missing reference also violates a constraint of the insert, so that an
  // optimistic write need not look; the check reports it better. No constraint says that a format belongs to the Site.
  const [referred, inserted] = await Promise.allSettled([
    requireReferences(rows, siteId, rows.locks ? values : { format_id: values.format_id }),
    insert(rows, siteId, wanted, values.slug === undefined),
  ]);
  if (referred.status === 'rejected') throw referred.reason;
  if (inserted.status === 'rejected') throw inserted.reason;
  await follow(act, siteId, inserted.value);
  offerEvent({ ...act, site }, 'article.created', () => presentArticle(inserted.value));
  return inserted.value;
}

/** The new article, unless the slug that is derived from its title is taken. */
const compose = (values: NewArticle, status: 'draft' | 'discovered', now: Date): Article => ({
  ...blankArticle,
  ...values,
  id: newId(),
  status,
  origin: values.origin ?? blankArticle.origin,
  slug: values.slug === undefined ? deriveSlug(values.title ?? '') : values.slug,
  tag_ids: [...new Set(values.tag_ids ?? [])].sort(),
  created_at: now,
  updated_at: now,
});

/** @param derived whether a number may be appended to the slug @returns the article as it was inserted */
async function insert(rows: Rows, siteId: string, article: Article, derived: boolean): Promise<Article> {
  const { slug: base } = article;
  const unlessTaken =
    derived && base !== null
      ? sql.fragment`on conflict on constraint articles_site_slug_key do nothing`
      : sql.fragment``;
  for (let next = article; ; next = { ...article, slug: await freeSlug(rows, siteId, base ?? '') }) {
    // The slug is taken, perhaps by a transaction that has just been committed: search again until the insert succeeds.
    if (await rows.insert((when) => sql.fragment`${insertion(siteId, next, when)} ${unlessTaken}`))
      return next;
  }
}

/** Assigns the tags of a new article, updates the counts, and stores its first revision and its words. */
async function follow(act: Act<Effects>, siteId: string, article: Article): Promise<void> {
  const { tx } = act;
  if (article.tag_ids.length > 0) addTags(tx, siteId, article.id, article.tag_ids);
  moveCounts(tx, siteId, null, article);
  await recordRevision(act, siteId, null, article);
  await noteWords(act, siteId, null, article);
}

async function freeSlug(rows: Rows, siteId: string, base: string): Promise<string> {
  // '.' is the character after '-', so the range contains `base` and everything that starts with `base-`.
  const taken = await rows.any(sql.type(slugRow)`
    select slug from articles
    where site_id = ${siteId} and slug >= ${base} and slug < ${`${base}.`}
  `);
  return firstFreeSlug(base, new Set(taken.map(({ slug }) => slug)));
}
