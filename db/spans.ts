import { inSpan, isCollected } from '../observability/tracing/trace.ts';

/** The attributes of all database spans. */
const SYSTEM = { 'db.system.name': 'postgresql' } as const;

export const inTransactionSpan = <T>(transact: () => Promise<T>): Promise<T> =>
  isCollected() ? inSpan({ name: 'transaction', attributes: SYSTEM }, transact) : transact();

/** Values are parameters, so a statement's summary does not contain texts of clients. */
export function inStatementSpan<T>(text: string, send: () => Promise<T>): Promise<T> {
  if (!isCollected()) return send();
  const summary = summarize(text);
  return inSpan(
    { name: summary, kind: 'client', attributes: { ...SYSTEM, 'db.query.summary': summary } },
    send,
  );
}

const summaries = new Map<string, string>();
const MAX_SUMMARIES = 400;

/**
 * A statement's summary in two words, such as `update articles`: the first table that it writes, or else reads. Names
 * of spans must be few and short.
 */
function summarize(text: string): string {
  const known = summaries.get(text);
  if (known !== undefined) return known;
  const summary = read(text);
  if (summaries.size < MAX_SUMMARIES) summaries.set(text, summary);
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
