import type { Context, Middleware } from 'koa';
import { createMcpHandler, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { AuthInfo, McpHttpHandler } from '@modelcontextprotocol/server';
import { createAuthentication } from '../../domain/access/authenticate.ts';
import type { Authenticated, Authentication } from '../../domain/access/authenticate.ts';
import { invalidRequest, ServiceError } from '../../domain/kernel/errors.ts';
import { requireAgentAccess } from '../framework/authorize.ts';
import { readBytes, releaseBody } from '../http/body.ts';
import { clientGone } from '../http/client-gone.ts';
import { hashOfSecret, identify } from '../framework/identify.ts';
import { excessOf } from '../http/json-bounds.ts';
import { portsOf } from '../framework/ports.ts';
import type { Operation } from '../framework/operation.ts';
import type { Ports } from '../framework/ports.ts';
import { refuseTooMany } from '../framework/rate-limit.ts';
import { isLoopback, isOwnOrigin } from '../pages/sign-in/browser.ts';
import { challenge } from './challenge.ts';
import { createInnerCalls } from './tools/inner-call.ts';
import { formFor, framed } from './framing.ts';
import type { Form } from './framing.ts';
import { excessOfMessage } from './message-values.ts';
import { createServer } from './server.ts';
import { toolboxOfProcess } from './tools/toolbox.ts';
import { withoutNulls } from './without-nulls.ts';

const BOTH_FORMS = 'application/json, text/event-stream';

/** Messages of the protocol around a body of the API's. */
const MOST_BYTES = 1_200_000;

/**
 * The MCP server, `{origin}/mcp`, for agents (docs/spec/rulings.md, 18; api/mcp/README.md). It keeps nothing between
 * two requests, so that any process answers any of them. Tools call operations as requests over HTTP do.
 *
 * @param answer answers requests of the API
 */
export function mcpEndpoint(operations: readonly Operation[], ports: Ports, answer: Middleware): Middleware {
  const authentication = createAuthentication(ports.db);
  const innerCalls = createInnerCalls(ports, answer);
  const toolbox = toolboxOfProcess(operations);
  const handler = createMcpHandler(
    ({ authInfo, era }) => {
      const { ctx, auth } = passedOn(authInfo);
      return createServer({ ports: portsOf(ports, auth.site), toolbox, auth, era, call: innerCalls(ctx) });
    },
    // Nothing is announced: lists say how long they may be kept.
    { maxSubscriptions: 0 },
  );
  return async (ctx) => {
    ctx.state.measuredAs = 'mcp';
    const auth = await admit(ports, authentication, ctx);
    try {
      await serve(handler, ctx, auth);
    } finally {
      releaseBody(ctx.req);
      await auth.noted;
    }
  };
}

/**
 * @throws ServiceError one of the 401 codes; FORBIDDEN for pages of other origins; INSUFFICIENT_SCOPE for a publishable
 *   key; AGENT_ACCESS_DISABLED; RATE_LIMIT_EXCEEDED
 */
async function admit(ports: Ports, authentication: Authentication, ctx: Context): Promise<Authenticated> {
  if (ctx.get('Origin') !== '' && !isOfThisService(ports, ctx))
    throw new ServiceError('FORBIDDEN', 'Origin: pages of another origin cannot use this address.');
  const auth = await identify(ports, authentication, ctx, hashOfSecret(ctx), 'read', ports.clock.now()).catch(
    (error: unknown) => {
      throw error instanceof ServiceError && error.status === 401 ? challenged(ports, ctx, error) : error;
    },
  );
  ctx.state.auth = auth;
  refuseTooMany(auth.rateLimit);
  requireAgentAccess(auth);
  if (auth.caller.kind === 'publishable')
    throw new ServiceError(
      'INSUFFICIENT_SCOPE',
      'A publishable key cannot be used here. Agents need a secret key, best one that is held by an agent.',
    );
  return auth;
}

/** Whether a page is of this service. A name that only the Host agrees with could be a stranger's for this address. */
function isOfThisService(ports: Ports, ctx: Context): boolean {
  const sent = URL.parse(ctx.get('Origin'));
  if (sent === null || !isOwnOrigin(ports, ctx)) return false;
  return sent.origin === URL.parse(ports.publicUrl)?.origin || isLoopback(sent.hostname);
}

function challenged(ports: Ports, ctx: Context, { code, message, status }: ServiceError): ServiceError {
  const hasSent = ctx.get('Authorization') !== '';
  return new ServiceError(code, message, {
    status,
    headers: { 'WWW-Authenticate': challenge(ports, hasSent) },
  });
}

/** The data that the SDK hands back with a request. */
interface Passed extends Record<string, unknown> {
  readonly ctx: Context;
  readonly auth: Authenticated;
}

function passedOn(info: AuthInfo | undefined): Passed {
  if (info?.extra === undefined) throw new Error('A request came without its context');
  return info.extra as Passed;
}

/**
 * Hands the message to the SDK, which speaks both eras of the protocol, and sends its answer when all of it is there:
 * until then the request is in flight for the log, the drain, and the memory of its body.
 */
async function serve(handler: McpHttpHandler, ctx: Context, auth: Authenticated): Promise<void> {
  if (ctx.method !== 'POST')
    throw invalidRequest('The method is not allowed here. Send messages by POST.', {
      status: 405,
      headers: { Allow: 'POST' },
    });
  const form = formFor((type) => ctx.accepts(type) !== false);
  if (form === null)
    throw invalidRequest('Accept: must allow application/json or text/event-stream.', { status: 406 });
  const body = await readMessage(ctx, auth.site.id);
  // Undefined for anything but JSON, to which the SDK has an answer.
  const parsedBody = withoutNulls(parsed(body));
  const excess = excessOfMessage(parsedBody);
  if (excess !== null) return refuse(ctx, parsedBody, excess, form);
  const headers = Object.entries(ctx.req.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')] as [string, string]],
  );
  const signal = clientGone(ctx);
  const request = new Request(`http://mcp.invalid${ctx.path}`, {
    method: 'POST',
    // The SDK refuses who does not take both, although it needs one. Its answer is put into that form below.
    headers: [...headers.filter(([name]) => name !== 'accept'), ['accept', BOTH_FORMS]],
    body,
    signal,
  });
  const authInfo = {
    token: '',
    clientId: auth.caller.keyId,
    scopes: [],
    extra: { ctx, auth } satisfies Passed,
  };
  const response = await handler.fetch(request, { authInfo, parsedBody });
  const answer = framed(await response.text(), response.headers.get('content-type') ?? '', form);
  signal.throwIfAborted();
  ctx.body = answer.text === '' ? null : Buffer.from(answer.text);
  ctx.status = response.status;
  if (answer.text !== '') ctx.set('Content-Type', answer.type);
  const revision = response.headers.get('mcp-protocol-version');
  if (revision !== null) ctx.set('MCP-Protocol-Version', revision);
}

/** Answers a request as the SDK answers mistakes in parameters, which clients of both eras show. */
function refuse(ctx: Context, message: unknown, words: string, form: Form): void {
  const { id, method } = message as Readonly<Record<string, unknown>>;
  const isRequest = typeof method === 'string' && (typeof id === 'string' || typeof id === 'number');
  const error = { code: ProtocolErrorCode.InvalidParams, message: words };
  const answer = JSON.stringify({ jsonrpc: '2.0', id: isRequest ? id : null, error });
  const { text, type } = framed(answer, 'application/json', form);
  ctx.status = isRequest ? 200 : 400;
  ctx.set('Content-Type', type);
  ctx.body = text;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws ServiceError INVALID_REQUEST */
async function readMessage(ctx: Context, siteId: string): Promise<string> {
  if (ctx.headers['content-encoding'] !== undefined)
    throw invalidRequest('Content-Encoding: is not supported. Send the message without an encoding.', {
      status: 415,
    });
  const bytes = await readBytes(ctx.req, siteId, MOST_BYTES);
  const excess = excessOf(bytes);
  if (excess !== null) throw invalidRequest(`The body ${excess}.`);
  const text = decoded(bytes);
  // No revision since 2025-06-18 has them, and each call counts as a request.
  if (/^\s*\[/.test(text)) throw invalidRequest('Batches are not supported. Send each message by itself.');
  return text;
}

/** @throws ServiceError INVALID_REQUEST */
function decoded(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidRequest('The body must be UTF-8.');
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
