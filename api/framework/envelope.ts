import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Context, Middleware } from 'koa';
import { isAway, ranOutOfTime } from '../../db/failures.ts';
import type { Authenticated } from '../../domain/access/authenticate.ts';
import { rateLimitState } from '../../domain/access/rate-limits.ts';
import { answerToConstraint } from '../../domain/kernel/constraints.ts';
import {
  internalError,
  invalidRequest,
  outOfTime,
  ServiceError,
  unavailable,
} from '../../domain/kernel/errors.ts';
import { requestAnswered, requestBegun, requestUnavailable } from '../../observability/metrics/requests.ts';
import { DecoderUnavailable } from '../../adapters/images/decode-in-subprocess.ts';
import { NoTurn } from '../../adapters/http/names.ts';
import { JobUnfinished } from '../../adapters/jobs/helper-process.ts';
import { StorageUnavailable } from '../../adapters/storage/objects.ts';
import { loggedPath } from './logged-path.ts';
import type { Operation } from './operation.ts';
import type { Ports } from './ports.ts';
import { setRateLimit } from './rate-limit.ts';
import { setSecurityHeaders } from '../http/security-headers.ts';
import { verifyError } from './verify-answer.ts';

const clientRequestId = /^[A-Za-z0-9_-]{1,64}$/;

/** The id of a request: the client's own, if it has the form of one (docs/spec/rulings.md, 1). */
export const requestIdFor = (sent: unknown): string =>
  typeof sent === 'string' && clientRequestId.test(sent) ? sent : randomUUID();

/**
 * The outermost layer: sets the id of each request, converts thrown errors to the error envelope, and writes one log
 * line (docs/spec/rulings.md, 1).
 */
export function envelope(ports: Ports): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    requestBegun();
    const requestId = requestIdFor(ctx.req.headers['request-id']);
    ctx.set('Request-Id', requestId);
    setSecurityHeaders(ctx, ports.publicUrl);
    ctx.set('Cache-Control', 'private, no-cache');
    try {
      requireHost(ctx);
      await next();
    } catch (thrown) {
      writeError(ctx, requestId, serviceErrorOf(ports, ctx, thrown, requestId));
    }
    // A request that was not counted (a probe, or an early failure) shows an unused window.
    if (!ctx.res.hasHeader('RateLimit-Limit'))
      setRateLimit(ctx, rateLimitState('keyless', 0, ports.clock.now()));
    const milliseconds = performance.now() - started;
    requestAnswered((ctx.state.measuredAs as string | undefined) ?? 'none', ctx.status, milliseconds / 1_000);
    logRequest(ports, ctx, requestId, milliseconds);
  };
}

/** The Request-Id of the answer. */
export const requestIdOf = (ctx: Context): string => ctx.response.get('Request-Id');

/** @throws ServiceError INVALID_REQUEST */
function requireHost({ req }: Context): void {
  if (req.headers.host !== undefined || req.httpVersion !== '1.1') return;
  throw invalidRequest('Host: is required in HTTP/1.1.');
}

function serviceErrorOf(ports: Ports, ctx: Context, thrown: unknown, requestId: string): ServiceError {
  const operation = ctx.state.operation as Operation | undefined;
  const error =
    thrown instanceof ServiceError ? thrown : (answerToConstraint(thrown) ?? temporaryFailure(thrown));
  try {
    if (error !== null) {
      if (error.cause !== undefined && error.status === 503) {
        requestUnavailable();
        ports.log.warn(
          { err: error.cause, request_id: requestId, method: ctx.method, path: loggedPath(ctx) },
          'request answered with 503',
        );
      }
      if (ports.verifyAnswers && operation) verifyError(operation, error);
      return error;
    }
  } catch (undeclared) {
    thrown = undeclared;
  }
  const { method } = ctx;
  ports.log.error(
    { err: thrown, request_id: requestId, method, path: loggedPath(ctx), ...callerOf(ctx) },
    'request failed',
  );
  return internalError();
}

/** Errors that say that something is away, or too busy, and nothing about the request. */
const temporary = [StorageUnavailable, DecoderUnavailable, JobUnfinished, NoTurn];

/** A 503 if a statement timed out, or if something that is needed is away or too busy; otherwise null. */
function temporaryFailure(thrown: unknown): ServiceError | null {
  if (ranOutOfTime(thrown)) return outOfTime(thrown);
  return isAway(thrown) || temporary.some((error) => thrown instanceof error) ? unavailable(thrown) : null;
}

/** Renders an error as HTML, instead of the envelope. */
export type ErrorPage = (error: ServiceError, requestId: string) => string;

/** An error in the form of another protocol, instead of the envelope. */
export type ErrorBody = (error: ServiceError) => object;

function writeError(ctx: Context, requestId: string, error: ServiceError): void {
  ctx.status = error.status;
  if (error.status === 401) ctx.set('WWW-Authenticate', 'Bearer');
  for (const [name, value] of Object.entries(error.headers)) ctx.set(name, value);
  if (error.status === 413) endConnectionSoon(ctx);
  const page = ctx.state.errorPage as ErrorPage | undefined;
  if (page !== undefined) {
    ctx.type = 'text/html';
    ctx.body = page(error, requestId);
    return;
  }
  const { code, message, fields, limit } = error;
  const foreign = ctx.state.errorBody as ErrorBody | undefined;
  ctx.type = 'application/json';
  ctx.body = JSON.stringify(
    foreign?.(error) ?? { error: { code, message, fields, limit }, request_id: requestId },
  );
}

/** Limits on draining a rejected body before the connection is closed: enough for the client to see the answer. */
const LINGER_MS = 2_000;
const LINGER_BYTES = 16 * 1_048_576;

/** Most clients read the answer only after they have sent the body, so the rest of it is drained, within limits. */
function endConnectionSoon({ req }: Context): void {
  if (req.readableEnded) return;
  const { socket } = req;
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  // An answered request emits no event when its connection breaks.
  const stop = (): void => {
    clearTimeout(timer);
    socket.off('close', stop);
  };
  req.once('close', stop);
  socket.once('close', stop);
  let drained = 0;
  req.on('data', (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > LINGER_BYTES) socket.destroy();
  });
  req.resume();
}

/** The caller as log fields; empty if unknown. */
function callerOf(ctx: Context): { site_id?: string; key_id?: string } {
  const auth = ctx.state.auth as Authenticated | undefined;
  return auth === undefined ? {} : { site_id: auth.site.id, key_id: auth.caller.keyId };
}

function logRequest(ports: Ports, ctx: Context, requestId: string, milliseconds: number): void {
  ports.log.info(
    {
      request_id: requestId,
      method: ctx.method,
      path: loggedPath(ctx),
      status: ctx.status,
      ms: Math.round(milliseconds * 10) / 10,
      ...callerOf(ctx),
    },
    'request',
  );
}
