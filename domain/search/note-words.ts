import { createHash } from 'node:crypto';
import type { Effects } from '../../db/effects.ts';
import { at, sql } from '../../db/sql.ts';
import type { SearchedText, WordsReader } from '../kernel/searched-text.ts';

/** As `article_digest` of the migrations. */
export const digestOfText = ({ title, excerpt, content }: SearchedText): string =>
  createHash('md5')
    .update([title, excerpt, content].filter((part) => part !== null).join('\n'))
    .digest('hex');

/**
 * Stores the words of an article together with a change of its text. They are read before, so that no lock waits for it.
 * Without them a trigger takes the words of the Markdown, and a worker reads it later (refine-words.ts).
 *
 * @param before null if the change creates the article
 */
export async function noteWords(
  { tx, now, readWords }: { readonly tx: Effects; readonly now: Date; readonly readWords?: WordsReader },
  siteId: string,
  before: SearchedText | null,
  after: SearchedText & { readonly id: string },
): Promise<void> {
  if (readWords === undefined || (before !== null && isSameText(before, after))) return;
  const read = await readWords(siteId, after);
  if (read === null) return;
  tx.add(
    (when) => sql.fragment`
      insert into article_search (article_id, site_id, words, many, text_digest, refined, changed_at)
      select ${after.id}::uuid, ${siteId}::uuid, ${read.words}::text, ${read.many}::boolean,
        ${digestOfText(after)}::text, true, ${at(now)}::timestamptz
      where ${when}
      on conflict (article_id) do update
        set words = excluded.words, many = excluded.many, text_digest = excluded.text_digest, refined = true,
          indexed = article_search.indexed and article_search.words = excluded.words, changed_at = excluded.changed_at`,
  );
}

const isSameText = (one: SearchedText, other: SearchedText): boolean =>
  one.title === other.title && one.excerpt === other.excerpt && one.content === other.content;
