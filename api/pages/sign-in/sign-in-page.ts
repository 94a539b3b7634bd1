import { readFileSync } from 'node:fs';
import type { Middleware } from 'koa';
import { countSignIn, judging } from '../../../domain/sign-in/attempts.ts';
import { recordFailedSignIn } from '../../../domain/sign-in/audit.ts';
import { proveCredentials } from '../../../domain/sign-in/passwords.ts';
import { signIn } from '../../../domain/sign-in/sign-in.ts';
import { invalidRequest } from '../../../domain/kernel/errors.ts';
import { clientGone } from '../../http/client-gone.ts';
import type { CountKeylessAnswer } from '../../framework/keyless-answers.ts';
import type { Ports } from '../../framework/ports.ts';
import { readForm } from './browser.ts';
import { knownDevice, rememberDevice } from './device.ts';
import { changeToken, endVisit } from './end-visit.ts';
import { answerPage, beginVisit, nextOf, redirectTo, refuseMethod, requestOf, visitorOf } from './page.ts';
import type { Visit } from './page.ts';
import { texts } from './texts.ts';
import { signInView } from './views.ts';

const style = readFileSync(new URL('style.css', import.meta.url), 'utf8');

/**
 * The page on which people sign in with e-mail and password, `{origin}/sign-in`, for the dashboard and for the device
 * page (docs/spec/rulings.md, 11 and 16). Rendered on the server, without scripts.
 */
export function signInPage(ports: Ports, count: CountKeylessAnswer): Middleware {
  return async (ctx, next) => {
    if (ctx.path === '/sign-in/style.css' && (ctx.method === 'GET' || ctx.method === 'HEAD')) {
      ctx.state.measuredAs = 'sign-in page';
      count(ctx);
      ctx.type = 'text/css';
      ctx.body = style;
      return;
    }
    if (ctx.path !== '/sign-in' || ctx.method === 'OPTIONS') return next();
    ctx.state.measuredAs = 'sign-in page';
    const visit = await beginVisit(ports, ctx);
    if (ctx.method === 'POST') return await submit(visit);
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') refuseMethod();
    if (visit.session !== null) return redirectTo(ctx, nextOf(visit));
    show(visit);
  };
}

/** @param attempt the one that failed */
function show(visit: Visit, attempt?: { readonly email: string }): void {
  const { ctx } = visit;
  const values = { forDevice: nextOf(visit).startsWith('/device?') };
  const visitor = visitorOf({ ...visit, session: null });
  if (attempt === undefined) return answerPage(ctx, signInView(visitor, values));
  const failed = { ...values, ...attempt, problem: texts[visitor.language].wrongPassword };
  answerPage(ctx, signInView(visitor, failed), 422);
}

async function submit(visit: Visit): Promise<void> {
  const form = await readForm(visit.ports, visit.ctx, visit.token);
  const action = form.get('do');
  if (action === 'sign-in') return await checkPassword(visit, form);
  if (action !== 'sign-out') throw invalidRequest('The form does not say what to do.');
  await endVisit(visit);
  redirectTo(visit.ctx, 'sign-in');
}

async function checkPassword(visit: Visit, form: URLSearchParams): Promise<void> {
  const { ports, ctx, now } = visit;
  const email = (form.get('email') ?? '').trim().slice(0, 254);
  const password = (form.get('password') ?? '').slice(0, 2_000);
  const address = ports.clientAddress(ctx.req);
  const source = { address, email, device: knownDevice(ports, ctx, email) };
  const takeBack = await countSignIn(ports.db, source, now);
  const request = requestOf(visit);
  const signedIn = await judging(takeBack, async () => {
    const attempt = { email, password, clientAddress: address };
    const proven = await proveCredentials(ports.db, attempt, clientGone(ctx));
    return await ports.db.transaction((tx) => signIn(tx, proven, request, now));
  });
  if (signedIn === null) {
    await ports.db.transaction((tx) => recordFailedSignIn(tx, email, request.requestId, now, address));
    return show(visit, { email });
  }
  await takeBack();
  // A new token: anyone who knew the old one does not know the session's (session fixation).
  await changeToken(visit, signedIn.token);
  if (!signedIn.codeAwaited) rememberDevice(ports, ctx, email);
  redirectTo(
    ctx,
    signedIn.codeAwaited ? `sign-in/code?next=${encodeURIComponent(nextOf(visit))}` : nextOf(visit),
  );
}
