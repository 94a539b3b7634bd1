import type { Pool } from 'pg';

/** Slugs of the large Site's articles with comments. */
export const commented = { many: 'article-number-3', few: 'article-number-6' } as const;

const COUNTS = { [commented.many]: 10_000, [commented.few]: 100 };

/** Switches comments on, approved at once, and adds comments to the two articles if the Site has them. */
export async function insertComments(pool: Pool, siteId: string, withComments: boolean): Promise<void> {
  await pool.query(`insert into site_comments (site_id, enabled, moderation) values ($1, true, 'none')`, [
    siteId,
  ]);
  if (!withComments) return;
  for (const [slug, count] of Object.entries(COUNTS)) {
    await pool.query(
      `insert into comments (id, site_id, article_id, status, is_public, author_name, body, created_at, updated_at)
       select uuidv7(), $1, a.id, 'approved', true, 'Reader ' || n, repeat('What a reader has to say. ', 8), t, t
       from articles a, generate_series(1, $3::int) n, lateral (select now() - ($3 - n) * interval '1 second') as t (t)
       where a.site_id = $1 and a.slug = $2`,
      [siteId, slug, count],
    );
  }
  await pool.query(
    `update site_comments set approved = (select count(*) from comments where site_id = $1) where site_id = $1`,
    [siteId],
  );
}
