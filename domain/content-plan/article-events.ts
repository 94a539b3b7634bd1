import type { Effects } from '../../db/effects.ts';
import { array, at, sql } from '../../db/sql.ts';

/** Marks the item of an article that is published. */
export const planItemDone = (tx: Effects, articleId: string, now: Date): void =>
  tx.gather('plan items', [articleId], (effects, ids) =>
    effects.add(
      (when) => sql.fragment`
        update plan_items set status = 'done', version = version + 1, updated_at = greatest(updated_at, ${at(now)})
        where article_id = any(${array(ids, 'uuid')}) and status <> 'done' and ${when}`,
    ),
  );

/** Takes an article that is deleted from its item. */
export const planItemLosesArticle = (tx: Effects, articleId: string, now: Date): void =>
  tx.add(
    (when) => sql.fragment`
      update plan_items set article_id = null, version = version + 1, updated_at = greatest(updated_at, ${at(now)})
      where article_id = ${articleId}::uuid and ${when}`,
  );
