import type { Context } from 'koa';
import type { Identity } from '../../domain/access/authenticate.ts';
import type { Actor } from '../../domain/audit/record.ts';
import { BASE_PATH } from '../http/base-path.ts';
import { answersObject } from './answers.ts';
import type { ChangeContext, KeyedOperation, WriteContext } from './operation.ts';
import type { Ports } from './ports.ts';
import { etagOf, matchesNone, versionOfBody } from '../http/preconditions.ts';
import type { Version, VersionCondition } from '../http/preconditions.ts';
import { bodyOf, isCommittedError } from './reply.ts';
import type { CommittedError, Reply } from './reply.ts';
import { verifyReply } from './verify-answer.ts';

/** A request that has passed all checks that need neither its target nor other stored state. */
export interface CheckedRequest {
  readonly operation: KeyedOperation;
  readonly auth: Identity;
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  /** The body as it was sent, to compare a request with an earlier one. */
  readonly sent: Record<string, unknown> | undefined;
  readonly idempotencyKey: string | undefined;
  /** The header Service-Approval. */
  readonly approvalId: string | undefined;
  readonly ifMatch: VersionCondition;
  readonly requestId: string;
  readonly now: Date;
}

/** Further arguments of the handler of a write. */
type OfWrites = Pick<
  WriteContext<unknown, unknown, string> & ChangeContext<unknown, unknown, string>,
  'tx' | 'rows' | 'effects' | 'prepared'
>;

/** An answer that is ready to be sent; idempotency records store the same. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  /** Replaces `body` in a read. */
  readonly bytes?: Buffer | undefined;
  readonly location: string | null;
  readonly etag: string | null;
  readonly replayed?: boolean;
}

/** Runs the handler of a GET. */
export const read = (ports: Ports, request: CheckedRequest): Promise<Reply | CommittedError> =>
  request.operation.handle(contextOf(ports, request, {}));

/**
 * Executes a GET and sends the answer.
 *
 * @param speculative the reply that was started speculatively
 */
export async function executeRead(
  ports: Ports,
  ctx: Context,
  request: CheckedRequest,
  speculative?: Promise<Reply | CommittedError>,
): Promise<void> {
  const reply = await (speculative ?? read(ports, request));
  if (isCommittedError(reply)) throw reply.committedError;
  if (ports.verifyAnswers) verifyReply(request.operation, reply);
  sendRead(ctx, request.operation, answerOf(ports, reply, reply.data), reply.version);
}

const actorOf = ({ auth: { caller }, requestId }: CheckedRequest): Actor => ({
  kind: 'key',
  id: caller.keyId,
  name: caller.keyName,
  requestId,
});

/** The arguments of a handler. @param own those of writes alone */
export function contextOf(ports: Ports, request: CheckedRequest, own: Partial<OfWrites>) {
  const { auth, params, query, body, ifMatch, idempotencyKey, now } = request;
  const { site, caller } = auth;
  const purging = { site, db: ports.db, purger: ports.purger };
  const actor = actorOf(request);
  // A handler's type says which of them it uses.
  const { tx, rows, effects, prepared } = own as OfWrites;
  return {
    db: ports.db,
    tx,
    rows,
    effects,
    prepared,
    ports,
    actor,
    site,
    caller,
    params,
    query,
    body,
    ifMatch,
    idempotencyKey,
    now,
    purging,
  };
}

export function answerOf(ports: Ports, reply: Reply, data: unknown): Answer {
  return {
    status: reply.status,
    body: reply.json ?? (data === undefined ? '' : bodyOf(data)),
    bytes: reply.bytes,
    location: reply.location === undefined ? null : ports.publicUrl + BASE_PATH + reply.location,
    etag: reply.version === undefined ? null : etagOf(reply.version),
  };
}

/**
 * A single object has an ETag, from its row's version or else from the body. A list has none
 * (docs/spec/rulings.md, 14).
 */
function sendRead(ctx: Context, operation: KeyedOperation, answer: Answer, known?: Version): void {
  if (!answersObject(operation)) return sendAnswer(ctx, { ...answer, etag: null });
  const version = known ?? versionOfBody(answer.body);
  if (!matchesNone(ctx.headers['if-none-match'], version)) {
    return sendAnswer(ctx, { ...answer, etag: etagOf(version) });
  }
  ctx.set('ETag', etagOf(version));
  ctx.status = 304;
}

/** Sends the answer of an operation. */
export function sendAnswer(ctx: Context, answer: Answer): void {
  ctx.status = answer.status;
  if (answer.location !== null) ctx.set('Location', answer.location);
  if (answer.etag !== null) ctx.set('ETag', answer.etag);
  if (answer.replayed) ctx.set('Idempotency-Replayed', 'true');
  const body = answer.bytes ?? answer.body;
  if (body.length > 0) {
    ctx.type = 'application/json';
    ctx.body = body;
  }
}
