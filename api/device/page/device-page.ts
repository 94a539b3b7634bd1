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
import { proveCredentials } from '../../../domain/sign-in/passwords.ts';
import {
  createSession,
  endSession,
  findSession,
  generateSessionToken,
} from '../../../domain/sign-in/sessions.ts';
import type { Session } from '../../../domain/sign-in/sessions.ts';
import { findMaintenance } from '../../../domain/sites.ts';
import type { ErrorPage } from '../../envelope.ts';
import type { Ports } from '../../ports.ts';
import { countClient } from '../../rate-limit.ts';
import { formTokenOf, readForm, readToken, writeToken } from './browser.ts';
import { codeView, confirmView, messageView, outcomeView, signInView } from './views.ts';
import type { SiteChoice, Visitor } from './views.ts';

const style = readFileSync(new URL('style.css', import.meta.url), 'utf8');

const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** One request to the page: who sent it, and what it needs to be answered. */
interface Visit {
  readonly ports: Ports;
  readonly ctx: Context;
  readonly now: Date;
  /** What the browser's cookie holds. */
  readonly token: string | null;
  readonly session: Session | null;
}

/**
 * The verification page of device sign-in, `{origin}/device`: a person signs in with e-mail and password, sees who asks
 * for what, and approves or denies (decisions 11). Made on the server, without a script.
 */
export function devicePage(ports: Ports): Middleware {
  return async (ctx, next) => {
    if (ctx.path === '/device/style.css' && (ctx.method === 'GET' || ctx.method === 'HEAD')) {
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
    throw invalidRequest('This page does not take the method; it takes GET, HEAD, POST.', {
      status: 405,
      headers: { Allow: 'GET, HEAD, POST' },
    });
  };
}

function setHeaders(ctx: Context): void {
  ctx.set('Content-Security-Policy', contentSecurityPolicy);
  // Not no-referrer, with which a browser would not name the origin of the page's own forms.
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

/** To where the person was: relative, as a proxy may have put the service below a path. */
function goOn(ctx: Context, typed: string): void {
  ctx.set('Location', typed === '' ? 'device' : `device?user_code=${encodeURIComponent(typed)}`);
  ctx.status = 303;
}

/** Gives a browser that has no token one, so that its forms can be tied to it. */
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

/** @param problem what was wrong with the decision sent before */
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
    throw conflict(`This sign-in has been ${asked.decision} already. The device can begin a new one.`);
  }
  const values = { asked, userCode: readUserCode(typed) ?? typed, sites: sitesOf(session) };
  if (problem === undefined) return answer(ctx, confirmView(visitor, values));
  answer(ctx, confirmView(visitor, { ...values, problem }), 422);
}

const noSuchCode =
  'There is no such code. Compare it with the device; codes are good for 15 minutes, and the device can show a new one.';

async function submit(visit: Visit): Promise<void> {
  const { ports, ctx, token, session } = visit;
  const form = await readForm(ports, ctx, token);
  const action = form.get('do');
  if (action === 'sign-in') return await signIn(visit, form);
  if (token !== null && action === 'sign-out') {
    await endSession(ports.db, token);
    writeToken(ports, ctx, null);
    return goOn(ctx, '');
  }
  if (action !== 'approve' && action !== 'deny') throw invalidRequest('The form does not say what to do.');
  // The session has ended since the form was shown.
  if (session === null) return goOn(ctx, form.get('user_code') ?? '');
  await decide(visit, session, form, action === 'approve' ? 'approved' : 'denied');
}

async function signIn(visit: Visit, form: URLSearchParams): Promise<void> {
  const { ports, ctx, now, token } = visit;
  const email = (form.get('email') ?? '').trim().slice(0, 254);
  const password = (form.get('password') ?? '').slice(0, 2_000);
  await countSignIn(ports.db, ports.clientAddress(ctx.req), email, now);
  const proven = await proveCredentials(ports.db, email, password);
  const session = await ports.db.transaction((tx) => createSession(tx, proven, now));
  if (session === null) {
    const problem = 'The e-mail address or the password is wrong.';
    const values = { forCode: typedCode(visit) !== '', email, problem };
    return answer(ctx, signInView(visitorOf({ ...visit, session: null }), values), 422);
  }
  if (token !== null) await endSession(ports.db, token);
  // A token of its own: whoever knew the one before does not know this one.
  writeToken(ports, ctx, session);
  goOn(ctx, typedCode(visit));
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
  if (site === undefined)
    return showRequest(visit, session, visitor, typed, 'Choose the Site that the key is for.');
  const { memberId } = site;
  const asked = await ports.db.transaction(async (tx) => {
    const maintenance = await findMaintenance(tx, site.id);
    if (maintenance !== null) throw underMaintenance(maintenance);
    const found = await findTyped(tx, ports, session, typed, now);
    if (found === null) return null;
    const actor = { kind: 'person', id: memberId, name: session.email } as const;
    await decideDeviceSignIn(tx, found, decision, { actor, memberId, site, key: null }, now);
    return found;
  });
  if (asked === null) return answer(ctx, codeView(visitor, { typed, problem: noSuchCode }), 404);
  answer(ctx, outcomeView(visitor, { decision, clientName: asked.client_name, site }));
}

/**
 * Finds what a person typed, as long as they have not typed too many wrong codes.
 *
 * @returns null for a wrong code; it has been counted, which must be committed
 * @throws ServiceError RATE_LIMIT_EXCEEDED
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

/** The one of a session's members under whom its wrong codes are counted. */
function countedMember({ memberships: [first] }: Session): string {
  if (first === undefined) throw new Error('A session has no member');
  return first.memberId;
}

type OwnSite = SiteChoice & { readonly memberId: string; readonly organisationId: string };

/** @throws ServiceError FORBIDDEN where the person can hand out keys for no Site */
function sitesOf({ memberships }: Session): readonly OwnSite[] {
  const sites = memberships
    .filter(({ role }) => roleAllows(role, 'api_keys.manage'))
    .flatMap(({ memberId, organisationId, organisationName, sites: all }) =>
      all.map((site) => ({ ...site, memberId, organisationId, organisationName })),
    );
  if (sites.length > 0) return sites;
  throw new ServiceError(
    'FORBIDDEN',
    'You cannot give a device a key: that takes an owner or admin of an organisation with a Site. Ask one of yours.',
  );
}
