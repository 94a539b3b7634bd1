import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { Queryable } from '../../db/statements.ts';
import { at, sql, timestamp } from '../../db/sql.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { signalWorkflow } from '../workflow-messages.ts';

const rotationRow = z.object({ rotation: z.number() });
const untilRow = z.object({ until: timestamp });

/** Starts the workflow that retires the replaced secret at the end of its grace, or signals it. */
export const signalKeyRotation = (
  { tx, site, now }: Change,
  keyId: string,
  rotation: number,
  signal: 'rotated' | 'cut',
): void => signalWorkflow(tx, 'key-rotation', { keyId, rotation, siteId: site.id, signal }, now);

/** Signals the workflows of a revoked key's running graces, because its replaced secrets are no longer valid. */
export async function endGraces(change: Change, keyId: string): Promise<void> {
  const running = await change.tx.any(sql.type(rotationRow)`
    select rotation from api_key_secrets
    where key_id = ${keyId} and rotation is not null and retired_at is null order by rotation`);
  for (const { rotation } of running) signalKeyRotation(change, keyId, rotation, 'cut');
}

/** When the replaced secret becomes invalid; null after it was retired. */
export async function findGraceEnd(db: Queryable, keyId: string, rotation: number): Promise<Date | null> {
  const row = await db.maybeOne(sql.type(untilRow)`
    select least(s.valid_until, k.revoked_at) as until from api_key_secrets s join api_keys k on k.id = s.key_id
    where s.key_id = ${keyId} and s.rotation = ${rotation} and s.retired_at is null`);
  return row?.until ?? null;
}

/**
 * Marks the replaced secret as retired if its grace is over; its hash is kept (docs/spec/rulings.md, 2).
 *
 * @returns whether it is retired, by this call or an earlier one
 */
export function retireSecret(db: Database, keyId: string, rotation: number, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const retired = await tx.maybeOne(sql.type(
      z.object({ site_id: z.string(), organisation_id: z.string() }),
    )`
      update api_key_secrets s set retired_at = ${at(now)}
      from api_keys k join sites t on t.id = k.site_id
      where s.key_id = ${keyId} and s.rotation = ${rotation} and s.retired_at is null and k.id = s.key_id
        and (s.valid_until <= ${at(now)} or k.revoked_at is not null)
      returning t.id as site_id, t.organisation_id`);
    if (retired === null) return (await findGraceEnd(tx, keyId, rotation)) === null;
    const site = { id: retired.site_id, organisationId: retired.organisation_id };
    const actor = { kind: 'system', name: 'key rotation' } as const;
    recordChange({ tx, site, actor, now }, 'key.secret_retired', { type: 'key', id: keyId }, { rotation });
    return true;
  });
}

const grace = z.object({ key_id: z.string(), rotation: z.number() });

/** Replaced secrets whose grace ended long ago and that were never marked, because their workflow was lost. */
export const findOverdueGraces = (
  db: Queryable,
  before: Date,
  count: number,
): Promise<readonly z.infer<typeof grace>[]> =>
  db.any(sql.type(grace)`
    select key_id, rotation from api_key_secrets
    where retired_at is null and rotation is not null and valid_until <= ${at(before)}
    order by valid_until limit ${count}`);
