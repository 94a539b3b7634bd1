import type { Transaction } from '../../db/transaction.ts';
import { lockForRun } from './take.ts';

/**
 * The items that an approval of a run covers: as they are now, since an agent may change them while a person decides.
 *
 * @param ids of which some may be unknown; the run itself refuses them
 */
export async function shownForApproval(
  tx: Transaction,
  siteId: string,
  ids: readonly string[],
): Promise<{ readonly version: string; readonly shown: { readonly titles: readonly string[] } }> {
  const items = await lockForRun(tx, siteId, ids);
  return {
    version: items.map(({ id, version }) => `${id}:${version}`).join(' '),
    shown: { titles: items.map(({ title }) => title) },
  };
}
