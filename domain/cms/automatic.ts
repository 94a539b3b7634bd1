import type { Effects } from '../../db/effects.ts';
import { enqueueEach } from '../../db/outbox.ts';
import { array, at, sql } from '../../db/sql.ts';
import { newId } from '../kernel/ids.ts';
import { workflowIdOf } from '../kernel/workflow-messages.ts';
import { CONNECTION_LIMIT } from './manage.ts';

const KIND = 'cms-push';

interface ChangedArticle {
  readonly id: string;
  readonly siteId: string;
}

/**
 * Pushes an article of a Site by its connections with `auto`, in the transaction that publishes, updates, unpublishes or
 * deletes it. Several articles of a transaction are one push for each connection.
 */
export const pushAutomatically = (tx: Effects, siteId: string, id: string, now: Date): void =>
  tx.gather('cms pushes', [{ id, siteId }], (effects, all) => addPushes(effects, all, now));

function addPushes(tx: Effects, articles: readonly ChangedArticle[], now: Date): void {
  const changed = [...new Map(articles.map((article) => [article.id, article])).values()];
  const siteIds = [...new Set(changed.map(({ siteId }) => siteId))];
  // The connections that push by themselves, as `c`.
  const automatic = sql.fragment`
    cms_connections c where c.site_id = any(${array(siteIds, 'uuid')}) and c.auto and c.enabled and c.deleted_at is null`;
  const ids = Array.from({ length: CONNECTION_LIMIT * siteIds.length }, () => newId());
  tx.add(
    (_, pushes) => sql.fragment`
      insert into cms_push_items (push_id, position, connection_id, article_id, status, due_at)
      select p.id, n.position, p.connection_id, n.article_id, 'waiting', least(p.created_at, now())
      from ${pushes} p join unnest(
        ${array(
          changed.map(({ siteId }) => siteId),
          'uuid',
        )},
        ${array(
          changed.map(({ id }) => id),
          'uuid',
        )}
      ) with ordinality as n (site_id, article_id, position) using (site_id)`,
    {
      after: (when) => sql.fragment`
        insert into cms_pushes (id, site_id, connection_id, force, automatic, created_at)
        select n.id, c.site_id, c.id, false, true, ${at(now)}::timestamptz
        from (select c.id, c.site_id, row_number() over (order by c.id) as number from ${automatic}) c
        join unnest(${array(ids, 'uuid')}) with ordinality as n (id, number) using (number)
        where ${when}
        returning id, site_id, connection_id, created_at`,
    },
  );
  const prefix = workflowIdOf(KIND, '');
  enqueueEach(
    tx,
    KIND,
    () => sql.fragment`
      select ${prefix}::text || c.id as workflow_id,
        jsonb_build_object('connectionId', c.id, 'siteId', c.site_id) as payload
      from ${automatic}`,
    now,
  );
}
