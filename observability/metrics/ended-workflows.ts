import { Gauge } from '@prometheus-io/client';
import { reading } from './reading.ts';

/** How a workflow ended that did not complete. An operator may terminate one. */
export const badEnds = ['failed', 'timed_out', 'terminated'] as const;
export type BadEnds = Readonly<Record<(typeof badEnds)[number], number>>;

const ended = new Gauge({
  name: 'presswork_workflows_ended_badly',
  help: 'Workflows that failed, timed out or were terminated within the last hour, as Temporal lists them; by status: failed, timed_out or terminated.',
  labelNames: ['status'],
});

export const endedWorkflowsReading = (read: () => Promise<BadEnds>): (() => Promise<void>) =>
  reading({
    name: 'ended_workflows',
    read,
    show: (counts) => badEnds.forEach((status) => ended.set({ status }, counts[status])),
    hide: () => ended.reset(),
  });
