/**
 * The maximum number of members and array items of a message, besides the body of an operation. The schemas of the
 * protocol look at each of them several times; no client needs a hundred.
 */
const MOST_VALUES = 1_000;

/**
 * Says which limit a message exceeds; null if the schemas of the protocol may look at it. Bodies have the limit of
 * bodies (docs/spec/rulings.md, 14), and the protocol does not look into them.
 */
export function excessOfMessage(message: unknown): string | null {
  if (!isObject(message)) return null;
  const values = countOf(message, bodiesOf(message), MOST_VALUES);
  if (values <= MOST_VALUES) return null;
  return `The message has more than ${MOST_VALUES.toLocaleString('en')} values besides the body of an operation; every member and every array item counts.`;
}

/** Where the body of an operation is: among the arguments of its tool, or those that `call_operation` hands on. */
function bodiesOf({ method, params }: Members): ReadonlySet<unknown> {
  if (method !== 'tools/call' || !isObject(params) || !isObject(params['arguments'])) return new Set();
  const { body, arguments: inner } = params['arguments'];
  return new Set([body, isObject(inner) ? inner['body'] : undefined]);
}

/** Counts values below a value, and stops once there are more than `most`. */
function countOf(value: object, left: ReadonlySet<unknown>, most: number): number {
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = inner.length;
  for (const each of inner) {
    if (count > most) break;
    if (isObject(each) && !left.has(each)) count += countOf(each, left, most - count);
  }
  return count;
}

type Members = Readonly<Record<string, unknown>>;

/** Arrays are objects as well. */
const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;
