import { setImmediate } from 'node:timers/promises';
import { array, sql, statement } from '../../../db/sql.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { Article } from '../../articles/row.ts';
import { newId } from '../../kernel/ids.ts';
import { contentNumber } from '../../notes/anchors.ts';
import { found, indexedText } from '../../notes/follow.ts';
import type { Claims } from './claim.ts';

/**
 * Stores the claims of an article in place of earlier ones, in the transaction of its text. If a person has changed that
 * meanwhile, they are where it has them still.
 *
 * @param before the article before the transaction @param article as it is then
 */
export async function saveClaims(
  tx: Transaction,
  siteId: string,
  before: Article,
  article: Article,
  { of, claims }: Claims,
): Promise<void> {
  await tx.exec(statement`delete from article_claims where article_id = ${article.id}`);
  const content = article.content ?? '';
  const text = indexedText(content);
  const starts: (number | null)[] = [];
  for (const claim of claims) {
    starts.push(content === of ? claim.near : found(text, claim.text, claim.near).start);
    // Each may search the text. Other requests come in between.
    if (content !== of) await setImmediate();
  }
  const number =
    article.content === before.content
      ? contentNumber(sql.fragment`${article.id}::uuid`)
      : sql.fragment`${article.version}::int`;
  const integers = (values: readonly (number | null)[]) => sql.array([...values], 'int4');
  const texts = (values: readonly (string | null)[]) => sql.array([...values], 'text');
  await tx.exec(statement`
    insert into article_claims (
      id, site_id, article_id, text, verdict, source_n, evidence, start, near, content_number
    )
    select c.id, ${siteId}::uuid, ${article.id}::uuid, c.text, c.verdict, c.source_n, c.evidence, c.start, c.near, ${number}
    from unnest(
      ${array(
        claims.map(() => newId()),
        'uuid',
      )},
      ${texts(claims.map((claim) => claim.text))}, ${texts(claims.map(({ verdict }) => verdict))},
      ${integers(claims.map(({ source_n }) => source_n))}, ${texts(claims.map(({ evidence }) => evidence))},
      ${integers(starts)}, ${integers(claims.map(({ near }, index) => starts[index] ?? near))}
    ) as c (id, text, verdict, source_n, evidence, start, near)`);
}
