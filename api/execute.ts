import type { Context } from 'koa';
import type { Transaction } from '../db/transaction.ts';
import type { Identity } from '../domain/access/authenticate.ts';
import { hashBody, once, recordAnswer, Recorded } from '../domain/idempotency.ts';
import type { IdempotentRequest, Shortcut } from '../domain/idempotency.ts';
import { passGate } from './approvals/gate.ts';
import { BASE_PATH } from './base-path.ts';
import type { KeyedOperation } from './operation.ts';
import { originFor } from './origin.ts';
import type { Ports } from './ports.ts';
import { etagOf, matchesNone } from './preconditions.ts';
import type { VersionCondition } from './preconditions.ts';
import { bodyOf, isRefusal } from './reply.ts';
import type { Refusal, Reply } from './reply.ts';
import { verifyReply } from './verify-answer.ts';

/** A request that has passed every check that needs neither its target nor the state of anything. */
export interface CheckedRequest {
  readonly operation: KeyedOperation;
  readonly auth: Identity;
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  /** The body as it was sent, for comparing two requests. */
  readonly sent: Record<string, unknown> | undefined;
  readonly idempotencyKey: string | undefined;
  /** The header Service-Approval. */
  readonly approvalId: string | undefined;
  readonly ifMatch: VersionCondition;
  readonly now: Date;
}

/** An answer, ready to be written; also what an idempotency record keeps. */
interface Answer {
  readonly status: number;
  readonly body: string;
  readonly location: string | null;
  readonly etag: string | null;
  readonly replayed?: boolean;
}

/** What a GET answers. It changes nothing. */
export const read = (ports: Ports, request: CheckedRequest): Promise<Reply | Refusal> =>
  request.operation.handle(contextOf(ports, request, null, null));

/**
 * Carries out the operation, a write in one transaction with its idempotency record, and writes the answer.
 *
 * @param begun what a GET answers, where it has been read ahead
 */
export async function execute(
  ports: Ports,
  ctx: Context,
  request: CheckedRequest,
  begun?: Promise<Reply | Refusal>,
): Promise<void> {
  const { operation } = request;
  if (operation.method === 'GET') {
    const reply = await (begun ?? read(ports, request));
    if (isRefusal(reply)) throw reply.refusal;
    if (ports.verifyAnswers) verifyReply(operation, reply);
    if (reply.version !== undefined && matchesNone(ctx.headers['if-none-match'], reply.version)) {
      ctx.set('ETag', etagOf(reply.version));
      ctx.status = 304;
      return;
    }
    write(ctx, answerOf(ports, ctx, reply, reply.data));
    return;
  }
  const prepared = await operation.prepare?.(contextOf(ports, request, null, null));
  const outcome = await executeWrite(ports, ctx, request, prepared);
  // What the handler changed while it refused is committed by now.
  if (isRefusal(outcome)) throw outcome.refusal;
  write(ctx, outcome);
}

async function executeWrite(
  ports: Ports,
  ctx: Context,
  request: CheckedRequest,
  prepared: unknown,
): Promise<Answer | Refusal> {
  const { operation } = request;
  const claim = idempotentRequest(ctx, request);
  const carryOut = (tx: Transaction) =>
    work(ports, ctx, request, contextOf(ports, request, tx, prepared), claim);
  if (claim === null)
    return operation.optimistic ? ports.db.attempt(carryOut).commit() : ports.db.transaction(carryOut);
  const outcome = await once(ports.db, claim, request.now, carryOut, () => shortcut(ports, ctx, request));
  return outcome instanceof Recorded ? { ...outcome.answer, replayed: true } : outcome;
}

/** What the operation will answer, where it can say so beforehand. */
function shortcut(
  ports: Ports,
  ctx: Context,
  { operation, auth, body, now }: CheckedRequest,
): Shortcut<Answer> | null {
  if (operation.shortcut === undefined || operation.approval !== undefined) return null;
  const short = operation.shortcut({ site: auth.site, body, now });
  if (short === null) return null;
  const { reply, statements, waits } = short;
  if (ports.verifyAnswers) verifyReply(operation, reply);
  const answer = answerOf(ports, ctx, reply, reply.data);
  return { answer, recorded: replayOf(ports, ctx, reply, answer), statements, waits };
}

/** Carries out the operation and leaves its answer under the idempotency key, where there is one. */
async function work(
  ports: Ports,
  ctx: Context,
  request: CheckedRequest,
  context: ReturnType<typeof contextOf>,
  claim: IdempotentRequest | null,
): Promise<Answer | Refusal> {
  const asked = await askPerson(ctx, request, context);
  if (asked !== null) {
    if (ports.verifyAnswers) verifyReply(request.operation, asked);
    // Not recorded: the retry with the approval may carry the same key.
    return answerOf(ports, ctx, asked, asked.data);
  }
  const reply = await request.operation.handle(context);
  if (isRefusal(reply)) return reply;
  if (ports.verifyAnswers) verifyReply(request.operation, reply);
  const answer = answerOf(ports, ctx, reply, reply.data);
  if (claim !== null) {
    recordAnswer(context.tx, claim, replayOf(ports, ctx, reply, answer), request.now);
  }
  return answer;
}

/** @returns the answer where a person has to approve first, or null where the operation may go on */
async function askPerson(
  ctx: Context,
  request: CheckedRequest,
  context: ReturnType<typeof contextOf>,
): Promise<Reply | null> {
  const { operation, auth, sent, approvalId } = request;
  if (operation.approval === undefined || !auth.caller.heldByAgent) return null;
  return passGate(
    { gate: operation.approval, method: ctx.method, path: concretePath(request), sent, approvalId },
    context,
  );
}

function idempotentRequest(ctx: Context, request: CheckedRequest): IdempotentRequest | null {
  if (request.idempotencyKey === undefined) return null;
  return {
    siteId: request.auth.site.id,
    operation: `${ctx.method} ${concretePath(request)}`,
    key: request.idempotencyKey,
    hash: hashBody(request.sent ?? null),
  };
}

/** The path with its ids in lower case: two spellings of one id are one endpoint. */
const concretePath = ({ operation, params }: CheckedRequest): string =>
  operation.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '');

function contextOf(ports: Ports, request: CheckedRequest, tx: Transaction | null, prepared: unknown) {
  const { auth, params, query, body, ifMatch, now } = request;
  const { site, caller } = auth;
  const purging = { site, db: ports.db, purger: ports.purger };
  const actor = { kind: 'key', id: caller.keyId, name: caller.keyName } as const;
  return {
    db: ports.db,
    tx: tx as Transaction,
    prepared,
    ports,
    actor,
    site,
    caller,
    params,
    query,
    body,
    ifMatch,
    now,
    purging,
  };
}

function answerOf(ports: Ports, ctx: Context, reply: Reply, data: unknown): Answer {
  return {
    status: reply.status,
    body: reply.json ?? (data === undefined ? '' : bodyOf(data)),
    location: reply.location === undefined ? null : baseUrl(ports, ctx) + reply.location,
    etag: reply.version === undefined ? null : etagOf(reply.version),
  };
}

/** What a later request with the same idempotency key is answered. */
const replayOf = (ports: Ports, ctx: Context, reply: Reply, answer: Answer): Answer =>
  reply.replayData === undefined ? answer : answerOf(ports, ctx, reply, reply.replayData);

const baseUrl = (ports: Ports, ctx: Context): string => originFor(ports, ctx) + BASE_PATH;

function write(ctx: Context, answer: Answer): void {
  ctx.status = answer.status;
  if (answer.location !== null) ctx.set('Location', answer.location);
  if (answer.etag !== null) ctx.set('ETag', answer.etag);
  if (answer.replayed) ctx.set('Idempotency-Replayed', 'true');
  if (answer.body !== '') {
    ctx.type = 'application/json';
    ctx.body = answer.body;
  }
}
