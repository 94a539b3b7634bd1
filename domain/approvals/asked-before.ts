import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { array, at, sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import { hashBody } from '../kernel/idempotency.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { approvalStatuses, statusAt } from './approval.ts';
import { macsOf } from './denied-body.ts';

const row = z.object({ id: z.string(), status: z.enum(approvalStatuses) });

/** An approval that a key has asked for. */
export type AskedBefore = z.infer<typeof row>;

/** A call, and the key that makes it. */
export interface AskingCall {
  readonly siteId: string;
  readonly keyId: string;
  readonly method: string;
  /** Relative to the base address, with ids in lower case. */
  readonly path: string;
  /** As it is sent. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** So long, a denied call is told that it was denied; later it asks anew, as the person may want it now. */
const DENIAL_TOLD_MS = 10 * 60_000;

/** The approval that the same call of the same key has asked for last: pending, approved, or just denied. */
export function findAskedBefore(
  db: Queryable,
  box: SecretBox,
  call: AskingCall,
  now: Date,
): Promise<AskedBefore | null> {
  const told = new Date(now.getTime() - DENIAL_TOLD_MS);
  return db.maybeOne(sql.type(row)`
    select p.id, ${statusAt(now)} as status from approvals p
    where ${isOf(box, call)}
      and (
        (p.status in ('pending', 'approved') and p.expires_at > ${at(now)})
        or (p.status = 'denied' and p.decided_at > ${at(told)})
      )
    order by p.id desc limit 1`);
}

/** An approval by its id; null if it is not for this call, or is used or expired and thus for none. */
export const findAskedById = (
  db: Queryable,
  box: SecretBox,
  call: AskingCall,
  id: string,
  now: Date,
): Promise<AskedBefore | null> =>
  db.maybeOne(sql.type(row)`
    select p.id, ${statusAt(now)} as status from approvals p
    where p.id = ${id} and ${isOf(box, call)} and (p.status = 'denied' or p.expires_at > ${at(now)})`);

/** Whether the approval `p` is for a call. Once it is used or expired, it does not tell for which body it was. */
function isOf(box: SecretBox, { siteId, keyId, method, path, body }: AskingCall): FragmentSqlToken {
  const hash = hashBody(body);
  const macs = macsOf(box, hash).map((mac) => mac.toString('hex'));
  return sql.fragment`
    p.site_id = ${siteId} and p.key_id = ${keyId} and p.method = ${method} and p.path = ${path}
      and (p.body_hash = ${sql.binary(hash)} or encode(p.denied_body_mac, 'hex') = any(${array(macs, 'text')}))`;
}
