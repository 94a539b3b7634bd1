import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { at, sql, timestamp } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Site } from '../kernel/site.ts';
import { notFound } from '../kernel/errors.ts';
import { byId, readPage } from '../kernel/page.ts';
import type { Page, PageRequest } from '../kernel/page.ts';

/** `approved` can still be used; `denied`, `expired` and `used` are final. */
export const approvalStatuses = ['pending', 'approved', 'denied', 'expired', 'used'] as const;

export type ApprovalStatus = (typeof approvalStatuses)[number];

/** How long an approval can be decided and used (docs/spec/rulings.md, 11). */
export const APPROVAL_LIFETIME_MS = 24 * 60 * 60_000;

const approvalRow = z.object({
  id: z.string(),
  status: z.enum(approvalStatuses),
  action: z.string(),
  method: z.string(),
  path: z.string(),
  key_id: z.string(),
  key_name: z.string(),
  created_at: timestamp,
  expires_at: timestamp,
  decided_at: timestamp.nullable(),
  decided_by_key_id: z.string().nullable(),
  decided_by_name: z.string().nullable(),
  used_at: timestamp.nullable(),
});

export type Approval = z.infer<typeof approvalRow>;

/** An approval that was just asked for. */
export const askedRow = z.object({
  id: z.string(),
  status: z.string(),
  action: z.string(),
  expires_at: timestamp,
});

export type AskedApproval = z.infer<typeof askedRow>;

const withBody = approvalRow.extend({
  body: z.record(z.string(), z.unknown()).nullable(),
  target: z.record(z.string(), z.unknown()).nullable(),
});

export type ApprovalWithBody = z.infer<typeof withBody>;

/** The status of the approval `p`: it is expired from its expiry on, even before that is written. */
export const statusAt = (now: Date): FragmentSqlToken => sql.fragment`
  case when p.status in ('pending', 'approved') and p.expires_at <= ${at(now)} then 'expired' else p.status end`;

const columns = (now: Date): FragmentSqlToken => sql.fragment`
  p.id, ${statusAt(now)} as status, p.action, p.method, p.path, p.key_id, k.name as key_name, p.created_at, p.expires_at,
  p.decided_at, p.decided_by_key_id, d.name as decided_by_name, p.used_at`;

const tables = sql.fragment`
  approvals p join api_keys k on k.id = p.key_id left join api_keys d on d.id = p.decided_by_key_id`;

/** A page of a Site's approvals, newest first. */
export function listApprovals(
  db: Queryable,
  site: Site,
  request: PageRequest,
  now: Date,
): Promise<Page<Approval>> {
  return readPage(site, 'approvals', request, byId('p', 'desc'), ({ after, order }, count) =>
    db.any(sql.type(approvalRow)`
      select ${columns(now)} from ${tables}
      where p.site_id = ${site.id} and ${after} order by ${order} limit ${count}`),
  );
}

/** @throws ServiceError NOT_FOUND */
export async function getApproval(
  db: Queryable,
  siteId: string,
  id: string,
  now: Date,
): Promise<ApprovalWithBody> {
  const approval = await db.maybeOne(sql.type(withBody)`
    select ${columns(now)},
      case when ${statusAt(now)} in ('pending', 'approved') then p.body end as body, p.target
    from ${tables} where p.id = ${id} and p.site_id = ${siteId}`);
  if (approval === null) throw notFound('approval');
  return approval;
}
