import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { at, sql, statement } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';

/**
 * Limits of a transaction, which locks the rows that it indexes: a change of an article waits for it. A row takes some
 * milliseconds.
 */
const BATCH = 20;
const BATCH_BYTES = 65_536;
/** Older articles that are taken in at once. They are indexed before the next ones. */
const OLDER = 200;

const olderRow = z.object({ older: z.boolean() });
const takenRow = z.object({ read: z.number(), after_id: z.string() });
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

/** Whether there may be articles that are older than the table and have not been taken in. */
export const isTakingInOlder = async (db: Queryable): Promise<boolean> =>
  (await db.one(sql.type(olderRow)`select exists (select from article_search_backfill) as older`)).older;

/**
 * Takes in the words of articles that are older than the table. A trigger does that for all others, so that once all have
 * been read there is nothing left to do.
 *
 * @returns whether there may be more
 */
export async function takeInOlder(tx: Transaction): Promise<boolean> {
  const taken = await tx.maybeOne(sql.type(takenRow)`
    with position as materialized (
      select after_id from article_search_backfill for update skip locked
    ), older as materialized (
      select a.id, a.site_id, a.title, a.excerpt, a.content from articles a, position
      where a.id > position.after_id order by a.id limit ${OLDER}::int for key share of a
    ), added as (
      insert into article_search (article_id, site_id, words, many, changed_at)
      select id, site_id, words, are_many_words(words), clock_timestamp()
      from older, lateral (select article_words(title, excerpt, content) as words offset 0) read
      on conflict (article_id) do nothing
    )
    select (select count(*)::int from older) as read,
      coalesce((select id from older order by id desc limit 1), after_id) as after_id
    from position`);
  if (taken === null) return false;
  const done = taken.read < OLDER;
  await tx.exec(
    done
      ? statement`delete from article_search_backfill`
      : statement`update article_search_backfill set after_id = ${taken.after_id}`,
  );
  return !done;
}

/** How many articles wait to be indexed, and for how long the first has. Counts up to 10,000. */
export const searchBacklog = (db: Queryable, now: Date): Promise<z.infer<typeof backlogRow>> =>
  db.one(sql.type(backlogRow)`
    select count(*)::int as waiting,
      greatest(coalesce(extract(epoch from ${at(now)}::timestamptz - min(changed_at)), 0), 0)::float8 as oldest_seconds
    from (select changed_at from article_search where not indexed order by changed_at limit 10000) waiting`);
