import { Counter, Gauge } from '@prometheus-io/client';

const joined = new Gauge({
  name: 'presswork_temporal_joined',
  help: '1 once this worker takes tasks from Temporal, 0 before.',
});
joined.set(0);

const setups = ['search_attributes', 'upkeep', 'billing_schedules', 'workers', 'connection'] as const;

const failures = new Counter({
  name: 'presswork_temporal_setup_failures_total',
  help: 'Failed attempts to set up the product in Temporal; they are retried.',
  labelNames: ['setup'],
});
for (const setup of setups) failures.inc({ setup }, 0);

const paused = new Gauge({
  name: 'presswork_upkeep_paused',
  help: '1 if an operator has paused the workflow upkeep/<chore>, by chore.',
  labelNames: ['chore'],
});

export const temporalJoined = (): void => joined.set(1);

export const setupFailed = (setup: (typeof setups)[number]): void => failures.inc({ setup });

export const choreSeen = (chore: string, isPaused: boolean): void => paused.set({ chore }, Number(isPaused));
