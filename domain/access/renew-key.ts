import { array, at, statement } from '../../db/sql.ts';
import type { Change } from '../audit/change.ts';
import { hasEnded } from './held-keys.ts';
import { requireRoomForKey } from './keys.ts';
import type { ApiKey } from './key.ts';
import type { KeyWithSecret } from './keys.ts';
import { rotateKey } from './rotate-key.ts';
import type { Scope } from './scopes.ts';

/**
 * Gives a key that expires a later end and a new secret; the replaced one is refused from now on. A key that has expired
 * counts again towards the Site's limit.
 *
 * @param current the key, locked by this transaction and not revoked
 * @throws ServiceError CONFLICT if the Site has reached its limit of keys
 */
export async function renewKey(
  change: Change,
  current: ApiKey,
  { expiresAt, scopes }: { readonly expiresAt: Date; readonly scopes: readonly Scope[] },
): Promise<KeyWithSecret> {
  const { tx, site, now } = change;
  if (hasEnded(current, now)) await requireRoomForKey(tx, site.id, now);
  await tx.exec(statement`
    update api_keys set expires_at = ${at(expiresAt)}, scopes = ${array([...scopes], 'text')} where id = ${current.id}`);
  return rotateKey(change, { ...current, expires_at: expiresAt }, 0);
}
