import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { at, columnsOf, sql, statement, timestamp } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Site } from '../kernel/site.ts';
import { newestFirst, readPage } from '../kernel/page.ts';
import type { Page, PageRequest } from '../kernel/page.ts';

const auditRow = z.object({
  id: z.string(),
  at: timestamp,
  actor_kind: z.enum(['key', 'person', 'system']),
  actor_id: z.string().nullable(),
  actor_name: z.string(),
  action: z.string(),
  target_type: z.string().nullable(),
  target_id: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
  request_id: z.string().nullable(),
});

export type AuditRow = z.infer<typeof auditRow>;

const columns = columnsOf(auditRow, 'e');

export interface AuditFilters {
  readonly action?: string | undefined;
  readonly actor_id?: string | undefined;
  readonly target_id?: string | undefined;
  /** Inclusive. */
  readonly since?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
}

/**
 * A page of the audit log of the Site, of its organisation as a whole and of the whole platform, newest first
 * (docs/spec/rulings.md, 9 and 14). Each of the three is read by an index in the order of the page, whatever the
 * filters.
 */
export function listAuditLog(
  db: Queryable,
  site: Site,
  filters: AuditFilters,
  request: PageRequest,
): Promise<Page<AuditRow>> {
  const { action, actor_id: actorId, target_id: targetId, since, until } = filters;
  const wanted = [
    ...(action === undefined ? [] : [sql.fragment`action = ${action}`]),
    ...(actorId === undefined ? [] : [sql.fragment`actor_id = ${actorId}`]),
    ...(targetId === undefined ? [] : [sql.fragment`target_id = ${targetId}`]),
    ...(since === undefined ? [] : [sql.fragment`at >= ${at(since)}::timestamptz`]),
    ...(until === undefined ? [] : [sql.fragment`at < ${at(until)}::timestamptz`]),
  ];
  const query = `audit-log ${JSON.stringify([action, actorId, targetId, since, until])}`;
  return readPage(site, query, request, newestFirst('e', 'at'), ({ after, order }, count) => {
    const first = sql.fragment`order by ${order} limit ${count}`;
    const rowsOf = (place: FragmentSqlToken): FragmentSqlToken => sql.fragment`(
      select ${columns} from audit_log e
      where ${sql.join([place, ...wanted, after], sql.fragment` and `)} ${first})`;
    return db.any(sql.type(auditRow)`
      select ${columns} from (
        ${rowsOf(sql.fragment`site_id = ${site.id}`)}
        union all ${rowsOf(sql.fragment`organisation_id = ${site.organisationId} and site_id is null`)}
        union all ${rowsOf(sql.fragment`organisation_id is null and site_id is null`)}
      ) e ${first}`);
  });
}

/**
 * Deletes a batch of the oldest rows about content that are older than 400 days. The database refuses to delete other
 * rows, or younger ones by its own clock.
 *
 * @returns how many
 */
export const deleteOldContentRows = (tx: Transaction, now: Date, batch: number): Promise<number> =>
  tx.exec(statement`
    delete from audit_log where ctid = any(array(
      select ctid from audit_log
      where content and at < least(${at(now)}::timestamptz, now()) - interval '400 days'
      order by at limit ${batch}
    ))`);
