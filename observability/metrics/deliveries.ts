import { Counter, Gauge, Histogram } from '@prometheus-io/client';

/** Causes of an attempt without a usable answer (docs/spec/rulings.md, 7), and classes of answers. */
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
// Starts each outcome at zero, so that its first occurrence is an increase.
for (const outcome of outcomes) attempts.inc({ outcome }, 0);

const durations = new Histogram({
  name: 'presswork_webhook_attempt_duration_seconds',
  help: 'Response time of receivers, by succeeded: true or false.',
  labelNames: ['succeeded'],
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
});

const firstAttemptLag = new Histogram({
  name: 'presswork_webhook_first_attempt_lag_seconds',
  help: 'From an event to the start of its first attempt: the delay of the service, not the receiver.',
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800],
});

const deliveryLag = new Histogram({
  name: 'presswork_webhook_delivery_lag_seconds',
  help: 'End to end: from an event to the answer of the successful attempt, including retries.',
  buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200, 36_000],
});

const inFlight = new Gauge({
  name: 'presswork_webhook_attempts_in_flight',
  help: 'Attempts in flight.',
});

const disabled = new Counter({
  name: 'presswork_webhook_endpoints_disabled_total',
  help: 'Endpoints disabled after twelve failures in a row.',
});

const handedBack = new Counter({
  name: 'presswork_webhook_attempts_handed_back_total',
  help: 'Attempts that were not made, or failed through our own network. They are not counted elsewhere and are made later.',
});

const egressDown = new Gauge({
  name: 'presswork_webhook_egress_down',
  help: '1 while this process reaches no receiver and holds attempts back, otherwise 0.',
});
egressDown.set(0);

const claims = new Counter({
  name: 'presswork_webhook_claims_total',
  help: 'Claims of due deliveries: about one for each event and endpoint, however many workers run.',
});

const signals = new Counter({
  name: 'presswork_webhook_signals_total',
  help: 'Signals to the workflows of endpoints: when a retry has to be waited for, or their state changed.',
});

export const claimMade = (): void => claims.inc();

export const endpointSignalled = (): void => signals.inc();

export const attemptsHandedBack = (count: number): void => handedBack.inc(count);

export const egressIsDown = (down: boolean): void => egressDown.set(down ? 1 : 0);

export const attemptBegun = (): void => inFlight.inc();

/** Call it however the attempt ends, even if it could not be made. */
export const attemptOver = (): void => inFlight.dec();

/** An attempt and the time of its event. Redeliveries do not count for the lag. */
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
  // Clocks of several machines may differ slightly.
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
