import type { Membership, Session } from '../../domain/sign-in/sessions.ts';
import { openSite } from '../../domain/sign-in/dashboard-keys.ts';
import { findSecondFactor } from '../../domain/sign-in/second-factor.ts';
import type { SecondFactor } from '../../domain/sign-in/second-factor.ts';
import { countClient } from '../rate-limit.ts';
import { endVisit } from '../sign-in/end-visit.ts';
import { actorOf, dashboardRoute, requireMembership } from './route.ts';
import { notSignedIn } from './refusals.ts';
import { readSiteCookie, writeSiteCookie } from './site-cookie.ts';

const presentMembership = ({ memberId, role, organisationId, organisationName, sites }: Membership) => ({
  member_id: memberId,
  role,
  organisation: { id: organisationId, name: organisationName },
  sites,
});

const presentAccount = (
  { id, email, createdAt, endsAt, memberships }: Session,
  { enabled, left }: SecondFactor,
) => ({
  email,
  two_factor: { enabled, recovery_codes_left: left },
  session: { id, created_at: createdAt.toISOString(), ends_at: endsAt.toISOString() },
  memberships: memberships.map(presentMembership),
});

const account = dashboardRoute({
  method: 'GET',
  path: '/account',
  async handle({ ports, session }) {
    const factor = await findSecondFactor(ports.db, session.memberships);
    return { status: 200, data: { account: presentAccount(session, factor) } };
  },
});

const open = dashboardRoute({
  method: 'POST',
  path: '/sites/:site/open',
  async handle(asked) {
    const { ports, ctx, session, params, now } = asked;
    const siteId = params['site'] ?? '';
    const membership = requireMembership(asked);
    const held = readSiteCookie(ports, ctx, siteId);
    // Opening is rare, and makes keys.
    if (held === null) await countClient(ports, ctx, 'auth', now);
    const opening = {
      session,
      memberId: membership.memberId,
      siteId,
    };
    const actor = actorOf(asked, membership);
    const opened = await ports.db.transaction((tx) =>
      openSite({ tx, actor, now }, opening, held?.secret ?? null),
    );
    if (opened === 'ended') throw notSignedIn();
    if (opened !== 'kept')
      writeSiteCookie(ports, ctx, siteId, { sessionId: session.id, secret: opened.secret });
    return { status: 204 };
  },
});

const signOut = dashboardRoute({
  method: 'POST',
  path: '/sign-out',
  async handle({ visit }) {
    await endVisit(visit);
    return { status: 204 };
  },
});

export const accountRoutes = [account, open, signOut];
