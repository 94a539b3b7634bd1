import { z } from 'zod';
import type { Database } from '../db/database.ts';
import type { Transaction } from '../db/transaction.ts';
import type { Queryable } from '../db/statements.ts';
import { postponed } from '../db/outbox.ts';
import { array, at, sql, statement } from '../db/sql.ts';
import { newId } from './ids.ts';

const urlsRow = z.object({ urls: z.array(z.string()) });
const idRow = z.object({ id: z.string() });

/** Tells the cache in front of a blog which addresses are stale. */
export interface CachePurger {
  /** @returns whether the cache has accepted it, after `timeoutMs` at most */
  purge(urls: readonly string[], timeoutMs: number): Promise<boolean>;
}

/** What a change of public content needs to have its addresses purged; without a purger nothing is called. */
export interface Purging {
  readonly site: { readonly id: string; readonly domain: string };
  readonly db: Database;
  readonly purger: CachePurger | null;
}

/** What a request waits for the cache at most; the worker takes over a little later (decisions 4, Cache purge). */
const REQUEST_TIMEOUT_MS = 2_000;
const HAND_OVER_MS = 5_000;

/**
 * Purges the addresses of an article: within the request, once it has committed; what fails then, or dies
 * in between, the workflow `cache-purge/<id>` does until it succeeds.
 *
 * @param slugs the article's slugs, before and after the change
 */
export function purgeArticle(
  tx: Transaction,
  { site, db, purger }: Purging,
  slugs: readonly (string | null)[],
  now: Date,
): void {
  if (purger === null) return;
  const urls = [...new Set(slugs)]
    .filter((slug) => slug !== null)
    .map((slug) => `https://${site.domain}/${slug}`);
  if (urls.length === 0) return;
  const id = newId();
  const message = {
    kind: 'cache-purge',
    workflow_id: `cache-purge/${id}`,
    payload: { purgeId: id, siteId: site.id },
  } as const;
  tx.atCommit(statement`
    with message as (${postponed(message, now, new Date(now.getTime() + HAND_OVER_MS))})
    insert into cache_purges (id, site_id, urls, outbox_id, created_at)
    select ${id}, ${site.id}, ${array(urls, 'text')}, message.id, ${at(now)} from message`);
  tx.afterCommit(async () => {
    if (await purger.purge(urls, REQUEST_TIMEOUT_MS)) await forgetPurge(db, id).catch(() => {});
  });
}

/** The addresses of a purge that is still owed, or null when it has been done. */
export async function findPurge(db: Queryable, id: string): Promise<readonly string[] | null> {
  const found = await db.maybeOne(sql.type(urlsRow)`
    select urls from cache_purges where id = ${id}`);
  return found?.urls ?? null;
}

/** Notes that the cache has been told: the purge goes, and the message that would have another try made. */
export async function forgetPurge(db: Queryable, id: string): Promise<void> {
  await db.exec(statement`
    with done as (delete from cache_purges where id = ${id} returning outbox_id)
    delete from outbox o using done where o.id = done.outbox_id`);
}

/** Purges that are still owed long after they were left: their process was lost. */
export async function findForgottenPurges(db: Queryable, before: Date, count: number): Promise<string[]> {
  const rows = await db.any(sql.type(idRow)`
    select id from cache_purges where created_at <= ${at(before)} order by created_at, id limit ${count}`);
  return rows.map(({ id }) => id);
}
