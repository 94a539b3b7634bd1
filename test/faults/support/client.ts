import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Reply {
  readonly status: number;
  readonly data: any;
  /** Whether an earlier try may have succeeded without its answer having arrived. */
  readonly retried: boolean;
}

export interface Request {
  readonly body?: unknown;
  /** The expected statuses. 503, 429 and a lost connection are retried; anything else is an error. */
  readonly answers: readonly number[];
  /** Sends an Idempotency-Key, the same with every try. */
  readonly idempotent?: boolean;
}

const REQUEST_TIMEOUT_MS = 40_000;
const PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 1_000;

/** A well-behaved client: it retries until it gets an answer, with the same Idempotency-Key. */
export class Client {
  readonly #base: string;
  readonly #keys: readonly string[];
  #turn = 0;
  readonly #wrong = new Map<string, number>();
  readonly counts = { answered: 0, unavailable: 0, disconnected: 0 };

  /** @param keys used in turn, so that no rate limit is reached */
  constructor(base: string, keys: readonly string[]) {
    this.#base = base;
    this.#keys = keys;
  }

  /** Retries until it gets an answer. @throws Error after `patienceMs` without an answer */
  async send(method: string, path: string, request: Request, patienceMs = 120_000): Promise<Reply> {
    const key = request.idempotent ? randomUUID() : undefined;
    const end = Date.now() + patienceMs;
    for (let pause = PAUSE_MS, retried = false; ; retried = true) {
      const reply = await this.#once(method, path, request, key, retried);
      if (reply !== null) return reply;
      if (Date.now() > end) throw new Error(`${method} ${path} was not answered in ${patienceMs} ms`);
      await sleep(pause);
      pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
    }
  }

  /** Whether a single try gets an expected answer. */
  async works(method: string, path: string, request: Request): Promise<Reply | null> {
    return this.#once(method, path, request, request.idempotent ? randomUUID() : undefined, false);
  }

  async #once(
    method: string,
    path: string,
    { body, answers }: Request,
    idempotencyKey: string | undefined,
    retried: boolean,
  ): Promise<Reply | null> {
    const answer = await this.#fetch(method, path, body, idempotencyKey);
    if (answer === null) {
      this.counts.disconnected += 1;
      return null;
    }
    const { status, text } = answer;
    if (answers.includes(status)) {
      this.counts.answered += 1;
      return { status, data: text === '' ? null : JSON.parse(text).data, retried };
    }
    const code = text.startsWith('{') ? JSON.parse(text).error?.code : undefined;
    this.counts.unavailable += 1;
    const isOfFault = status === 503 || status === 429 || code === 'IDEMPOTENCY_KEY_IN_FLIGHT';
    if (!isOfFault) {
      this.#note(method, path, status, text);
      if (status < 500) throw new Error(`${method} ${path} was answered ${status} ${text.slice(0, 400)}`);
    }
    return null;
  }

  /** Returns and clears the answers that no fault may cause, such as a 500, each with its number. */
  takeWrong(): string[] {
    const wrong = [...this.#wrong].map(([answer, times]) => `${times} times ${answer}`);
    this.#wrong.clear();
    return wrong;
  }

  #note(method: string, path: string, status: number, text: string): void {
    const place = path.replace(/[0-9a-f-]{36}/g, '{id}').replace(/\?.*/, '');
    const said = text.replace(/"request_id":.*/, '');
    const answer = `${method} ${place} was answered ${status} ${said}`;
    this.#wrong.set(answer, (this.#wrong.get(answer) ?? 0) + 1);
  }

  async #fetch(method: string, path: string, body: unknown, idempotencyKey: string | undefined) {
    const key = this.#keys[(this.#turn += 1) % this.#keys.length] as string;
    try {
      const answer = await fetch(this.#base + path, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      });
      return { status: answer.status, text: await answer.text() };
    } catch {
      return null;
    }
  }
}
