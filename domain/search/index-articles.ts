import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { at, sql, statement } from '../../db/sql.ts';

/**
 * Limits of a transaction, which locks the rows that it indexes: a change of an article waits for it. A row takes some
 * milliseconds.
 */
const BATCH = 20;
const BATCH_BYTES = 65_536;

const backlogRow = z.object({ waiting: z.number(), oldest_seconds: z.number() });

/**
 * Puts the words of articles into the index, the longest waiting first. Any number of workers may do so at once.
 *
 * @returns how many articles; 0 if none waits that nobody else is indexing
 */
export const indexWaiting = (db: Queryable): Promise<number> =>
  db.exec(statement`
    with waiting as materialized (
      select article_id, changed_at, octet_length(words) as bytes from article_search
      where not indexed order by changed_at limit ${BATCH}::int for no key update skip locked
    ), batch as (
      select article_id from (
        select article_id, sum(bytes) over (order by changed_at, article_id) - bytes as before from waiting
      ) weighed where before < ${BATCH_BYTES}::int
    )
    update article_search s set indexed = true from batch where s.article_id = batch.article_id`);

/** How many articles wait to be indexed, and for how long the first has. Counts up to 10,000. */
export const searchBacklog = (db: Queryable, now: Date): Promise<z.infer<typeof backlogRow>> =>
  db.one(sql.type(backlogRow)`
    select count(*)::int as waiting,
      greatest(coalesce(extract(epoch from ${at(now)}::timestamptz - min(changed_at)), 0), 0)::float8 as oldest_seconds
    from (select changed_at from article_search where not indexed order by changed_at limit 10000) waiting`);
