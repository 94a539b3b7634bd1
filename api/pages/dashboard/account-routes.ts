import type { Membership, Session } from '../../../domain/sign-in/sessions.ts';
import { isKeyOf, openSite } from '../../../domain/sign-in/dashboard-keys.ts';
import { listNotices } from '../../../domain/sign-in/notices.ts';
import type { Notice } from '../../../domain/sign-in/notices.ts';
import { findSecondFactor } from '../../../domain/sign-in/second-factor.ts';
import type { SecondFactor } from '../../../domain/sign-in/second-factor.ts';
import { countClient } from '../../framework/rate-limit.ts';
import { endVisit } from '../sign-in/end-visit.ts';
import { actorOf, dashboardRoute, requireSite } from './route.ts';
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
  notices: readonly Notice[],
  mails: boolean,
) => ({
  email,
  mails,
  two_factor: { enabled, recovery_codes_left: left },
  session: { id, created_at: createdAt.toISOString(), ends_at: endsAt.toISOString() },
  memberships: memberships.map(presentMembership),
  notices: notices.map(({ id: notice, at, action, actor_name: by }) => ({
    id: notice,
    at: at.toISOString(),
    action,
    by,
  })),
});

const account = dashboardRoute({
  method: 'GET',
  path: '/account',
  async handle({ ports, session, now }) {
    const [factor, notices] = await Promise.all([
      findSecondFactor(ports.db, session.memberships),
      listNotices(ports.db, session, now),
    ]);
    return { status: 200, data: { account: presentAccount(session, factor, notices, ports.mails) } };
  },
});

const open = dashboardRoute({
  method: 'POST',
  path: '/sites/:site/open',
  async handle(asked) {
    const { ctx, session, now } = asked;
    const { by: membership, siteId, ports } = requireSite(asked);
    const held = readSiteCookie(ports, ctx, siteId);
    const opening = {
      session,
      memberId: membership.memberId,
      siteId,
    };
    if (held !== null && (await isKeyOf(ports.db, opening, held.secret, now))) return { status: 204 };
    // Whatever cookie came, a key is made.
    await countClient(ports, ctx, 'auth', now);
    const actor = actorOf(asked, membership);
    const secret = await ports.db.transaction((tx) => openSite({ tx, actor, now }, opening));
    if (secret === null) throw notSignedIn();
    writeSiteCookie(ports, ctx, siteId, { sessionId: session.id, secret });
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
