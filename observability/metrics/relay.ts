import { Counter } from '@prometheus-io/client';

const messages = new Counter({
  name: 'presswork_outbox_handovers_total',
  help: 'Attempts to hand an outbox message over to Temporal, by kind and outcome: handed_over or failed. A failed message is retried.',
  labelNames: ['kind', 'outcome'],
});

export const handOverTried = (kind: string, outcome: 'handed_over' | 'failed'): void =>
  messages.inc({ kind, outcome });
