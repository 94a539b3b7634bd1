import type { Effects } from '../../db/effects.ts';
import { enqueueEach } from '../../db/outbox.ts';
import { array, at, sql } from '../../db/sql.ts';
import { newId } from '../ids.ts';
import { workflowIdOf } from '../workflow-messages.ts';
import { CONNECTION_LIMIT } from './manage.ts';

const KIND = 'cms-push';

/**
 * Pushes articles of a Site by its connections with `auto`, in the transaction that publishes, updates, unpublishes or
 * deletes them: one push for each connection.
 */
export const pushAutomatically = (
  tx: Effects,
  siteId: string,
  articleIds: readonly string[],
  now: Date,
): void =>
  tx.gather(`cms pushes ${siteId}`, articleIds, (effects, all) => addPushes(effects, siteId, all, now));

/** The connections of a Site that push by themselves, as `c`. */
const automatic = (siteId: string) => sql.fragment`
  cms_connections c where c.site_id = ${siteId}::uuid and c.auto and c.enabled and c.deleted_at is null`;

function addPushes(tx: Effects, siteId: string, articleIds: readonly string[], now: Date): void {
  const ids = Array.from({ length: CONNECTION_LIMIT }, () => newId());
  tx.add(
    (_, pushes) => sql.fragment`
      insert into cms_push_items (push_id, position, connection_id, article_id, status, due_at)
      select p.id, n.position, p.connection_id, n.article_id, 'waiting', least(p.created_at, now())
      from ${pushes} p cross join unnest(${array([...new Set(articleIds)], 'uuid')}) with ordinality as n (article_id, position)`,
    {
      after: (when) => sql.fragment`
        insert into cms_pushes (id, site_id, connection_id, force, created_at)
        select n.id, ${siteId}::uuid, c.id, false, ${at(now)}::timestamptz
        from (select c.id, row_number() over (order by c.id) as number from ${automatic(siteId)}) c
        join unnest(${array(ids, 'uuid')}) with ordinality as n (id, number) using (number)
        where ${when}
        returning id, connection_id, created_at`,
    },
  );
  const prefix = workflowIdOf(KIND, '');
  enqueueEach(
    tx,
    { kind: KIND, siteId },
    sql.fragment`
      select ${prefix}::text || c.id as workflow_id,
        jsonb_build_object('connectionId', c.id, 'siteId', c.site_id) as payload
      from ${automatic(siteId)}`,
    now,
  );
}
