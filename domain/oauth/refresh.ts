import { at, sql, statement } from '../../db/sql.ts';
import { getHeldKey, mayManageKeys } from '../access/held-keys.ts';
import type { HeldKey } from '../access/held-keys.ts';
import { renewKey } from '../access/renew-key.ts';
import type { Scope } from '../access/scopes.ts';
import type { Issued, TokenRequest } from './exchange.ts';
import { answeredBefore, sealAnswer } from './answered-before.ts';
import { accessEnd, endGrant, lockByFamily, refreshEnd, refused } from './grant.ts';
import type { Grant, Refused } from './grant.ts';
import { generateToken, hashToken, isHashOf, readRefreshToken, writeRefreshToken } from './tokens.ts';
import type { RefreshToken } from './tokens.ts';

/** The request of a client to go on. */
export interface PresentedRefresh {
  readonly refreshToken: string;
  readonly clientId: string;
  /** null for all that were granted. */
  readonly scopes: readonly Scope[] | null;
}

/**
 * Gives the key of a grant a new secret and another hour, and the client a new refresh token. The token that was
 * replaced last gets the same answer again for 30 seconds (domain/oauth/README.md). Any older one says that two parties
 * hold the grant, and ends it with its key (RFC 9700, 4.14.2).
 *
 * @throws ServiceError MAINTENANCE; CONFLICT if the Site has reached its limit of keys; nothing has changed then
 */
export async function refreshAccess(
  request: TokenRequest,
  presented: PresentedRefresh,
): Promise<Issued | Refused> {
  const { tx, now } = request;
  const token = readRefreshToken(presented.refreshToken);
  const grant = token && (await lockByFamily(tx, token.family, now));
  if (token === null || grant === null || grant.key_id === null || grant.refresh_hash === null)
    return refused('The refresh token does not exist, has been revoked or has expired.');
  if (grant.client_id !== presented.clientId)
    return refused('The refresh token was issued to another client.');
  const before = answeredBefore(grant, token.secret, now);
  if (before === null && !isHashOf(token.secret, grant.refresh_hash)) {
    await endGrant(request, grant);
    return refused('The refresh token has been used before. All tokens of this access have been revoked.');
  }
  const key = await getHeldKey(tx, grant.site_id, grant.key_id);
  if (key.revoked_at !== null || !mayManageKeys(key)) {
    await endGrant(request, grant);
    return refused('The key has been revoked, or the person who gave access may no longer create keys.');
  }
  if (before !== null) return before;
  const scopes = presented.scopes ?? grant.scopes;
  if (!scopes.every((scope) => grant.scopes.includes(scope)))
    return refused('scope: must not name a scope that was not granted.', 'invalid_scope');
  return renew(request, grant, token, key, scopes);
}

async function renew(
  { tx, requestId, now }: TokenRequest,
  grant: Grant,
  { family, secret: used }: RefreshToken,
  current: HeldKey,
  scopes: readonly Scope[],
): Promise<Issued> {
  const actor = { kind: 'key', id: current.id, name: current.name, requestId } as const;
  const site = { id: grant.site_id, organisationId: grant.organisation_id };
  const { secret, key } = await renewKey({ tx, site, actor, now }, current, {
    expiresAt: accessEnd(now),
    scopes,
  });
  const next = generateToken();
  const answer = {
    accessToken: secret,
    refreshToken: writeRefreshToken({ family, secret: next }),
    scopes: key.scopes,
  };
  await tx.exec(statement`
    update oauth_grants set refresh_hash = ${sql.binary(hashToken(next))}, expires_at = ${at(refreshEnd(now))},
      replaced_hash = refresh_hash, replaced_at = ${at(now)}, sealed_answer = ${sql.binary(sealAnswer(grant, used, answer))}
    where id = ${grant.id}`);
  return answer;
}
