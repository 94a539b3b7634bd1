import { LRUCache } from 'lru-cache';
import { prepare } from './statements.ts';
import type { Composed } from './value-sets.ts';

/** What is made of rows and kept: a JSON text, with what goes with it. */
export interface Kept {
  readonly json: string;
}

/** How an answer is made of what was read. */
export interface Presentation<Read, Answer extends Kept> {
  /** Tells apart what is made of the same rows in several ways. */
  readonly name: string;
  /** Follows from the rows alone. What it throws is not kept. */
  readonly of: (read: Read) => Answer;
}

/** All that is kept, and the most of one answer; characters of JSON. */
const KEPT = 5_000_000;
const KEPT_OF_ONE = 200_000;
/** Questions of which it is known that they have been asked. */
const ASKED = 20_000;

interface Remembered {
  readonly signature: string;
  readonly answer: Kept;
}

interface Signed {
  readonly id: string | null;
  /** Of all the rows together. */
  readonly signature: string;
}

/**
 * Keeps what was made of a statement's rows, and gives it again for as long as the database says that the rows are
 * the same: it is asked each time, so that nothing is ever stale, and sends rows only where they differ from what
 * is kept. What is asked once only, as by a program that goes through a whole list, is not kept
 * (docs/decisions/0033).
 *
 * @param ask runs a statement, as `createSharedReads` does
 * @returns runs a statement that selects, of each row, its `id` and `xmin as row_version`
 */
export function createRevalidatedReads(ask: (statement: Composed) => Promise<readonly object[]>) {
  const asked = new LRUCache<string, true>({ max: ASKED });
  const kept = new LRUCache<string, Remembered>({
    maxSize: KEPT,
    maxEntrySize: KEPT_OF_ONE,
    sizeCalculation: ({ answer }, key) => answer.json.length + key.length,
  });

  return async <Row, Answer extends Kept>(
    statement: Composed,
    name: string,
    make: (rows: readonly Row[]) => Promise<Answer>,
  ): Promise<Answer> => {
    const key = keyOf(statement, name);
    if (key === undefined || !asked.has(key)) {
      if (key !== undefined) asked.set(key, true);
      return make((await ask(statement)) as readonly unknown[] as readonly Row[]);
    }
    const remembered = kept.get(key);
    const rows = (await ask(unlessSigned(statement, remembered?.signature ?? null))) as readonly Signed[];
    const [first] = rows;
    if (first === undefined) return (remembered as Remembered).answer as Answer;
    const answer = await make((first.id === null ? [] : rows) as readonly unknown[] as readonly Row[]);
    kept.set(key, { signature: first.signature, answer });
    return answer;
  };
}

/** Short, for a statement is long: the name it is prepared under. Undefined for one without: it is not kept. */
function keyOf({ text, values }: Composed, presentation: string): string | undefined {
  const { name } = prepare(text);
  return name && JSON.stringify([name, presentation, ...values]);
}

/** The statement without its rows, where these are the ones that have the signature; rows come with theirs. */
export function unlessSigned({ text, values }: Composed, signature: string | null): Composed {
  const unless = `
    with found as materialized (${text})
    select page.signature, found.* from (
      select encode(sha256(convert_to(coalesce(string_agg(id::text || row_version::text, ','), ''), 'UTF8')), 'hex') as signature
      from found
    ) page left join found on true
    where page.signature is distinct from $slonik_${values.length + 1}::text`;
  return { text: unless, values: [...values, signature] };
}
