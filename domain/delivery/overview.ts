import { z } from 'zod';
import { sql } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import { urlPathsRow } from '../purge/public-urls.ts';
import { publicVersion } from './public-site.ts';

/** The most articles that llms.txt lists; the sitemap has all. */
const ARTICLES = 500;
/** The most characters of an article's description. */
const DESCRIPTION = 200;

const overviewRow = z.object({
  version: z.string(),
  name: z.string(),
  domain: z.string(),
  url_paths: urlPathsRow,
  articles: z.array(z.object({ slug: z.string(), title: z.string(), description: z.string().nullable() })),
});

export type Overview = z.infer<typeof overviewRow>;

/** Reads the content of a Site's llms.txt, in one statement; null for a Site that does not exist. */
export const readOverview = (db: Queryable, siteId: string): Promise<Overview | null> =>
  db.maybeOne(sql.type(overviewRow)`
    select ${publicVersion} as version, s.name, s.domain, s.url_paths,
      (select coalesce(jsonb_agg(to_jsonb(e)), '[]') from (
        select a.slug, a.title, left(coalesce(a.excerpt, a.seo_description), ${DESCRIPTION}::int) as description
        from articles a where a.site_id = s.id and a.status = 'published'
        order by a.published_at desc nulls last, a.id desc limit ${ARTICLES}
      ) e) as articles
    from sites s where s.id = ${siteId} and s.deleting_since is null`);
