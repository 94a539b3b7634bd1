import { at, sql, statement } from '../../db/sql.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { conflict } from '../kernel/errors.ts';
import { requireRoomForGrace, signalKeyRotation } from './key-graces.ts';
import { displayPrefix, generateSecret, hashSecret } from './key-secret.ts';
import { keyColumns, keyRow } from './key.ts';
import type { ApiKey } from './key.ts';
import type { KeyWithSecret } from './keys.ts';

/**
 * Gives a key a new secret. The replaced secret stays valid for the grace; 0 means no grace. A grace that still runs
 * from an earlier rotation may be shortened to this one, but is never lengthened (docs/spec/rulings.md, 2).
 *
 * @param current the key, locked by this transaction
 * @throws ServiceError CONFLICT for a revoked or expired key, one of the dashboard, and one with too many graces
 */
export async function rotateKey(
  change: Change,
  current: ApiKey,
  graceSeconds: number,
): Promise<KeyWithSecret> {
  const { tx, now } = change;
  if (current.session_id !== null) {
    throw conflict('This is the key of a person’s dashboard, which cannot be rotated. Revoke it instead.');
  }
  if (current.revoked_at !== null) throw conflict('This key has been revoked. Create a new one.');
  if (current.expires_at !== null && current.expires_at <= now) {
    throw conflict('This key has expired. Create a new one.');
  }
  if (graceSeconds > 0) await requireRoomForGrace(change, current.id);
  const rotation = current.rotations + 1;
  const end = new Date(now.getTime() + graceSeconds * 1_000);
  const shortened = await shortenGraces(change, current.id, end);
  await tx.exec(statement`
    update api_key_secrets
    set rotation = ${rotation}, valid_until = ${at(end)}, retired_at = ${graceSeconds === 0 ? at(now) : null}
    where key_id = ${current.id} and rotation is null`);
  if (graceSeconds > 0 || shortened > 0) signalKeyRotation(change, current.id);

  const secret = generateSecret(current.kind);
  await tx.exec(statement`
    insert into api_key_secrets (hash, key_id, created_at)
    values (${sql.binary(hashSecret(secret))}, ${current.id}, ${at(now)})`);
  const key = await tx.one(sql.type(keyRow)`
    update api_keys k set key_prefix = ${displayPrefix(secret)}, rotations = ${rotation}, version = k.version + 1
    where k.id = ${current.id} returning ${keyColumns}`);
  const details = { rotation, grace_seconds: graceSeconds };
  recordChange(change, 'key.rotate', { type: 'key', id: key.id }, details);
  return { key, secret };
}

/** Shortens the graces of earlier rotations that would outlast this one. @returns how many */
const shortenGraces = ({ tx }: Change, keyId: string, end: Date): Promise<number> =>
  tx.exec(statement`
    update api_key_secrets set valid_until = ${at(end)}
    where key_id = ${keyId} and retired_at is null and valid_until > ${at(end)}`);
