import type { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { Effects } from '../../db/effects.ts';
import type { Rows, Transaction } from '../../db/transaction.ts';
import type { Caller } from '../../domain/access/authenticate.ts';
import type { Site } from '../../domain/kernel/site.ts';
import type { Permission } from '../../domain/access/permissions.ts';
import type { RateClass } from '../../domain/access/rate-limits.ts';
import type { Scope } from '../../domain/access/scopes.ts';
import type { ErrorCode, ServiceError } from '../../domain/kernel/errors.ts';
import type { Purging } from '../../domain/purge/purge.ts';
import type { Actor } from '../../domain/audit/record.ts';
import type { FieldMessages } from '../../packages/base/mistakes.ts';
import type { GatedOperation } from '../../domain/approvals/gated-operations.ts';
import type { Group } from './groups.ts';
import type { Ports } from './ports.ts';
import type { Version, VersionCondition } from '../http/preconditions.ts';
import type { CommittedError, Reply } from './reply.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Who may call an operation: its entry in the operation index. */
export interface Access {
  readonly scope: Scope | null;
  readonly permission: Permission | null;
  /** The code if the permission is missing, instead of INSUFFICIENT_SCOPE. */
  readonly withoutPermission?: 'FORBIDDEN';
  readonly rateClass: Exclude<RateClass, 'keyless' | 'public'>;
  /** Whether publishable keys may call it, besides secret ones. */
  readonly publishable?: boolean;
  /**
   * Whether a key for drafts may call it though it writes. Where only some of what it writes is open to such a key, the
   * operation refuses the rest itself (docs/spec/rulings.md, 23, Keys for drafts).
   */
  readonly forDrafts?: boolean;
  /** Whether it always changes what readers see or will see: its handler then refuses callers who may not, after 404. */
  readonly publishes?: boolean;
  /** An additional check of the caller, made before the request is read. */
  readonly refuse?: (caller: Caller, query: URLSearchParams) => ServiceError | null;
  /** Whether the keys of removed members may call it: only /ping (docs/spec/rulings.md, 2). */
  readonly withoutMembership?: boolean;
}

/** The parameters of a path: `/articles/:id` has `{ id: string }`. */
export type Params<Path extends string> = string extends Path
  ? Readonly<Record<string, string>>
  : Path extends `${string}/:${infer Name}/${infer Rest}`
    ? Readonly<Record<Name, string>> & Params<`/${Rest}`>
    : Path extends `${string}/:${infer Name}`
      ? Readonly<Record<Name, string>>
      : unknown;

/** Passed to every handler. */
interface BaseContext<Query, Body, Path extends string> {
  readonly site: Site;
  readonly caller: Caller;
  /** The calling key and the Request-Id, for the audit log. */
  readonly actor: Actor;
  readonly ports: Ports;
  /** Path parameters; ids are uuids in lower case. */
  readonly params: Params<Path>;
  readonly query: Query;
  readonly body: Body;
  /** Checks a row's version against If-Match. */
  readonly ifMatch: VersionCondition;
  /** For work outside the database, which requests with the same key must not repeat. */
  readonly idempotencyKey: string | undefined;
  /** The time of the request. */
  readonly now: Date;
  /** Purges the cache after changes of published content. */
  readonly purging: Purging;
}

export interface ReadContext<Query, Body, Path extends string> extends BaseContext<Query, Body, Path> {
  readonly db: Database;
}

/** A write runs in one transaction, which is committed when the handler resolves. */
export interface WriteContext<Query, Body, Path extends string, Prepared = unknown> extends BaseContext<
  Query,
  Body,
  Path
> {
  readonly tx: Transaction;
  /** The result of `prepare`. */
  readonly prepared: Prepared;
}

/** Passed to `change`. */
export interface ChangeContext<Query, Body, Path extends string> extends BaseContext<Query, Body, Path> {
  /** Reads the state that the change starts from. */
  readonly rows: Rows;
  /** Receives its effects. */
  readonly effects: Effects;
}

/** The approval that a key held by an agent needs for an operation (docs/spec/rulings.md, 11). */
export interface Gate<Query, Body, Path extends string> {
  /** What requests may be; the first of them that the organisation has a person approve is asked for. */
  readonly actions: readonly GatedOperation[];
  /**
   * Which of the actions this request is, if its target or body decides; by default it is all of them.
   *
   * @throws ServiceError NOT_FOUND
   */
  readonly among?: (context: WriteContext<Query, Body, Path>) => Promise<readonly GatedOperation[]>;
  /**
   * Loads the target of the request and locks it for the transaction. An approval is valid for this version only.
   * Returns null if the request has no target.
   *
   * @throws ServiceError NOT_FOUND, or an error that no approval could prevent
   */
  readonly target?: (context: WriteContext<Query, Body, Path>) => Promise<GatedTarget | null>;
  /** Members of the body that are secrets: the approval is bound to them, but neither stores nor shows them. */
  readonly hidden?: readonly string[];
}

/** The target of a gated request. */
export interface GatedTarget {
  readonly version: Version;
  /** Details for the person who decides, if the path and the body do not say enough. */
  readonly shown?: Readonly<Record<string, unknown>>;
}

type Schema = z.ZodType;
type Context<M extends Method, Q, B, P, Path extends string> = M extends 'GET'
  ? ReadContext<Q, B, Path>
  : WriteContext<Q, B, Path, P>;

/** The declaration of an operation, read by the router, the checks, the OpenAPI document and the index. */
export interface OperationDeclaration<
  M extends Method,
  Q extends Schema,
  B extends Schema,
  Path extends string,
  P = unknown,
> {
  /** Names the operation for clients; it never changes (docs/spec/rulings.md, 17). */
  readonly id: string;
  readonly method: M;
  /** Relative to the base URL, with `:name` for parameters. */
  readonly path: Path;
  readonly summary: string;
  readonly description?: string;
  /** Examples instead of those of its schemas: the body, and `data` of the answer. */
  readonly example?: { readonly body?: unknown; readonly data?: unknown };
  readonly access: Access;
  /** Query parameters; those of array type may be repeated. */
  readonly query?: Q;
  /** The JSON body. Without it, POST and PATCH only accept an empty body. */
  readonly body?: B;
  /** Additional checks of the body as it was sent, without look-ups. */
  readonly examine?: (sent: Readonly<Record<string, unknown>>, ports: Ports) => FieldMessages;
  /** Path parameters that are not uuids. The schema only describes them. */
  readonly textParams?: Readonly<Record<string, Schema>>;
  /** `required` as listed in the specification; `honoured` if the header is optional (docs/spec/rulings.md, 3). */
  readonly idempotency?: 'required' | 'honoured';
  /** The approval that a key held by an agent needs (docs/spec/rulings.md, 11). */
  readonly approval?: Gate<z.output<Q>, z.output<B>, Path>;
  /** Whether `If-Match` is honoured. What it answers then has an ETag. */
  readonly conditional?: boolean;
  /** Whether its answers contain a secret, and must not be stored by caches (`no-store`). */
  readonly secret?: boolean;
  /**
   * For a GET: whether it answers a single object, which has an ETag. The default is false if the answer has `items`.
   */
  readonly object?: boolean;
  /** Shape of `data` by status; null for no body. */
  readonly answers: Readonly<Partial<Record<200 | 201 | 202 | 204, Schema | null>>>;
  /** Headers of its own answers. A GET of one object, and a conditional change, have an ETag without this. */
  readonly headers?: readonly ('ETag' | 'Location')[];
  /** Error codes in addition to the general ones; by default none. */
  readonly errors?: readonly ErrorCode[];
  /** Slow work outside the database, done before the transaction starts. It must be idempotent. */
  readonly prepare?: (context: BaseContext<z.output<Q>, z.output<B>, Path>) => Promise<P>;
  /**
   * Makes a change of one row: it reads, decides, and registers effects. It is tried as an optimistic write
   * (db/optimistic-write.ts); if that writes nothing, a transaction makes the same change. Stands instead of `handle`.
   */
  readonly change?: (context: ChangeContext<z.output<Q>, z.output<B>, Path>) => Promise<Reply>;
  /** Left out if there is a `change`. */
  readonly handle?: (
    context: Context<M, z.output<Q>, z.output<B>, P, Path>,
  ) => Promise<Reply | CommittedError>;
}

/** An operation with its type parameters erased. */
export type KeyedOperation = Omit<
  OperationDeclaration<Method, Schema, Schema, string>,
  'handle' | 'change' | 'errors'
> & {
  readonly keyless?: false;
  /** Its heading in the reference (api/operations.ts). */
  readonly group: Group;
  readonly errors: readonly ErrorCode[];
  readonly handle: (
    context: ReadContext<unknown, unknown, string> & WriteContext<unknown, unknown, string>,
  ) => Promise<Reply | CommittedError>;
  readonly change?: (context: ChangeContext<unknown, unknown, string>) => Promise<Reply>;
};

/** An operation that needs no key; all it knows about its caller is the address. */
export type KeylessOperation = Omit<KeyedOperation, 'keyless' | 'handle' | 'change' | 'prepare'> & {
  readonly keyless: true;
  readonly handle: (context: KeylessContext<unknown>) => Promise<Reply>;
};

export type Operation = KeyedOperation | KeylessOperation;

/** An operation without its heading. */
export type Declared = Omit<KeyedOperation, 'group'> | Omit<KeylessOperation, 'group'>;

/** Declares an operation; its types follow from its schemas. */
export const operation = <
  M extends Method,
  const Path extends string,
  Q extends Schema = z.ZodObject,
  B extends Schema = z.ZodUndefined,
  P = unknown,
>(
  declaration: OperationDeclaration<M, Q, B, Path, P>,
): Declared =>
  ({
    errors: [],
    headers: declaration.conditional && declaration.answers[204] === undefined ? ['ETag'] : [],
    ...declaration,
    access: { publishable: false, ...declaration.access },
    handle: declaration.handle ?? declaration.change,
  }) as unknown as Declared;

/** Passed to the handler of an operation without a key. */
export interface KeylessContext<Body> {
  readonly tx: Transaction;
  readonly ports: Ports;
  readonly body: Body;
  /** The time of the request. */
  readonly now: Date;
  readonly clientAddress: string;
  /** The Request-Id, for the audit log. */
  readonly requestId: string;
}

interface KeylessDeclaration<B extends Schema> extends Pick<
  OperationDeclaration<'POST', z.ZodUndefined, B, string>,
  'id' | 'path' | 'summary' | 'description' | 'example' | 'answers' | 'errors'
> {
  readonly body: B;
  readonly handle: (context: KeylessContext<z.output<B>>) => Promise<Reply>;
}

/** Counted per client address (docs/spec/service-api.md, Limits, class auth). */
const withoutKey: Access = { scope: null, permission: null, rateClass: 'auth', publishable: false };

/** Declares an operation that needs no key. */
export const keylessOperation = <B extends Schema>(declaration: KeylessDeclaration<B>): Declared =>
  ({
    errors: [],
    ...declaration,
    method: 'POST',
    access: withoutKey,
    keyless: true,
  }) as unknown as Declared;
