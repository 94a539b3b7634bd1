import { randomInt, randomUUID } from 'node:crypto';
import { createHistogram } from 'node:perf_hooks';
import { PressworkError } from '../../../sdk/src/error.ts';
import { isTemporary } from '../../../sdk/src/retry.ts';
import type { Failure } from '../../../sdk/src/retry.ts';
import { send } from '../../../sdk/src/send.ts';
import type { Transport } from '../../../sdk/src/send.ts';

export interface Reply {
  readonly status: number;
  readonly data: any;
}

export interface Request {
  readonly body?: unknown;
  /** The expected statuses. What the SDK calls temporary is retried; anything else is an error. */
  readonly answers: readonly number[];
  /** Sends an Idempotency-Key, the same with every try. */
  readonly idempotent?: boolean;
}

/** The defaults of the SDK. */
const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 5;
/** Longer than the SDK tries. */
const PATIENCE_MS = 180_000;

/** Sooner than the SDK, so that a fault is short and its end is seen. */
const soon: Transport['retry'] = ({ attempt }) => Math.min(1_000, 200 * 2 ** (attempt - 1));

/**
 * A well-behaved client, which sends by the SDK, each try to the next API. It retries until it gets an answer, even when
 * the SDK would have given up, because it has to know what was done. It also retries changes, publications and deletions,
 * which have no Idempotency-Key: the SDK sends them once, and leaves it to its caller to know that they can be repeated.
 */
export class Client {
  readonly #bases: readonly string[];
  readonly #keys: readonly string[];
  readonly #retry: Transport['retry'];
  #turn = 0;
  readonly #wrong = new Map<string, number>();
  /**
   * Requests: answered, given up by `retry`, past the retries that the SDK makes by default, and repeated without a key.
   * Tries: with a 503, a 429 or an answer like these, and without an answer.
   */
  readonly counts = { answered: 0, givenUp: 0, pastDefault: 0, keyless: 0, unavailable: 0, disconnected: 0 };
  /** Milliseconds from the first try to the answer. */
  readonly latencies = createHistogram();

  /**
   * @param bases of the APIs
   * @param keys used in turn, so that no rate limit is reached
   */
  constructor(bases: readonly string[], keys: readonly string[], retry = soon) {
    this.#bases = bases;
    this.#keys = keys;
    this.#retry = retry;
  }

  /** Retries until it gets an answer. @throws Error after `patienceMs` without one */
  async send(method: string, path: string, request: Request, patienceMs = PATIENCE_MS): Promise<Reply> {
    const { body, answers } = request;
    const headers: Record<string, string> = request.idempotent ? { 'idempotency-key': randomUUID() } : {};
    const begun = Date.now();
    let reply: Reply = { status: 0, data: null };
    let givenUp = false;
    let api = randomInt(this.#bases.length);
    const next: typeof fetch = async (target, init) => {
      api = (api + 1) % this.#bases.length;
      const own = new Headers(init?.headers);
      own.set('authorization', `Bearer ${this.#keys[(this.#turn += 1) % this.#keys.length]}`);
      const answer = await fetch(this.#bases[api] + String(target), { ...init, headers: own });
      reply = { status: answer.status, data: null };
      return answer;
    };
    const retry = (failure: Failure): number | null => {
      if (isExpected(failure.error, answers)) return null;
      this.#note(method, path, failure);
      if (!isTemporary(failure.error) || failure.elapsedMs > patienceMs) return null;
      const wait = this.#retry({ ...failure, repeatable: true });
      if (wait !== null) return wait;
      givenUp = true;
      return 1_000;
    };
    const transport = {
      baseUrl: '',
      apiKey: undefined,
      timeoutMs: TIMEOUT_MS,
      signal: undefined,
      fetch: next,
    };
    try {
      const data = await send({ ...transport, retry }, { method, path, headers, body, signal: undefined });
      reply = { ...reply, data };
    } catch (error) {
      if (!(error instanceof PressworkError && isExpected(error, answers)))
        throw new Error(`${method} ${path}, ${Date.now() - begun} ms: ${String(error)}`, { cause: error });
    }
    if (!answers.includes(reply.status)) throw new Error(`${method} ${path} was answered ${reply.status}`);
    this.counts.answered += 1;
    if (givenUp) this.counts.givenUp += 1;
    this.latencies.record(Math.max(1, Date.now() - begun));
    return reply;
  }

  /** Returns and clears the answers that no fault may cause, such as a 500, each with its number. */
  takeWrong(): string[] {
    const wrong = [...this.#wrong].map(([answer, times]) => `${times} times ${answer}`);
    this.#wrong.clear();
    return wrong;
  }

  /** Counts a try without an expected answer. */
  #note(method: string, path: string, { error, attempt, repeatable }: Failure): void {
    const { status, code, message } = error;
    if (attempt === MAX_RETRIES + 1) this.counts.pastDefault += 1;
    if (attempt === 1 && !repeatable) this.counts.keyless += 1;
    this.counts[status === 0 ? 'disconnected' : 'unavailable'] += 1;
    if ([0, 429, 503].includes(status) || code === 'IDEMPOTENCY_KEY_IN_FLIGHT') return;
    const place = path.replace(/[0-9a-f-]{36}/g, '{id}').replace(/\?.*/, '');
    const answer = `${method} ${place} was answered ${status} ${code} ${message}`;
    this.#wrong.set(answer, (this.#wrong.get(answer) ?? 0) + 1);
  }
}

/** The first try that still runs is not the answer, even if its status is one that is expected. */
const isExpected = ({ status, code }: PressworkError, answers: readonly number[]): boolean =>
  answers.includes(status) && code !== 'IDEMPOTENCY_KEY_IN_FLIGHT';
