import { z } from 'zod';
import { array, sql } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import { nearestArticles } from '../search/nearest.ts';
import { wordsOf } from '../search/words.ts';
import { isAlike } from './alike.ts';
import type { WriterName } from './run.ts';

/** The most articles whose titles are compared: those nearest to the topic. */
const COMPARED = sql.fragment`500`;

const titleRow = z.object({ id: z.string(), title: z.string() });

export type Titled = z.infer<typeof titleRow>;

/**
 * Finds the article of the Site that is about a topic already: published, written by people, or in the pipeline. Of two
 * topics that wait for their first stage, the one that came later is the duplicate.
 *
 * @param writer the offline one only knows titles with the same words in the same order
 */
export async function findDuplicate(
  db: Queryable,
  siteId: string,
  { id, title }: Titled,
  writer: WriterName,
): Promise<Titled | null> {
  const rows = await db.any(sql.type(titleRow)`
    select a.id, a.title from (${nearestArticles(siteId, title)}) n join articles a on a.id = n.id
    where a.site_id = ${siteId} and a.id <> ${id} and a.title is not null
      and a.status <> all(${array(['skipped', 'rejected', 'failed'], 'text')})
      and (a.status <> 'discovered' or a.id < ${id})
    order by n.weight desc, a.id limit ${COMPARED}`);
  const same = rows.find((other) => wordsOf(other.title) === wordsOf(title));
  return same ?? (writer === 'offline' ? null : (rows.find((other) => isAlike(other.title, title)) ?? null));
}
