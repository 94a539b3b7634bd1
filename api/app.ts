import Koa from 'koa';
import { BASE_PATH } from './base-path.ts';
import { devicePage } from './device/page/device-page.ts';
import { dispatch } from './dispatch.ts';
import { documentation, documentationPaths } from './documentation.ts';
import { closeConnections } from './drain.ts';
import type { Drain } from './drain.ts';
import { envelope } from './envelope.ts';
import { health, probePaths } from './health.ts';
import type { HealthChecks } from './health.ts';
import { publicBytes } from './media/public-bytes.ts';
import { operations } from './operations.ts';
import type { Ports } from './ports.ts';
import { createRoutes } from './routes.ts';
import { traceRequests } from './tracing.ts';
import { isCollected } from '../tracing/trace.ts';

/** The HTTP edge, without a port to listen on. */
export function createApp(ports: Ports, checks: HealthChecks, drain: Pick<Drain, 'begun'>): Koa {
  const app = new Koa();
  app.silent = true;
  app.use(closeConnections(drain));
  if (isCollected()) app.use(traceRequests);
  app.use(envelope(ports));
  app.use(health(checks, drain));
  app.use(documentation(ports));
  app.use(devicePage(ports));
  app.use(publicBytes(ports));
  app.use(dispatch(ports, createRoutes(operations, BASE_PATH, [...probePaths, ...documentationPaths])));
  return app;
}
