import { measure } from './load.ts';
import type { Duration, Sample } from './load.ts';
import { scenarios } from './scenarios.ts';
import type { LoadRequest } from './requests.ts';
import type { Seeded } from './seed.ts';

/** A message from the benchmark to the process that generates the load. */
export type LoadOrder =
  | { readonly seeded: Seeded }
  | { readonly prepare: string; readonly origin: string }
  | { readonly measure: string; readonly origin: string; readonly duration: Duration };

/** The reply when a scenario is prepared (null), and when it is measured. */
export type LoadReport = { readonly measured: Sample | null } | { readonly failed: string };

let seeded: Seeded | undefined;
/** The prepared scenarios by name, each with the source of its requests. */
const prepared = new Map<string, () => LoadRequest>();

/** A separate process, so that generating the load shares nothing with the servers but the machine. */
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

/** Separate from measuring, so that its cost to the servers is not counted. */
async function prepare(name: string, origin: string): Promise<void> {
  if (seeded === undefined) throw new Error('The seed was not sent');
  const next = await scenarios[name]?.prepare(seeded, origin);
  if (next !== undefined) prepared.set(name, next);
}

function carryOut(order: Extract<LoadOrder, { readonly measure: string }>): Promise<Sample> {
  const scenario = scenarios[order.measure];
  const next = prepared.get(order.measure);
  if (scenario === undefined || next === undefined) throw new Error('The scenario has not been prepared');
  return measure(order.origin, next, scenario.status, order.duration);
}
