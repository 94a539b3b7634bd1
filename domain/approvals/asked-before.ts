import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { at, sql } from '../../db/sql.ts';
import { hashBody } from '../idempotency.ts';
import { approvalStatuses, statusAt } from './approval.ts';

const row = z.object({ id: z.string(), status: z.enum(approvalStatuses) });

/** An approval that a key has asked for. */
export type AskedBefore = z.infer<typeof row>;

interface Asker {
  readonly siteId: string;
  readonly keyId: string;
}

interface SameCall extends Asker {
  readonly method: string;
  /** Relative to the base address, with ids in lower case. */
  readonly path: string;
  /** As it is sent. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** So long, a denied call is told that it was denied; later it asks anew, as the person may want it now. */
const DENIAL_TOLD_MS = 10 * 60_000;

/**
 * The approval that the same call of the same key has asked for, if it is not used up: pending, approved, or just
 * denied. What was denied has lost its body, so a denial is found by the path of calls without a body alone.
 */
export function findAskedBefore(
  db: Queryable,
  { siteId, keyId, method, path, body }: SameCall,
  now: Date,
): Promise<AskedBefore | null> {
  const told = new Date(now.getTime() - DENIAL_TOLD_MS);
  return db.maybeOne(sql.type(row)`
    select p.id, ${statusAt(now)} as status from approvals p
    where p.site_id = ${siteId} and p.key_id = ${keyId} and p.method = ${method} and p.path = ${path}
      and (
        (p.status in ('pending', 'approved') and p.expires_at > ${at(now)} and p.body_hash = ${sql.binary(hashBody(body))})
        or (p.status = 'denied' and ${body === null}::boolean and p.decided_at > ${at(told)})
      )
    order by p.id desc limit 1`);
}

/** The status of an approval that the key has asked for; null if there is none. */
export const findStatusOf = (
  db: Queryable,
  { siteId, keyId }: Asker,
  id: string,
  now: Date,
): Promise<AskedBefore | null> =>
  db.maybeOne(sql.type(row)`
    select p.id, ${statusAt(now)} as status from approvals p
    where p.id = ${id} and p.site_id = ${siteId} and p.key_id = ${keyId}`);
