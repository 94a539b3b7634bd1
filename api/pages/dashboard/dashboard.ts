import type { Context, Middleware } from 'koa';
import type { CountKeylessAnswer } from '../../framework/keyless-answers.ts';
import type { Ports } from '../../framework/ports.ts';
import { redirectTo } from '../sign-in/page.ts';
import { answerApi, isApi } from './api.ts';
import { callOf, createCalls } from './calls.ts';
import { createDocument, isAsset, sendAsset } from './document.ts';
import { PREVIEW_FRAME, sendPreviewFrame } from './preview.ts';

/**
 * The dashboard, `{origin}/dashboard`: its files, its requests beside the API, and its calls of the API
 * (docs/spec/rulings.md, 16; dashboard/README.md).
 *
 * @param answer answers requests of the API
 */
export function dashboard(ports: Ports, count: CountKeylessAnswer, answer: Middleware): Middleware {
  const sendDocument = createDocument(ports);
  const call = createCalls(ports, answer);
  return async (ctx, next) => {
    const { path } = ctx;
    if (path === '/') return goToDashboard(ctx) ? undefined : next();
    if (path !== '/dashboard' && !path.startsWith('/dashboard/')) return next();
    const called = callOf(path);
    if (called !== null) return await call(ctx, next, called);
    if (isApi(path)) return await answerApi(ports, ctx);
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (!isAsset(path) && !takesHtml(ctx)) return next();
    ctx.state.measuredAs = 'dashboard';
    count(ctx);
    if (path === PREVIEW_FRAME) sendPreviewFrame(ctx);
    else if (isAsset(path)) sendAsset(ctx, ports);
    else await sendDocument(ctx);
  };
}

/** Whether a client prefers HTML, as a browser that opens an address does. */
const takesHtml = (ctx: Context): boolean =>
  ctx.get('Accept').toLowerCase().includes('text/html') &&
  ctx.accepts('text/html', 'application/json') === 'text/html';

/** Sends a browser from the root to the dashboard. @returns false for other clients */
function goToDashboard(ctx: Context): boolean {
  ctx.vary('Accept');
  if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || !takesHtml(ctx)) return false;
  ctx.state.measuredAs = 'dashboard';
  redirectTo(ctx, 'dashboard');
  ctx.status = 302;
  return true;
}
