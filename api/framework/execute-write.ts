import type { Context } from 'koa';
import type { TransactionOptions } from '../../db/transaction.ts';
import type { Transaction } from '../../db/transaction.ts';
import { ServiceError } from '../../domain/kernel/errors.ts';
import {
  claimIdempotencyKey,
  registerClaim,
  findRecordedAnswer,
  hashesOfBody,
  recordAnswer,
} from '../../domain/kernel/idempotency.ts';
import type { IdempotentRequest } from '../../domain/kernel/idempotency.ts';
import { answerOf, contextOf, sendAnswer } from './execute.ts';
import type { Answer, CheckedRequest } from './execute.ts';
import { passGate } from './approval-gate.ts';
import { clientGone, requireClient } from '../http/client-gone.ts';
import type { Ports } from './ports.ts';
import { isCommittedError } from './reply.ts';
import type { CommittedError, Reply } from './reply.ts';
import { verifyReply } from './verify-answer.ts';

/**
 * Executes a write and sends the answer. The work, its audit row and its idempotency record are committed together: by
 * a single statement if the operation declares a `change` and nothing stands against it, else by a transaction, which
 * also finds out what does.
 */
export async function executeWrite(ports: Ports, ctx: Context, request: CheckedRequest): Promise<void> {
  const { operation } = request;
  if (operation.secret) ctx.set('Cache-Control', 'no-store');
  const claim = idempotentRequest(ports, ctx, request);
  // A prepared change may have become impossible since the first request.
  const recorded = operation.prepare && claim && (await findRecordedAnswer(ports.db, claim, request.now));
  if (recorded) return sendAnswer(ctx, { ...recorded, replayed: true });
  const prepared = await operation.prepare?.(contextOf(ports, request, {}));
  const options = { mayBegin: () => requireClient(ctx) };
  const outcome =
    (await tryChange(ports, request, claim, options)) ??
    (await ports.db.transaction((tx) => runHandler(ports, ctx, request, tx, prepared, claim), options));
  // The handler's changes have been committed.
  if (isCommittedError(outcome)) throw outcome.committedError;
  if (!('later' in outcome)) return sendAnswer(ctx, outcome);
  sendAnswer(ctx, answersOf(ports, request, await outcome.later(clientGone(ctx))).answer);
}

/** Makes the change as an optimistic write. @returns null if a transaction has to make it, or to say why it cannot */
async function tryChange(
  ports: Ports,
  request: CheckedRequest,
  claim: IdempotentRequest | null,
  options: TransactionOptions,
): Promise<Answer | null> {
  const { change } = request.operation;
  if (change === undefined || mayNeedApproval(request)) return null;
  try {
    const written = await ports.db.tryWrite(async (rows, effects) => {
      const reply = await change(contextOf(ports, request, { rows, effects }));
      const { answer, replay } = answersOf(ports, request, reply);
      if (claim !== null) registerClaim(effects, claim, replay, request.now);
      return answer;
    }, options);
    return written?.result ?? null;
  } catch (error) {
    // An answer that is recorded for the key comes before an error.
    if (claim !== null && error instanceof ServiceError) return null;
    throw error;
  }
}

/** Runs the handler in a transaction, unless an answer is recorded for its idempotency key. */
async function runHandler(
  ports: Ports,
  ctx: Context,
  request: CheckedRequest,
  tx: Transaction,
  prepared: unknown,
  claim: IdempotentRequest | null,
): Promise<Answer | CommittedError | Required<Pick<Reply, 'later'>>> {
  const recorded = claim && (await claimIdempotencyKey(tx, claim, request.now));
  if (recorded !== null) return { ...recorded, replayed: true };
  const context = contextOf(ports, request, { tx, rows: tx, effects: tx, prepared });
  const asked = await askPerson(ctx, request, context);
  // Not recorded: the request with the approval may use the same idempotency key.
  if (asked !== null) return answersOf(ports, request, asked).answer;
  const reply = await request.operation.handle(context);
  if (isCommittedError(reply)) return reply;
  if (reply.later !== undefined) return { later: reply.later };
  const { answer, replay } = answersOf(ports, request, reply);
  if (claim !== null) recordAnswer(tx, claim, replay, request.now);
  return answer;
}

const mayNeedApproval = ({ operation, auth }: CheckedRequest): boolean =>
  operation.approval !== undefined && auth.caller.heldByAgent;

/** @returns the answer if a person has to approve first; null if the operation may continue */
async function askPerson(
  ctx: Context,
  request: CheckedRequest,
  context: ReturnType<typeof contextOf>,
): Promise<Reply | null> {
  const { operation, sent, approvalId } = request;
  if (operation.approval === undefined || !mayNeedApproval(request)) return null;
  return passGate(
    { gate: operation.approval, method: ctx.method, path: concretePath(request), sent, approvalId },
    context,
  );
}

/** The answer to a request, and to a later one with the same idempotency key. */
function answersOf(
  ports: Ports,
  { operation }: CheckedRequest,
  reply: Reply,
): { readonly answer: Answer; readonly replay: Answer } {
  if (ports.verifyAnswers) verifyReply(operation, reply);
  const answer = answerOf(ports, reply, reply.data);
  return {
    answer,
    replay: reply.replayData === undefined ? answer : answerOf(ports, reply, reply.replayData),
  };
}

function idempotentRequest({ box }: Ports, ctx: Context, request: CheckedRequest): IdempotentRequest | null {
  if (request.idempotencyKey === undefined) return null;
  return {
    siteId: request.auth.site.id,
    operation: `${ctx.method} ${concretePath(request)}`,
    key: request.idempotencyKey,
    hashes: hashesOfBody(box, request.sent ?? null),
  };
}

/** The path with its ids in lower case: both spellings of an id are the same request. */
const concretePath = ({ operation, params }: CheckedRequest): string =>
  operation.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '');
