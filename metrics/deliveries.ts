import { Counter, Gauge, Histogram } from 'prom-client';

/** The causes that an attempt without a usable answer may have (decisions 7), and what an answer may be. */
const outcomes = [
  'succeeded',
  'status_3xx',
  'status_4xx',
  'status_5xx',
  'timeout',
  'dns',
  'connection',
  'tls',
  'protocol',
  'private_address',
  'redirect',
  'interrupted',
  'other',
] as const;
type Outcome = (typeof outcomes)[number];

const attempts = new Counter({
  name: 'presswork_webhook_attempts_total',
  help: 'Attempts to deliver a webhook, by how they ended.',
  labelNames: ['outcome'],
});
// What has not happened yet is zero: a first failure is an increase.
for (const outcome of outcomes) attempts.inc({ outcome }, 0);

const durations = new Histogram({
  name: 'presswork_webhook_attempt_duration_seconds',
  help: 'How long receivers took, by whether the attempt succeeded.',
  labelNames: ['succeeded'],
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
});

const firstAttemptLag = new Histogram({
  name: 'presswork_webhook_first_attempt_lag_seconds',
  help: 'From an event to the moment its first attempt left: what the service, and not the receiver, took.',
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800],
});

const deliveryLag = new Histogram({
  name: 'presswork_webhook_delivery_lag_seconds',
  help: 'End to end: from an event to the answer of the attempt that succeeded, retries included.',
  buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200, 36_000],
});

const underWay = new Gauge({
  name: 'presswork_webhook_attempts_under_way',
  help: 'Attempts that have left and are not answered.',
});

const disabled = new Counter({
  name: 'presswork_webhook_endpoints_disabled_total',
  help: 'Endpoints disabled after too many failures in a row.',
});

export const attemptBegun = (): void => underWay.inc();

/** To be called however it ends, also where it could not be made. */
export const attemptOver = (): void => underWay.dec();

/** An attempt that was made, and when its event happened. Redeliveries say nothing of lag. */
export interface AttemptMade {
  readonly succeeded: boolean;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly attemptedAt: Date;
  readonly delivery: { readonly attempt: number; readonly redelivery: boolean; readonly happened_at: Date };
}

export function attemptMade(made: AttemptMade): void {
  const { succeeded, durationMs, attemptedAt, delivery } = made;
  attempts.inc({ outcome: outcomeOf(made) });
  durations.observe({ succeeded: String(succeeded) }, durationMs / 1_000);
  if (delivery.redelivery) return;
  // Several machines' clocks may differ by a little.
  const lag = Math.max(0, attemptedAt.getTime() - delivery.happened_at.getTime()) / 1_000;
  if (delivery.attempt === 1) firstAttemptLag.observe(lag);
  if (succeeded) deliveryLag.observe(lag + durationMs / 1_000);
}

export const attemptsInterrupted = (count: number): void => attempts.inc({ outcome: 'interrupted' }, count);

export const endpointDisabled = (): void => disabled.inc();

function outcomeOf({ succeeded, error, responseStatus }: AttemptMade): Outcome {
  if (succeeded) return 'succeeded';
  const name = error ?? `status_${Math.floor((responseStatus ?? 0) / 100)}xx`;
  return outcomes.find((outcome) => outcome === name) ?? 'other';
}
