import { z } from 'zod';
import { sql, statement } from '../../db/sql.ts';
import { currentArticle, moveStatus } from '../articles/article.ts';
import { statusWithImage } from '../articles/image-status.ts';
import { articleStatuses } from '../articles/row.ts';
import type { Article, ArticleStatus } from '../articles/row.ts';
import { auditArticle } from '../publication/audit.ts';
import type { Change } from '../audit/change.ts';
import { conflict } from '../kernel/errors.ts';
import { requeued, stages } from './stages.ts';

const stageRow = z.object({
  stage: z.enum(stages).nullable(),
  rejected_from: z.enum(articleStatuses).nullable(),
});

/**
 * Returns an article to the state after its last successful stage, so that the next run continues from there
 * (docs/spec/rulings.md, 10); a rejected one to its status before (25).
 *
 * @throws ServiceError NOT_FOUND, CONFLICT from any other status
 */
export async function requeueArticle(change: Change, articleId: string): Promise<Article> {
  const { tx, site, now } = change;
  const current = await currentArticle(tx, site.id, articleId);
  const known = await tx.maybeOne(sql.type(stageRow)`
    select stage, rejected_from from pipeline_articles where article_id = ${articleId}`);
  const { stage = null, rejected_from: before = null } = known ?? {};
  const standing =
    before === null
      ? requeued({ status: current.status, stage })
      : { status: restored(before, current), stage };
  if (standing === null) {
    throw conflict(
      `Only an article that is failed, rejected, skipped or needs_improvement can be requeued; this one is ${current.status}.`,
    );
  }
  await tx.exec(statement`
    insert into pipeline_articles (article_id, site_id, keywords, stage)
    values (${articleId}, ${site.id}, '[]', ${standing.stage})
    on conflict (article_id) do update set stage = excluded.stage, rejected_at = null, rejected_by = null,
      rejected_reason = null, rejected_from = null`);
  const article = moveStatus(tx, current, { status: standing.status }, now);
  auditArticle(change, 'article.requeue', current, article);
  return article;
}

/** An image that the article got while it was rejected counts. */
const restored = (before: ArticleStatus, { featured_image_url: image }: Article): ArticleStatus =>
  image === null ? before : statusWithImage(before, image);
