import { z } from 'zod';
import type { Queryable } from '../../../db/statements.ts';
import { array, sql } from '../../../db/sql.ts';
import { publicUrl, urlPathsRow } from '../../purge/public-urls.ts';

const articleRow = z.object({
  id: z.string(),
  status: z.string(),
  slug: z.string().nullable(),
  title: z.string().nullable(),
  content: z.string().nullable(),
  seo_title: z.string().nullable(),
  seo_description: z.string().nullable(),
  seo_keywords: z.array(z.string()).nullable(),
});

/** An article, as scans read it. */
export type ScannedArticle = z.infer<typeof articleRow>;

/** The articles of a Site that still exist. */
export const readScannedArticles = (
  db: Queryable,
  siteId: string,
  ids: readonly string[],
): Promise<readonly ScannedArticle[]> =>
  db.any(sql.type(articleRow)`
    select a.id, a.status, a.slug, a.title, a.content, a.seo_title, a.seo_description, a.seo_keywords
    from articles a where a.site_id = ${siteId} and a.id = any(${array(ids, 'uuid')})`);

const siteRow = z.object({ domain: z.string(), locale: z.string(), url_paths: urlPathsRow });

/** A Site, as scans read it. */
export type ScannedSite = z.infer<typeof siteRow>;

export const readScannedSite = (db: Queryable, siteId: string): Promise<ScannedSite> =>
  db.one(sql.type(siteRow)`select domain, locale, url_paths from sites where id = ${siteId}`);

/** Where readers find an article; null if it is not published. */
export const pageOf = (
  site: ScannedSite,
  { status, slug }: Pick<ScannedArticle, 'status' | 'slug'>,
): string | null => (status === 'published' && slug !== null ? publicUrl(site, 'article', slug) : null);
