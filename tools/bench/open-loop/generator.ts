import { createHistogram, performance } from 'node:perf_hooks';
import type { RecordableHistogram } from 'node:perf_hooks';
import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import { until } from '../../dev/processes.ts';
import type { Kind, Planned } from './mix.ts';

/** Concurrent clients per API process. */
const CONNECTIONS = 64;
const TICK_MS = 1;
/** With this many seconds' worth of requests unanswered, the servers cannot keep up, and the measurement stops. */
const LOST_AFTER_S = 3;
const DRAIN_MS = 20_000;

export interface Pace {
  /** Requests per second. */
  readonly rate: number;
  /** Requests of this time are sent first, and not measured. */
  readonly warmUpMs: number;
  readonly measureMs: number;
}

/** Of the requests of one name or kind. Times are in milliseconds, from the time a request was due. */
export interface Latencies {
  readonly requests: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly errors: number;
}

export interface OperationLatencies extends Latencies {
  readonly name: string;
  readonly kind: Kind;
  readonly firstError: string | null;
}

export interface Paced {
  readonly rate: number;
  readonly reads: Latencies;
  readonly writes: Latencies;
  readonly operations: readonly OperationLatencies[];
  /** How late the generator itself sent requests, at p99, because it shares the machine. Every latency includes it. */
  readonly latenessP99: number;
  /** The pace could not be sustained: requests piled up, and the measurement was aborted. */
  readonly overloaded: boolean;
}

/**
 * Sends requests at a constant rate, however long the answers take. Latency is measured from the time a request was
 * due, so requests that are delayed by a stall count as slow, as they do for clients.
 */
export async function pace(origins: readonly string[], next: () => Planned, at: Pace): Promise<Paced> {
  const pools = origins.map((origin) => new Pool(origin, { connections: CONNECTIONS, pipelining: 1 }));
  const sending = new Sending(pools, next, at);
  try {
    return await sending.run();
  } finally {
    await Promise.all(pools.map((pool) => pool.destroy()));
  }
}

/** One pace, in progress. */
class Sending {
  readonly #pools: readonly Pool[];
  readonly #next: () => Planned;
  readonly #pace: Pace;
  readonly #tally = new Tally();
  readonly #begin = performance.now() + TICK_MS;
  #sent = 0;
  #unanswered = 0;

  constructor(pools: readonly Pool[], next: () => Planned, at: Pace) {
    this.#pools = pools;
    this.#next = next;
    this.#pace = at;
  }

  async run(): Promise<Paced> {
    const { rate, warmUpMs, measureMs } = this.#pace;
    const total = Math.floor(((warmUpMs + measureMs) * rate) / 1_000);
    const lost = (): boolean => this.#unanswered > rate * LOST_AFTER_S;
    while (this.#sent < total && !lost()) {
      this.#sendDue(total);
      await sleep(TICK_MS);
    }
    const overloaded = lost();
    await until(() => this.#unanswered === 0, DRAIN_MS, TICK_MS);
    return this.#tally.paced(rate, overloaded || this.#unanswered > 0);
  }

  /** Sends everything that is due by now; a late tick sends more. */
  #sendDue(total: number): void {
    const { rate, warmUpMs } = this.#pace;
    const now = performance.now();
    const due = Math.min(total, 1 + Math.floor(((now - this.#begin) * rate) / 1_000));
    for (; this.#sent < due; this.#sent += 1) {
      const dueAt = this.#begin + (this.#sent * 1_000) / rate;
      this.#send(dueAt, dueAt >= this.#begin + warmUpMs);
    }
  }

  #send(dueAt: number, counts: boolean): void {
    const planned = this.#next();
    if (counts) this.#tally.late(performance.now() - dueAt);
    this.#unanswered += 1;
    exchange(this.#pools[this.#sent % this.#pools.length] as Pool, planned, (error) => {
      this.#unanswered -= 1;
      if (counts || error !== null) this.#tally.add(planned, performance.now() - dueAt, error);
    });
  }
}

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Sends one request. @param done called with the failure, or null */
function exchange(
  pool: Pool,
  { request, status, answered }: Planned,
  done: (error: string | null) => void,
): void {
  let code = 0;
  let text = '';
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart() {},
    onResponseStart: (_controller, statusCode) => (code = statusCode),
    onResponseData(_controller, chunk) {
      if (code !== status || answered !== undefined) text += chunk.toString();
    },
    onResponseEnd() {
      if (code === status) answered?.(text);
      done(code === status ? null : `${code} instead of ${status}: ${text.slice(0, 300)}`);
    },
    onResponseError: (_controller, error) => done(String(error)),
  };
  pool.dispatch({ ...request, body: request.body ?? null }, handler);
}

interface Entry {
  readonly kind: Kind;
  readonly times: RecordableHistogram;
  errors: number;
  firstError: string | null;
}

/** Counts latencies in microseconds, as HdrHistogram does: within 0.1 %, in constant memory. */
class Tally {
  readonly #byKind = { read: histogram(), write: histogram() };
  readonly #lateness = histogram();
  readonly #operations = new Map<string, Entry>();

  late(milliseconds: number): void {
    record(this.#lateness, milliseconds);
  }

  add({ operation, kind }: Planned, milliseconds: number, error: string | null): void {
    let entry = this.#operations.get(operation);
    if (entry === undefined) {
      entry = { kind, times: histogram(), errors: 0, firstError: null };
      this.#operations.set(operation, entry);
    }
    if (error !== null) {
      entry.errors += 1;
      entry.firstError ??= error;
      return;
    }
    record(entry.times, milliseconds);
    record(this.#byKind[kind], milliseconds);
  }

  paced(rate: number, overloaded: boolean): Paced {
    const entries = [...this.#operations];
    const errorsOf = (kind: Kind): number =>
      entries.reduce((sum, [, each]) => sum + (each.kind === kind ? each.errors : 0), 0);
    return {
      rate,
      reads: latencies(this.#byKind.read, errorsOf('read')),
      writes: latencies(this.#byKind.write, errorsOf('write')),
      operations: entries.map(([name, { kind, times, errors, firstError }]) => ({
        name,
        kind,
        firstError,
        ...latencies(times, errors),
      })),
      latenessP99: latencies(this.#lateness, 0).p99,
      overloaded,
    };
  }
}

const LONGEST_US = 120_000_000;

const histogram = (): RecordableHistogram => createHistogram({ lowest: 1, highest: LONGEST_US, figures: 3 });

const record = (times: RecordableHistogram, milliseconds: number): void =>
  times.record(Math.min(LONGEST_US, Math.max(1, Math.round(milliseconds * 1_000))));

const latencies = (times: RecordableHistogram, errors: number): Latencies => ({
  requests: times.count,
  p50: times.count === 0 ? 0 : times.percentile(50) / 1_000,
  p99: times.count === 0 ? 0 : times.percentile(99) / 1_000,
  max: times.count === 0 ? 0 : times.max / 1_000,
  errors,
});
