import type { Context, Middleware } from 'koa';
import { requireAgentAccess, requireNoMaintenance, requireRights } from './authorize.ts';
import { createAuthentication, isConfirmed } from '../../domain/access/authenticate.ts';
import type { Identity } from '../../domain/access/authenticate.ts';
import type { RateClass } from '../../domain/access/rate-limits.ts';
import { invalidRequest, notFound, ServiceError } from '../../domain/kernel/errors.ts';
import { readBody, releaseBody } from '../http/body.ts';
import { requestIdOf } from './envelope.ts';
import { executeRead, read } from './execute.ts';
import { executeWrite } from './execute-write.ts';
import type { CheckedRequest } from './execute.ts';
import { hashOfSecret, identify } from './identify.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { dispatchKeyless } from './keyless.ts';
import type { KeyedOperation } from './operation.ts';
import { portsOf } from './ports.ts';
import type { Ports } from './ports.ts';
import { readIfMatch } from '../http/preconditions.ts';
import { parseQuery } from '../http/query-string.ts';
import { countClient, refuseTooMany } from './rate-limit.ts';
import { normalizeParams } from './routes.ts';
import type { Route } from './routes.ts';
import { parseBody } from './validate-body.ts';

/**
 * Authenticates a request, runs every check in the order of the contract (docs/spec/rulings.md, 1, Order of checks),
 * and executes the operation.
 */
export function dispatch(ports: Ports, route: (method: string, path: string) => Route): Middleware {
  const authentication = createAuthentication(ports.db);
  return async (ctx) => {
    const target = route(ctx.method, ctx.path);
    ctx.state.measuredAs = measuredAs(target);
    allowCrossOrigin(ctx, target);
    if (ctx.method === 'OPTIONS') return answerOptions(ports, ctx, target);
    if (target.kind === 'operation' && target.operation.keyless) {
      return dispatchKeyless(ports, ctx, target.operation).finally(() => releaseBody(ctx.req));
    }

    const now = ports.clock.now();
    const hash = hashOfSecret(ctx);
    const checked = (caller: Identity) => check(ports, ctx, target, caller);
    const cached = ctx.method === 'GET' && hash !== null ? authentication.recall(hash, now) : null;
    const speculative = cached && readSpeculatively(portsOf(ports, cached.site), checked(cached));
    const auth = await identify(ports, authentication, ctx, hash, rateClassOf(target, ctx.method), now);
    ctx.state.auth = auth;
    try {
      refuseTooMany(auth.rateLimit);
      requireNoMaintenance(auth, ctx.method);
      if (speculative !== null && isConfirmed(cached, auth)) {
        await executeRead(portsOf(ports, auth.site), ctx, await speculative.request, speculative.reply);
      } else {
        const request = await checked(auth);
        // HEAD is carried out as GET is.
        const execute = request.operation.method === 'GET' ? executeRead : executeWrite;
        await execute(portsOf(ports, auth.site), ctx, request);
      }
    } finally {
      releaseBody(ctx.req);
      await auth.noted;
    }
  };
}

/**
 * Starts a GET under the cached identity of its key, in parallel with authentication, so that it waits for one round
 * trip to the database instead of two (docs/decisions/0025). The reply must be discarded unless authentication confirms
 * the identity. Errors surface when a promise is awaited, after authentication errors; if none is, they are ignored.
 */
function readSpeculatively(ports: Ports, request: Promise<CheckedRequest>) {
  const reply = request.then((checked) => read(ports, checked));
  request.catch(() => {});
  reply.catch(() => {});
  return { request, reply };
}

/** The checks that need the request and the caller only. For a GET they need no waiting. */
async function check(ports: Ports, ctx: Context, target: Route, caller: Identity): Promise<CheckedRequest> {
  requireAgentAccess(caller);
  const { operation, params } = requireOperation(target);
  ctx.state.operation = operation;
  requireRights(caller, operation, new URLSearchParams(ctx.querystring));

  const idempotencyKey = readIdempotencyKey(operation, ctx.headers['idempotency-key']);
  const ifMatch = readIfMatch(operation.conditional ? ctx.headers['if-match'] : undefined);
  const query = parseQuery(ctx.querystring, operation.query);
  const takesBody = operation.method === 'POST' || operation.method === 'PATCH';
  const sent = takesBody ? await readBody(ctx.req, caller.site.id) : undefined;
  const body = takesBody ? parseBody(operation, sent, ports) : undefined;
  const normal = normalizeParams(operation, params);
  if (normal === null) throw notFound('object');
  const approvalId = ctx.headers['service-approval']?.toString();
  return {
    operation,
    auth: caller,
    params: normal,
    query,
    body,
    sent,
    idempotencyKey,
    approvalId,
    ifMatch,
    requestId: requestIdOf(ctx),
    // Taken now, because the body may have taken a long time to arrive.
    now: ports.clock.now(),
  };
}

/** The metric label of a request: a closed set, whatever path clients send. */
function measuredAs(target: Route): string {
  if (target.kind === 'operation') return target.name;
  return target.kind === 'path' ? 'another method' : 'unknown path';
}

/** The rate class; that of an unknown path follows from the method (docs/spec/rulings.md, 1). */
const rateClassOf = (target: Route, method: string): RateClass => {
  if (target.kind === 'operation') return target.operation.access.rateClass;
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
};

function requireOperation(target: Route): { operation: KeyedOperation; params: Record<string, string> } {
  if (target.kind === 'operation' && !target.operation.keyless) {
    return { operation: target.operation, params: target.params };
  }
  if (target.kind === 'unknown') {
    throw new ServiceError(
      'NOT_FOUND',
      'This path does not exist. Paths are case-sensitive and have no trailing slash.',
    );
  }
  throw invalidRequest(`The method is not allowed on this path. Allowed: ${target.allow.join(', ')}.`, {
    status: 405,
    headers: { Allow: target.allow.join(', ') },
  });
}

/**
 * Allows browsers on any origin, without credentials, to read the content that a publishable key may read
 * (docs/spec/rulings.md, 1).
 */
function allowCrossOrigin(ctx: Context, target: Route): void {
  const preflight = target.kind === 'path' && ctx.method === 'OPTIONS';
  const candidates = target.kind === 'operation' ? [target.operation] : preflight ? target.operations : [];
  if (!candidates.some(({ access, method }) => access.publishable && method === 'GET')) return;
  ctx.set('Access-Control-Allow-Origin', '*');
  ctx.set(
    'Access-Control-Expose-Headers',
    'Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, ETag, Retry-After',
  );
}

async function answerOptions(ports: Ports, ctx: Context, target: Route): Promise<void> {
  await countClient(ports, ctx, 'keyless', ports.clock.now());
  if (target.kind !== 'path') throw new ServiceError('NOT_FOUND', 'This path does not exist.');
  ctx.set('Allow', target.allow.join(', '));
  if (ctx.res.hasHeader('Access-Control-Allow-Origin')) {
    ctx.set('Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS');
    ctx.set('Access-Control-Allow-Headers', 'Authorization, Content-Type, If-None-Match, Request-Id');
    ctx.set('Access-Control-Max-Age', '86400');
  }
  ctx.status = 204;
}
