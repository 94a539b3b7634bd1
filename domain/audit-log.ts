import { z } from 'zod';
import type { Queryable } from '../db/statements.ts';
import { sql, timestamp } from '../db/sql.ts';
import type { Site } from './access/authenticate.ts';
import { readPage } from './page.ts';
import type { Page, PageRequest } from './page.ts';

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
});

type AuditRow = z.infer<typeof auditRow>;

const columns = sql.fragment`
  id, at, actor_kind, actor_id, actor_name, action, target_type, target_id, details`;

/** A page of what was changed in the Site, and in its organisation as a whole, newest first (decisions 9). */
export function listAuditLog(db: Queryable, site: Site, request: PageRequest): Promise<Page<AuditRow>> {
  return readPage(
    { key: site.cursorKey, query: 'audit-log' },
    request,
    (after, count) => {
      const behind =
        after === null
          ? sql.fragment``
          : sql.fragment`and (at, id) < (${after.key}::timestamptz, ${after.id}::uuid)`;
      const newest = sql.fragment`order by at desc, id desc limit ${count}`;
      return db.any(sql.type(auditRow)`
        select ${columns} from (
          (select ${columns} from audit_log where site_id = ${site.id} ${behind} ${newest})
          union all
          (select ${columns} from audit_log
            where organisation_id = ${site.organisationId} and site_id is null ${behind} ${newest})
        ) entries ${newest}`);
    },
    (row) => ({ key: row.at.toISOString(), id: row.id }),
  );
}

export const presentAuditRow = (row: AuditRow) => ({
  id: row.id,
  at: row.at.toISOString(),
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
  action: row.action,
  target: row.target_type === null ? null : { type: row.target_type, id: row.target_id },
  details: row.details,
});
