import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { operator } from '../../../domain/audit/record.ts';
import { addCheckout, findPayment } from '../../../domain/billing/payment.ts';
import type { PaymentSeen } from '../../../domain/billing/seen.ts';
import type { MoneyKind } from '../../../domain/usage/credits.ts';
import { settle } from '../../../domain/billing/settle.ts';
import { grantCredits } from '../../../domain/usage/credits.ts';
import { chargeCredits, refundCredits } from '../../../domain/billing/charge.ts';
import { useApi } from '../../support/api.ts';
import { buildOrganisation, buildSite } from '../../support/builders.ts';

const api = await useApi();

const NOW = new Date('2026-03-15T12:00:00.000Z');
const CREDITS = 37;
const PRICE = { amount: 1_000, currency: 'usd' };
const STAGES = ['classify', 'extract', 'plan', 'generate', 'improve'] as const;
const COSTS = [1, 1, 2, 10, 5];

const grant = fc.record({ kind: fc.constant('grant' as const), amount: fc.integer({ min: 1, max: 30 }) });
/** Money for one of three purchases: what its provider shows next. The last state that was seen counts. */
const money = fc.record({
  kind: fc.constant('money' as const),
  purchase: fc.integer({ min: 0, max: 2 }),
  seen: fc.record({
    paid: fc.boolean(),
    failure: fc.constant(null),
    amount: fc.constant(1_000),
    refunded: fc.option(fc.integer({ min: 0, max: 1_200 })),
    disputes: fc.array(
      fc.record({
        id: fc.constantFrom('dp_1', 'dp_2'),
        amount: fc.integer({ min: 1, max: 1_000 }),
        status: fc.constantFrom('needs_response', 'won', 'lost', 'warning_needs_response'),
      }),
      { maxLength: 2 },
    ),
  }),
});
/** One of two Sites, three runs and all stages, so that units repeat. */
const unit = fc.record({
  kind: fc.constantFrom('charge' as const, 'charge' as const, 'refund' as const),
  site: fc.integer({ min: 0, max: 1 }),
  run: fc.integer({ min: 0, max: 2 }),
  stage: fc.integer({ min: 0, max: STAGES.length - 1 }),
});
const story = fc.record({
  credits: fc.integer({ min: 0, max: 60 }),
  caps: fc.tuple(fc.option(fc.integer({ min: 0, max: 40 })), fc.option(fc.integer({ min: 0, max: 40 }))),
  /** The steps of a group are concurrent. */
  groups: fc.array(fc.array(fc.oneof(grant, money, unit, unit, unit), { minLength: 1, maxLength: 8 }), {
    minLength: 1,
    maxLength: 5,
  }),
});

interface Books {
  readonly balance: number;
  readonly lines: readonly {
    kind: string;
    amount: number;
    balance: number;
    site_id: string;
    unit: string;
    payment_id: string | null;
  }[];
  readonly months: readonly { site_id: string; spent: number }[];
}

async function readBooks(organisationId: string): Promise<Books> {
  const [balance, lines, months] = await Promise.all([
    api.db.pool.query('select credit_balance::int as balance from organisations where id = $1', [
      organisationId,
    ]),
    api.db.pool.query(
      `select kind, amount::int, balance::int, site_id, concat_ws('/', run_id, article_id, stage) as unit, payment_id
       from credit_ledger where organisation_id = $1`,
      [organisationId],
    ),
    api.db.pool.query(
      `select m.site_id, m.credits_spent::int as spent from site_months m join sites s on s.id = m.site_id
       where s.organisation_id = $1`,
      [organisationId],
    ),
  ]);
  return { balance: balance.rows[0].balance, lines: lines.rows, months: months.rows };
}

/** Enters what was seen of a payment, as handlers of events do it that come together. */
async function enter(id: string, seen: PaymentSeen): Promise<void> {
  for (;;) {
    const payment = await findPayment(api.db, id);
    if (payment === null) throw new Error('The purchase exists');
    if (await api.db.transaction((tx) => settle(tx, payment, `pi_${id}`, seen, NOW))) return;
  }
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

test('after any concurrent grants, charges, refunds, purchases and disputes, balance, ledger and months match', async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ credits, caps, groups }) => {
      const organisationId = await buildOrganisation(api.db, { plan: 'pro', credits });
      const siteIds = [
        await buildSite(api.db, organisationId, { spendCap: caps[0] }),
        await buildSite(api.db, organisationId, { spendCap: caps[1] }),
      ];
      // A run belongs to one Site, and has one article here.
      const runs = siteIds.map(() => Array.from({ length: 3 }, () => [randomUUID(), randomUUID()] as const));
      const purchases = [randomUUID(), randomUUID(), randomUUID()];
      for (const id of purchases)
        await api.db.transaction((tx) =>
          addCheckout(
            tx,
            {
              id,
              organisation_id: organisationId,
              pack: 'starter',
              quantity: 1,
              credits: CREDITS,
              ...PRICE,
              session_id: `cs_${id}`,
            },
            NOW,
          ),
        );
      const carryOut = (step: (typeof groups)[number][number]): Promise<unknown> => {
        if (step.kind === 'money') return enter(purchases[step.purchase]!, step.seen);
        return api.db.transaction((tx): Promise<unknown> => {
          if (step.kind === 'grant')
            return grantCredits({ tx, actor: operator, now: NOW }, organisationId, step.amount);
          const [runId, articleId] = runs[step.site]![step.run]!;
          const of = { siteId: siteIds[step.site]!, runId, articleId, stage: STAGES[step.stage]! };
          return step.kind === 'charge'
            ? chargeCredits(tx, { ...of, cost: COSTS[step.stage]! }, NOW)
            : refundCredits(tx, of, NOW);
        });
      };
      for (const group of groups) {
        await Promise.all(group.map(carryOut));
        const { balance, lines, months } = await readBooks(organisationId);
        expect(balance).toBe(sum(lines.map(({ amount }) => amount)));
        // Only what takes money back may leave less than nothing; a charge never does.
        for (const line of lines) if (line.kind === 'charge') expect(line.balance).toBeGreaterThanOrEqual(0);
        for (const id of purchases) {
          const of = lines.filter(({ payment_id }) => payment_id === `pi_${id}`);
          const { seen } = (await findPayment(api.db, id))!;
          const total = (kind: MoneyKind) =>
            sum(of.filter((line) => line.kind === kind).map((line) => line.amount));
          const bought = of.filter(({ kind }) => kind === 'purchase').map(({ amount }) => amount);
          expect(bought).toEqual(bought.length === 0 ? [] : [CREDITS]);
          if (seen.paid) expect(total('purchase')).toBe(CREDITS);
          expect(sum(of.map(({ amount }) => amount))).toBeGreaterThanOrEqual(0);
          // Refunds take their part of the money, rounded down, and never more than was granted.
          const part = Math.min(CREDITS, Math.floor((CREDITS * (seen.refunded ?? 0)) / PRICE.amount));
          expect(total('refund_out')).toBe(seen.paid ? 0 - part : 0);
        }
        for (const kind of ['charge', 'refund']) {
          const units = lines.filter((line) => line.kind === kind).map((line) => line.unit);
          expect(new Set(units).size).toBe(units.length);
        }
        for (const [index, siteId] of siteIds.entries()) {
          const spent = months.find(({ site_id }) => site_id === siteId)?.spent ?? 0;
          const taken = lines.filter(({ site_id }) => site_id === siteId).map(({ amount }) => -amount);
          expect(spent).toBe(sum(taken));
          expect(spent).toBeGreaterThanOrEqual(0);
          expect(spent).toBeLessThanOrEqual(caps[index] ?? Infinity);
        }
      }
    }),
    { numRuns: 40 },
  );
});
