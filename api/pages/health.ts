import type { Middleware } from 'koa';
import type { Drain } from '../http/drain.ts';
import type { CountKeylessAnswer } from '../framework/keyless-answers.ts';
import { createReadiness } from '../http/readiness.ts';
import type { HealthChecks } from '../http/readiness.ts';

/** The paths of the probes. */
export const probePaths: readonly string[] = ['/healthz', '/readyz'];

/**
 * Answers probes, without a key. `/healthz`: the process is alive. `/readyz`: its dependencies are reachable, and it is
 * not draining (docs/spec/rulings.md, 12).
 */
export function health(
  checks: HealthChecks,
  drain: Pick<Drain, 'started'>,
  count: CountKeylessAnswer,
): Middleware {
  const readiness = createReadiness(checks);
  return async (ctx, next) => {
    const isProbe = (ctx.method === 'GET' || ctx.method === 'HEAD') && probePaths.includes(ctx.path);
    if (!isProbe) return next();
    ctx.state.measuredAs = ctx.path.slice(1);
    count(ctx);
    if (ctx.path === '/healthz') {
      ctx.body = { data: { status: 'alive' } };
      return;
    }
    const { ready, data } = drain.started ? draining : await readiness();
    ctx.status = ready ? 200 : 503;
    if (!ready) ctx.set('Retry-After', '5');
    ctx.body = { data };
  };
}

/** Answered without checking the dependencies. */
const draining = { ready: false, data: { status: 'draining' } };
