import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { sql, statement } from '../../db/sql.ts';
import { getArticleForChange, moveArticle } from '../articles/article.ts';
import type { Article } from '../articles/article.ts';
import { conflict } from '../errors.ts';
import { requeued, stages } from './stages.ts';

const stageRow = z.object({ stage: z.enum(stages).nullable() });

/**
 * Puts an article back to its last good stage, so that the next run takes it on (decisions 10).
 *
 * @throws ServiceError NOT_FOUND, CONFLICT from any other status
 */
export async function requeueArticle(
  tx: Transaction,
  siteId: string,
  articleId: string,
  now: Date,
): Promise<Article> {
  const current = await getArticleForChange(tx, siteId, articleId);
  const known = await tx.maybeOne(sql.type(stageRow)`
    select stage from pipeline_articles where article_id = ${articleId}`);
  const standing = requeued({ status: current.status, stage: known?.stage ?? null });
  if (standing === null) {
    throw conflict(
      `Only an article that is failed, rejected, skipped or needs_improvement is requeued; this one is ${current.status}.`,
    );
  }
  await tx.exec(statement`
    insert into pipeline_articles (article_id, site_id, keywords, stage)
    values (${articleId}, ${siteId}, '[]', ${standing.stage})
    on conflict (article_id) do update set stage = excluded.stage`);
  return moveArticle(tx, current, { status: standing.status }, now);
}
