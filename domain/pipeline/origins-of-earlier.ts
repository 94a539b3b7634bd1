import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { array, sql, statement } from '../../db/sql.ts';
import { textMembers } from '../articles/origin.ts';

const idRow = z.object({ id: z.string() });

/**
 * Stores the origins of a batch of articles that an earlier version of the product wrote: `generated` if no person's
 * revision changed the text. The first revision of such an article has its topic alone.
 *
 * @returns how many
 */
export async function storeOriginsOfEarlier(tx: Transaction, size: number): Promise<number> {
  const found = await tx.any(sql.type(idRow)`
    select a.id from pipeline_articles p join articles a on a.id = p.article_id
    where p.stage in ('generate', 'improve') and not p.origin_known
    limit ${size} for no key update of a skip locked`);
  if (found.length === 0) return 0;
  const ids = array(
    found.map(({ id }) => id),
    'uuid',
  );
  // Another statement, which sees the revisions of those that held the locks before. An edit that has read the article
  // already finds another version.
  await tx.exec(statement`
    update articles a set version = a.version + 1, origin = case when exists (
      select from article_revisions r
      where r.article_id = a.id and r.number > 1 and r.changed && ${array(textMembers, 'text')}
        and r.actor_name is distinct from 'pipeline'
    ) then 'assisted' else 'generated' end
    where a.id = any(${ids}) and a.origin = 'person'`);
  await tx.exec(statement`update pipeline_articles set origin_known = true where article_id = any(${ids})`);
  return found.length;
}
