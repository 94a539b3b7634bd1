import { randomUUID } from 'node:crypto';
import { operator } from '../../../domain/audit/record.ts';
import { grantCredits } from '../../../domain/usage/credits.ts';
import { chargeCredits, refundCredits } from '../../../domain/billing/charge.ts';
import type { ChargeOutcome } from '../../../domain/billing/charge.ts';
import { useApi } from '../../support/api.ts';
import { buildKey, buildMember, buildOrganisation, buildSite } from '../../support/builders.ts';

const now = new Date('2026-03-31T23:59:59.999Z');
const nextMonth = new Date('2026-04-01T00:00:00.000Z');

const api = await useApi({ clock: { now: () => now } });

async function account(credits: number, spendCap: number | null = null) {
  const organisationId = await buildOrganisation(api.db, { credits });
  const siteId = await buildSite(api.db, organisationId, { spendCap });
  const member = await buildMember(api.db, organisationId);
  const { secret } = await buildKey(api.db, siteId, member);
  return { organisationId, siteId, secret };
}

const unit = (siteId: string, cost = 1) => ({
  siteId,
  runId: randomUUID(),
  articleId: randomUUID(),
  stage: 'classify',
  cost,
});
const charge = (one: ReturnType<typeof unit>, at = now): Promise<ChargeOutcome> =>
  api.db.transaction((tx) => chargeCredits(tx, one, at));

async function balanceOf(organisationId: string): Promise<number> {
  const { rows } = await api.db.pool.query(
    `select o.credit_balance, sum(l.amount)::bigint as ledger
     from organisations o join credit_ledger l on l.organisation_id = o.id where o.id = $1 group by o.id`,
    [organisationId],
  );
  // The ledger always matches the balance.
  expect(rows[0].ledger).toBe(rows[0].credit_balance);
  return rows[0].credit_balance;
}
const spentBy = async (siteId: string): Promise<number[]> =>
  (
    await api.db.pool.query('select credits_spent from site_months where site_id = $1 order by month', [
      siteId,
    ])
  ).rows.map((row) => row.credits_spent);

test('concurrent units are paid exactly as far as the credits go', async () => {
  const { organisationId, siteId } = await account(30);
  const second = await buildSite(api.db, organisationId);
  const units = Array.from({ length: 24 }, (_, index) => unit(index % 2 === 0 ? siteId : second, 3));
  const outcomes = await Promise.all(units.map((one) => charge(one)));
  expect(outcomes.filter((outcome) => outcome === 'charged')).toHaveLength(10);
  expect(outcomes.filter((outcome) => outcome === 'insufficient_credits')).toHaveLength(14);
  expect(await balanceOf(organisationId)).toBe(0);
  expect((await spentBy(siteId))[0]! + (await spentBy(second))[0]!).toBe(30);
});

test('one unit is charged once, however often and concurrently it is requested', async () => {
  const { organisationId, siteId } = await account(100);
  const one = unit(siteId, 10);
  const outcomes = await Promise.all(Array.from({ length: 12 }, () => charge(one)));
  expect(new Set(outcomes)).toEqual(new Set(['charged']));
  expect(await balanceOf(organisationId)).toBe(90);
  expect(await spentBy(siteId)).toEqual([10]);
  // Another stage of the same article is another unit.
  expect(await charge({ ...one, stage: 'extract' })).toBe('charged');
  expect(await balanceOf(organisationId)).toBe(80);
});

test('one unit is refunded once, however often and concurrently it is requested', async () => {
  const { organisationId, siteId } = await account(100);
  const one = unit(siteId, 10);
  const refund = (): Promise<number> => api.db.transaction((tx) => refundCredits(tx, one, now));
  expect(await refund()).toBe(0);
  await charge(one);
  const refunded = await Promise.all(Array.from({ length: 8 }, refund));
  expect(refunded.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 0, 0, 0, 10]);
  expect(await refund()).toBe(0);
  expect(await balanceOf(organisationId)).toBe(100);
  expect(await spentBy(siteId)).toEqual([0]);
});

test('a paid unit stays paid when no credits are left', async () => {
  const { siteId } = await account(10);
  const one = unit(siteId, 10);
  expect([await charge(one), await charge(one), await charge(unit(siteId))]).toEqual([
    'charged',
    'charged',
    'insufficient_credits',
  ]);
});

test('concurrent units are paid exactly as far as the cap goes', async () => {
  const { organisationId, siteId } = await account(1_000, 25);
  const outcomes = await Promise.all(Array.from({ length: 12 }, () => charge(unit(siteId, 5))));
  expect(outcomes.filter((outcome) => outcome === 'charged')).toHaveLength(5);
  expect(outcomes.filter((outcome) => outcome === 'spend_cap_reached')).toHaveLength(7);
  expect(await balanceOf(organisationId)).toBe(975);
  expect((await api.request('GET', '/usage', { key: (await account(0)).secret })).data.spend_cap).toBeNull();
});

test('the cap is monthly, a cap of zero blocks, and the balance is checked first', async () => {
  const { siteId, secret } = await account(1_000, 5);
  expect([await charge(unit(siteId, 5)), await charge(unit(siteId))]).toEqual([
    'charged',
    'spend_cap_reached',
  ]);
  expect((await api.request('GET', '/usage', { key: secret })).data).toMatchObject({
    usage: { credits_spent: 5 },
    credits: { balance: 995 },
    spend_cap: { limit: 5, spent: 5, remaining: 0 },
  });
  expect(await charge(unit(siteId, 5), nextMonth)).toBe('charged');
  expect(await spentBy(siteId)).toEqual([5, 5]);
  const { siteId: blocked } = await account(1_000, 0);
  expect(await charge(unit(blocked))).toBe('spend_cap_reached');
  const { siteId: both } = await account(0, 0);
  expect(await charge(unit(both))).toBe('insufficient_credits');
});

test('a charge that is rolled back leaves nothing behind', async () => {
  const { organisationId, siteId } = await account(10);
  const failing = api.db.transaction(async (tx) => {
    await chargeCredits(tx, unit(siteId, 10), now);
    throw new Error('the stage failed');
  });
  await expect(failing).rejects.toThrow('the stage failed');
  expect(await balanceOf(organisationId)).toBe(10);
  expect(await spentBy(siteId)).toEqual([]);
});

test('the ledger lists grants and the Site’s own charges, newest first, in pages', async () => {
  const { organisationId, siteId, secret } = await account(100);
  const neighbour = await buildSite(api.db, organisationId);
  const one = unit(siteId, 10);
  await charge(one, new Date('2030-01-01T00:00:00Z'));
  await charge(unit(neighbour, 7), new Date('2030-01-02T00:00:00Z'));
  await api.db.transaction((tx) =>
    grantCredits({ tx, actor: operator, now: new Date('2030-01-03T00:00:00Z') }, organisationId, 50),
  );
  const { data } = await api.request('GET', '/usage/ledger', { key: secret });
  expect(data.next_cursor).toBeNull();
  const nothing = { run_id: null, article_id: null, stage: null };
  expect(data.items).toEqual([
    expect.objectContaining({ kind: 'grant', amount: 50, balance: 133, ...nothing }),
    expect.objectContaining({
      kind: 'charge',
      amount: -10,
      balance: 90,
      run_id: one.runId,
      article_id: one.articleId,
      stage: 'classify',
      created_at: '2030-01-01T00:00:00.000Z',
    }),
    expect.objectContaining({ kind: 'grant', amount: 100, balance: 100, ...nothing }),
  ]);
  const paged: unknown[] = [];
  for (let cursor = ''; ;) {
    const page = await api.request('GET', `/usage/ledger?limit=1${cursor && `&cursor=${cursor}`}`, {
      key: secret,
    });
    paged.push(...page.data.items);
    if (page.data.next_cursor === null) break;
    cursor = page.data.next_cursor;
  }
  expect(paged).toEqual(data.items);
  const other = await account(0);
  expect((await api.request('GET', '/usage/ledger', { key: other.secret })).data.items).toEqual([]);
});
