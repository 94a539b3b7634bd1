import { z } from 'zod';
import { sql, statement } from '../../db/sql.ts';
import { currentArticle, moveStatus } from '../articles/article.ts';
import type { Article } from '../articles/row.ts';
import { auditArticle } from '../publication/audit.ts';
import type { Change } from '../audit/change.ts';
import { conflict } from '../kernel/errors.ts';
import { requeued, stages } from './stages.ts';

const stageRow = z.object({ stage: z.enum(stages).nullable() });

/**
 * Returns an article to the state after its last successful stage, so that the next run continues from there
 * (docs/spec/rulings.md, 10).
 *
 * @throws ServiceError NOT_FOUND, CONFLICT from any other status
 */
export async function requeueArticle(change: Change, articleId: string): Promise<Article> {
  const { tx, site, now } = change;
  const current = await currentArticle(tx, site.id, articleId);
  const known = await tx.maybeOne(sql.type(stageRow)`
    select stage from pipeline_articles where article_id = ${articleId}`);
  const standing = requeued({ status: current.status, stage: known?.stage ?? null });
  if (standing === null) {
    throw conflict(
      `Only an article that is failed, rejected, skipped or needs_improvement can be requeued; this one is ${current.status}.`,
    );
  }
  await tx.exec(statement`
    insert into pipeline_articles (article_id, site_id, keywords, stage)
    values (${articleId}, ${site.id}, '[]', ${standing.stage})
    on conflict (article_id) do update set stage = excluded.stage`);
  const article = moveStatus(tx, current, { status: standing.status }, now);
  auditArticle(change, 'article.requeue', current, article);
  return article;
}
