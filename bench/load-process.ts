import { measure } from './load.ts';
import type { Duration, Sample } from './load.ts';
import { scenarios } from './scenarios.ts';
import type { LoadRequest } from './scenarios.ts';
import type { Seeded } from './seed.ts';

/** What the benchmark tells the process that makes the load. */
export type LoadOrder =
  | { readonly seeded: Seeded }
  | { readonly prepare: string; readonly origin: string }
  | { readonly measure: string; readonly origin: string; readonly duration: Duration };

/** What comes back for each scenario, once it is prepared and once it is measured. */
export type LoadReport = { readonly measured: Sample | null } | { readonly failed: string };

let seeded: Seeded | undefined;
/** What gives the requests of a scenario that has been prepared. */
const prepared = new Map<string, () => LoadRequest>();

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
  const next = await scenarios[name]?.prepare(seeded, origin);
  if (next !== undefined) prepared.set(name, next);
}

function carryOut(order: Extract<LoadOrder, { readonly measure: string }>): Promise<Sample> {
  const scenario = scenarios[order.measure];
  const next = prepared.get(order.measure);
  if (scenario === undefined || next === undefined) throw new Error('It has not been prepared');
  return measure(order.origin, next, scenario.status, order.duration);
}
