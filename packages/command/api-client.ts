import { isWellFormedSecret } from '../base/key-form.ts';
import { Presswork, PressworkError } from '../../sdk/src/index.ts';
import { UsageError } from './usage.ts';

export interface ApiClientOptions {
  /** Including `/v1`. */
  readonly baseUrl: string;
  readonly key: string;
  /** Aborts every request and every wait; they reject with its reason. */
  readonly signal: AbortSignal;
  /** Called with a message before a wait. */
  readonly say: (message: string) => void;
  /** How long an API that was reached before may be unavailable. The default is unlimited. */
  readonly patienceMs?: number;
  /** For each try, in milliseconds; the default is that of the SDK. */
  readonly timeoutMs?: number;
}

/** Between two tries, while the API is unavailable. */
const PAUSE_MS = 2_000;
/** Before a retry of a request that is still in flight. */
const IN_FLIGHT_MS = 500;

interface Connection {
  reached: boolean;
  /** Since when it is unavailable, on the clock of `performance`. */
  awaySince: number | undefined;
  answeredAt: Date;
}

/**
 * The SDK for a command, which has the time to wait: after 429 and 503 as long as `Retry-After` says, and while an API that
 * was reached before is unavailable. Every request is repeated then, because those of the commands may be.
 *
 * Calls reject with UsageError if the key is rejected or the answer is not from the API, and with Error if nothing
 * answers at the base URL, or not for too long.
 */
export class ApiClient extends Presswork {
  readonly #connection: Connection;

  /** @throws UsageError for a malformed key */
  constructor(options: ApiClientOptions) {
    const { key, baseUrl, signal } = options;
    if (!isWellFormedSecret(key)) throw new UsageError('--key: must be an API key of Presswork.');
    const connection: Connection = { reached: false, awaySince: undefined, answeredAt: new Date(0) };
    super({
      apiKey: key,
      baseUrl,
      signal,
      timeoutMs: options.timeoutMs,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        // Read here, because an answer that is cut is none.
        const body = response.status === 204 ? null : await response.arrayBuffer();
        if (response.status < 500) answered(connection, options, response);
        return new Response(body, response);
      },
      retry: ({ error }) => pauseAfter(error, connection, options),
    });
    this.#connection = connection;
  }

  /** The time of the last answer, by the API's clock. */
  get answeredAt(): Date {
    return this.#connection.answeredAt;
  }
}

function answered(
  connection: Connection,
  { say, baseUrl }: ApiClientOptions,
  { ok, headers }: Response,
): void {
  if (connection.awaySince !== undefined) say(`${baseUrl} is available again`);
  connection.awaySince = undefined;
  connection.reached ||= ok;
  connection.answeredAt = new Date(headers.get('date') ?? Date.now());
}

/**
 * @returns milliseconds to wait before the next try; null if the error is about the request
 * @throws UsageError or Error if a retry cannot succeed
 */
function pauseAfter(error: PressworkError, connection: Connection, options: ApiClientOptions): number | null {
  const { status, code, message, retryAfter } = error;
  if (status === 429 || status === 503) {
    const seconds = Math.min(Math.max(1, retryAfter ?? 1), 3_600);
    options.say(`waiting ${seconds} s, as requested by the API (${status})`);
    return seconds * 1_000;
  }
  if (status === 0 || status >= 500) return pauseWithout(error, connection, options);
  if (code === 'IDEMPOTENCY_KEY_IN_FLIGHT') return IN_FLIGHT_MS;
  // No command begins with a request for something that may be missing.
  if (code === 'UNEXPECTED_ANSWER' || (status === 404 && !connection.reached)) {
    throw new UsageError(
      `${options.baseUrl} is not the API of Presswork: it answers ${status}. The URL must end with /v1.`,
    );
  }
  if (status === 401 || status === 403) {
    throw new UsageError(`--key: was rejected by the API. ${code}: ${message}`, { cause: error });
  }
  return null;
}

/** How long to wait while the API does not answer. @throws Error once `patienceMs` have passed, or if it never answered */
function pauseWithout(error: PressworkError, connection: Connection, options: ApiClientOptions): number {
  const { baseUrl, patienceMs = Infinity, say } = options;
  const trouble = error.status === 0 ? causeOf(error.cause ?? error) : `status ${error.status}`;
  if (!connection.reached) throw new Error(`${baseUrl} cannot be reached (${trouble}). Is it running?`);
  if (connection.awaySince === undefined) say(`${baseUrl} cannot be reached (${trouble}); retrying`);
  connection.awaySince ??= performance.now();
  if (performance.now() - connection.awaySince > patienceMs) {
    throw new Error(`${baseUrl} cannot be reached (${trouble}).`);
  }
  return PAUSE_MS;
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, message } = (error.cause ?? {}) as { code?: string; message?: string };
  return code ?? message ?? error.message;
}

/** Whether the API rejected a request with one of these codes, or with any. */
export const isRejection = (error: unknown, ...codes: readonly string[]): error is PressworkError =>
  error instanceof PressworkError && (codes.length === 0 || codes.includes(error.code));

/** Whether the key may do other things, but not this. */
export const lacksRight = (error: unknown): boolean =>
  error instanceof UsageError && isRejection(error.cause, 'INSUFFICIENT_SCOPE');
