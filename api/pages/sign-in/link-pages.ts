import type { Middleware } from 'koa';
import { isToken } from '../../../domain/sign-in/tokens.ts';
import type { Ports } from '../../framework/ports.ts';
import { RESETS, SIGN_IN_LINKS } from '../../../domain/sign-in/link-paths.ts';
import { beginVisit, refuseMethod } from './page.ts';
import { resetPassword } from './reset-page.ts';
import { signInOnce } from './sign-in-link.ts';

/**
 * The pages of links that work once: `{origin}/reset-password/<token>`, and `{origin}/sign-in/once/<token>`
 * (docs/spec/rulings.md, 16). The token is in the path because a page without scripts cannot read a fragment; it is
 * neither logged nor sent on as a referrer.
 */
export function linkPages(ports: Ports): Middleware {
  return async (ctx, next) => {
    const prefix = [RESETS, SIGN_IN_LINKS].find((each) => ctx.path.startsWith(each));
    if (prefix === undefined || ctx.method === 'OPTIONS') return next();
    ctx.state.measuredAs = 'sign-in page';
    const visit = await beginVisit(ports, ctx, prefix === RESETS ? '../' : '../../');
    // Forms still have their origin, and nothing gets the token.
    ctx.set('Referrer-Policy', 'strict-origin');
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD' && ctx.method !== 'POST') refuseMethod();
    const token = ctx.path.slice(prefix.length);
    const link = isToken(token) ? token : null;
    await (prefix === RESETS ? resetPassword(visit, link) : signInOnce(visit, link));
  };
}
