import type { Context, Middleware } from 'koa';
import { createAuthentication } from '../domain/access/authenticate.ts';
import type { Authenticated, Authentication, Identity } from '../domain/access/authenticate.ts';
import { hashWellFormed } from '../domain/access/key-secret.ts';
import type { RateClass } from '../domain/access/rate-limits.ts';
import { invalidRequest, notFound, ServiceError } from '../domain/errors.ts';
import { inSpan } from '../tracing/trace.ts';
import { readBody } from './body.ts';
import { execute } from './execute.ts';
import type { CheckedRequest } from './execute.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { dispatchKeyless } from './keyless.ts';
import type { KeyedOperation } from './operation.ts';
import type { Ports } from './ports.ts';
import { readIfMatch } from './preconditions.ts';
import { parseQuery } from './query-string.ts';
import { readAhead } from './read-ahead.ts';
import { countClient, refuseTooMany, setRateLimit } from './rate-limit.ts';
import { refuseAgents, refuseWhileMaintained, refuseWithoutRights } from './refusals.ts';
import { normalizeParams } from './routes.ts';
import type { Route } from './routes.ts';
import { parseBody } from './validate-body.ts';

/**
 * Takes an authenticated request through every check in the order that the contract fixes (decisions 1,
 * Order of checks), and has the operation carried out.
 */
export function dispatch(ports: Ports, route: (method: string, path: string) => Route): Middleware {
  const authentication = createAuthentication(ports.db);
  return async (ctx) => {
    const target = route(ctx.method, ctx.path);
    ctx.state.measuredAs = measuredAs(target);
    allowCrossOrigin(ctx, target);
    if (ctx.method === 'OPTIONS') return answerOptions(ports, ctx, target);
    if (target.kind === 'operation' && target.operation.keyless) {
      return dispatchKeyless(ports, ctx, target.operation);
    }

    const now = ports.clock.now();
    const hash = hashOfSecret(ctx);
    const checked = (caller: Identity) => check(ports, ctx, target, caller);
    const remembered = ctx.method === 'GET' && hash !== null ? authentication.recall(hash, now) : null;
    const ahead = remembered && readAhead(ports, checked(remembered));
    const auth = await identify(ports, authentication, ctx, hash, rateClassOf(target, ctx.method), now);
    ctx.state.auth = auth;
    try {
      refuseTooMany(auth.rateLimit);
      refuseWhileMaintained(auth, ctx.method);
      if (ahead !== null && auth.caller === remembered?.caller) {
        await execute(ports, ctx, await ahead.request, ahead.reply);
      } else {
        await execute(ports, ctx, await checked(auth));
      }
    } finally {
      await auth.noted;
    }
  };
}

/** The checks that follow from the request and from who calls. For a GET they are made at once. */
async function check(ports: Ports, ctx: Context, target: Route, caller: Identity): Promise<CheckedRequest> {
  refuseAgents(caller);
  const { operation, params } = requireOperation(target);
  ctx.state.operation = operation;
  refuseWithoutRights(caller, operation, new URLSearchParams(ctx.querystring));

  const idempotencyKey = readIdempotencyKey(operation, ctx.headers['idempotency-key']);
  const ifMatch = readIfMatch(operation.conditional ? ctx.headers['if-match'] : undefined);
  const query = parseQuery(ctx.querystring, operation.query);
  const takesBody = operation.method === 'POST' || operation.method === 'PATCH';
  const sent = takesBody ? await readBody(ctx.req) : undefined;
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
    // All of it is there by now: a body may have taken its time.
    now: ports.clock.now(),
  };
}

/** What a request is counted under: a closed set, whatever clients send. */
function measuredAs(target: Route): string {
  if (target.kind === 'operation') return target.name;
  return target.kind === 'path' ? 'another method' : 'unknown path';
}

/**
 * @throws ServiceError one of the 401 codes, or RATE_LIMIT_EXCEEDED for an address that sends too many
 *   requests without a usable key
 */
async function identify(
  ports: Ports,
  authentication: Authentication,
  ctx: Context,
  hash: Buffer | null,
  rateClass: RateClass,
  now: Date,
): Promise<Authenticated> {
  let refusal: ServiceError | undefined;
  try {
    const auth = await inSpan({ name: 'authenticate' }, async () =>
      hash === null ? null : authentication.identify(hash, rateClass, now),
    );
    if (auth !== null) {
      setRateLimit(ctx, auth.rateLimit);
      return auth;
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    refusal = error;
  }
  await countClient(ports, ctx, 'keyless', now);
  throw refusal ?? noUsableKey();
}

/** Of the secret that is sent; null where none is, or what cannot be one. */
function hashOfSecret(ctx: Context): Buffer | null {
  const secret = /^bearer +(\S+) *$/i.exec(ctx.headers.authorization ?? '')?.[1];
  return secret === undefined ? null : hashWellFormed(secret);
}

const noUsableKey = (): ServiceError =>
  new ServiceError(
    'INVALID_API_KEY',
    'The request has no usable key. Send the header Authorization: Bearer followed by a key of your Site.',
  );

/** The class an unknown path counts in follows from the method (decisions 1). */
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
      'There is no such path. Paths are case-sensitive and end without a slash.',
    );
  }
  throw invalidRequest(`This path does not take the method; it takes ${target.allow.join(', ')}.`, {
    status: 405,
    headers: { Allow: target.allow.join(', ') },
  });
}

/** Reads that a publishable key may make work from a browser on any origin, without credentials (decisions 1). */
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
  if (target.kind !== 'path') throw new ServiceError('NOT_FOUND', 'There is no such path.');
  ctx.set('Allow', target.allow.join(', '));
  if (ctx.res.hasHeader('Access-Control-Allow-Origin')) {
    ctx.set('Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS');
    ctx.set('Access-Control-Allow-Headers', 'Authorization, Content-Type, If-None-Match, Request-Id');
    ctx.set('Access-Control-Max-Age', '86400');
  }
  ctx.status = 204;
}
