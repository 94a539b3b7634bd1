import type { Context, Middleware } from 'koa';
import { clientNetwork } from '../../../domain/access/client-network.ts';
import { storeEvent } from '../../../domain/billing/event.ts';
import { invalidRequest, ServiceError, underMaintenance } from '../../../domain/kernel/errors.ts';
import { findMaintenance } from '../../../domain/organisations/sites.ts';
import { readBytes, releaseBody } from '../../http/body.ts';
import { ByteBudget } from '../../http/byte-budget.ts';
import { requireClient } from '../../http/client-gone.ts';
import type { CountKeylessAnswer } from '../../framework/keyless-answers.ts';
import type { Ports } from '../../framework/ports.ts';
import { bodyOf } from '../../framework/reply.ts';
import { requirePayments } from '../../resources/billing/purchase.ts';

const PATH = '/billing/stripe';

/** As of any body. */
const LARGEST_EVENT = 1_048_576;

/**
 * Memory for events. Who sent one is known only when it has been read, so the limit of requests cannot be asked before;
 * this bounds what clients send slowly, or announce and never send. It is apart from the memory for bodies of Sites, and
 * no client has more than one large event, which leaves room to Stripe. Stripe repeats events that found none.
 */
const events = new ByteBudget({ total: 8 * LARGEST_EVENT, perClient: 1 / 8, waitMs: 10_000 });

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
  const signature = ctx.get('Stripe-Signature');
  // No body fits a signature that is missing, so none is read.
  if (signature === '') throw excess ?? notSigned();
  const client = clientNetwork(ports.clientAddress(ctx.req));
  const body = await readBytes(ctx.req, client, LARGEST_EVENT, events);
  const now = ports.clock.now();
  const event = payments.readEvent(body, signature, now);
  if (event === null) throw excess ?? notSigned();
  await ports.db.transaction((tx) => storeEvent(tx, event, now), { mayBegin: () => requireClient(ctx) });
  ctx.status = 200;
  ctx.type = 'application/json';
  ctx.body = bodyOf({ received: true });
}

/** Senders of unsigned events have a limit. Stripe itself has none: it may send thousands after an outage. */
function countedExcess(ctx: Context, count: CountKeylessAnswer): ServiceError | null {
  try {
    count(ctx);
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

const notSigned = (): ServiceError =>
  invalidRequest(
    'Stripe-Signature: does not fit the body, or its time is more than 300 s from now. Send the event as Stripe signed it.',
  );

const otherMethod = (): ServiceError =>
  invalidRequest('This address takes POST only.', { status: 405, headers: { Allow: 'POST' } });
