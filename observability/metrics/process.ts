import { collectDefaultMetrics, Counter, Gauge, register } from '@prometheus-io/client';

const active = new Counter({
  name: 'presswork_event_loop_active_seconds_total',
  help: 'Active time of the event loop. Its rate is the share of time in which the process is busy; near 1 it is at its limit.',
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
 * Collects Node's metrics: processor, memory, event loop, garbage collection.
 *
 * @returns a function that updates the remaining gauges
 */
export function watchProcess(process: 'api' | 'worker'): () => Promise<void> {
  // Dashboards and alerts use this label; the scraper may choose any job name.
  register.setDefaultLabels({ process });
  // The lag is measured by a timer of this many milliseconds, which is also its value without any lag.
  collectDefaultMetrics({ eventLoopMonitoringPrecision: 10 });
  return async () => {
    active.reset();
    active.inc(performance.eventLoopUtilization().active / 1_000);
  };
}

export interface Pool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly options: { readonly max: number };
}

export const poolReading = (pool: Pool) => async (): Promise<void> => {
  connections.set({ state: 'in_use' }, pool.totalCount - pool.idleCount);
  connections.set({ state: 'idle' }, pool.idleCount);
  limit.set(pool.options.max);
  waiting.set(pool.waitingCount);
};
