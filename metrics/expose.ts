import type { Settings } from '../config/settings.ts';
import type { Database } from '../db/database.ts';
import type { Clock } from '../domain/clock.ts';
import { backlogReadings } from './backlog.ts';
import { dependencyReadings } from './dependencies.ts';
import { poolReading, watchProcess } from './process.ts';
import { serveMetrics } from './server.ts';
import { taskQueueReading } from './task-queues.ts';
import type { QueueBacklog } from './task-queues.ts';
import type { SdkMetrics } from './temporal.ts';

interface Measured {
  readonly db: Database;
  readonly clock: Clock;
  /** Probes of what the process stands on. */
  readonly dependencies?: Readonly<Record<string, () => Promise<void>>>;
  /** What waits in Temporal for a worker. */
  readonly taskQueues?: () => Promise<readonly QueueBacklog[]>;
  readonly sdk?: SdkMetrics | null;
}

/**
 * Serves the metrics of a process on METRICS_PORT, where that is set. Without it what happens is still counted, which
 * costs next to nothing, and nothing is watched or read.
 *
 * @throws SettingError where the port cannot be listened on
 */
export async function exposeMetrics(
  process: 'api' | 'worker',
  settings: Settings,
  { db, clock, dependencies = {}, taskQueues, sdk = null }: Measured,
): Promise<void> {
  const { METRICS_PORT: port, METRICS_HOST: host } = settings;
  if (port === undefined) return;
  const readings = [
    watchProcess(process),
    poolReading(db),
    ...backlogReadings(db, clock),
    ...dependencyReadings(dependencies),
    ...(taskQueues ? [taskQueueReading(taskQueues)] : []),
  ];
  await serveMetrics({ port, host }, { readings, ...(sdk && { more: sdk.expose }) });
}
