import { Counter } from '@prometheus-io/client';

const events = new Counter({
  name: 'presswork_billing_events_total',
  help: 'Events of the payment provider that were handled, by whether they were about something here.',
  labelNames: ['outcome'],
});
for (const outcome of ['handled', 'ignored']) events.inc({ outcome }, 0);

const movements = new Counter({
  name: 'presswork_billing_movements_total',
  help: 'Movements of credits that followed from payments, by the kind of their line in the ledger.',
  labelNames: ['kind'],
});

const topUps = new Counter({
  name: 'presswork_billing_top_ups_total',
  help: 'Automatic purchases that ended, by whether they were paid or failed.',
  labelNames: ['outcome'],
});
for (const outcome of ['paid', 'failed']) topUps.inc({ outcome }, 0);

const differences = new Counter({
  name: 'presswork_billing_differences_total',
  help: 'Payments of the provider that differ from the ledger, found by the daily comparison. Each is for a person to decide.',
  labelNames: ['kind'],
});

const overage = new Counter({
  name: 'presswork_billing_overage_total',
  help: 'Months of storage beyond the included one, by whether they were invoiced or the payment provider refused.',
  labelNames: ['outcome'],
});
for (const outcome of ['invoiced', 'refused']) overage.inc({ outcome }, 0);

/** Starts each kind at zero, so that its first occurrence is an increase. */
export function expectKinds(ofMovements: readonly string[], ofDifferences: readonly string[]): void {
  for (const kind of ofMovements) movements.inc({ kind }, 0);
  for (const kind of ofDifferences) differences.inc({ kind }, 0);
}

export const eventHandled = (ours: boolean): void => events.inc({ outcome: ours ? 'handled' : 'ignored' });

export const creditsMoved = ({ kind }: { readonly kind: string }): void => movements.inc({ kind });

export const topUpEnded = (outcome: 'paid' | 'failed'): void => topUps.inc({ outcome });

export function differencesFound(kinds: readonly string[]): void {
  for (const kind of kinds) differences.inc({ kind });
}

export const overageInvoiced = (outcome: 'invoiced' | 'refused'): void => overage.inc({ outcome });
