import { createHash } from 'node:crypto';
import { z } from 'zod';
import { sql } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';
import { lockVersions } from '../articles/versions.ts';
import { getConnectionForUpdate } from './connection.ts';

/**
 * What an approved push is for: the connection as it is now, or, if none is named, those of which one is chosen; and the
 * articles as they are now. Locks them until the transaction ends.
 *
 * @throws ServiceError NOT_FOUND for the connection
 */
export async function versionOfPush(
  tx: Transaction,
  siteId: string,
  connectionId: string | undefined,
  articleIds: readonly string[],
): Promise<string> {
  const connections =
    connectionId === undefined
      ? await lockEnabled(tx, siteId)
      : [String((await getConnectionForUpdate(tx, siteId, connectionId)).version)];
  const versions = await lockVersions(tx, siteId, articleIds);
  const state = [...connections, ...articleIds.map((id) => `${id} ${versions.get(id) ?? ''}`)];
  return createHash('sha256').update(state.join()).digest('base64url');
}

const enabledRow = z.object({ id: z.string(), version: z.number() });

async function lockEnabled(tx: Transaction, siteId: string): Promise<string[]> {
  const rows = await tx.any(sql.type(enabledRow)`
    select id, version from cms_connections where site_id = ${siteId} and enabled and deleted_at is null
    order by id for no key update`);
  return rows.map(({ id, version }) => `${id} ${version}`);
}
