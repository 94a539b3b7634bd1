import { setTimeout as sleep } from 'node:timers/promises';
import { isWellFormedSecret } from '../domain/access/key-secret.ts';
import { UsageError } from './usage.ts';

export interface ApiAnswer<T> {
  readonly data: T;
  /** When it was answered, by the clock of the API. */
  readonly at: Date;
}

/** What the API refuses for a reason that lies in the request. */
export interface ApiRefusal {
  readonly code: string;
  readonly message: string;
  /** Dotted path of a field to what is wrong with it. */
  readonly fields?: Readonly<Record<string, string>>;
}

export interface ApiOutcome<T> {
  readonly status: number;
  /** Without it, `error` says why. */
  readonly data?: T;
  readonly error?: ApiRefusal;
  /** When it was answered, by the clock of the API. */
  readonly at: Date;
  /** An answer given before to the same idempotency key. */
  readonly replayed: boolean;
}

export interface ApiRequest {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

export interface ApiClientOptions {
  /** With `/v1`. */
  readonly baseUrl: string;
  readonly key: string;
  /** Ends every request and every wait; they reject with its reason. */
  readonly signal: AbortSignal;
  /** Told what is waited for. */
  readonly say: (message: string) => void;
  /** How long an API that was reached may be away before that is an error; without it for ever. */
  readonly patienceMs?: number;
}

const TIMEOUT_MS = 30_000;
/** Between two tries, while the API is away. */
const PAUSE_MS = 2_000;
/** Before a request is sent again whose first sending still runs. */
const IN_FLIGHT_MS = 500;

/**
 * Talks to the API. Waits out 429 and 503 by their `Retry-After`, and an API that has gone away since it was
 * first reached; a write is sent again with its idempotency key.
 */
export class ApiClient {
  readonly #options: ApiClientOptions;
  #reached = false;
  #away = false;

  /** @throws UsageError for a key that cannot be one */
  constructor(options: ApiClientOptions) {
    if (!isWellFormedSecret(options.key)) throw new UsageError('--key: this is not an API key of Presswork.');
    this.#options = { ...options, baseUrl: options.baseUrl.replace(/\/+$/, '') };
  }

  /**
   * @throws UsageError where the key is refused, or something else answers at the address
   * @throws Error where nothing answers at the address
   */
  async get<T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<ApiAnswer<T>> {
    const { status, data, error, at } = await this.send<T>('GET', path, { query });
    if (data !== undefined) return { data, at };
    if (error === undefined || status === 404) throw this.#somethingElse(status);
    throw new Error(`The API refuses the request. ${error.code}: ${error.message}`);
  }

  /**
   * Sends a request; what the API refuses for a reason in the request is an outcome.
   *
   * @throws UsageError where the key is refused, or something else answers at the address
   * @throws Error where nothing answers at the address, or what answered is away for too long
   */
  async send<T>(method: string, path: string, request: ApiRequest = {}): Promise<ApiOutcome<T>> {
    const { signal, say, baseUrl, patienceMs = Infinity } = this.#options;
    let awaySince: number | undefined;
    for (;;) {
      const response = await this.#fetch(method, path, request);
      if (typeof response === 'string' || (response.status >= 500 && response.status !== 503)) {
        const trouble = typeof response === 'string' ? response : `status ${response.status}`;
        if (!this.#reached) throw new Error(`${baseUrl} cannot be reached (${trouble}). Is it running?`);
        awaySince ??= performance.now();
        if (performance.now() - awaySince > patienceMs) {
          throw new Error(`${baseUrl} cannot be reached (${trouble}).`);
        }
        if (!this.#away) say(`${baseUrl} cannot be reached (${trouble}); trying again`);
        this.#away = true;
        await sleep(PAUSE_MS, undefined, { signal });
        continue;
      }
      if (response.status === 429 || response.status === 503) {
        const seconds = secondsToWait(response);
        say(`the API asks to wait ${seconds} s (${response.status})`);
        await sleep(seconds * 1_000, undefined, { signal });
        continue;
      }
      const outcome = await this.#read<T>(response);
      if (outcome.error?.code === 'IDEMPOTENCY_KEY_IN_FLIGHT') {
        await sleep(IN_FLIGHT_MS, undefined, { signal });
        continue;
      }
      if (this.#away) say(`${baseUrl} is back`);
      this.#reached = true;
      this.#away = false;
      return outcome;
    }
  }

  /** @returns the response with its body read, or why there is none */
  async #fetch(
    method: string,
    path: string,
    { query, body, idempotencyKey }: ApiRequest,
  ): Promise<Response | string> {
    const { baseUrl, key, signal } = this.#options;
    const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
    const headers: Record<string, string> = { authorization: `Bearer ${key}` };
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    if (body !== undefined) headers['content-type'] = 'application/json';
    try {
      const response = await fetch(`${baseUrl}${path}${search}`, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      const bytes = await response.arrayBuffer();
      return new Response(response.status === 204 ? null : bytes, response);
    } catch (error) {
      signal.throwIfAborted();
      return causeOf(error);
    }
  }

  async #read<T>(response: Response): Promise<ApiOutcome<T>> {
    const { status, headers } = response;
    const at = new Date(headers.get('date') ?? Date.now());
    const outcome = { status, at, replayed: headers.get('idempotency-replayed') === 'true' };
    if (status === 204) return outcome;
    const answer = asJson(await response.text());
    if (response.ok && answer?.data !== undefined) return { ...outcome, data: answer.data as T };
    if (answer?.error === undefined) throw this.#somethingElse(status);
    const { code, message } = answer.error;
    if (status === 401 || status === 403) {
      throw new UsageError(`--key: the API refuses it. ${code}: ${message}`);
    }
    return { ...outcome, error: answer.error };
  }

  #somethingElse(status: number): UsageError {
    return new UsageError(
      `${this.#options.baseUrl} is not the API of Presswork: it answers ${status}. The address ends in /v1.`,
    );
  }
}

interface Envelope {
  readonly data?: unknown;
  readonly error?: ApiRefusal;
}

function asJson(text: string): Envelope | null {
  try {
    return JSON.parse(text) as Envelope | null;
  } catch {
    return null;
  }
}

/** Whole seconds, at least one; after an hour it is asked again. */
function secondsToWait(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? 1);
  return Number.isFinite(seconds) ? Math.min(Math.max(1, Math.ceil(seconds)), 3_600) : 1;
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, message } = (error.cause ?? {}) as { code?: string; message?: string };
  return code ?? message ?? error.message;
}
