import type { Authenticated, Identity } from '../../domain/access/authenticate.ts';
import { roleAllows } from '../../domain/access/permissions.ts';
import { ServiceError, underMaintenance } from '../../domain/kernel/errors.ts';
import type { Operation } from './operation.ts';

/** Methods that write: those that are rejected during maintenance (docs/spec/rulings.md, 1). */
const writes: ReadonlySet<string> = new Set(['POST', 'PATCH', 'DELETE']);

/** @throws ServiceError MAINTENANCE for a write during maintenance */
export function requireNoMaintenance({ maintenance }: Authenticated, method: string): void {
  if (maintenance === null || !writes.has(method)) return;
  throw underMaintenance(maintenance);
}

/** @throws ServiceError AGENT_ACCESS_DISABLED for an agent's key if the organisation has disabled agent access */
export function requireAgentAccess({ caller }: Identity): void {
  if (!caller.heldByAgent || caller.agentAccess) return;
  throw new ServiceError(
    'AGENT_ACCESS_DISABLED',
    'This organisation has disabled access by AI agents. Its owner can allow it in the settings.',
  );
}

const insufficient = (message: string): ServiceError => new ServiceError('INSUFFICIENT_SCOPE', message);

/**
 * Checks the caller's rights: kind of key, scope, and the creator's current permissions
 * (docs/spec/service-api.md, Authentication, 2 and 3).
 *
 * @throws ServiceError INSUFFICIENT_SCOPE
 */
export function requireRights(
  { caller }: Identity,
  { access, method }: Operation,
  query: URLSearchParams,
): void {
  if (caller.kind === 'publishable' && !access.publishable) {
    throw insufficient('A publishable key cannot call this operation. Use a secret key on a server.');
  }
  if (access.scope !== null && !caller.scopes.includes(access.scope)) {
    throw insufficient(`This operation needs the scope ${access.scope}, which the key does not have.`);
  }
  if (access.withoutMembership !== true && caller.role === null) {
    throw insufficient('The person who created this key is no longer a member of the organisation.');
  }
  if (access.permission !== null && (caller.role === null || !roleAllows(caller.role, access.permission))) {
    throw new ServiceError(
      access.withoutPermission ?? 'INSUFFICIENT_SCOPE',
      `The person who created this key does not have the permission ${access.permission}.`,
    );
  }
  if (caller.draftsOnly && writes.has(method) && !access.forDrafts && !access.publishes) {
    throw insufficient('This key is for drafts only, and may not call this operation. Leave it to a person.');
  }
  const error = access.refuse?.(caller, query);
  if (error) throw error;
}
