import { collectDefaultMetrics, Counter, Gauge, register } from 'prom-client';
import type { Database } from '../db/database.ts';

const active = new Counter({
  name: 'presswork_event_loop_active_seconds_total',
  help: 'Time in which the event loop had something to do: its rate is near 1 where the process is at its limit.',
});

const connections = new Gauge({
  name: 'presswork_database_connections',
  help: 'Connections to PostgreSQL, by state: in_use or idle.',
  labelNames: ['state'],
});
const limit = new Gauge({
  name: 'presswork_database_connections_limit',
  help: 'Connections to PostgreSQL that this process may open.',
});
const waiting = new Gauge({
  name: 'presswork_database_waiting',
  help: 'Statements and transactions that wait for a connection.',
});

/**
 * Watches what Node tells of a process: processor, memory, event loop, garbage collection.
 *
 * @returns what brings the rest up to date
 */
export function watchProcess(process: 'api' | 'worker'): () => Promise<void> {
  // Whoever scrapes may name the job as they like: dashboards and rules go by this.
  register.setDefaultLabels({ process });
  // The lag is that of a timer of this many milliseconds, which is what it shows where nothing lags.
  collectDefaultMetrics({ eventLoopMonitoringPrecision: 10 });
  return async () => {
    active.reset();
    active.inc(performance.eventLoopUtilization().active / 1_000);
  };
}

/** How the pool of connections is used, at the moment. */
export const poolReading =
  ({ pool }: Database) =>
  async (): Promise<void> => {
    connections.set({ state: 'in_use' }, pool.totalCount - pool.idleCount);
    connections.set({ state: 'idle' }, pool.idleCount);
    limit.set(pool.options.max);
    waiting.set(pool.waitingCount);
  };
