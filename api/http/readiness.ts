import { withTimeout } from '../../runtime/with-timeout.ts';

/** Resolves if a dependency is available, and rejects if it is not. */
export type HealthCheck = () => Promise<void>;

type Outbox = Readonly<Record<'waiting' | 'oldest_seconds' | 'failing', number>>;

export interface HealthChecks {
  readonly database: HealthCheck;
  readonly temporal: HealthCheck;
  readonly storage: HealthCheck;
  /** The backlog of the relay. It is reported, but does not affect readiness. */
  readonly outbox: () => Promise<Outbox>;
}

export interface Readiness {
  readonly ready: boolean;
  readonly data: object;
}

/** Time-out of each check. */
const TIMEOUT_MS = 2_000;
/** How long a result is cached. */
const CACHED_MS = 1_000;

/**
 * Checks all dependencies. Concurrent calls share one check, and its result is cached for a second, so that the number
 * of probes does not affect the load on the dependencies.
 */
export function createReadiness(checks: HealthChecks): () => Promise<Readiness> {
  let cached: Promise<Readiness> | null = null;
  let validUntil = Infinity;
  return () => {
    if (cached !== null && performance.now() < validUntil) return cached;
    validUntil = Infinity;
    cached = check(checks).finally(() => (validUntil = performance.now() + CACHED_MS));
    return cached;
  };
}

async function check(checks: HealthChecks): Promise<Readiness> {
  const [outbox, ...states] = await Promise.all([
    withTimeout(TIMEOUT_MS, checks.outbox()).catch(() => null),
    stateOf(checks.database),
    stateOf(checks.temporal),
    stateOf(checks.storage),
  ]);
  const [database, temporal, storage] = states;
  const ready = states.every((state) => state === 'ok');
  const status = ready ? 'ready' : 'not ready';
  return { ready, data: { status, checks: { database, temporal, storage }, outbox } };
}

const stateOf = (ask: HealthCheck): Promise<'ok' | 'unreachable'> =>
  withTimeout(TIMEOUT_MS, ask()).then(
    () => 'ok',
    () => 'unreachable',
  );
