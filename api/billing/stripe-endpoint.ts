import type { Context, Middleware } from 'koa';
import { storeEvent } from '../../domain/billing/event.ts';
import { invalidRequest, ServiceError, underMaintenance } from '../../domain/errors.ts';
import { findMaintenance } from '../../domain/organisations/sites.ts';
import { readBytes, releaseBody } from '../body.ts';
import { requireClient } from '../client-gone.ts';
import type { CountKeylessAnswer } from '../keyless-answers.ts';
import type { Ports } from '../ports.ts';
import { bodyOf } from '../reply.ts';
import { requirePayments } from './purchase.ts';

const PATH = '/billing/stripe';

/**
 * Receives Stripe's events at `{origin}/billing/stripe` (docs/spec/rulings.md, 21). An event is stored with the start of
 * its workflow before it is answered, so Stripe repeats what was not.
 */
export function stripeEndpoint(ports: Ports, count: CountKeylessAnswer): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== PATH) return next();
    ctx.state.measuredAs = 'stripe event';
    ctx.set('Cache-Control', 'no-store');
    const excess = countedExcess(ctx, count);
    if (ctx.method !== 'POST') throw excess ?? otherMethod();
    const maintenance = await findMaintenance(ports.db, null);
    if (maintenance !== null) throw underMaintenance(maintenance);
    try {
      await receive(ports, ctx, excess);
    } finally {
      releaseBody(ctx.req);
    }
  };
}

async function receive(ports: Ports, ctx: Context, excess: ServiceError | null): Promise<void> {
  const payments = requirePayments(ports);
  const body = await readBytes(ctx.req, ports.clientAddress(ctx.req));
  const now = ports.clock.now();
  const event = payments.readEvent(body, ctx.get('Stripe-Signature') || undefined, now);
  if (event === null)
    throw (
      excess ??
      invalidRequest(
        'Stripe-Signature: does not fit the body, or its time is more than 300 s from now. Send the event as Stripe signed it.',
      )
    );
  await ports.db.transaction((tx) => storeEvent(tx, event, now), { mayBegin: () => requireClient(ctx) });
  ctx.status = 200;
  ctx.type = 'application/json';
  ctx.body = bodyOf({ received: true });
}

/** Who sends what Stripe did not sign has a limit. Stripe itself has none: it may send thousands after an outage. */
function countedExcess(ctx: Context, count: CountKeylessAnswer): ServiceError | null {
  try {
    count(ctx);
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

const otherMethod = (): ServiceError =>
  invalidRequest('This address takes POST only.', { status: 405, headers: { Allow: 'POST' } });
