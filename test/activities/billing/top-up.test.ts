import { randomUUID } from 'node:crypto';
import { createTopUpActivities } from '../../../activities/top-up.ts';
import type { TopUpActivities } from '../../../activities/top-up.ts';
import { chargeCredits } from '../../../domain/billing/charge.ts';
import type { Tenant } from '../../support/builders.ts';
import { TestClock } from '../../support/clock.ts';
import { buildCustomer, runActivity, startBilling } from '../../support/stripe/billing-stack.ts';
import type { BillingStack } from '../../support/stripe/billing-stack.ts';
import { silent } from '../../support/temporal.ts';

const clock = new TestClock();
let stack: BillingStack;
beforeAll(async () => {
  stack = await startBilling(clock);
});
afterAll(() => stack.close());
beforeEach(() => clock.freeze(new Date('2026-03-10T12:00:00.000Z')));

/** A customer with a card, so many credits, and automatic purchases of 100 below 50. */
async function buildBuyer(credits: number, settings: object = {}): Promise<Tenant> {
  const tenant = await buildCustomer(stack, credits);
  await stack.api.request('POST', '/billing/portal', {
    key: tenant.secretKey,
    body: { return_url: 'https://example.com' },
  });
  stack.stripe.account.cards.set(await customerOf(tenant), `pm_${randomUUID()}`);
  const body = { enabled: true, below: 50, pack: 'starter', monthly_limit: 3, ...settings };
  const { status, text } = await stack.api.request('PATCH', '/billing/auto-top-up', {
    key: tenant.secretKey,
    body,
  });
  if (status !== 200) throw new Error(text);
  return tenant;
}
const charge = ({ siteId }: Tenant, cost: number) =>
  stack.api.db.transaction((tx) =>
    chargeCredits(
      tx,
      { siteId, runId: randomUUID(), articleId: randomUUID(), stage: 'plan', cost },
      clock.now(),
    ),
  );
/** The purchase that is waiting for its workflow. */
const ordered = async (): Promise<string> => {
  const { rows } = await stack.api.db.pool.query(
    `delete from outbox where kind = 'top-up' returning payload ->> 'paymentId' as id`,
  );
  return rows[0].id as string;
};
const customerOf = async ({ organisationId }: Tenant): Promise<string> => {
  const { rows } = await stack.api.db.pool.query(
    'select customer_id from billing_accounts where organisation_id = $1',
    [organisationId],
  );
  return rows[0].customer_id as string;
};
const cardOf = async (tenant: Tenant): Promise<string> =>
  stack.stripe.account.cards.get(await customerOf(tenant)) as string;
const charging = (activities: TopUpActivities, paymentId: string) =>
  runActivity(() => activities.chargeTopUp(paymentId));
const topUps = async ({ organisationId }: Tenant) => {
  const { rows } = await stack.api.db.pool.query(
    `select status, failure from billing_payments where organisation_id = $1 and cause = 'top_up' order by created_at, id`,
    [organisationId],
  );
  return rows as { status: string; failure: string | null }[];
};
const intentsOf = ({ organisationId }: Tenant) =>
  [...stack.stripe.account.intents.values()].filter(
    ({ metadata, off_session: alone }) => alone && metadata.presswork_organisation === organisationId,
  );

test('a charge that leaves less buys a pack with the saved card, and its events change nothing more', async () => {
  const tenant = await buildBuyer(60);
  expect(await charge(tenant, 10)).toBe('charged');
  expect(await topUps(tenant)).toEqual([]);
  expect(await charge(tenant, 1)).toBe('charged');
  expect(await stack.buyOrdered()).toEqual(['paid']);
  expect(await stack.balance(tenant)).toBe(149);
  await stack.deliverAll();
  expect(await stack.balance(tenant)).toBe(149);
  expect(intentsOf(tenant)).toMatchObject([{ amount: 1_000, off_session: 'true', confirm: 'true' }]);
});

test('one that nobody pays for orders nothing', async () => {
  const tenant = await buildBuyer(60);
  expect(await charge(tenant, 61)).toBe('insufficient_credits');
  expect(await topUps(tenant)).toEqual([]);
});

test('switched on below the threshold it buys at once, and once', async () => {
  const tenant = await buildBuyer(49);
  for (const below of [40, 45])
    await stack.api.request('PATCH', '/billing/auto-top-up', {
      key: tenant.secretKey,
      body: { enabled: true, below },
    });
  expect(await stack.buyOrdered()).toEqual(['paid']);
  expect(intentsOf(tenant)).toHaveLength(1);
});

test('twenty charges at the same time order one pack', async () => {
  const tenant = await buildBuyer(60);
  await Promise.all(Array.from({ length: 20 }, () => charge(tenant, 2)));
  expect(await topUps(tenant)).toHaveLength(1);
  expect(await stack.buyOrdered()).toEqual(['paid']);
  expect(await stack.balance(tenant)).toBe(120);
});

test('races stay within the limit of the month, and the next month has its own', async () => {
  const tenant = await buildBuyer(60, { below: 1_000, monthly_limit: 2 });
  await stack.buyOrdered();
  for (let round = 0; round < 4; round += 1) {
    await Promise.all(Array.from({ length: 5 }, () => charge(tenant, 1)));
    await stack.buyOrdered();
  }
  expect(intentsOf(tenant)).toHaveLength(2);
  clock.freeze(new Date('2026-04-01T00:00:00.000Z'));
  await charge(tenant, 1);
  await stack.buyOrdered();
  expect(intentsOf(tenant)).toHaveLength(3);
});

test('a declined card stops the purchase alone; three in a day, and it is tried a day later', async () => {
  const tenant = await buildBuyer(54);
  stack.stripe.account.declines.set(await cardOf(tenant), 'insufficient_funds');
  for (let time = 0; time < 5; time += 1) {
    expect(await charge(tenant, 5)).toBe('charged');
    await stack.buyOrdered();
    await stack.deliverAll();
    clock.freeze(new Date(clock.now().getTime() + 1_000));
  }
  const failed = { status: 'failed', failure: 'insufficient_funds' };
  expect(await topUps(tenant)).toEqual([failed, failed, failed]);
  const { data } = await stack.api.request('GET', '/billing', { key: tenant.secretKey });
  expect(data.auto_top_up.enabled).toBe(true);
  const log = await stack.api.request('GET', '/audit-log?limit=100', { key: tenant.secretKey });
  expect(JSON.stringify(log.data.items)).toContain('billing.top_up_failed');
  expect(JSON.stringify(log.data.items)).not.toMatch(/last4|ending in/);
  stack.stripe.account.declines.clear();
  clock.freeze(new Date('2026-03-11T13:00:00.000Z'));
  await charge(tenant, 1);
  expect(await stack.buyOrdered()).toEqual(['paid']);
});

test('what the bank refuses later frees the way for the next purchase, and is charged once until then', async () => {
  const tenant = await buildBuyer(49);
  const { account, payments } = stack.stripe;
  account.slow.add(await cardOf(tenant));
  const paymentId = await ordered();
  const activities = createTopUpActivities({ db: stack.api.db, clock, log: silent, payments });
  expect(await charging(activities, paymentId)).toBe('pending');
  expect(await charging(activities, paymentId)).toBe('pending');
  await charge(tenant, 1);
  expect(await topUps(tenant)).toEqual([{ status: 'open', failure: null }]);
  const [intent] = intentsOf(tenant);
  account.refuse(intent?.['id'], 'insufficient_funds');
  expect(await charging(activities, paymentId)).toBe('failed');
  expect(await topUps(tenant)).toEqual([{ status: 'failed', failure: 'insufficient_funds' }]);
  expect(intentsOf(tenant)).toHaveLength(1);
  account.slow.clear();
  await charge(tenant, 1);
  expect(await stack.buyOrdered()).toEqual(['paid']);
});

test('a card that is the customer’s no more fails the purchase; a wrong key of ours does not', async () => {
  const tenant = await buildBuyer(49);
  const { payments, faults } = stack.stripe;
  const activities = createTopUpActivities({ db: stack.api.db, clock, log: silent, payments });
  const paymentId = await ordered();
  faults.push({ path: /^POST .payment_intents/, kind: 401 });
  await expect(charging(activities, paymentId)).rejects.toThrow(/StripeAuthenticationError/);
  expect(await topUps(tenant)).toEqual([{ status: 'open', failure: null }]);
  faults.push({ path: /^POST .payment_intents/, kind: 400 });
  expect(await charging(activities, paymentId)).toBe('failed');
  expect(await topUps(tenant)).toEqual([{ status: 'failed', failure: 'payment_method_unexpected_state' }]);
  await charge(tenant, 1);
  expect(await stack.buyOrdered()).toEqual(['paid']);
});

test('an answer that is lost, a busy Stripe and a killed worker charge the card once', async () => {
  const tenant = await buildBuyer(49);
  const paymentId = await ordered();
  const { payments, faults } = stack.stripe;
  const activities = createTopUpActivities({ db: stack.api.db, clock, log: silent, payments });
  // Stripe has done it, and no repetition of the client learns so: as if the worker had been killed.
  for (let time = 0; time < 3; time += 1) faults.push({ path: /^POST .payment_intents/, kind: 'lost' });
  await expect(charging(activities, paymentId)).rejects.toThrow(/Stripe did not charge a card/);
  expect(await topUps(tenant)).toEqual([{ status: 'open', failure: null }]);
  faults.push({ path: /^POST .payment_intents/, kind: 429 });
  await expect(charging(activities, paymentId)).rejects.toThrow(/StripeRateLimitError/);
  faults.push({ path: /^POST .payment_intents/, kind: 500 }, { path: /^POST .payment_intents/, kind: 500 });
  // The price and the card have changed meanwhile; the order has not.
  stack.stripe.account.addPrice('price_starter', 2_000, { credits: '1' });
  expect(await Promise.all([charging(activities, paymentId), charging(activities, paymentId)])).toEqual(
    expect.arrayContaining(['paid']),
  );
  expect(await charging(activities, paymentId)).toBe('paid');
  stack.stripe.account.addPrice('price_starter', 1_000, { credits: '100' });
  expect(intentsOf(tenant)).toHaveLength(1);
  expect(await stack.balance(tenant)).toBe(149);
});

test('after a day, when Stripe has forgotten its key, the payment is looked for first', async () => {
  const tenant = await buildBuyer(49);
  const paymentId = await ordered();
  const { payments, faults, account } = stack.stripe;
  account.now = () => Math.floor(clock.now().getTime() / 1_000);
  for (let time = 0; time < 3; time += 1) faults.push({ path: /^POST .payment_intents/, kind: 'lost' });
  const activities = createTopUpActivities({ db: stack.api.db, clock, log: silent, payments });
  await expect(charging(activities, paymentId)).rejects.toThrow(/charge a card/);
  clock.freeze(new Date('2026-03-12T12:00:00.000Z'));
  const asked = stack.stripe.requests.length;
  expect(await charging(activities, paymentId)).toBe('paid');
  expect(stack.stripe.requests.slice(asked).map(({ method }) => method)).not.toContain('POST');
  expect(intentsOf(tenant)).toHaveLength(1);
});
