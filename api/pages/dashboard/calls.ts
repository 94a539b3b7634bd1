import type { Context, Middleware, Next } from 'koa';
import { LRUCache } from 'lru-cache';
import { requireRecentProof } from '../../../domain/sign-in/proof.ts';
import { noteUse } from '../../../domain/sign-in/sessions.ts';
import { BASE_PATH } from '../../http/base-path.ts';
import type { Ports } from '../../framework/ports.ts';
import { requireOwnPage } from './own-requests.ts';
import { isAttended } from '../sign-in/browser.ts';
import { readSiteCookie } from './site-cookie.ts';

const call = new RegExp(`^/dashboard/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(${BASE_PATH}/.*)$`, 's');

/** Whatever makes keys, hands out their secrets or decides for agents takes the password again: the page may be unattended. */
const takesProof = new RegExp(
  `^${BASE_PATH}/(?:keys|keys/[^/]+/rotate|approvals/[^/]+/(?:approve|deny)|auth/device/approve)$`,
);

/** A session's use is recorded once in this time, as a key's is. */
const NOTED_EVERY_MS = 60_000;
const SESSIONS = 10_000;

/** The Site and the path of a call of the API from the dashboard; null for another path. */
export function callOf(path: string): { readonly siteId: string; readonly path: string } | null {
  const [, siteId, rest] = call.exec(path) ?? [];
  return siteId === undefined || rest === undefined ? null : { siteId, path: rest };
}

/**
 * Answers calls of the API from the dashboard, `/dashboard/<site_id>/v1/…`: with the key in the Site's cookie instead of
 * an Authorization header, and in every other respect like any request (dashboard/README.md).
 *
 * @param answer answers requests of the API
 */
export function createCalls(ports: Ports, answer: Middleware) {
  const noted = new LRUCache<string, number>({ max: SESSIONS });
  return async (ctx: Context, next: Next, called: { readonly siteId: string; readonly path: string }) => {
    ctx.state.measuredAs = 'dashboard';
    requireOwnPage(ports, ctx);
    const access = readSiteCookie(ports, ctx, called.siteId);
    delete ctx.req.headers.authorization;
    if (access !== null) ctx.req.headers.authorization = `Bearer ${access.secret}`;
    ctx.path = called.path;
    if (access !== null && ctx.method === 'POST' && takesProof.test(called.path))
      await requireRecentProof(ports.db, access.sessionId, ports.clock.now());
    try {
      await answer(ctx, next);
    } finally {
      if (access !== null && ctx.state.auth !== undefined && isAttended(ctx))
        await note(ports, noted, access.sessionId);
    }
  };
}

/** Records the use of a session. A failure is of no consequence: the next call records it. */
async function note({ db, clock }: Ports, noted: LRUCache<string, number>, sessionId: string): Promise<void> {
  const now = clock.now();
  if (now.getTime() - (noted.get(sessionId) ?? 0) < NOTED_EVERY_MS) return;
  noted.set(sessionId, now.getTime());
  await noteUse(db, sessionId, now).catch(() => noted.delete(sessionId));
}
