import { z } from 'zod';
import { sql } from './sql.ts';
import type { FragmentSqlToken } from './sql.ts';
import type { Query } from './statements.ts';

/** Channels of LISTEN and NOTIFY. Payloads are ids of Sites, times of schedules in ms, and ids of webhook endpoints. */
export type Channel = 'presswork_outbox' | 'presswork_schedules' | 'presswork_webhooks';

/** An INSERT … SELECT, UPDATE or DELETE that does nothing unless `when` holds. */
export type ConditionalStatement = (when: FragmentSqlToken) => FragmentSqlToken;

export interface EffectOptions<Row> {
  /** Receives the rows of the statement, before anything that follows the commit. */
  readonly read?: (rows: readonly Row[]) => void;
  /** A statement that runs before it; `rows` selects from its result. */
  readonly after?: ConditionalStatement;
}

/**
 * The effects of a change: statements that are committed together, or not at all, and work after the commit. A
 * transaction sends the statements with COMMIT; an optimistic write (db/optimistic-write.ts) sends all of them as one.
 */
export interface Effects {
  /** The main statement. It must affect exactly one row; otherwise nothing is written. */
  change(statement: ConditionalStatement): void;
  /** Adds a statement that follows from the change. */
  add<Row>(
    statement: (when: FragmentSqlToken, rows: FragmentSqlToken) => FragmentSqlToken,
    options?: EffectOptions<Row>,
  ): void;
  /**
   * Adds statements that several changes of one transaction can have in common (`Transaction.apart`). A change by itself
   * adds them at once.
   *
   * @param kind the work that can be done together
   * @param compose adds the statements for all items of the kind
   */
  gather<Item>(
    kind: string,
    items: readonly Item[],
    compose: (effects: Effects, items: readonly Item[]) => void,
  ): void;
  /** Notifies the channel's listeners after the commit. */
  notify(channel: Channel, payload?: string): void;
  /** Runs work after the commit, before the caller continues. It must not reject. */
  afterCommit(work: () => Promise<void>): void;
}

/** Effects, however they are sent. */
export abstract class Registered implements Effects {
  /** The work after the commit. */
  readonly notifications: [channel: Channel, payload: string][] = [];
  readonly works: (() => Promise<void>)[] = [];

  abstract change(statement: ConditionalStatement): void;
  abstract add<Row>(
    statement: (when: FragmentSqlToken, rows: FragmentSqlToken) => FragmentSqlToken,
    options?: EffectOptions<Row>,
  ): void;

  gather<Item>(
    _kind: string,
    items: readonly Item[],
    compose: (effects: Effects, items: readonly Item[]) => void,
  ): void {
    compose(this, items);
  }

  notify(channel: Channel, payload = ''): void {
    this.notifications.push([channel, payload]);
  }

  afterCommit(work: () => Promise<void>): void {
    this.works.push(work);
  }
}

type Read = (rows: readonly never[]) => void;

/** The row of a composed statement: whether the change happened, and the rows that were asked for. */
const outcome = z.object({ changed: z.boolean(), returned: z.array(z.array(z.unknown())) });
export type Outcome = z.infer<typeof outcome>;

const identifier = (name: string): FragmentSqlToken => sql.fragment`${sql.identifier([name])}`;
const COMMA = sql.fragment`, `;
const list = (members: readonly FragmentSqlToken[]) =>
  members.length === 0 ? sql.fragment`` : sql.join(members, COMMA);
const CHANGED = sql.fragment`exists (select from changed)`;

/**
 * Effects as one statement: a common table expression for each. PostgreSQL carries out all of it or, after an error,
 * nothing; if the change touches no row, the conditions of the others do not hold.
 */
export class OneStatement extends Registered {
  #condition: FragmentSqlToken | null = null;
  #change: ConditionalStatement | null = null;
  readonly #expressions: FragmentSqlToken[] = [];
  readonly #reads: { readonly name: FragmentSqlToken; readonly read: Read }[] = [];

  /** Adds a condition of the change. It is evaluated once, before the change. */
  require(condition: FragmentSqlToken): void {
    this.#condition = condition;
  }

  change(statement: ConditionalStatement): void {
    this.#change = statement;
  }

  add<Row>(
    statement: (when: FragmentSqlToken, rows: FragmentSqlToken) => FragmentSqlToken,
    { read, after }: EffectOptions<Row> = {},
  ): void {
    const number = this.#expressions.length + 1;
    const name = identifier(`effect_${number}`);
    const before = identifier(`before_${number}`);
    const expression = sql.fragment`${name} as (${statement(CHANGED, before)})`;
    this.#expressions.push(
      after === undefined ? expression : sql.fragment`${before} as (${after(CHANGED)}), ${expression}`,
    );
    if (read !== undefined) this.#reads.push({ name, read });
  }

  /** @returns null if there is nothing to write */
  compose(): Query<Outcome> | null {
    if (this.#change === null) {
      if (this.#expressions.length > 0) throw new Error('Effects without a change');
      return null;
    }
    const returned = this.#reads.map(
      ({ name }) => sql.fragment`(select coalesce(jsonb_agg(to_jsonb(${name})), '[]') from ${name})`,
    );
    const required =
      this.#condition && sql.fragment`required as materialized (select where ${this.#condition}),`;
    const when = required === null ? sql.fragment`true` : sql.fragment`exists (select from required)`;
    const changed = sql.fragment`changed as (${this.#change(when)} returning true)`;
    // PostgreSQL runs expressions from the last to the first. In reverse they lock rows in the order in which they were
    // added, as in a transaction, so that the two do not deadlock.
    const expressions = this.#expressions.toReversed();
    return sql.type(outcome)`
      with ${required ?? sql.fragment``} ${sql.join([changed, ...expressions], COMMA)}
      select exists (select from changed) as changed, jsonb_build_array(${list(returned)}) as returned`;
  }

  /** Number of statements that follow from the change. */
  get size(): number {
    return this.#expressions.length;
  }

  /** Hands the returned rows to their readers. */
  read({ returned }: Outcome): void {
    for (const [index, { read }] of this.#reads.entries()) read(returned[index] as never[]);
  }
}
