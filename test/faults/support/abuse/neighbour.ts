import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from '../../../support/builders.ts';
import type { Receiver } from '../../../support/receivers.ts';

/** The latencies of an ordinary tenant's operations, in milliseconds. */
export type Action = 'read' | 'list' | 'create' | 'publish' | 'delivery';
export type Latencies = Readonly<
  Record<Action, { readonly count: number; readonly p50: number; readonly p99: number }>
>;

/** Few enough for the limits of one key: 600 reads and 120 writes a minute. */
const READ_EVERY_MS = 250;
const WRITE_EVERY_MS = 1_500;
/** For what never arrives, and not for a busy machine. */
const ARRIVAL_MS = 100_000;

/**
 * An ordinary tenant of the same installation. It sends at a constant rate, whether or not earlier requests were
 * answered, so that a slow answer counts and delays no other request.
 */
export class Neighbour {
  readonly #base: string;
  readonly #tenant: Tenant;
  readonly #receiver: Receiver;
  #latencies = new Map<Action, number[]>();
  /** Errors that an ordinary tenant should never see. */
  readonly wrong: string[] = [];
  readonly #inFlight = new Set<Promise<void>>();
  #known: string | undefined;

  constructor(base: string, tenant: Tenant, receiver: Receiver) {
    this.#base = base;
    this.#tenant = tenant;
    this.#receiver = receiver;
  }

  /** Works for a while. @returns the latencies */
  async work(forMs: number): Promise<Latencies> {
    this.#latencies = new Map();
    const end = Date.now() + forMs;
    const every = async (pauseMs: number, work: () => Promise<void>): Promise<void> => {
      while (Date.now() < end) {
        this.#send(work);
        await sleep(pauseMs);
      }
    };
    await Promise.all([every(READ_EVERY_MS, () => this.#read()), every(WRITE_EVERY_MS, () => this.#write())]);
    await Promise.all(this.#inFlight);
    const of = (action: Action) => quantiles(this.#latencies.get(action) ?? []);
    return {
      read: of('read'),
      list: of('list'),
      create: of('create'),
      publish: of('publish'),
      delivery: of('delivery'),
    };
  }

  async call(action: Action | null, method: string, path: string, body?: object): Promise<any> {
    const begun = performance.now();
    const answer = await fetch(this.#base + path, {
      method,
      headers: {
        authorization: `Bearer ${this.#tenant.secretKey}`,
        'idempotency-key': randomUUID(),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await answer.text();
    if (action !== null) this.#note(action, performance.now() - begun);
    if (!answer.ok)
      throw new Error(`${method} ${path.slice(0, 30)} was answered ${answer.status} ${text.slice(0, 200)}`);
    return JSON.parse(text).data;
  }

  #send(work: () => Promise<void>): void {
    const sent = work()
      .catch((error: Error) => void this.wrong.push([error, error.cause ?? []].flat().join(': ')))
      .finally(() => this.#inFlight.delete(sent));
    this.#inFlight.add(sent);
  }

  async #read(): Promise<void> {
    if (this.#known !== undefined) await this.call('read', 'GET', `/articles/${this.#known}`);
    await this.call('list', 'GET', '/articles?limit=20');
  }

  async #write(): Promise<void> {
    const { id } = await this.call('create', 'POST', '/articles', {
      title: `Post ${randomUUID()}`,
      content: 'Text.',
    });
    this.#known ??= id;
    const begun = performance.now();
    await this.call('publish', 'POST', `/articles/${id}/publish`);
    for (const end = Date.now() + ARRIVAL_MS; Date.now() < end; await sleep(10)) {
      if (!this.#receiver.seen.some(({ body }) => body.includes(id))) continue;
      this.#note('delivery', performance.now() - begun);
      return;
    }
    throw new Error(`The webhook of ${id} did not arrive within ${ARRIVAL_MS} ms`);
  }

  #note(action: Action, milliseconds: number): void {
    const known = this.#latencies.get(action);
    if (known) known.push(milliseconds);
    else this.#latencies.set(action, [milliseconds]);
  }
}

function quantiles(measured: readonly number[]): Latencies[Action] {
  const sorted = measured.toSorted((one, other) => one - other);
  const at = (share: number): number =>
    Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN);
  return { count: sorted.length, p50: at(0.5), p99: at(0.99) };
}
