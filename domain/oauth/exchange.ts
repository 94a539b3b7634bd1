import type { Transaction } from '../../db/transaction.ts';
import { at, sql, statement } from '../../db/sql.ts';
import { mayManageKeys } from '../access/held-keys.ts';
import { handOutKey } from '../notifications/hand-out-key.ts';
import { accessEnd, endGrant, lockByCode, refreshEnd, refused } from './grant.ts';
import type { Grant, Refused } from './grant.ts';
import { generateToken, hashToken, isVerifierOf, writeRefreshToken } from './tokens.ts';

/** The request of a client with its code. */
export interface PresentedCode {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly verifier: string;
}

/** The tokens of a client, which can be read at this moment only. */
export interface Issued {
  /** The secret of an agent's key. */
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly scopes: readonly string[];
}

/** A request of a client to the token endpoint. */
export interface TokenRequest {
  readonly tx: Transaction;
  readonly requestId: string;
  readonly now: Date;
}

/**
 * Exchanges a code for a key, once. The second valid attempt says that the code has become known to somebody else, and
 * ends what came of the first. An attempt without the verifier changes nothing: whoever has only the code cannot end
 * the grant either.
 *
 * @throws ServiceError MAINTENANCE; CONFLICT if the Site has reached its limit of keys; nothing has changed then
 */
export async function exchangeCode(
  request: TokenRequest,
  presented: PresentedCode,
): Promise<Issued | Refused> {
  const { tx, now } = request;
  const grant = await lockByCode(tx, presented.code, now);
  if (grant === null)
    return refused('The code does not exist, has been used or has expired. Codes are valid for 60 seconds.');
  const problem = mismatch(grant, presented);
  if (problem !== null) return refused(problem);
  if (grant.key_id !== null) {
    await endGrant(request, grant);
    return refused('The code has been used before. What was issued for it has been revoked.');
  }
  if (!mayManageKeys(grant)) {
    await endGrant(request, grant);
    return refused('The person who gave access may no longer create keys.');
  }
  return issue(request, grant);
}

function mismatch(grant: Grant, { clientId, redirectUri, verifier }: PresentedCode): string | null {
  if (grant.client_id !== clientId) return 'The code was issued to another client.';
  if (grant.redirect_uri !== redirectUri) return 'redirect_uri: is not that of the authorization request.';
  if (!isVerifierOf(verifier, grant.code_challenge))
    return 'code_verifier: does not belong to the code_challenge.';
  return null;
}

async function issue({ tx, requestId, now }: TokenRequest, grant: Grant): Promise<Issued> {
  const { key, secret } = await handOutKey(
    { tx, actor: { kind: 'person', id: grant.member_id, name: grant.email, requestId }, now },
    {
      siteId: grant.site_id,
      memberId: grant.member_id,
      name: grant.client_name,
      kind: 'secret',
      scopes: grant.scopes,
      heldByAgent: true,
      draftsOnly: grant.drafts_only,
      expiresAt: accessEnd(now),
      oauthGrantId: grant.id,
    },
  );
  const refresh = { family: generateToken(), secret: generateToken() };
  await tx.exec(statement`
    update oauth_grants set key_id = ${key.id}, family_hash = ${sql.binary(hashToken(refresh.family))},
      refresh_hash = ${sql.binary(hashToken(refresh.secret))}, expires_at = ${at(refreshEnd(now))}
    where id = ${grant.id}`);
  return { accessToken: secret, refreshToken: writeRefreshToken(refresh), scopes: key.scopes };
}
