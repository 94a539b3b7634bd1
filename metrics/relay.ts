import { Counter } from 'prom-client';

const messages = new Counter({
  name: 'presswork_outbox_handovers_total',
  help: 'Attempts to hand a message of the outbox over to Temporal, by its kind and whether it was handed_over or put_off.',
  labelNames: ['kind', 'outcome'],
});

export const handOverTried = (kind: string, outcome: 'handed_over' | 'put_off'): void =>
  messages.inc({ kind, outcome });
