import type { Probe } from '../observability/metrics/server.ts';
import type { TemporalState } from './join.ts';

/** A loop that has not come round for this long is not taken for working. Its calls time out sooner. */
const READY_MS = 30_000;
/** A process whose loops stand for this long is to be started again. */
const ALIVE_MS = 5 * 60_000;

/** The subjects of the probes. */
export interface Watched {
  readonly temporal: TemporalState;
  /** Milliseconds since each loop last came round; null for one that has not begun. */
  readonly loops: Readonly<Record<'relay' | 'poll' | 'publisher', number | null>>;
}

const within = ({ loops }: Watched, ms: number): boolean =>
  Object.values(loops).every((idle) => idle === null || idle < ms);

/**
 * Whether the worker does its work. An unreachable Temporal does not count against it, because webhooks are sent without
 * it, and no other worker could reach it either. A Temporal that answers but does not let the workers start does: a
 * rollout of such workers has to stop.
 */
export const readiness = (watched: Watched): Probe => ({
  ok: ['running', 'unreachable'].includes(watched.temporal) && within(watched, READY_MS),
  ...watched,
});

/** Whether the process makes progress. If its event loop is blocked, it does not answer at all. */
export const liveness = (watched: Watched): Probe => ({ ok: within(watched, ALIVE_MS), ...watched });
