import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { array, sql } from '../../db/sql.ts';
import { notFound, ServiceError } from '../kernel/errors.ts';
import { keyColumns, keyRow } from './key.ts';
import type { ApiKey } from './key.ts';
import { roleAllows, roles } from './permissions.ts';
import { roleCoversScope } from './scopes.ts';
import type { Scope } from './scopes.ts';

const heldKeyRow = keyRow.extend({ role: z.enum(roles).nullable(), email: z.string() });

/** A key and the person who made it, as both are now; `role` is null after the person was removed. */
export type HeldKey = z.infer<typeof heldKeyRow>;

const idRow = z.object({ id: z.string() });

/**
 * Reads keys of a Site and their people, and locks them until the transaction ends, so that decisions about their
 * rights stay valid until then. People are locked before keys, each in the order of ids, so that concurrent calls never
 * deadlock.
 */
export async function lockHeldKeys(
  tx: Transaction,
  siteId: string,
  ids: readonly string[],
): Promise<readonly HeldKey[]> {
  const wanted = sql.fragment`k.id = any(${array([...ids], 'uuid')}) and k.site_id = ${siteId}`;
  await tx.any(sql.type(idRow)`
    select m.id from members m where m.id = any(array(select k.member_id from api_keys k where ${wanted}))
    order by m.id for share`);
  return tx.any(sql.type(heldKeyRow)`
    select ${keyColumns}, case when m.removed_at is null then m.role end as role, m.email
    from api_keys k join members m on m.id = k.member_id where ${wanted} order by k.id for no key update of k`);
}

/** Locks one key with its person. @throws ServiceError NOT_FOUND */
export async function getHeldKey(tx: Transaction, siteId: string, id: string): Promise<HeldKey> {
  const [key] = await lockHeldKeys(tx, siteId, [id]);
  if (key === undefined) throw notFound('key');
  return key;
}

/**
 * Locks the calling key, which is about to hand out authority of its own.
 *
 * @throws ServiceError as {@link refuseEnded} does
 */
export async function lockCallingKey(
  tx: Transaction,
  siteId: string,
  keyId: string,
  now: Date,
): Promise<HeldKey> {
  const [calling] = await lockHeldKeys(tx, siteId, [keyId]);
  return refuseEnded(calling, now);
}

/**
 * Returns the calling key, if it and its person still have the rights with which the request was authorized.
 *
 * @throws ServiceError API_KEY_REVOKED, API_KEY_EXPIRED or INSUFFICIENT_SCOPE if they have lost them since
 */
export function refuseEnded(calling: HeldKey | undefined, now: Date): HeldKey {
  if (calling === undefined || calling.revoked_at !== null) {
    throw new ServiceError('API_KEY_REVOKED', 'This key has just been revoked.');
  }
  if (hasEnded(calling, now)) throw new ServiceError('API_KEY_EXPIRED', 'This key has just expired.');
  if (!mayManageKeys(calling)) {
    throw new ServiceError(
      'INSUFFICIENT_SCOPE',
      'The person who made this key no longer has the permission api_keys.manage.',
    );
  }
  return calling;
}

/** Whether a key has been revoked, or has expired. */
export const hasEnded = ({ revoked_at, expires_at }: ApiKey, now: Date): boolean =>
  revoked_at !== null || (expires_at !== null && expires_at <= now);

/** Whether a member may create keys and hand them out. */
export const mayManageKeys = ({ role }: Pick<HeldKey, 'role'>): boolean =>
  role !== null && roleAllows(role, 'api_keys.manage');

/** The scopes that a key can use: those it carries and its person's permissions cover. */
const usableScopes = ({ scopes, role }: HeldKey): readonly string[] =>
  role === null ? [] : scopes.filter((scope) => roleCoversScope(role, scope as Scope));

/**
 * Locks a key that the calling key is to rotate. The new secret gives its holder the key's authority, so a key may only
 * rotate itself and keys whose usable scopes it carries too; a key held by an agent may only rotate keys held by
 * agents, and one for drafts only keys for drafts.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN or INSUFFICIENT_SCOPE for a key with more authority; as {@link refuseEnded}
 *   does
 */
export async function getKeyForRotation(
  tx: Transaction,
  siteId: string,
  callingId: string,
  id: string,
  now: Date,
): Promise<HeldKey> {
  const locked = await lockHeldKeys(tx, siteId, [callingId, id]);
  const calling = refuseEnded(
    locked.find((key) => key.id === callingId),
    now,
  );
  const target = locked.find((key) => key.id === id);
  if (target === undefined) throw notFound('key');
  if (target.id === calling.id) return target;
  if (calling.held_by_agent && !target.held_by_agent) {
    throw new ServiceError(
      'FORBIDDEN',
      'This key is held by an agent and can only rotate keys that are held by agents too. Ask a person.',
    );
  }
  if (calling.drafts_only && !target.drafts_only) {
    throw new ServiceError(
      'INSUFFICIENT_SCOPE',
      'This key is for drafts only and can only rotate keys that are for drafts only too. Ask a person.',
    );
  }
  const missing = usableScopes(target).filter((scope) => !calling.scopes.includes(scope));
  if (missing.length > 0) {
    throw new ServiceError(
      'INSUFFICIENT_SCOPE',
      `A key can be rotated by itself, or by a key that carries every scope it can use. This key lacks ${missing.join(', ')}.`,
    );
  }
  return target;
}
