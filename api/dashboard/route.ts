import type { Context } from 'koa';
import type { z } from 'zod';
import type { Actor } from '../../domain/audit/record.ts';
import type { Membership, Session } from '../../domain/sign-in/sessions.ts';
import type { Person } from '../../domain/sign-in/second-factor.ts';
import type { Ports } from '../ports.ts';
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

/** A request beside the API (docs/decisions/0112). */
export interface DashboardRoute<Body = unknown> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/dashboard/api`; `:name` is an id. */
  readonly path: string;
  readonly body?: z.ZodType<Body>;
  readonly handle: (asked: Asked<Body>) => Promise<Answered>;
}

export const dashboardRoute = <Body = undefined>(route: DashboardRoute<Body>): DashboardRoute =>
  route as DashboardRoute;

/** The person of a session as the actor of a change, as a member of one of their organisations. */
export const actorOf = (
  { session, requestId }: Pick<Asked<unknown>, 'session' | 'requestId'>,
  { memberId }: Pick<Membership, 'memberId'>,
): Actor => ({ kind: 'person', id: memberId, name: session.email, requestId });

/** The person of a session, who changes what is their own. */
export const personOf = ({ session, requestId }: Pick<Asked<unknown>, 'session' | 'requestId'>): Person => ({
  email: session.email,
  memberships: session.memberships,
  requestId,
});
