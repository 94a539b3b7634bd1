import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { at, sql, statement } from '../../db/sql.ts';
import { getHeldKey, hasEnded, mayManageKeys } from '../access/held-keys.ts';
import { getKeyForUpdate } from '../access/keys.ts';
import { handOutKey } from '../notifications/hand-out-key.ts';
import type { ApiKey } from '../access/key.ts';
import { roles } from '../access/permissions.ts';
import type { Principal } from '../audit/record.ts';
import { underMaintenance } from '../kernel/errors.ts';
import { findMaintenance } from '../organisations/sites.ts';
import { lockByDeviceCode, POLL_INTERVAL_S } from './authorization.ts';
import type { DeviceAuthorization } from './authorization.ts';

/** The answer to a device's poll (RFC 8628, 3.5). */
export interface PollResult {
  readonly status: 'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token' | 'approved';
  /** Seconds to wait before the next poll. */
  readonly interval: number;
  /** For an approved sign-in; the secret is included the first time, and null afterwards. */
  readonly collected?: { readonly key: ApiKey; readonly secret: string | null };
}

/**
 * Answers a device's poll. The first poll after the approval creates the key, so that its secret is never stored. Polls
 * of one device run one after another, so that only one receives the secret.
 *
 * @throws ServiceError MAINTENANCE if the key's Site is under maintenance, CONFLICT if it has reached its limit of
 *   keys; nothing has changed then
 */
export async function pollDeviceSignIn(
  tx: Transaction,
  deviceCode: string,
  requestId: string,
  now: Date,
): Promise<PollResult> {
  const found = await lockByDeviceCode(tx, deviceCode, now);
  if (found === null) return { status: 'expired_token', interval: POLL_INTERVAL_S };
  if (found.decision === null) return await notePoll(tx, found, now);
  const interval = found.poll_interval;
  if (found.decision === 'denied') return { status: 'access_denied', interval };
  const collected = await collect(tx, found, requestId, now);
  return collected === null
    ? { status: 'access_denied', interval }
    : { status: 'approved', interval, collected };
}

/** A poll can only be too early while the sign-in is undecided; the first one never is. */
async function notePoll(tx: Transaction, found: DeviceAuthorization, now: Date): Promise<PollResult> {
  const { id, last_polled_at: last } = found;
  const tooEarly = last !== null && now.getTime() < last.getTime() + found.poll_interval * 1_000;
  const interval = found.poll_interval + (tooEarly ? POLL_INTERVAL_S : 0);
  await tx.exec(statement`
    update device_authorizations set poll_interval = ${interval}, last_polled_at = greatest(last_polled_at, ${at(now)})
    where id = ${id}`);
  return { status: tooEarly ? 'slow_down' : 'authorization_pending', interval };
}

/** @returns null if the person who approved may no longer create keys, their key has ended, or the Site is being deleted */
async function collect(
  tx: Transaction,
  found: DeviceAuthorization,
  requestId: string,
  now: Date,
): Promise<PollResult['collected'] | null> {
  const { site_id: siteId, member_id: memberId } = found;
  if (siteId === null || memberId === null) throw new Error('An approval names neither Site nor person');
  if (found.key_id !== null) return { key: await getKeyForUpdate(tx, siteId, found.key_id), secret: null };
  const approver = await findApprover(tx, siteId, memberId, found.deciding_key_id, now);
  if (approver === null) return null;
  const maintenance = await findMaintenance(tx, siteId);
  if (maintenance !== null) throw underMaintenance(maintenance);
  const created = await handOutKey(
    { tx, actor: { ...approver.principal, requestId }, now },
    {
      siteId,
      memberId,
      name: found.client_name,
      kind: 'secret',
      scopes: found.scopes,
      heldByAgent: found.held_by_agent,
      draftsOnly: found.drafts_only,
      expiresAt: approver.expiresAt,
      deviceAuthorizationId: found.id,
    },
  );
  await tx.exec(
    statement`update device_authorizations set key_id = ${created.key.id} where id = ${found.id}`,
  );
  return created;
}

const siteRow = z.object({ id: z.string() });
const memberRow = z.object({ email: z.string(), role: z.enum(roles) });

/** Who approved: the person, or a key of theirs, which the new key must not outlive. */
interface Approver {
  readonly principal: Principal;
  readonly expiresAt: Date | null;
}

/** The approver, locked until the key is created; null as for `collect`. */
async function findApprover(
  tx: Transaction,
  siteId: string,
  memberId: string,
  keyId: string | null,
  now: Date,
): Promise<Approver | null> {
  const site = await tx.maybeOne(sql.type(siteRow)`
    select id from sites where id = ${siteId} and deleting_since is null`);
  if (site === null) return null;
  if (keyId !== null) {
    const key = await getHeldKey(tx, siteId, keyId);
    if (hasEnded(key, now) || !mayManageKeys(key)) return null;
    // In the dashboard it is the person who approves: the new key does not end with their session.
    const expiresAt = key.session_id === null ? key.expires_at : null;
    return { principal: { kind: 'key', id: keyId, name: key.name }, expiresAt };
  }
  const person = await tx.maybeOne(sql.type(memberRow)`
    select email, role from members where id = ${memberId} and removed_at is null for share`);
  if (person === null || !mayManageKeys(person)) return null;
  return { principal: { kind: 'person', id: memberId, name: person.email }, expiresAt: null };
}
