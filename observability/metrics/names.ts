import { Histogram } from '@prometheus-io/client';

const lookups = new Histogram({
  name: 'presswork_name_lookup_duration_seconds',
  help: 'Time to resolve names of receivers, by outcome; no_turn: how long a look-up waited without getting a slot.',
  labelNames: ['outcome'],
  buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10],
});

const outcomes = ['found', 'failed', 'no_turn'] as const;
for (const outcome of outcomes) lookups.zero({ outcome });

export const nameLookedUp = (outcome: (typeof outcomes)[number], seconds: number): void =>
  lookups.observe({ outcome }, seconds);
