import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { array, sql } from '../../db/sql.ts';

const versionRow = z.object({ id: z.string(), version: z.number() });

/** Locks articles until the transaction ends. @returns their versions; articles that do not exist have none */
export async function lockVersions(
  tx: Transaction,
  siteId: string,
  articleIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.any(sql.type(versionRow)`
    select id, version from articles where id = any(${array(articleIds, 'uuid')}) and site_id = ${siteId}
    order by id for no key update`);
  return new Map(rows.map(({ id, version }) => [id, version]));
}

const someRow = z.object({ some: z.boolean() });

/** Whether readers see any of the articles, or will at its time. Articles that this transaction has locked stay so. */
export async function areSomeShown(
  tx: Transaction,
  siteId: string,
  articleIds: readonly string[],
): Promise<boolean> {
  await lockVersions(tx, siteId, articleIds);
  const { some } = await tx.one(sql.type(someRow)`
    select exists (
      select from articles where id = any(${array(articleIds, 'uuid')}) and site_id = ${siteId}
        and status in ('published', 'scheduled')
    ) as some`);
  return some;
}

/**
 * The articles that an approval is valid for: all of them as they are now. Locks them until the transaction ends.
 *
 * @param articleIds unknown ones are accepted here; the operation itself refuses them
 */
export async function versionOfArticles(
  tx: Transaction,
  siteId: string,
  articleIds: readonly string[],
): Promise<string> {
  const versions = await lockVersions(tx, siteId, articleIds);
  const state = articleIds.map((id) => `${id} ${versions.get(id) ?? ''}`).join();
  return createHash('sha256').update(state).digest('base64url');
}
