import type { Middleware } from 'koa';
import type { Drain } from './drain.ts';

/** A service the product stands on: resolves where it can be used. */
export type HealthCheck = () => Promise<void>;

export interface HealthChecks {
  readonly database: HealthCheck;
  readonly temporal: HealthCheck;
  readonly storage: HealthCheck;
  /** How far the relay is behind; shown, not judged. */
  readonly outbox: () => Promise<Readonly<Record<'waiting' | 'oldest_seconds' | 'failing', number>>>;
}

const TIMEOUT_MS = 2_000;

/** Where probes ask. */
export const probePaths: readonly string[] = ['/healthz', '/readyz'];

/**
 * `/healthz`: the process is alive. `/readyz`: so is what it needs, and it is not about to end (decisions 12). No key.
 */
export function health(checks: HealthChecks, drain: Pick<Drain, 'begun'>): Middleware {
  return async (ctx, next) => {
    const isProbe = ctx.method === 'GET' || ctx.method === 'HEAD';
    const measuredAs = ctx.path.slice(1);
    if (isProbe && ctx.path === '/healthz') {
      ctx.state.measuredAs = measuredAs;
      ctx.body = { data: { status: 'alive' } };
    } else if (isProbe && ctx.path === '/readyz') {
      ctx.state.measuredAs = measuredAs;
      const { ready, data } = drain.begun ? draining : await readiness(checks);
      ctx.status = ready ? 200 : 503;
      if (!ready) ctx.set('Retry-After', '5');
      ctx.body = { data };
    } else {
      await next();
    }
  };
}

/** Said at once, whatever else is away. */
const draining = { ready: false, data: { status: 'draining' } };

async function readiness(checks: HealthChecks) {
  const [database, temporal, storage, outbox] = await Promise.all([
    within(checks.database()),
    within(checks.temporal()),
    within(checks.storage()),
    checks.outbox().catch(() => null),
  ]);
  const ready = [database, temporal, storage].every((state) => state === 'ok');
  const status = ready ? 'ready' : 'not ready';
  return { ready, data: { status, checks: { database, temporal, storage }, outbox } };
}

async function within(check: Promise<void>): Promise<'ok' | 'unreachable'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), TIMEOUT_MS);
  });
  try {
    await Promise.race([check, late]);
    return 'ok';
  } catch {
    return 'unreachable';
  } finally {
    clearTimeout(timer);
  }
}
