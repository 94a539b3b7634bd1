import Koa from 'koa';
import { BASE_PATH } from './base-path.ts';
import { dashboard } from './dashboard/dashboard.ts';
import { devicePage } from './device/page/device-page.ts';
import { dispatch } from './dispatch.ts';
import { documentation, documentationPaths } from './documentation.ts';
import { closeConnections } from './drain.ts';
import type { Drain } from './drain.ts';
import { envelope } from './envelope.ts';
import { health, probePaths } from './health.ts';
import type { HealthChecks } from './readiness.ts';
import { createKeylessAnswers } from './keyless-answers.ts';
import { mcpEndpoint } from './mcp/endpoint.ts';
import { isPublicImage, publicBytes } from './media/public-bytes.ts';
import { consentPage } from './oauth/consent-page.ts';
import { oauthMetadata } from './oauth/metadata.ts';
import { tokenEndpoints } from './oauth/token-endpoint.ts';
import { operations } from './operations.ts';
import type { Ports } from './ports.ts';
import { isPreview, previewPage } from './previews/page.ts';
import { stripeEndpoint } from './billing/stripe-endpoint.ts';
import { isPublicFile, publicFiles } from './public-files/public-files.ts';
import { createRoutes } from './routes.ts';
import { codePage } from './sign-in/code-page.ts';
import { securityTxt } from './security-txt.ts';
import { linkPages } from './sign-in/link-pages.ts';
import { signInPage } from './sign-in/sign-in-page.ts';
import { traceRequests } from './tracing.ts';
import { isCollected } from '../observability/tracing/trace.ts';

const fixedPages = new Set([...probePaths, ...documentationPaths]);
/** Whether the GET of a path is served without a key. */
const isPage = (path: string): boolean =>
  fixedPages.has(path) || isPublicFile(path) || isPublicImage(path) || isPreview(path);

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
  app.use(documentation(ports, count));
  // All else below the base path are operations: they pass none of the pages.
  app.use((ctx, next) => (ctx.path.startsWith(`${BASE_PATH}/`) ? answer(ctx, next) : next()));
  // The most frequent requests of readers pass few others.
  app.use(publicFiles(ports, count));
  app.use(publicBytes(ports, count));
  app.use(stripeEndpoint(ports, count));
  app.use(signInPage(ports, count));
  app.use(codePage(ports));
  app.use(linkPages(ports));
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
