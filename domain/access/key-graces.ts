import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { Queryable } from '../../db/statements.ts';
import { enqueue } from '../../db/outbox.ts';
import { at, sql, timestamp } from '../../db/sql.ts';
import { recordChange } from '../change.ts';
import type { Change } from '../change.ts';

const rotationRow = z.object({ rotation: z.number() });
const untilRow = z.object({ until: timestamp });

/** The id of the process that retires the secret which a rotation replaced, when its grace is over. */
export const keyRotationId = (keyId: string, rotation: number): string => `key-rotation/${keyId}/${rotation}`;

/** Has the secret that a rotation replaced retired at the end of its grace, or wakes the process that does it. */
export const watchGrace = (
  { tx, site, now }: Change,
  keyId: string,
  rotation: number,
  signal: 'rotated' | 'cut',
): void =>
  enqueue(
    tx,
    {
      kind: 'key-rotation',
      workflow_id: keyRotationId(keyId, rotation),
      payload: { keyId, rotation, siteId: site.id, signal },
    },
    now,
  );

/** Wakes the processes of a key's running graces: the key was revoked, and nothing of it is good any longer. */
export async function cutGraces(change: Change, keyId: string): Promise<void> {
  const running = await change.tx.any(sql.type(rotationRow)`
    select rotation from api_key_secrets
    where key_id = ${keyId} and rotation is not null and retired_at is null order by rotation`);
  for (const { rotation } of running) watchGrace(change, keyId, rotation, 'cut');
}

/** When the secret that a rotation replaced stops being good; null once it is retired. */
export async function findGraceEnd(db: Queryable, keyId: string, rotation: number): Promise<Date | null> {
  const row = await db.maybeOne(sql.type(untilRow)`
    select least(s.valid_until, k.revoked_at) as until from api_key_secrets s join api_keys k on k.id = s.key_id
    where s.key_id = ${keyId} and s.rotation = ${rotation} and s.retired_at is null`);
  return row?.until ?? null;
}

/**
 * Marks the secret that a rotation replaced, where its grace is over by now; its hash is kept (decisions 2).
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
    await recordChange(
      { tx, site, actor, now },
      'key.secret_retired',
      { type: 'key', id: keyId },
      { rotation },
    );
    return true;
  });
}

const grace = z.object({ key_id: z.string(), rotation: z.number() });

/** Replaced secrets that are long not good any more, and that no process has marked: it was lost. */
export const findForgottenGraces = (
  db: Queryable,
  before: Date,
  count: number,
): Promise<readonly z.infer<typeof grace>[]> =>
  db.any(sql.type(grace)`
    select key_id, rotation from api_key_secrets
    where retired_at is null and rotation is not null and valid_until <= ${at(before)}
    order by valid_until limit ${count}`);
