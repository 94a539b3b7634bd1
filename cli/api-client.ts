import { setTimeout as sleep } from 'node:timers/promises';
import { isWellFormedSecret } from '../domain/access/key-secret.ts';
import { UsageError } from './usage.ts';

export interface ApiAnswer<T> {
  readonly data: T;
  /** When it was answered, by the clock of the API. */
  readonly at: Date;
}

export interface ApiClientOptions {
  /** With `/v1`. */
  readonly baseUrl: string;
  readonly key: string;
  /** Ends every request and every wait; they reject with its reason. */
  readonly signal: AbortSignal;
  /** Told what is waited for. */
  readonly say: (message: string) => void;
}

const TIMEOUT_MS = 30_000;
/** Between two tries, while the API is away. */
const PAUSE_MS = 2_000;

/**
 * Reads from the API. Waits out 429 and 503 by their `Retry-After`, and an API that has gone away since it was
 * first reached.
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
  async get<T>(path: string, query: Readonly<Record<string, string>>): Promise<ApiAnswer<T>> {
    const { signal, say, baseUrl } = this.#options;
    for (;;) {
      const response = await this.#fetch(`${path}?${new URLSearchParams(query).toString()}`);
      if (typeof response === 'string' || (response.status >= 500 && response.status !== 503)) {
        const trouble = typeof response === 'string' ? response : `status ${response.status}`;
        if (!this.#reached) throw new Error(`${baseUrl} cannot be reached (${trouble}). Is it running?`);
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
      const data = await this.#read<T>(response);
      if (this.#away) say(`${baseUrl} is back`);
      this.#reached = true;
      this.#away = false;
      return { data, at: new Date(response.headers.get('date') ?? Date.now()) };
    }
  }

  /** @returns the response with its body read, or why there is none */
  async #fetch(path: string): Promise<Response | string> {
    const { baseUrl, key, signal } = this.#options;
    try {
      const response = await fetch(`${baseUrl}${path}`, {
        headers: { authorization: `Bearer ${key}` },
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      return new Response(await response.arrayBuffer(), response);
    } catch (error) {
      signal.throwIfAborted();
      return causeOf(error);
    }
  }

  async #read<T>(response: Response): Promise<T> {
    const answer = asJson(await response.text());
    if (response.ok && answer?.data !== undefined) return answer.data as T;
    if (answer?.error === undefined || response.status === 404) {
      throw new UsageError(
        `${this.#options.baseUrl} is not the API of Presswork: it answers ${response.status}. The address ends in /v1.`,
      );
    }
    const { code, message } = answer.error;
    if (response.status === 401 || response.status === 403) {
      throw new UsageError(`--key: the API refuses it. ${code}: ${message}`);
    }
    throw new Error(`The API refuses the request. ${code}: ${message}`);
  }
}

interface Envelope {
  readonly data?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

function asJson(text: string): Envelope | null {
  try {
    return JSON.parse(text) as Envelope | null;
  } catch {
    return null;
  }
}

/** Whole seconds, at least one. */
function secondsToWait(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? 1);
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : 1;
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, message } = (error.cause ?? {}) as { code?: string; message?: string };
  return code ?? message ?? error.message;
}
