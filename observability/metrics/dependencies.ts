import { Gauge } from '@prometheus-io/client';
import { reading } from './reading.ts';

const reachable = new Gauge({
  name: 'presswork_dependency_reachable',
  help: '1 if a dependency answers, which /readyz asks, otherwise 0; by dependency: database, temporal or storage.',
  labelNames: ['dependency'],
});

/** Whether a process's dependencies can be reached, checked at each scrape by the probes of /readyz. */
export function dependencyReadings(
  probes: Readonly<Record<string, () => Promise<void>>>,
): readonly (() => Promise<void>)[] {
  return Object.entries(probes).map(([dependency, read]) =>
    reading({
      name: dependency,
      read,
      show: () => reachable.set({ dependency }, 1),
      hide: () => reachable.set({ dependency }, 0),
    }),
  );
}
