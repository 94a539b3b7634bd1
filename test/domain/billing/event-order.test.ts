import fc from 'fast-check';
import { buildCustomer, startBilling } from '../../support/stripe/billing-stack.ts';
import type { BillingStack } from '../../support/stripe/billing-stack.ts';
import { moneyKinds } from '../../../domain/usage/credits.ts';

let stack: BillingStack;
beforeAll(async () => {
  stack = await startBilling();
});
afterAll(() => stack.close());

const deed = fc.oneof(
  fc.record({ kind: fc.constant('refund' as const), amount: fc.integer({ min: 1, max: 1_200 }) }),
  fc.record({ kind: fc.constant('dispute' as const), amount: fc.integer({ min: 1, max: 1_000 }) }),
  fc.record({ kind: fc.constantFrom('won' as const, 'lost' as const) }),
);
const story = fc.record({
  payments: fc.array(
    fc.record({ quantity: fc.integer({ min: 1, max: 3 }), deeds: fc.array(deed, { maxLength: 5 }) }),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
  /** Chooses the order, what is repeated, and what is lost. */
  seed: fc.array(fc.integer({ min: 0, max: 999 }), { minLength: 40, maxLength: 40 }),
  readable: fc.boolean(),
});

/** What the credits of a payment come to, told by its money alone. */
function expected(credits: number, paid: number, refunded: number, held: number): number {
  const part = (amount: number) => (amount >= paid ? credits : Math.floor((credits * amount) / paid));
  const gone = part(refunded);
  return credits - gone - Math.min(credits - gone, part(held));
}

test('events in any order, repeated, at the same time, and some of them lost, end in the same balance', async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ payments, seed, readable }) => {
      const { account } = stack.stripe;
      const tenant = await buildCustomer(stack);
      const begin = account.events.length;
      let sum = 0;
      const last = new Map<string, number>();
      for (const { quantity, deeds } of payments) {
        const intent = await stack.buy(tenant, { pack: 'starter', quantity });
        let dispute: string | null = null;
        for (const each of deeds) {
          if (each.kind === 'refund') account.refund(intent, each.amount);
          else if (each.kind === 'dispute')
            dispute ??= account.openDispute(intent, Math.min(each.amount, quantity * 1_000));
          else if (dispute !== null && account.disputes.get(dispute)?.['status'] === 'needs_response')
            account.closeDispute(dispute, each.kind);
        }
        const charge = account.charges.get(account.intents.get(intent)?.['latest_charge']) as Record<
          string,
          any
        >;
        const row = dispute === null ? null : account.disputes.get(dispute);
        const held = row && row['status'] !== 'won' ? row['amount'] : 0;
        sum += expected(quantity * 100, charge['amount'], charge['amount_refunded'], held);
        last.set(intent, account.events.length - 1);
      }
      const events = account.events.slice(begin).map((event, index) => ({ event, index: index + begin }));
      const lasts = new Set(last.values());
      // Where objects can be read, one event for each payment is enough, whichever it is: the last one here. Otherwise
      // every event counts, and none may be lost.
      const kept = events.filter(
        ({ index }, at) => !readable || lasts.has(index) || (seed[at % 40] ?? 0) % 3 > 0,
      );
      const repeated = kept.filter((_, at) => (seed[(at + 7) % 40] ?? 0) % 2 > 0);
      const order = [...kept, ...repeated]
        .map(({ event }, at) => ({ event, by: seed[(at * 13 + 3) % 40] ?? 0 }))
        .toSorted((left, right) => left.by - right.by);
      stack.stripe.hidden = readable ? null : /payment_intents|disputes/;
      const together = readable ? 4 : 1;
      for (let at = 0; at < order.length; at += together)
        await Promise.all(order.slice(at, at + together).map(({ event }) => stack.deliver(event)));
      expect(await stack.balance(tenant)).toBe(sum);
      const { rows } = await stack.api.db.pool.query(
        'select sum(amount)::int as sum, count(*) filter (where kind = $2)::int as purchases from credit_ledger where organisation_id = $1',
        [tenant.organisationId, moneyKinds[0]],
      );
      expect(rows[0]).toEqual({ sum, purchases: payments.length });
      stack.stripe.hidden = null;
    }),
    { numRuns: 20 },
  );
});
