import type { z } from 'zod';
import type { Database } from '../db/database.ts';
import type { Transaction } from '../db/transaction.ts';
import type { ShortTransaction } from '../db/short-transactions.ts';
import type { Caller, Site } from '../domain/access/authenticate.ts';
import type { Permission } from '../domain/access/permissions.ts';
import type { RateClass } from '../domain/access/rate-limits.ts';
import type { Scope } from '../domain/access/scopes.ts';
import type { ErrorCode, ServiceError } from '../domain/errors.ts';
import type { Purging } from '../domain/purge.ts';
import type { Actor } from '../domain/audit.ts';
import type { FieldMessages } from '../domain/errors.ts';
import type { GatedOperation } from '../domain/approvals/gated-operations.ts';
import type { Ports } from './ports.ts';
import type { Version, VersionCondition } from './preconditions.ts';
import type { Refusal, Reply } from './reply.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Who may call an operation: a row of the operation index. */
export interface Access {
  readonly scope: Scope | null;
  readonly permission: Permission | null;
  /** The code where that is missing, instead of INSUFFICIENT_SCOPE. */
  readonly withoutPermission?: 'FORBIDDEN';
  readonly rateClass: Exclude<RateClass, 'keyless'>;
  /** Whether publishable keys are admitted. */
  readonly publishable: boolean;
  /** What else refuses a caller before anything of the request is read. */
  readonly refuse?: (caller: Caller, query: URLSearchParams) => ServiceError | null;
  /** Open to the keys of removed members: /ping alone (decisions 2). */
  readonly withoutMembership?: boolean;
}

/** What every handler gets. */
interface BaseContext<Query, Body> {
  readonly site: Site;
  readonly caller: Caller;
  /** The calling key, for the audit log. */
  readonly actor: Actor;
  readonly ports: Ports;
  /** Path parameters; ids are uuids in lower case. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** Whether a row's version satisfies If-Match. */
  readonly ifMatch: VersionCondition;
  /** The moment of the request. */
  readonly now: Date;
  /** What published changes need to reach the cache. */
  readonly purging: Purging;
}

export interface ReadContext<Query, Body> extends BaseContext<Query, Body> {
  readonly db: Database;
}

/** A write has one transaction, opened for it and committed when the handler resolves. */
export interface WriteContext<Query, Body, Prepared = unknown> extends BaseContext<Query, Body> {
  readonly tx: Transaction;
  /** What `prepare` gave. */
  readonly prepared: Prepared;
}

/** What an operation needs where it says beforehand what it will answer. */
export type ShortcutContext<Body> = Pick<BaseContext<never, Body>, 'site' | 'body' | 'now'>;

/** What an operation will answer, and the statements that do it, or are refused by a constraint. */
export interface ReplyAndStatements extends ShortTransaction {
  readonly reply: Reply;
}

/** What a person is asked to approve where a key held by an agent calls an operation (decisions 11). */
export interface Gate<Query, Body> {
  readonly action: GatedOperation;
  /**
   * Loads what the operation is about and locks it for the transaction: an approval is good for its version.
   * null where this request has no target.
   *
   * @throws ServiceError NOT_FOUND
   */
  readonly target?: (context: WriteContext<Query, Body>) => Promise<{ readonly version: Version } | null>;
}

type Schema = z.ZodType;
type Context<M extends Method, Q, B, P> = M extends 'GET' ? ReadContext<Q, B> : WriteContext<Q, B, P>;

/** One operation, declared once: the router, the checks, the OpenAPI document and the index all read this. */
export interface OperationDeclaration<M extends Method, Q extends Schema, B extends Schema, P = unknown> {
  readonly method: M;
  /** Below the base address, with `:name` for parameters. */
  readonly path: string;
  readonly summary: string;
  /** The heading it stands under in the reference. */
  readonly group: string;
  readonly description?: string;
  readonly access: Access;
  /** Query parameters; those of array type may be repeated. */
  readonly query?: Q;
  /** The JSON body. Where it is absent, POST and PATCH take an empty one. */
  readonly body?: B;
  /** What else is wrong with a body as it was sent, as far as it shows without looking anything up. */
  readonly examine?: (sent: Readonly<Record<string, unknown>>, ports: Ports) => FieldMessages;
  /** Path parameters that are not uuids. */
  readonly textParams?: readonly string[];
  /** `required`: the specification lists it; `honoured`: works where it is sent (decisions 3). */
  readonly idempotency?: 'required' | 'honoured';
  /** Where a key held by an agent needs a person's approval (decisions 11). */
  readonly approval?: Gate<z.output<Q>, z.output<B>>;
  /** Whether it is attempted without a lock first, where no idempotency key guards it (docs/decisions/0039). */
  readonly optimistic?: boolean;
  /** Whether `If-Match` is looked at. */
  readonly conditional?: boolean;
  /** Shape of `data` by status; null for no body. */
  readonly answers: Readonly<Partial<Record<200 | 201 | 202 | 204, Schema | null>>>;
  /** Codes beyond those that any operation may answer. */
  readonly errors: readonly ErrorCode[];
  /** Slow work outside the database, done before the transaction is opened. It may have to be done twice. */
  readonly prepare?: (context: BaseContext<z.output<Q>, z.output<B>>) => Promise<P>;
  /**
   * Is tried before `handle`, in a single round trip, where an idempotency key guards the operation and no approval does:
   * null where it cannot be said beforehand what it will answer.
   */
  readonly shortcut?: (context: ShortcutContext<z.output<B>>) => ReplyAndStatements | null;
  readonly handle: (context: Context<M, z.output<Q>, z.output<B>, P>) => Promise<Reply | Refusal>;
}

/** An operation whose types have done their work. */
export type KeyedOperation = Omit<OperationDeclaration<Method, Schema, Schema>, 'handle'> & {
  readonly keyless?: false;
  readonly handle: (
    context: ReadContext<unknown, unknown> & WriteContext<unknown, unknown>,
  ) => Promise<Reply>;
};

/** An operation that needs no key, and so knows of its caller the address alone. */
export type KeylessOperation = Omit<KeyedOperation, 'keyless' | 'handle' | 'prepare'> & {
  readonly keyless: true;
  readonly handle: (context: KeylessContext<unknown>) => Promise<Reply>;
};

export type Operation = KeyedOperation | KeylessOperation;

/** Declares an operation; its types follow from its schemas. */
export const operation = <
  M extends Method,
  Q extends Schema = z.ZodObject,
  B extends Schema = z.ZodUndefined,
  P = unknown,
>(
  declaration: OperationDeclaration<M, Q, B, P>,
): KeyedOperation => declaration as unknown as KeyedOperation;

/** What the handler of an operation without a key gets. */
export interface KeylessContext<Body> {
  readonly tx: Transaction;
  readonly ports: Ports;
  readonly body: Body;
  /** The moment of the request. */
  readonly now: Date;
  /** Where the client reaches the service, without `/v1`. */
  readonly origin: string;
  readonly clientAddress: string;
}

interface KeylessDeclaration<B extends Schema> extends Pick<
  OperationDeclaration<'POST', z.ZodUndefined, B>,
  'path' | 'summary' | 'group' | 'description' | 'answers' | 'errors'
> {
  readonly body: B;
  readonly handle: (context: KeylessContext<z.output<B>>) => Promise<Reply>;
}

/** Counted per client address (specification, Limits: class auth). */
const withoutKey: Access = { scope: null, permission: null, rateClass: 'auth', publishable: false };

/** Declares an operation that needs no key. */
export const keylessOperation = <B extends Schema>(declaration: KeylessDeclaration<B>): KeylessOperation =>
  ({ ...declaration, method: 'POST', access: withoutKey, keyless: true }) as unknown as KeylessOperation;
