import type { Context } from 'koa';
import { findSession } from '../../../domain/sign-in/sessions.ts';
import type { Session } from '../../../domain/sign-in/sessions.ts';
import { generateToken } from '../../../domain/sign-in/tokens.ts';
import { invalidRequest } from '../../../domain/kernel/errors.ts';
import type { SignInRequest } from '../../../domain/sign-in/sign-in.ts';
import { requestIdOf } from '../../framework/envelope.ts';
import type { ErrorPage } from '../../framework/envelope.ts';
import type { Ports } from '../../framework/ports.ts';
import { countClient } from '../../framework/rate-limit.ts';
import { formTokenOf, isAttended, readToken, writeToken } from './browser.ts';
import { knownDevice } from './device.ts';
import { languageOf } from './language.ts';
import type { Language } from './language.ts';
import type { Visitor } from './layout.ts';
import { nextPath } from './next-path.ts';
import { errorView } from './views.ts';

/** A request to a page that is rendered here, with its session. */
export interface Visit {
  readonly ports: Ports;
  readonly ctx: Context;
  readonly now: Date;
  /** The token in the browser's cookie. */
  readonly token: string | null;
  readonly session: Session | null;
}

const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Headers of a page with a form, and how it shows errors. */
export function setPageHeaders(ctx: Context, errorPage: ErrorPage): void {
  ctx.set('Content-Security-Policy', contentSecurityPolicy);
  // With no-referrer, browsers would not send the origin of the page's own forms.
  ctx.set('Referrer-Policy', 'same-origin');
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.set('Cache-Control', 'no-store');
  ctx.state.errorPage = errorPage;
}

/** How the pages for signing in show an error. @param root the way from the page to the root */
export const errorPageIn =
  (language: Language, root = ''): ErrorPage =>
  ({ code, message }, requestId) =>
    errorView(language, { code, message, requestId }, root);

/** Begins a visit: sets the headers, counts the client, and finds the session. */
export async function beginVisit(ports: Ports, ctx: Context, root = ''): Promise<Visit> {
  setPageHeaders(ctx, errorPageIn(languageOf(ctx), root));
  return await visit(ports, ctx);
}

/** Counts the client, and finds the session. */
export async function visit(ports: Ports, ctx: Context): Promise<Visit> {
  const now = ports.clock.now();
  await countClient(ports, ctx, 'keyless', now);
  const token = readToken(ports, ctx);
  const session = token === null ? null : await findSession(ports.db, token, now, isAttended(ctx));
  return { ports, ctx, now, token, session };
}

export function answerPage(ctx: Context, page: string, status = 200): void {
  ctx.status = status;
  ctx.type = 'text/html';
  ctx.body = page;
}

/** Redirects to another page. The location is relative because a proxy may serve the pages under a path. */
export function redirectTo(ctx: Context, path: string, root = ''): void {
  ctx.set('Location', root + path.replace(/^\/+/, ''));
  ctx.status = 303;
}

/** Gives the browser a token if it has none, so that forms can be tied to it. */
export function visitorOf({ ports, ctx, token, session }: Visit): Visitor {
  const known = token ?? generateToken();
  if (token === null) writeToken(ports, ctx, known);
  const formToken = formTokenOf(ports.box, known);
  return { language: languageOf(ctx), email: session?.email ?? null, formToken };
}

/** @throws ServiceError INVALID_REQUEST, for a page with a form */
export function refuseMethod(): never {
  throw invalidRequest('The method is not allowed on this page. Allowed: GET, HEAD, POST.', {
    status: 405,
    headers: { Allow: 'GET, HEAD, POST' },
  });
}

/** Where the person goes after signing in. */
export const nextOf = ({ ctx }: Visit): string => nextPath(new URLSearchParams(ctx.querystring).get('next'));

/** The request that began a session. */
export const requestOf = ({ ports, ctx }: Visit): SignInRequest => ({
  requestId: requestIdOf(ctx),
  address: ports.clientAddress(ctx.req),
  browser: ctx.get('User-Agent'),
  language: languageOf(ctx),
  isKnownTo: (email) => knownDevice(ports, ctx, email) !== null,
});
