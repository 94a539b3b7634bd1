import { performance } from 'node:perf_hooks';
import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import type { LoadRequest } from './requests.ts';

export const CONNECTIONS = 16;

export interface Duration {
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface Sample {
  /** Duration in ms of each request that was sent, and answered as expected, during the measurement. */
  readonly times: readonly number[];
  readonly measuredMs: number;
  /** Requests answered as expected, including the warm-up. */
  readonly answered: number;
  /** Answers with another status, and requests without an answer, including the warm-up. */
  readonly errors: number;
  readonly firstError: string | null;
}

/** The summary of several samples. Times are in milliseconds. */
export interface Measurement extends Pick<Sample, 'answered' | 'errors' | 'firstError'> {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

export function summarize(samples: readonly Sample[]): Measurement {
  const sum = (of: (sample: Sample) => number): number =>
    samples.reduce((total, sample) => total + of(sample), 0);
  const times = samples.flatMap((sample) => sample.times).sort((left, right) => left - right);
  return {
    requests: times.length,
    answered: sum(({ answered }) => answered),
    perSecond: times.length / (sum(({ measuredMs }) => measuredMs) / 1000),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    errors: sum(({ errors }) => errors),
    firstError: samples.find(({ firstError }) => firstError !== null)?.firstError ?? null,
  };
}

/**
 * Sends requests over 16 connections; each sends the next one as soon as it has the answer.
 *
 * @param next returns null if the load ends early
 */
export async function measure(
  origin: string,
  next: () => LoadRequest | null,
  status: number,
  { warmUpMs, measureMs }: Duration,
): Promise<Sample> {
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
  const times: number[] = [];
  let answered = 0;
  let errors = 0;
  let firstError: string | null = null;
  const begin = performance.now() + warmUpMs;
  const end = begin + measureMs;
  const connection = async (): Promise<void> => {
    for (let sent = performance.now(); sent < end;) {
      const request = next();
      if (request === null) return;
      const failure = await exchange(pool, request, status);
      const done = performance.now();
      if (failure !== null) {
        errors += 1;
        firstError ??= failure;
      } else {
        answered += 1;
        if (sent >= begin && done <= end) times.push(done - sent);
      }
      sent = done;
    }
  };
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  } finally {
    await pool.destroy();
  }
  return { times, measuredMs: measureMs, answered, errors, firstError };
}

/** The percentile of the values; 0 if there are none. */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;

/** Sends one request by undici's cheapest call. @returns the mistake, or null */
function exchange(pool: Pool, { body, ...request }: LoadRequest, status: number): Promise<string | null> {
  return new Promise((resolve) => {
    let wrong = '';
    let answered = 0;
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {},
      onResponseStart: (_controller, code) => (answered = code),
      onResponseData(_controller, chunk) {
        if (answered !== status) wrong += chunk.toString();
      },
      onResponseEnd: () => resolve(answered === status ? null : `${answered} ${wrong.slice(0, 300)}`),
      onResponseError: (_controller, error) => resolve(String(error)),
    };
    pool.dispatch({ ...request, body: body ?? null }, handler);
  });
}
