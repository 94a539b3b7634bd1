import { z } from 'zod';
import { at, sql, statement } from '../../db/sql.ts';
import { currentArticle, moveStatus } from '../articles/article.ts';
import type { Article } from '../articles/row.ts';
import { auditArticle } from '../publication/audit.ts';
import type { Change } from '../audit/change.ts';
import { conflict } from '../kernel/errors.ts';
import { isRejectable } from './stages.ts';

const heldRow = z.object({ held: z.boolean() });

/**
 * Takes an article out of the pipeline until somebody requeues it. Its row is locked, as by a run that takes it
 * (create-run.ts), so that one of the two sees the other.
 *
 * @throws ServiceError NOT_FOUND; CONFLICT from a status that cannot be rejected, and while a run holds the article
 */
export async function rejectArticle(
  change: Change,
  memberId: string,
  articleId: string,
  reason: string | null,
): Promise<Article> {
  const { tx, site, now } = change;
  const current = await currentArticle(tx, site.id, articleId);
  if (!isRejectable(current.status)) {
    throw conflict(
      current.status === 'rejected'
        ? 'The article is rejected already.'
        : `Only an article in a status of the pipeline can be rejected; this one is ${current.status}.`,
    );
  }
  const { held } = await tx.one(sql.type(heldRow)`
    select exists (select from pipeline_run_articles where article_id = ${articleId} and held) as held`);
  if (held) {
    throw conflict(
      'A run is working on the article. Wait until it has ended, or cancel it with POST /pipeline/runs/{id}/cancel.',
    );
  }
  await tx.exec(statement`
    insert into pipeline_articles (article_id, site_id, keywords, rejected_at, rejected_by, rejected_reason, rejected_from)
    values (${articleId}, ${site.id}, '[]', ${at(now)}, ${memberId}, ${reason}, ${current.status})
    on conflict (article_id) do update set rejected_at = excluded.rejected_at, rejected_by = excluded.rejected_by,
      rejected_reason = excluded.rejected_reason, rejected_from = excluded.rejected_from`);
  const article = moveStatus(tx, current, { status: 'rejected' }, now);
  auditArticle(change, 'article.reject', current, article);
  return article;
}
