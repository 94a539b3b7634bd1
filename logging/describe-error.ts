/** What the log says of an error. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  /** The five characters of PostgreSQL, a name of Node's or of another server's. */
  readonly code?: string | number;
  /** What PostgreSQL names, of its own making. */
  readonly constraint?: string;
  readonly table?: string;
  /** Of an answer over HTTP. */
  readonly status?: number;
  readonly stack?: string;
  readonly cause?: LoggedError;
  readonly errors?: readonly LoggedError[];
}

/** Causes and parts are followed so far. */
const DEPTH = 4;
const LONGEST_MESSAGE = 1_000;
const FRAMES = 12;

/**
 * An error as it is logged: named members alone. What else errors carry holds what clients sent, such as the
 * `detail` of PostgreSQL's (a whole row), and requests with their headers in those of other clients.
 */
export function describeError(error: unknown, depth = DEPTH): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: shorten(String(error)) };
  const { code, constraint, table, status, $metadata } = error as Error & Record<string, unknown>;
  const answered = status ?? ($metadata as { httpStatusCode?: unknown } | undefined)?.httpStatusCode;
  const described = {
    type: error.name === 'error' ? error.constructor.name : error.name,
    message: shorten(messageOf(error, code)),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(typeof table === 'string' && { table }),
    ...(typeof answered === 'number' && { status: answered }),
    ...(error.stack !== undefined && { stack: framesOf(error.stack) }),
  };
  if (depth === 0) return described;
  return {
    ...described,
    ...(error.cause !== undefined && { cause: describeError(error.cause, depth - 1) }),
    ...(error instanceof AggregateError && {
      errors: error.errors.slice(0, DEPTH).map((one) => describeError(one, depth - 1)),
    }),
  };
}

/** Data exceptions quote the value; messages of the other classes quote names. */
const messageOf = ({ message }: Error, code: unknown): string =>
  typeof code === 'string' && /^22...$/.test(code) ? message.replace(/".*"/s, '"…"') : message;

const shorten = (text: string): string =>
  text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text;

/** Without the message, which the stack repeats. */
const framesOf = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => /^ +at /.test(line))
    .slice(0, FRAMES)
    .join('\n');
