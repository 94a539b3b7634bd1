import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { sql } from '../../db/sql.ts';
import { hashWellFormed } from '../access/key-secret.ts';
import type { TokenRequest } from './exchange.ts';
import { endGrant, lockByFamily, lockByKey, refused } from './grant.ts';
import type { Grant, Refused } from './grant.ts';
import { readRefreshToken } from './tokens.ts';

/**
 * Ends the grant that a token belongs to, whichever token of it that is. An unknown token is revoked already
 * (RFC 7009, 2.2).
 *
 * @throws ServiceError MAINTENANCE
 */
export async function revokeToken(
  request: TokenRequest,
  token: string,
  clientId: string,
): Promise<Refused | null> {
  const grant = await findGrant(request.tx, token, request.now);
  if (grant === null) return null;
  if (grant.client_id !== clientId) return refused('The token was issued to another client.');
  await endGrant(request, grant);
  return null;
}

const keyRow = z.object({ key_id: z.string() });

async function findGrant(tx: Transaction, token: string, now: Date): Promise<Grant | null> {
  const refresh = readRefreshToken(token);
  if (refresh !== null) return lockByFamily(tx, refresh.family, now);
  const hash = hashWellFormed(token);
  const secret =
    hash &&
    (await tx.maybeOne(
      sql.type(keyRow)`select key_id from api_key_secrets where hash = ${sql.binary(hash)}`,
    ));
  return secret && lockByKey(tx, secret.key_id, now);
}
