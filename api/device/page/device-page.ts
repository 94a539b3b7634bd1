import { readFileSync } from 'node:fs';
import type { Context, Middleware } from 'koa';
import type { Transaction } from '../../../db/transaction.ts';
import { roleAllows } from '../../../domain/access/permissions.ts';
import type { DeviceAuthorization } from '../../../domain/device/authorization.ts';
import { decideDeviceSignIn, findByUserCode } from '../../../domain/device/decide.ts';
import type { Decision } from '../../../domain/device/decide.ts';
import { readUserCode } from '../../../domain/device/codes.ts';
import { conflict, invalidRequest, ServiceError, underMaintenance } from '../../../domain/errors.ts';
import { admitUserCode, countSignIn, countWrongUserCode } from '../../../domain/sign-in/attempts.ts';
import { recordFailedSignIn } from '../../../domain/sign-in/audit.ts';
import { proveCredentials } from '../../../domain/sign-in/passwords.ts';
import {
  createSession,
  endSession,
  findSession,
  generateSessionToken,
  signOut,
} from '../../../domain/sign-in/sessions.ts';
import type { Session } from '../../../domain/sign-in/sessions.ts';
import { findMaintenance } from '../../../domain/organisations/sites.ts';
import { clientGone } from '../../client-gone.ts';
import { requestIdOf } from '../../envelope.ts';
import type { ErrorPage } from '../../envelope.ts';
import type { CountKeylessAnswer } from '../../keyless-answers.ts';
import type { Ports } from '../../ports.ts';
import { countClient } from '../../rate-limit.ts';
import { formTokenOf, readForm, readToken, writeToken } from './browser.ts';
import { codeView, confirmView, messageView, outcomeView, signInView } from './views.ts';
import type { SiteChoice, Visitor } from './views.ts';

const style = readFileSync(new URL('style.css', import.meta.url), 'utf8');

const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** A request to the page, with its session. */
interface Visit {
  readonly ports: Ports;
  readonly ctx: Context;
  readonly now: Date;
  /** The token in the browser's cookie. */
  readonly token: string | null;
  readonly session: Session | null;
}

/**
 * The verification page of device sign-in, `{origin}/device`: a person signs in with e-mail and password, sees which
 * device requests which scopes, and approves or denies (docs/spec/rulings.md, 11). Rendered on the server, without
 * scripts.
 */
export function devicePage(ports: Ports, count: CountKeylessAnswer): Middleware {
  return async (ctx, next) => {
    if (ctx.path === '/device/style.css' && (ctx.method === 'GET' || ctx.method === 'HEAD')) {
      ctx.state.measuredAs = 'device page';
      count(ctx);
      ctx.type = 'text/css';
      ctx.body = style;
      return;
    }
    if (ctx.path !== '/device' || ctx.method === 'OPTIONS') return next();
    ctx.state.measuredAs = 'device page';
    setHeaders(ctx);
    const now = ports.clock.now();
    await countClient(ports, ctx, 'keyless', now);
    const token = readToken(ports, ctx);
    const session = token === null ? null : await findSession(ports.db, token, now);
    const visit = { ports, ctx, now, token, session };
    if (ctx.method === 'POST') return await submit(visit);
    if (ctx.method === 'GET' || ctx.method === 'HEAD') return await show(visit);
    throw invalidRequest('The method is not allowed on this page. Allowed: GET, HEAD, POST.', {
      status: 405,
      headers: { Allow: 'GET, HEAD, POST' },
    });
  };
}

function setHeaders(ctx: Context): void {
  ctx.set('Content-Security-Policy', contentSecurityPolicy);
  // With no-referrer, browsers would not send the origin of the page's own forms.
  ctx.set('Referrer-Policy', 'same-origin');
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.set('Cache-Control', 'no-store');
  const errorPage: ErrorPage = (error, requestId) =>
    messageView(null, { title: 'That did not work', text: error.message, detail: `Request ${requestId}` });
  ctx.state.errorPage = errorPage;
}

function answer(ctx: Context, page: string, status = 200): void {
  ctx.status = status;
  ctx.type = 'text/html';
  ctx.body = page;
}

/** Redirects back to the page. The location is relative because a proxy may serve it under a path. */
function redirectToPage(ctx: Context, typed: string): void {
  ctx.set('Location', typed === '' ? 'device' : `device?user_code=${encodeURIComponent(typed)}`);
  ctx.status = 303;
}

/** Gives the browser a token if it has none, so that forms can be tied to it. */
function visitorOf({ ports, ctx, token, session }: Visit): Visitor {
  const known = token ?? generateSessionToken();
  if (token === null) writeToken(ports, ctx, known);
  return { email: session?.email ?? null, formToken: formTokenOf(ports.box, known) };
}

const typedCode = ({ ctx }: Visit): string => new URLSearchParams(ctx.querystring).get('user_code') ?? '';

async function show(visit: Visit): Promise<void> {
  const { ctx, session } = visit;
  const typed = typedCode(visit);
  const visitor = visitorOf(visit);
  if (session === null) return answer(ctx, signInView(visitor, { forCode: typed !== '' }));
  if (typed === '') return answer(ctx, codeView(visitor));
  await showRequest(visit, session, visitor, typed);
}

/** @param problem the mistake in the submitted decision */
async function showRequest(
  { ports, ctx, now }: Visit,
  session: Session,
  visitor: Visitor,
  typed: string,
  problem?: string,
): Promise<void> {
  const asked = await ports.db.transaction((tx) => findTyped(tx, ports, session, typed, now));
  if (asked === null) return answer(ctx, codeView(visitor, { typed, problem: noSuchCode }), 404);
  if (asked.decision !== null) {
    throw conflict(`This sign-in has already been ${asked.decision}. The device can start a new one.`);
  }
  const values = { asked, userCode: readUserCode(typed) ?? typed, sites: sitesOf(session) };
  if (problem === undefined) return answer(ctx, confirmView(visitor, values));
  answer(ctx, confirmView(visitor, { ...values, problem }), 422);
}

const noSuchCode =
  'This code does not exist, or has expired. Compare it with the device. Codes are valid for 15 minutes, and the device can show a new one.';

async function submit(visit: Visit): Promise<void> {
  const { ports, ctx, now, token, session } = visit;
  const form = await readForm(ports, ctx, token);
  const action = form.get('do');
  if (action === 'sign-in') return await signIn(visit, form);
  if (token !== null && action === 'sign-out') {
    if (session !== null)
      await ports.db.transaction((tx) => signOut(tx, token, session, requestIdOf(ctx), now));
    writeToken(ports, ctx, null);
    return redirectToPage(ctx, '');
  }
  if (action !== 'approve' && action !== 'deny') throw invalidRequest('The form does not say what to do.');
  // The session has ended since the form was shown.
  if (session === null) return redirectToPage(ctx, form.get('user_code') ?? '');
  await decide(visit, session, form, action === 'approve' ? 'approved' : 'denied');
}

async function signIn(visit: Visit, form: URLSearchParams): Promise<void> {
  const { ports, ctx, now, token } = visit;
  const email = (form.get('email') ?? '').trim().slice(0, 254);
  const password = (form.get('password') ?? '').slice(0, 2_000);
  const clientAddress = ports.clientAddress(ctx.req);
  await countSignIn(ports.db, clientAddress, email, now);
  const proven = await proveCredentials(ports.db, { email, password, clientAddress }, clientGone(ctx));
  const session = await ports.db.transaction((tx) => createSession(tx, proven, requestIdOf(ctx), now));
  if (session === null) {
    await ports.db.transaction((tx) => recordFailedSignIn(tx, email, requestIdOf(ctx), now));
    const problem = 'The e-mail address or password is wrong.';
    const values = { forCode: typedCode(visit) !== '', email, problem };
    return answer(ctx, signInView(visitorOf({ ...visit, session: null }), values), 422);
  }
  if (token !== null) await endSession(ports.db, token);
  // A new token: anyone who knew the old one does not know the session's (session fixation).
  writeToken(ports, ctx, session);
  redirectToPage(ctx, typedCode(visit));
}

async function decide(
  visit: Visit,
  session: Session,
  form: URLSearchParams,
  decision: Decision,
): Promise<void> {
  const { ports, ctx, now } = visit;
  const visitor = visitorOf(visit);
  const typed = form.get('user_code') ?? '';
  const sites = sitesOf(session);
  const site =
    sites.find(({ id }) => id === form.get('site_id')) ?? (decision === 'denied' ? sites[0] : undefined);
  if (site === undefined) return showRequest(visit, session, visitor, typed, 'Choose the Site for the key.');
  const { memberId } = site;
  const asked = await ports.db.transaction(async (tx) => {
    const maintenance = await findMaintenance(tx, site.id);
    if (maintenance !== null) throw underMaintenance(maintenance);
    const found = await findTyped(tx, ports, session, typed, now);
    if (found === null) return null;
    const actor = {
      kind: 'person',
      id: memberId,
      name: session.email,
      requestId: requestIdOf(ctx),
    } as const;
    await decideDeviceSignIn(tx, found, decision, { actor, memberId, site, key: null }, now);
    return found;
  });
  if (asked === null) return answer(ctx, codeView(visitor, { typed, problem: noSuchCode }), 404);
  answer(ctx, outcomeView(visitor, { decision, clientName: asked.client_name, site }));
}

/**
 * Finds the sign-in by the code that a person entered.
 *
 * @returns null for a wrong code; the caller must commit, so that the wrong code is counted
 * @throws ServiceError RATE_LIMIT_EXCEEDED after too many wrong codes
 */
async function findTyped(
  tx: Transaction,
  { box }: Ports,
  session: Session,
  typed: string,
  now: Date,
): Promise<DeviceAuthorization | null> {
  const memberId = countedMember(session);
  await admitUserCode(tx, memberId, now);
  const found = await findByUserCode(tx, box, typed, now);
  if (found === null) await countWrongUserCode(tx, memberId);
  return found;
}

/** The member of a session under which wrong codes are counted. */
function countedMember({ memberships: [first] }: Session): string {
  if (first === undefined) throw new Error('A session has no member');
  return first.memberId;
}

type OwnSite = SiteChoice & { readonly memberId: string; readonly organisationId: string };

/** @throws ServiceError FORBIDDEN if there is no Site for which the person may create keys */
function sitesOf({ memberships }: Session): readonly OwnSite[] {
  const sites = memberships
    .filter(({ role }) => roleAllows(role, 'api_keys.manage'))
    .flatMap(({ memberId, organisationId, organisationName, sites: all }) =>
      all.map((site) => ({ ...site, memberId, organisationId, organisationName })),
    );
  if (sites.length > 0) return sites;
  throw new ServiceError(
    'FORBIDDEN',
    'You cannot give a device a key. Ask an owner or admin of your organisation to approve it.',
  );
}
