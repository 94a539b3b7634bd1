import { Counter, Gauge, Histogram } from '@prometheus-io/client';

const requests = new Counter({
  name: 'presswork_http_requests_total',
  help: 'Requests by operation, as it is declared, and status; also healthz, image, unknown path, another method, unreadable.',
  labelNames: ['operation', 'status'],
});

const durations = new Histogram({
  name: 'presswork_http_request_duration_seconds',
  help: 'Time from the head of a request to its answer, by operation and outcome: ok (below 400), refused (4xx) or failed (5xx).',
  labelNames: ['operation', 'outcome'],
  buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

const inFlight = new Gauge({
  name: 'presswork_http_requests_in_flight',
  help: 'Requests in flight.',
});

const unavailable = new Counter({
  name: 'presswork_http_requests_unavailable_total',
  help: 'Requests answered 503 because the database took too long, memory was short, or database or storage are unavailable. Maintenance is not counted.',
});

const slowReaders = new Counter({
  name: 'presswork_slow_readers_cut_total',
  help: 'Connections closed because the client read an image too slowly.',
});

export const slowReaderCut = (): void => slowReaders.inc();

export const requestUnavailable = (): void => unavailable.inc();

export const requestBegun = (): void => inFlight.inc();

/** @param operation one of a fixed set: a declared operation, or another kind of request */
export function requestAnswered(operation: string, status: number, seconds: number): void {
  inFlight.dec();
  requests.inc({ operation, status });
  durations.observe({ operation, outcome: outcomeOf(status) }, seconds);
}

/** Counts bytes that were not HTTP or arrived too late: they have no operation and no start time. */
export const unreadableRefused = (status: number): void => requests.inc({ operation: 'unreadable', status });

const outcomeOf = (status: number): string => (status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'ok');
