import { endOwnSessions, listOwnSessions } from '../../../domain/sign-in/own-sessions.ts';
import type { OwnSession } from '../../../domain/sign-in/own-sessions.ts';
import { endOf } from '../../../domain/sign-in/sessions.ts';
import { notFound } from '../../../domain/kernel/errors.ts';
import { dashboardRoute, personOf } from './route.ts';

const presentSession = (session: OwnSession, current: string) => ({
  id: session.id,
  created_at: session.created_at.toISOString(),
  last_used_at: session.last_used_at.toISOString(),
  ends_at: endOf(session).toISOString(),
  browser: session.browser,
  current: session.id === current,
});

const list = dashboardRoute({
  method: 'GET',
  path: '/sessions',
  async handle({ ports, session, now }) {
    const sessions = await listOwnSessions(ports.db, session, now);
    return { status: 200, data: { sessions: sessions.map((each) => presentSession(each, session.id)) } };
  },
});

const end = dashboardRoute({
  method: 'DELETE',
  path: '/sessions/:id',
  async handle(asked) {
    const { ports, params, now } = asked;
    const only = params['id'] ?? '';
    const ended = await ports.db.transaction((tx) => endOwnSessions(tx, personOf(asked), { only }, now));
    if (ended === 0) throw notFound('session');
    return { status: 204 };
  },
});

const endOthers = dashboardRoute({
  method: 'POST',
  path: '/sessions/end-others',
  async handle(asked) {
    const { ports, session, now } = asked;
    await ports.db.transaction((tx) => endOwnSessions(tx, personOf(asked), { except: session.id }, now));
    return { status: 204 };
  },
});

export const sessionRoutes = [list, end, endOthers];
