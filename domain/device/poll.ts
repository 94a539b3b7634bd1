import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { at, sql, statement } from '../../db/sql.ts';
import { createKey, getKeyForChange } from '../access/keys.ts';
import type { ApiKey } from '../access/keys.ts';
import { roleAllows, roles } from '../access/permissions.ts';
import type { Actor } from '../audit.ts';
import { underMaintenance } from '../errors.ts';
import { findMaintenance } from '../sites.ts';
import { lockByDeviceCode, POLL_INTERVAL_S } from './authorization.ts';
import type { DeviceAuthorization } from './authorization.ts';

/** What a device is told (RFC 8628, 3.5). */
export interface PollResult {
  readonly status: 'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token' | 'approved';
  /** Seconds to wait before the next poll. */
  readonly interval: number;
  /** Where it is approved; the secret is there the first time, and null from then on. */
  readonly collected?: { readonly key: ApiKey; readonly secret: string | null };
}

/**
 * Answers a device that asks what became of its sign-in. The poll that finds it approved makes the key: a secret
 * is never at rest. Polls of one device go one after the other, so that one of them gets it.
 *
 * @throws ServiceError MAINTENANCE where the key's Site is under maintenance; nothing has happened then
 */
export async function pollDeviceSignIn(tx: Transaction, deviceCode: string, now: Date): Promise<PollResult> {
  const found = await lockByDeviceCode(tx, deviceCode, now);
  if (found === null) return { status: 'expired_token', interval: POLL_INTERVAL_S };
  if (found.decision === null) return await notePoll(tx, found, now);
  const interval = found.poll_interval;
  if (found.decision === 'denied') return { status: 'access_denied', interval };
  const collected = await collect(tx, found, now);
  return collected === null
    ? { status: 'access_denied', interval }
    : { status: 'approved', interval, collected };
}

/** Only while nobody has decided can a poll be too early; the first one never is. */
async function notePoll(tx: Transaction, found: DeviceAuthorization, now: Date): Promise<PollResult> {
  const { id, last_polled_at: last } = found;
  const tooEarly = last !== null && now.getTime() < last.getTime() + found.poll_interval * 1_000;
  const interval = found.poll_interval + (tooEarly ? POLL_INTERVAL_S : 0);
  await tx.exec(statement`
    update device_authorizations set poll_interval = ${interval}, last_polled_at = greatest(last_polled_at, ${at(now)})
    where id = ${id}`);
  return { status: tooEarly ? 'slow_down' : 'authorization_pending', interval };
}

/** @returns null where the person who approved may no longer hand out keys */
async function collect(
  tx: Transaction,
  found: DeviceAuthorization,
  now: Date,
): Promise<PollResult['collected'] | null> {
  const { site_id: siteId, member_id: memberId } = found;
  if (siteId === null || memberId === null) throw new Error('An approval names neither Site nor person');
  if (found.key_id !== null) return { key: await getKeyForChange(tx, siteId, found.key_id), secret: null };
  const actor = await findApprover(tx, memberId, found.deciding_key_id);
  if (actor === null) return null;
  const maintenance = await findMaintenance(tx, siteId);
  if (maintenance !== null) throw underMaintenance(maintenance);
  const created = await createKey(
    tx,
    actor,
    {
      siteId,
      memberId,
      name: found.client_name,
      kind: 'secret',
      scopes: found.scopes,
      heldByAgent: found.held_by_agent,
      expiresAt: null,
      deviceAuthorizationId: found.id,
    },
    now,
  );
  await tx.exec(
    statement`update device_authorizations set key_id = ${created.key.id} where id = ${found.id}`,
  );
  return created;
}

const approverRow = z.object({ email: z.string(), role: z.enum(roles), key_name: z.string().nullable() });

/** Who approved, locked as a member until the key is there; null where they may no longer create keys. */
async function findApprover(tx: Transaction, memberId: string, keyId: string | null): Promise<Actor | null> {
  const row = await tx.maybeOne(sql.type(approverRow)`
    select m.email, m.role, (select name from api_keys where id = ${keyId}) as key_name from members m
    where m.id = ${memberId} and m.removed_at is null for share of m`);
  if (row === null || !roleAllows(row.role, 'api_keys.manage')) return null;
  return keyId === null || row.key_name === null
    ? { kind: 'person', id: memberId, name: row.email }
    : { kind: 'key', id: keyId, name: row.key_name };
}
