import type { Context } from 'koa';
import type { z } from 'zod';
import { roleAllows } from '../../../domain/access/permissions.ts';
import type { Permission } from '../../../domain/access/permissions.ts';
import type { Actor } from '../../../domain/audit/record.ts';
import { notFound, ServiceError } from '../../../domain/kernel/errors.ts';
import type { Membership, Session } from '../../../domain/sign-in/sessions.ts';
import type { Person } from '../../../domain/sign-in/second-factor.ts';
import { portsOf } from '../../framework/ports.ts';
import type { Ports } from '../../framework/ports.ts';
import type { Visit } from '../sign-in/page.ts';

/** A request of the dashboard beside the API, with its session. */
export interface Asked<Body> {
  readonly visit: Visit;
  readonly ports: Ports;
  readonly ctx: Context;
  readonly session: Session;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly requestId: string;
  readonly now: Date;
}

/** The answer: its data, if any, in the envelope of the API. */
export interface Answered {
  readonly status: 200 | 201 | 204;
  readonly data?: unknown;
}

/** A request beside the API (dashboard/README.md). */
export interface DashboardRoute<Body = unknown> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/dashboard/api`; `:name` is an id. */
  readonly path: string;
  readonly body?: z.ZodType<Body>;
  readonly handle: (asked: Asked<Body>) => Promise<Answered>;
}

/**
 * The membership through which a person has the Site in the path.
 *
 * @throws ServiceError NOT_FOUND if it is none of theirs
 */
export function requireMembership({
  session,
  params,
}: Pick<Asked<unknown>, 'session' | 'params'>): Membership {
  const found = session.memberships.find(({ sites }) => sites.some(({ id }) => id === params['site']));
  if (found === undefined) throw notFound('Site');
  return found;
}

/**
 * The Site in the path: through which membership a person has it, and the dependencies of its share.
 *
 * @throws ServiceError NOT_FOUND
 */
export function requireSite(asked: Pick<Asked<unknown>, 'ports' | 'session' | 'params'>) {
  const by = requireMembership(asked);
  const siteId = asked.params['site'] ?? '';
  return { by, siteId, ports: portsOf(asked.ports, { id: siteId, organisationId: by.organisationId }) };
}

/** @throws ServiceError FORBIDDEN if the role of a member does not include it */
export function requirePermission({ role }: Pick<Membership, 'role'>, permission: Permission): void {
  if (roleAllows(role, permission)) return;
  throw new ServiceError(
    'FORBIDDEN',
    `This needs the permission ${permission}, which your role does not have.`,
  );
}

export const dashboardRoute = <Body = undefined>(route: DashboardRoute<Body>): DashboardRoute =>
  route as DashboardRoute;

/** The person of a session as the actor of a change, as a member of one of their organisations. */
export const actorOf = (
  { session, requestId }: Pick<Asked<unknown>, 'session' | 'requestId'>,
  { memberId }: Pick<Membership, 'memberId'>,
): Actor => ({ kind: 'person', id: memberId, name: session.email, requestId });

/** The person of a session, who changes their own account. */
export const personOf = ({ session, requestId }: Pick<Asked<unknown>, 'session' | 'requestId'>): Person => ({
  email: session.email,
  memberships: session.memberships,
  requestId,
});
