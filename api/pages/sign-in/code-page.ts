import type { Middleware } from 'koa';
import { countCode, judging } from '../../../domain/sign-in/attempts.ts';
import { recordFailedSignIn } from '../../../domain/sign-in/audit.ts';
import { completeSignIn, findPendingSignIn } from '../../../domain/sign-in/sign-in.ts';
import { requestIdOf } from '../../framework/envelope.ts';
import type { Ports } from '../../framework/ports.ts';
import { readForm } from './browser.ts';
import { knownDevice, rememberDevice } from './device.ts';
import { changeToken } from './end-visit.ts';
import { languageOf } from './language.ts';
import { answerPage, beginVisit, nextOf, redirectTo, refuseMethod, requestOf, visitorOf } from './page.ts';
import type { Visit } from './page.ts';
import { texts } from './texts.ts';
import { codeView } from './views.ts';

const ROOT = '../';

/**
 * The second page of the sign-in, `{origin}/sign-in/code`, for people with a second factor
 * (docs/spec/rulings.md, 16).
 */
export function codePage(ports: Ports): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/sign-in/code' || ctx.method === 'OPTIONS') return next();
    ctx.state.measuredAs = 'sign-in page';
    const visit = await beginVisit(ports, ctx, ROOT);
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD' && ctx.method !== 'POST') refuseMethod();
    const { token, now } = visit;
    const email = token === null ? null : await findPendingSignIn(ports.db, token, now);
    // The code came too late, or the person has come back to this page.
    if (token === null || email === null)
      return redirectTo(ctx, `sign-in?next=${encodeURIComponent(nextOf(visit))}`, ROOT);
    if (ctx.method === 'POST') return await submit(visit, token, email);
    answerPage(ctx, codeView(visitorOf(visit), ROOT, {}));
  };
}

async function submit(visit: Visit, token: string, email: string): Promise<void> {
  const { ports, ctx, now } = visit;
  const form = await readForm(ports, ctx, token);
  const typed = (form.get('code') ?? '').slice(0, 100);
  const address = ports.clientAddress(ctx.req);
  const device = knownDevice(ports, ctx, email);
  const takeBack = await countCode(ports.db, { address, email, device }, now);
  const session = await judging(takeBack, () =>
    ports.db.transaction((tx) => completeSignIn(tx, ports.box, { token, typed }, requestOf(visit), now)),
  );
  if (session !== null) {
    await takeBack();
    await changeToken(visit, session);
    rememberDevice(ports, ctx, email);
    return redirectTo(ctx, nextOf(visit), ROOT);
  }
  await ports.db.transaction((tx) => recordFailedSignIn(tx, email, requestIdOf(ctx), now, address));
  const problem = texts[languageOf(ctx)].wrongCode;
  answerPage(ctx, codeView(visitorOf(visit), ROOT, { problem }), 422);
}
