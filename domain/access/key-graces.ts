import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { Queryable } from '../../db/statements.ts';
import { at, sql, timestamp } from '../../db/sql.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { conflict } from '../kernel/errors.ts';
import { signalWorkflow } from '../kernel/workflow-messages.ts';

const untilRow = z.object({ until: timestamp.nullable() });
const graceRow = z.object({ running: z.number(), first_end: timestamp.nullable() });

/** Old secrets of a key that may be in their grace at the same time (docs/spec/rulings.md, 27). */
const GRACE_LIMIT = 20;

/** Has the workflow of a key read again when its graces end. It runs for as long as there are any. */
export const signalKeyRotation = ({ tx, site, now }: Change, keyId: string): void =>
  signalWorkflow(tx, 'key-rotation', { keyId, siteId: site.id }, now);

/**
 * Checks that one more secret of a key, which the transaction has locked, may have a grace.
 *
 * @throws ServiceError CONFLICT
 */
export async function requireRoomForGrace({ tx, now }: Change, keyId: string): Promise<void> {
  const { running, first_end: end } = await tx.one(sql.type(graceRow)`
    select count(*)::int as running, min(valid_until) as first_end from api_key_secrets
    where key_id = ${keyId} and retired_at is null and valid_until > ${at(now)}`);
  if (running < GRACE_LIMIT || end === null) return;
  throw conflict(
    `${running} old secrets of this key are in their grace, and ${GRACE_LIMIT} is the limit. Wait until the next one ends, at ${end.toISOString()}, or rotate with grace_seconds 0, which ends all of them.`,
  );
}

/** Signals the workflow of a revoked key's running graces, because its replaced secrets are no longer valid. */
export async function endGraces(change: Change, keyId: string): Promise<void> {
  const end = await findGraceEnd(change.tx, keyId);
  if (end !== null) signalKeyRotation(change, keyId);
}

/** When the next replaced secret of a key becomes invalid; null if all are retired. */
export async function findGraceEnd(db: Queryable, keyId: string): Promise<Date | null> {
  const { until } = await db.one(sql.type(untilRow)`
    select min(least(s.valid_until, k.revoked_at)) as until
    from api_key_secrets s join api_keys k on k.id = s.key_id
    where s.key_id = ${keyId} and s.rotation is not null and s.retired_at is null`);
  return until;
}

const retiredRow = z.object({ rotation: z.number(), site_id: z.string(), organisation_id: z.string() });

/**
 * Marks the replaced secrets of a key as retired whose graces are over; their hashes are kept (docs/spec/rulings.md, 2).
 *
 * @returns whether there were any, or none is left
 */
export function retireSecrets(db: Database, keyId: string, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const retired = await tx.any(sql.type(retiredRow)`
      update api_key_secrets s set retired_at = ${at(now)}
      from api_keys k join sites t on t.id = k.site_id
      where s.key_id = ${keyId} and s.rotation is not null and s.retired_at is null and k.id = s.key_id
        and (s.valid_until <= ${at(now)} or k.revoked_at is not null)
      returning s.rotation, t.id as site_id, t.organisation_id`);
    const actor = { kind: 'system', name: 'key rotation' } as const;
    for (const { rotation, site_id: id, organisation_id: organisationId } of retired) {
      const site = { id, organisationId };
      const details = { rotation };
      recordChange({ tx, site, actor, now }, 'key.secret_retired', { type: 'key', id: keyId }, details);
    }
    return retired.length > 0 || (await findGraceEnd(tx, keyId)) === null;
  });
}

const grace = z.object({ key_id: z.string() });

/** Replaced secrets whose grace ended long ago and that were never marked, because their workflow was lost. */
export const findOverdueGraces = (
  db: Queryable,
  before: Date,
  count: number,
): Promise<readonly z.infer<typeof grace>[]> =>
  db.any(sql.type(grace)`
    select key_id from api_key_secrets
    where retired_at is null and rotation is not null and valid_until <= ${at(before)}
    order by valid_until limit ${count}`);
