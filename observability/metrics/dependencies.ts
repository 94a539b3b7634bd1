import { Gauge } from '@prometheus-io/client';
import { reading } from './reading.ts';

/** Whether a process's dependencies can be reached, checked at each scrape by the probes of /readyz. */
export function dependencyReadings(
  probes: Readonly<Record<string, () => Promise<void>>>,
): readonly (() => Promise<void>)[] {
  const reachable = new Gauge({
    name: 'presswork_dependency_reachable',
    help: 'Whether the database, Temporal and storage answer: 1 or 0.',
    labelNames: ['dependency'],
  });
  return Object.entries(probes).map(([dependency, read]) =>
    reading({
      name: dependency,
      read,
      show: () => reachable.set({ dependency }, 1),
      hide: () => reachable.set({ dependency }, 0),
    }),
  );
}
