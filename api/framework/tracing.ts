import type { Middleware } from 'koa';
import type { Authenticated } from '../../domain/access/authenticate.ts';
import { failed, inRequest } from '../../observability/tracing/trace.ts';
import { BASE_PATH } from '../http/base-path.ts';
import type { Operation } from './operation.ts';

/** Requested every few seconds by machines, and not traced. */
const probes = new Set(['/healthz', '/readyz']);

/**
 * Creates a span for each request, as part of the client's trace if it sent a `traceparent`. The span has the
 * operation, the key and the status, and no content of the client.
 */
export const traceRequests: Middleware = (ctx, next) => {
  if (probes.has(ctx.path)) return next();
  return inRequest(ctx.headers['traceparent']?.toString(), ctx.method, async (span) => {
    await next();
    const operation = ctx.state.operation as Operation | undefined;
    const auth = ctx.state.auth as Authenticated | undefined;
    if (operation !== undefined) {
      const route = BASE_PATH + operation.path.replaceAll(/:(\w+)/g, '{$1}');
      span.updateName(`${operation.method} ${route}`);
      span.setAttribute('http.route', route);
    }
    span.setAttributes({
      'http.request.method': ctx.method,
      'http.response.status_code': ctx.status,
      request_id: ctx.response.get('Request-Id'),
      ...(auth && { site_id: auth.site.id, key_id: auth.caller.keyId }),
    });
    if (ctx.status >= 500) failed(span, { code: String(ctx.status) });
  });
};
