import { createHash } from 'node:crypto';
import type { Transaction } from '../../db/transaction.ts';
import { lockVersions } from '../bulk/create.ts';
import { getConnectionForUpdate } from './connection.ts';

/**
 * What an approved push is for: the connection as it is now, if one is named, and the articles as they are now. Locks
 * both until the transaction ends.
 *
 * @throws ServiceError NOT_FOUND for the connection
 */
export async function versionOfPush(
  tx: Transaction,
  siteId: string,
  connectionId: string | undefined,
  articleIds: readonly string[],
): Promise<string> {
  const connection =
    connectionId === undefined ? null : await getConnectionForUpdate(tx, siteId, connectionId);
  const versions = await lockVersions(tx, siteId, articleIds);
  const state = [connection?.version, ...articleIds.map((id) => `${id} ${versions.get(id) ?? ''}`)];
  return createHash('sha256').update(state.join()).digest('base64url');
}
