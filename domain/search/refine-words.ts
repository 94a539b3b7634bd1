import { z } from 'zod';
import { sql, statement } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import { digestOfText } from './note-words.ts';
import type { ReadWords, WordsReader } from '../kernel/searched-text.ts';

/** Articles that are read at once. Each may have a megabyte. */
const BATCH = 10;

const textRow = z.object({
  id: z.string(),
  site_id: z.string(),
  title: z.string().nullable(),
  excerpt: z.string().nullable(),
  content: z.string().nullable(),
  /** When the text was noted, to the microsecond. */
  noted_at: z.string(),
});

/**
 * Replaces the words of Markdown by those that readers see, of the articles that have waited longest. Any number of workers
 * may do so at once.
 *
 * @returns how many articles have been read
 */
export async function refineWords(db: Queryable, readWords: WordsReader): Promise<number> {
  const texts = await db.any(sql.type(textRow)`
    select a.id, a.site_id, a.title, a.excerpt, a.content, s.changed_at::text as noted_at
    from article_search s join articles a on a.id = s.article_id
    where not s.refined and s.changed_at <= clock_timestamp() order by s.changed_at limit ${BATCH}::int`);
  let count = 0;
  for (const text of texts) {
    const read = await readWords(text.site_id, text);
    if (read === null) {
      await postpone(db, text.id);
      continue;
    }
    await replaceWords(db, text, read);
    count += 1;
  }
  return count;
}

/** For a minute: the machine is too busy for it, or too small. */
const postpone = (db: Queryable, id: string): Promise<number> =>
  db.exec(statement`
    update article_search set changed_at = clock_timestamp() + interval '1 minute'
    where article_id = ${id}::uuid and not refined`);

/**
 * Unless the text has changed meanwhile. Only the updated row itself can tell: once a change that held it has committed, the
 * database reads this row anew, but the article as it was.
 */
const replaceWords = (
  db: Queryable,
  text: z.infer<typeof textRow>,
  { words, many }: ReadWords,
): Promise<number> =>
  db.exec(statement`
    update article_search s set words = n.words, many = n.many, text_digest = ${digestOfText(text)}::text,
      refined = true, indexed = s.indexed and s.words = n.words,
      changed_at = case when s.words = n.words then s.changed_at else clock_timestamp() end
    from (select ${words}::text as words, ${many}::boolean as many) n
    where s.article_id = ${text.id}::uuid and not s.refined and s.changed_at = ${text.noted_at}::timestamptz`);
