import { measure } from './load.ts';
import type { Duration, Measurement } from './load.ts';
import { scenarios } from './scenarios.ts';
import type { Seeded } from './seed.ts';

/** What the benchmark tells the process that makes the load. */
export type LoadOrder =
  | { readonly seeded: Seeded }
  | { readonly name: string; readonly origin: string; readonly duration: Duration };

/** What comes back for each scenario. */
export type LoadReport = { readonly measured: Measurement } | { readonly failed: string };

let seeded: Seeded | undefined;

/** A process of its own, so that the load costs the servers nothing but the machine they share. */
process.on('message', (order: LoadOrder) => {
  if ('seeded' in order) {
    seeded = order.seeded;
    return;
  }
  carryOut(order.name, order.origin, order.duration).then(
    (measured) => process.send?.({ measured } satisfies LoadReport),
    (error: unknown) => process.send?.({ failed: String(error) } satisfies LoadReport),
  );
});
process.on('disconnect', () => process.exit());

async function carryOut(name: string, origin: string, duration: Duration): Promise<Measurement> {
  const scenario = scenarios[name];
  if (scenario === undefined || seeded === undefined) throw new Error(`There is nothing to send for ${name}`);
  const next = await scenario.prepare(seeded, origin);
  return measure(origin, next, scenario.status, duration);
}
