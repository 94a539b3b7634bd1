import type { z } from 'zod';
import { sql } from '../sql.ts';
import type { FragmentSqlToken } from '../sql.ts';
import type { Query } from '../statements.ts';

type ParameterType = 'uuid' | 'text' | 'int' | 'timestamptz';

type ParameterTypes = Readonly<Record<string, ParameterType | undefined>>;

/** Something for each parameter. */
type Each<Types, Something> = { readonly [Name in keyof Types]: Something };

/** Composes a statement from the SQL of its parameters, which is the only place that values may come from. */
type Compose = (parameters: readonly FragmentSqlToken[]) => FragmentSqlToken;

/** A read, composed once for a single set of values, and once for several sets in one round trip. */
export class CoalescedRead {
  readonly types: readonly ParameterType[];
  readonly compose: Compose;
  /** The statement for one set of values. */
  readonly text: string;
  /**
   * The statement for several sets of values. Each parameter is the array of its values in all sets. A row also has
   * `set_number`, the number of its set, from 1.
   */
  readonly textForSets: string;

  constructor(types: readonly ParameterType[], compose: Compose) {
    this.types = types;
    this.compose = compose;
    this.text = textOf(compose(types.map((type, index) => raw(`$${index + 1}::${type}`))));
    // The arrays are selected to hide their lengths from the planner. Otherwise it would plan each statement again,
    // because a plan for a short array looks cheaper than it is.
    const arrays = types.map((type, index) => raw(`(select $${index + 1}::${type}[])`));
    const columns = types.map((_, index) => raw(`p${index + 1}`));
    const found = compose(types.map((_, index) => raw(`asked.p${index + 1}`)));
    // The rows of each set keep the order of the statement: a lateral subquery over the rows of a function can only be
    // planned as a loop.
    this.textForSets = textOf(sql.fragment`
      select asked.set_number::int4, found.*
      from unnest(${sql.list(arrays)}) with ordinality as asked (${sql.list(columns)}, set_number)
      cross join lateral (${found}) found`);
  }
}

/** A query that shares its round trip with others of the same read (`Database.coalesced`). It may also run alone. */
export interface CoalescedQuery<Row> extends Query<Row> {
  readonly read: CoalescedRead;
}

/**
 * Declares a read that is coalesced. The text is composed here, once; a query only adds the values.
 *
 * @param types the type of each parameter, of which there is at least one
 * @param compose receives the SQL of each parameter, and must bind no values of its own
 */
export function coalescedQuery<Row, const Types extends ParameterTypes>(
  row: z.ZodType<Row>,
  types: Types,
  compose: (parameters: Each<Types, FragmentSqlToken>) => FragmentSqlToken,
): (values: Each<Types, string | number | null>) => CoalescedQuery<Row> {
  const names = Object.keys(types);
  const read = new CoalescedRead(Object.values(types) as ParameterType[], (parameters) => {
    const named = names.map((name, index) => [name, parameters[index]]);
    return compose(Object.fromEntries(named) as Each<Types, FragmentSqlToken>);
  });
  const query = { ...sql.type(row)``, sql: read.text, read };
  return (values) => ({
    ...query,
    values: names.map((name) => values[name] as string | number | null),
  });
}

const raw = (text: string): FragmentSqlToken => ({ ...sql.fragment``, sql: text });

/** @throws Error for a value that is not a parameter: a defect */
function textOf(fragment: FragmentSqlToken): string {
  if (fragment.values.length > 0)
    throw new Error(`Every value of a coalesced read must be a parameter: ${fragment.sql}`);
  return fragment.sql;
}
