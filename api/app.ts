import Koa from 'koa';
import type { Middleware } from 'koa';
import { BASE_PATH } from './http/base-path.ts';
import { dashboard } from './pages/dashboard/dashboard.ts';
import { devicePage } from './pages/device/page/device-page.ts';
import { dispatch } from './framework/dispatch.ts';
import { documentation, documentationPaths } from './pages/documentation.ts';
import { closeConnections } from './http/drain.ts';
import type { Drain } from './http/drain.ts';
import { envelope } from './framework/envelope.ts';
import { health, probePaths } from './pages/health.ts';
import type { HealthChecks } from './http/readiness.ts';
import { createKeylessAnswers } from './framework/keyless-answers.ts';
import { isPublicImage, publicBytes } from './pages/media/public-bytes.ts';
import { consentPage } from './pages/oauth/consent-page.ts';
import { oauthMetadata } from './pages/oauth/metadata.ts';
import { tokenEndpoints } from './pages/oauth/token-endpoint.ts';
import { openApiDocument } from './openapi.ts';
import { operations } from './operations.ts';
import type { Ports } from './framework/ports.ts';
import { isPreview, previewPage } from './pages/previews/page.ts';
import { stripeEndpoint } from './pages/billing/stripe-endpoint.ts';
import { isPublicFile, publicFiles } from './pages/public-files/public-files.ts';
import { createRoutes } from './framework/routes.ts';
import { codePage } from './pages/sign-in/code-page.ts';
import { securityTxt } from './pages/security-txt.ts';
import { linkPages } from './pages/sign-in/link-pages.ts';
import { unsubscribePage } from './pages/unsubscribe.ts';
import { signInPage } from './pages/sign-in/sign-in-page.ts';
import { traceRequests } from './framework/tracing.ts';
import { lazily } from '../runtime/lazily.ts';
import { isCollected } from '../observability/tracing/trace.ts';

const fixedPages = new Set([...probePaths, ...documentationPaths]);
/** Whether the GET of a path is served without a key. */
const isPage = (path: string): boolean =>
  fixedPages.has(path) || isPublicFile(path) || isPublicImage(path) || isPreview(path);

const MCP_PATH = '/mcp';
const mcp = lazily(() => import('./mcp/endpoint.ts'));

/** The MCP server, which is loaded and made with its first request. */
function mcpEndpoint(ports: Ports, answer: Middleware): Middleware {
  let made: Promise<Middleware> | undefined;
  return async (ctx, next) => {
    // OPTIONS needs no key.
    if (ctx.path !== MCP_PATH || ctx.method === 'OPTIONS') return next();
    made ??= mcp().then((module) => module.mcpEndpoint(operations, ports, answer));
    return (await made)(ctx, next);
  };
}

/** The HTTP application; it does not listen on a port. */
export function createApp(ports: Ports, checks: HealthChecks, drain: Pick<Drain, 'started'>): Koa {
  const app = new Koa();
  app.silent = true;
  app.use(closeConnections(drain));
  if (isCollected()) app.use(traceRequests);
  app.use(envelope(ports));
  const count = createKeylessAnswers(ports);
  const answer = dispatch(ports, createRoutes(operations, BASE_PATH, isPage));
  app.use(health(checks, drain, count));
  app.use(documentation(() => openApiDocument(operations, ports.publicUrl + BASE_PATH), count));
  // All else below the base path are operations: they pass none of the pages.
  app.use((ctx, next) => (ctx.path.startsWith(`${BASE_PATH}/`) ? answer(ctx, next) : next()));
  // The most frequent requests of readers pass few others.
  app.use(publicFiles(ports, count));
  app.use(publicBytes(ports, count));
  app.use(stripeEndpoint(ports, count));
  app.use(signInPage(ports, count));
  app.use(codePage(ports));
  app.use(linkPages(ports));
  app.use(unsubscribePage(ports));
  app.use(devicePage(ports));
  app.use(oauthMetadata(ports, count));
  app.use(securityTxt(ports, count));
  app.use(consentPage(ports));
  app.use(tokenEndpoints(ports));
  app.use(dashboard(ports, count, answer));
  app.use(mcpEndpoint(ports, answer));
  app.use(previewPage(ports, count));
  app.use(answer);
  return app;
}
