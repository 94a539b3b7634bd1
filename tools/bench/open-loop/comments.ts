import type { Pool } from 'pg';

/** Rows per statement, because a statement has a time limit. */
const PER_STATEMENT = 20_000;
const REPLIES = 0.2;
const TEXT = 'What a reader has to say about what was written, in a sentence of the usual length. ';

/**
 * The distribution of a Site's comments over its published articles: the comment at position `u`, from 0 to 1, belongs
 * to the article at position u³, newest first. So the first of 6,667 articles has 5 % of all comments, and half of them
 * share a hundredth.
 */
export const SKEW = 3;

/**
 * Gives a Site comments as readers would leave them, none within the last day: of 1,000, ten are spam and two are
 * pending; a fifth are replies. Counts, threads and visibility are what the product would store.
 */
export async function insertComments(pool: Pool, siteId: string, count: number): Promise<void> {
  const replies = Math.floor(count * REPLIES);
  const roots = count - replies;
  await pool.query(`insert into site_comments (site_id, enabled) values ($1, true)`, [siteId]);
  const columns = `id, site_id, article_id, parent_id, status, is_public, author_name, author_email, body, created_at, updated_at,
    spam_marked_at`;
  // One client, because a temporary table belongs to one connection.
  const client = await pool.connect();
  try {
    await client.query(
      `create temporary table commented as
       select row_number() over (order by published_at desc, id) - 1 as place, id from articles
       where site_id = $1 and status = 'published'`,
      [siteId],
    );
    await client.query('create unique index on commented (place)');
    for (let first = 1; first <= roots; first += PER_STATEMENT) {
      await client.query(
        `insert into comments (${columns})
         select uuidv7(t - now()), $1, a.id, null, s, s = 'approved', 'Reader ' || n % 5000,
           case when n % 2 = 0 then 'reader' || n % 5000 || '@example.com' end, repeat($5, 1 + n % 4) || n, t, t,
           case when s = 'spam' then now() - interval '1 day' * (n % 29) end
         from generate_series($2::int, least($3::int, $2::int + ${PER_STATEMENT - 1})) n
         join commented a on a.place = floor((select count(*) from commented) * power((n - 1)::float8 / $3, $4::int)),
           lateral (select now() - interval '2 days' - ($3 - n) * interval '1 second') as t (t),
           lateral (select case when n % 100 = 0 then 'spam' when n % 500 = 1 then 'pending' else 'approved' end) as s (s)`,
        [siteId, first, roots, SKEW, TEXT],
      );
    }
    await client.query(
      `create temporary table answered as
       select row_number() over (order by id) as place, id, article_id, is_public, created_at from comments
       where site_id = $1 and status = 'approved' order by id limit $2`,
      [siteId, replies],
    );
    for (let first = 1; first <= replies; first += PER_STATEMENT) {
      await client.query(
        `insert into comments (${columns})
         select uuidv7(t - now()), $1, a.article_id, a.id, 'approved', a.is_public, 'Reader ' || a.place % 5000, null,
           $3 || a.place, t, t, null
         from answered a, lateral (select a.created_at + interval '1 hour') as t (t)
         where a.place between $2::int and $2::int + ${PER_STATEMENT - 1}`,
        [siteId, first, TEXT],
      );
    }
    await client.query('drop table commented, answered');
  } finally {
    client.release();
  }
  await pool.query(
    `insert into comment_threads (article_id, version)
     select article_id, count(*) from comments where site_id = $1 and status = 'approved' group by 1`,
    [siteId],
  );
  await pool.query(
    `update site_comments s set approved = c.approved, pending = c.pending, spam = c.spam from (
       select count(*) filter (where status = 'approved') as approved, count(*) filter (where status = 'pending') as pending,
         count(*) filter (where status = 'spam') as spam
       from comments where site_id = $1
     ) c where s.site_id = $1`,
    [siteId],
  );
}
