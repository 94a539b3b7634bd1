import { measure } from './load.ts';
import type { Duration, Measurement } from './load.ts';
import { scenarios } from './scenarios.ts';
import type { LoadRequest } from './scenarios.ts';
import type { Seeded } from './seed.ts';

/** What the benchmark tells the process that makes the load. */
export type LoadOrder =
  | { readonly seeded: Seeded }
  | { readonly prepare: string; readonly origin: string }
  | { readonly measure: string; readonly origin: string; readonly duration: Duration };

/** What comes back for each scenario, once it is prepared and once it is measured. */
export type LoadReport = { readonly measured: Measurement | null } | { readonly failed: string };

let seeded: Seeded | undefined;
let next: (() => LoadRequest) | undefined;

/** A process of its own, so that the load costs the servers nothing but the machine they share. */
process.on('message', (order: LoadOrder) => {
  if ('seeded' in order) {
    seeded = order.seeded;
    return;
  }
  const carriedOut = 'prepare' in order ? prepare(order.prepare, order.origin) : carryOut(order);
  carriedOut.then(
    (measured) => process.send?.({ measured: measured ?? null } satisfies LoadReport),
    (error: unknown) => process.send?.({ failed: String(error) } satisfies LoadReport),
  );
});
process.on('disconnect', () => process.exit());

/** Apart from the measuring, so that what it costs the servers is not counted. */
async function prepare(name: string, origin: string): Promise<void> {
  if (seeded === undefined) throw new Error('There is nothing to send to');
  next = await scenarios[name]?.prepare(seeded, origin);
}

function carryOut(order: Extract<LoadOrder, { readonly measure: string }>): Promise<Measurement> {
  const scenario = scenarios[order.measure];
  if (scenario === undefined || next === undefined) throw new Error('It has not been prepared');
  return measure(order.origin, next, scenario.status, order.duration);
}
