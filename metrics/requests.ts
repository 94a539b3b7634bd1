import { Counter, Gauge, Histogram } from 'prom-client';

const requests = new Counter({
  name: 'presswork_http_requests_total',
  help: 'Requests answered, by operation and status.',
  labelNames: ['operation', 'status'],
});

const durations = new Histogram({
  name: 'presswork_http_request_duration_seconds',
  help: 'From the head of a request to its answer, by operation and whether it was ok (below 400), refused (4xx) or failed (5xx).',
  labelNames: ['operation', 'outcome'],
  buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

const inFlight = new Gauge({
  name: 'presswork_http_requests_in_flight',
  help: 'Requests that have begun and are not answered.',
});

const putOff = new Counter({
  name: 'presswork_http_requests_put_off_total',
  help: 'Requests put off with a 503 because the database took too long, or because database or storage are away.',
});

export const requestPutOff = (): void => putOff.inc();

export const requestBegun = (): void => inFlight.inc();

/** @param operation one of a fixed set: an operation as it was declared, or what else a request may lead to */
export function requestAnswered(operation: string, status: number, seconds: number): void {
  inFlight.dec();
  requests.inc({ operation, status });
  durations.observe({ operation, outcome: outcomeOf(status) }, seconds);
}

/** Bytes that were not HTTP, or did not arrive in time: no operation, and no moment at which it began. */
export const unreadableRefused = (status: number): void => requests.inc({ operation: 'unreadable', status });

const outcomeOf = (status: number): string => (status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'ok');
