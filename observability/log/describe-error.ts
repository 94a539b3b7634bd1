export interface LoggedError {
  readonly type: string;
  readonly message: string;
  /** PostgreSQL's SQLSTATE, or a code of Node or another server. */
  readonly code?: string | number;
  /** A name from PostgreSQL's schema. */
  readonly constraint?: string;
  readonly table?: string;
  /** HTTP status. */
  readonly status?: number;
  readonly stack?: string;
  readonly cause?: LoggedError;
  readonly errors?: readonly LoggedError[];
}

/** Maximum depth of causes and aggregated errors. */
const DEPTH = 4;
const LONGEST_MESSAGE = 1_000;
const FRAMES = 12;

/**
 * Describes an error by named members only. Other members may contain texts of clients, such as the `detail` of a
 * PostgreSQL error (a whole row) or a request with its headers.
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

/** Data exceptions (class 22) quote values, which are removed; other classes only quote names. */
const messageOf = ({ message }: Error, code: unknown): string =>
  typeof code === 'string' && /^22...$/.test(code) ? message.replace(/".*"/s, '"…"') : message;

const shorten = (text: string): string =>
  text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text;

/** The stack without the message, which it repeats. */
const framesOf = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => /^ +at /.test(line))
    .slice(0, FRAMES)
    .join('\n');
