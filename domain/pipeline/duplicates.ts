import { z } from 'zod';
import { array, sql } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import { nearestArticles } from '../search/nearest.ts';
import { wordsOf } from '../search/words.ts';
import type { WriterName } from './run.ts';

/** The most articles whose titles are compared: those nearest to the topic. */
const COMPARED = sql.fragment`500`;
/** How much of the words of two titles has to be the same. */
const ALIKE = 0.85;

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

/** Words that titles have whatever they are about. */
const empty = new Set(
  'a an and are as at be but by for from has have how in into is it its no not of on or our should than that the their then this to was what when which who why will with your you'.split(
    ' ',
  ),
);

/** Whether two titles mean the same: the same words that tell something, but for a few, and the same figures. */
export function isAlike(one: string, other: string): boolean {
  const [left, right] = [tellingWords(one), tellingWords(other)];
  if (left.size === 0 || figuresIn(left) !== figuresIn(right)) return false;
  const common = [...left].filter((word) => right.has(word)).length;
  return (2 * common) / (left.size + right.size) >= ALIKE;
}

function tellingWords(title: string): ReadonlySet<string> {
  const words = wordsOf(title)
    .split(' ')
    .filter((word) => word !== '');
  const telling = words.filter((word) => !empty.has(word));
  return new Set((telling.length > 0 ? telling : words).map((word) => word.replace(/(?<=..[^s])s$/, '')));
}

const figuresIn = (words: ReadonlySet<string>): string =>
  [...words]
    .filter((word) => /\d/.test(word))
    .toSorted()
    .join(' ');
