import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { operator } from '../../../domain/audit/record.ts';
import { chargeCredits, grantCredits, refundCredits } from '../../../domain/usage/credits.ts';
import { startApi } from '../../support/api.ts';
import type { TestApi } from '../../support/api.ts';
import { buildOrganisation, buildSite } from '../../support/builders.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const NOW = new Date('2026-03-15T12:00:00.000Z');
const STAGES = ['classify', 'extract', 'plan', 'generate', 'improve'] as const;
const COSTS = [1, 1, 2, 10, 5];

const grant = fc.record({ kind: fc.constant('grant' as const), amount: fc.integer({ min: 1, max: 30 }) });
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
  groups: fc.array(fc.array(fc.oneof(grant, unit, unit, unit), { minLength: 1, maxLength: 8 }), {
    minLength: 1,
    maxLength: 5,
  }),
});

interface Books {
  readonly balance: number;
  readonly lines: readonly { kind: string; amount: number; balance: number; site_id: string; unit: string }[];
  readonly months: readonly { site_id: string; spent: number }[];
}

async function readBooks(organisationId: string): Promise<Books> {
  const [balance, lines, months] = await Promise.all([
    api.db.pool.query('select credit_balance::int as balance from organisations where id = $1', [
      organisationId,
    ]),
    api.db.pool.query(
      `select kind, amount::int, balance::int, site_id, concat_ws('/', run_id, article_id, stage) as unit
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

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

test('after any concurrent grants, charges and refunds, balance, ledger and months match', async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ credits, caps, groups }) => {
      const organisationId = await buildOrganisation(api.db, { plan: 'pro', credits });
      const siteIds = [
        await buildSite(api.db, organisationId, { spendCap: caps[0] }),
        await buildSite(api.db, organisationId, { spendCap: caps[1] }),
      ];
      // A run belongs to one Site, and has one article here.
      const runs = siteIds.map(() => Array.from({ length: 3 }, () => [randomUUID(), randomUUID()] as const));
      const carryOut = (step: (typeof groups)[number][number]): Promise<unknown> =>
        api.db.transaction((tx): Promise<unknown> => {
          if (step.kind === 'grant')
            return grantCredits({ tx, actor: operator, now: NOW }, organisationId, step.amount);
          const [runId, articleId] = runs[step.site]![step.run]!;
          const of = { siteId: siteIds[step.site]!, runId, articleId, stage: STAGES[step.stage]! };
          return step.kind === 'charge'
            ? chargeCredits(tx, { ...of, cost: COSTS[step.stage]! }, NOW)
            : refundCredits(tx, of, NOW);
        });
      for (const group of groups) {
        await Promise.all(group.map(carryOut));
        const { balance, lines, months } = await readBooks(organisationId);
        expect(balance).toBe(sum(lines.map(({ amount }) => amount)));
        expect(Math.min(balance, ...lines.map((line) => line.balance))).toBeGreaterThanOrEqual(0);
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
