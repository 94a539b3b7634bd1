import { inSpan, isCollected } from '../tracing/trace.ts';

/** What spans say of the database. */
const SYSTEM = { 'db.system.name': 'postgresql' } as const;

export const inTransactionSpan = <T>(transact: () => Promise<T>): Promise<T> =>
  isCollected() ? inSpan({ name: 'transaction', attributes: SYSTEM }, transact) : transact();

/** Values are parameters, so that a statement's summary holds none of what clients sent. */
export function inStatementSpan<T>(text: string, send: () => Promise<T>): Promise<T> {
  if (!isCollected()) return send();
  const summary = summarize(text);
  return inSpan(
    { name: summary, kind: 'client', attributes: { ...SYSTEM, 'db.query.summary': summary } },
    send,
  );
}

/** Each of several statements that are sent as one. @param sent resolves once all of them are done */
export async function inStatementSpans<T>(
  queries: readonly { readonly sql: string }[],
  sent: Promise<T>,
): Promise<T> {
  await Promise.all(queries.map(({ sql }) => inStatementSpan(sql, () => sent)));
  return sent;
}

const summaries = new Map<string, string>();
const KEPT_AT_MOST = 400;

/**
 * What a statement does, in two words, such as `update articles`: what it writes first, or else reads first: names
 * of spans are few and short.
 */
function summarize(text: string): string {
  const known = summaries.get(text);
  if (known !== undefined) return known;
  const summary = read(text);
  if (summaries.size < KEPT_AT_MOST) summaries.set(text, summary);
  return summary;
}

const CLAUSE = /(?<!\b(?:for|key|do) )\b(insert into|update|delete from|from|join) (\w+)\b(?!\()/g;

function read(text: string): string {
  const plain = text.replaceAll(/\s+/g, ' ');
  const own = new Set([...plain.matchAll(/(\w+) as (?:(?:not )?materialized )?\(/g)].map(([, name]) => name));
  const clauses = [...plain.matchAll(CLAUSE)].filter(([, , table]) => !own.has(table));
  const written = clauses.find(([, verb]) => verb !== 'from' && verb !== 'join');
  const [, verb = 'select', table = ''] = written ?? clauses[0] ?? [];
  const word = written === undefined ? 'select' : (verb.split(' ')[0] as string);
  return `${word} ${table}`.trim();
}
