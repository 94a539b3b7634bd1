import type { Settings } from '../../runtime/settings.ts';
import { backlogReadings } from './backlog.ts';
import type { Backlog } from './backlog.ts';
import { dependencyReadings } from './dependencies.ts';
import { endedWorkflowsReading } from './ended-workflows.ts';
import type { BadEnds } from './ended-workflows.ts';
import { poolReading, watchProcess } from './process.ts';
import type { Pool } from './process.ts';
import { serveMetrics } from './server.ts';
import type { Probes } from './server.ts';
import { taskQueueReading } from './task-queues.ts';
import type { QueueBacklog } from './task-queues.ts';
import type { SdkMetrics } from './temporal.ts';

interface Measured {
  readonly pool: Pool;
  /** Reads the work that waits in the database. */
  readonly backlog: Backlog;
  /** Probes of the process's dependencies. */
  readonly dependencies?: Readonly<Record<string, () => Promise<void>>>;
  /** Reads the tasks that wait in Temporal for a worker. */
  readonly taskQueues?: () => Promise<readonly QueueBacklog[]>;
  /** Reads the workflows that ended without completing. */
  readonly badEnds?: () => Promise<BadEnds>;
  readonly sdk?: SdkMetrics | null;
  readonly probes?: Probes;
}

/**
 * Serves the metrics of a process on METRICS_PORT, and its probes. If it is not set, events are still counted, which costs almost
 * nothing, but nothing is read.
 *
 * @throws SettingError if the port cannot be used
 */
export async function exposeMetrics(
  process: 'api' | 'worker',
  settings: Settings,
  { pool, backlog, dependencies = {}, taskQueues, badEnds, sdk = null, probes = {} }: Measured,
): Promise<void> {
  const { METRICS_PORT: port, METRICS_HOST: host } = settings;
  if (port === undefined) return;
  const readings = [
    watchProcess(process),
    poolReading(pool),
    ...backlogReadings(backlog),
    ...dependencyReadings(dependencies),
    ...(taskQueues ? [taskQueueReading(taskQueues)] : []),
    ...(badEnds ? [endedWorkflowsReading(badEnds)] : []),
  ];
  await serveMetrics({ port, host }, { readings, probes, ...(sdk && { more: sdk.expose }) });
}
