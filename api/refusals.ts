import type { Authenticated, Identity } from '../domain/access/authenticate.ts';
import { roleAllows } from '../domain/access/permissions.ts';
import { ServiceError, underMaintenance } from '../domain/errors.ts';
import type { Operation } from './operation.ts';

/** Methods that maintenance refuses (decisions 1). */
const writes: ReadonlySet<string> = new Set(['POST', 'PATCH', 'DELETE']);

/** @throws ServiceError MAINTENANCE for a write while writes are paused */
export function refuseWhileMaintained({ maintenance }: Authenticated, method: string): void {
  if (maintenance === null || !writes.has(method)) return;
  throw underMaintenance(maintenance);
}

/** @throws ServiceError AGENT_ACCESS_DISABLED for an agent's key where the organisation has switched agents off */
export function refuseAgents({ caller }: Identity): void {
  if (!caller.heldByAgent || caller.agentAccess) return;
  throw new ServiceError('AGENT_ACCESS_DISABLED', 'This organisation has switched access by AI agents off.');
}

const insufficient = (message: string): ServiceError => new ServiceError('INSUFFICIENT_SCOPE', message);

/**
 * The caller's rights: kind of key, scope, and the creator's permissions as they are now (specification,
 * Authentication 2 and 3).
 *
 * @throws ServiceError INSUFFICIENT_SCOPE
 */
export function refuseWithoutRights(
  { caller }: Identity,
  { access }: Operation,
  query: URLSearchParams,
): void {
  if (caller.kind === 'publishable' && !access.publishable) {
    throw insufficient('A publishable key may not call this operation. Use a secret key, from a server.');
  }
  if (access.scope !== null && !caller.scopes.includes(access.scope)) {
    throw insufficient(`This operation needs the scope ${access.scope}, which the key does not carry.`);
  }
  if (access.withoutMembership !== true && caller.role === null) {
    throw insufficient('The person who made this key is no longer a member of the organisation.');
  }
  if (access.permission !== null && (caller.role === null || !roleAllows(caller.role, access.permission))) {
    throw new ServiceError(
      access.withoutPermission ?? 'INSUFFICIENT_SCOPE',
      `The person who made this key does not have the permission ${access.permission}.`,
    );
  }
  const refusal = access.refuse?.(caller, query);
  if (refusal) throw refusal;
}
