import { MockActivityEnvironment } from '@temporalio/testing';
import { createOverageActivities } from '../../../activities/overage.ts';
import { createReconciliationActivities } from '../../../activities/billing-reconciliation.ts';
import { countOverage } from '../../../domain/billing/overage.ts';
import { Catalogue } from '../../../domain/billing/catalogue.ts';
import { operator } from '../../../domain/audit/record.ts';
import { requestOrganisationDeletion } from '../../../domain/leaving/organisation-deletion.ts';
import type { Tenant } from '../../support/builders.ts';
import { TestClock } from '../../support/clock.ts';
import { buildCustomer, RETURN_URL, startBilling } from '../../support/stripe/billing-stack.ts';
import type { BillingStack } from '../../support/stripe/billing-stack.ts';
import { prices } from '../../support/stripe/payments.ts';
import { silent } from '../../support/temporal.ts';

const clock = new TestClock();
let stack: BillingStack;
beforeAll(async () => {
  stack = await startBilling(clock);
});
afterAll(() => stack.close());

const run = <T>(activity: (...args: never[]) => Promise<T>, ...args: unknown[]): Promise<T> =>
  new MockActivityEnvironment().run(activity as never, ...(args as never[])) as Promise<T>;
const ports = () => ({ db: stack.api.db, clock, log: silent, payments: stack.stripe.payments });
const keeps = (tenant: Tenant, documents: number, mediaBytes: number) =>
  stack.api.db.pool.query(
    `insert into site_usage (site_id, documents, media_bytes) values ($1, $2, $3)
     on conflict (site_id) do update set documents = excluded.documents, media_bytes = excluded.media_bytes`,
    [tenant.siteId, documents, mediaBytes],
  );
const countOn = async (day: string) => {
  clock.freeze(new Date(`${day}T06:00:00.000Z`));
  return stack.api.db.transaction((tx) => countOverage(tx, clock.now()));
};
const overage = async ({ secretKey }: Tenant) =>
  (await stack.api.request('GET', '/billing', { key: secretKey })).data.overage as object;

describe('storage beyond what is included', () => {
  test('is counted once a day, shown as it adds up, and invoiced once for a month', async () => {
    const [tenant, other] = [await buildCustomer(stack), await buildCustomer(stack)];
    await stack.api.request('POST', '/billing/portal', {
      key: tenant.secretKey,
      body: { return_url: RETURN_URL },
    });
    await keeps(tenant, 13_000, 55e9);
    await keeps(other, 10_000, 25e9);
    expect(await countOn('2026-04-01')).toBe(true);
    await keeps(tenant, 99_000, 55e9);
    expect(await Promise.all([countOn('2026-04-01'), countOn('2026-04-01')])).toEqual([false, false]);
    // A thirtieth of 3 × 50 for documents and 30 × 10 for media.
    expect(await overage(tenant)).toEqual({
      documents: 3_000,
      media_bytes: 30e9,
      amount: 15,
      currency: 'usd',
    });
    expect(await overage(other)).toEqual({ documents: 0, media_bytes: 0, amount: 0, currency: 'usd' });
    await keeps(tenant, 13_000, 55e9);
    for (let day = 2; day <= 30; day += 1) await countOn(`2026-04-${String(day).padStart(2, '0')}`);
    expect(await overage(tenant)).toMatchObject({ amount: 450 });
    const activities = createOverageActivities(ports());
    expect(await run(activities.invoiceOverage)).toBe(0);
    await keeps(tenant, 5, 5);
    await countOn('2026-05-01');
    expect(await overage(tenant)).toEqual({ documents: 0, media_bytes: 0, amount: 0, currency: 'usd' });

    const { account, faults } = stack.stripe;
    // The item exists, and the worker dies before it knows.
    for (let time = 0; time < 3; time += 1) faults.push({ path: /^POST .invoiceitems/, kind: 'lost' });
    await expect(run(activities.invoiceOverage)).rejects.toThrow(/invoice storage/);
    expect(await run(activities.invoiceOverage)).toBe(1);
    expect(await run(activities.invoiceOverage)).toBe(0);
    const items = [...account.invoiceItems.values()];
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ amount: 450, currency: 'usd' });
    // Without a subscription it gets an invoice of its own.
    expect(account.invoices.get(items[0]?.['invoice'])).toMatchObject({ total: 450, auto_advance: 'true' });
  });
});

describe('the invoices of a month', () => {
  const openPortal = ({ secretKey }: Tenant) =>
    stack.api.request('POST', '/billing/portal', { key: secretKey, body: { return_url: RETURN_URL } });
  const invoiced = async () => {
    const { rows } = await stack.api.db.pool.query(
      `select amount::int, item_id is not null as has_item, invoiced_at is not null as invoiced from overage_invoices
       where month = date_trunc('month', $1::timestamptz at time zone 'utc')::date order by organisation_id`,
      [new Date(clock.now().getTime() - 5 * 86_400_000)],
    );
    return rows;
  };
  let tenants: Tenant[];
  beforeEach(async () => {
    tenants = [await buildCustomer(stack), await buildCustomer(stack)];
    for (const tenant of tenants) {
      await openPortal(tenant);
      await keeps(tenant, 40_000, 0);
    }
  });
  afterEach(async () => {
    for (const tenant of tenants) await keeps(tenant, 0, 0);
  });

  test('one that Stripe refuses keeps nobody else from theirs, and is tried again later', async () => {
    await countOn('2026-06-30');
    clock.freeze(new Date('2026-07-01T02:00:00.000Z'));
    const activities = createOverageActivities(ports());
    stack.stripe.faults.push({ path: /^POST .invoiceitems/, kind: 400 });
    expect(await run(activities.invoiceOverage)).toBe(2);
    expect(await run(activities.invoiceOverage)).toBe(0);
    // A thirtieth of 30 × 50.
    const [open, paid] = [
      { amount: 50, has_item: false, invoiced: false },
      { amount: 50, has_item: true, invoiced: true },
    ];
    expect(await invoiced()).toEqual(expect.arrayContaining([open, paid]));
    clock.freeze(new Date('2026-07-01T03:30:00.000Z'));
    expect(await run(activities.invoiceOverage)).toBe(1);
    expect(await invoiced()).toEqual([paid, paid]);
  });

  test('are none for months without a price, also if there is one later', async () => {
    await countOn('2026-08-31');
    clock.freeze(new Date('2026-09-01T02:00:00.000Z'));
    const payments = { ...stack.stripe.payments, catalogue: new Catalogue({ starter: prices.starter }) };
    const unpriced = createOverageActivities({ ...ports(), payments });
    expect(await run(unpriced.invoiceOverage)).toBe(2);
    expect(await run(unpriced.invoiceOverage)).toBe(0);
    const items = stack.stripe.account.invoiceItems.size;
    expect(await run(createOverageActivities(ports()).invoiceOverage)).toBe(0);
    expect(stack.stripe.account.invoiceItems.size).toBe(items);
    const free = { amount: 0, has_item: false, invoiced: true };
    expect(await invoiced()).toEqual([free, free]);
  });
});

describe('the daily comparison', () => {
  const reconcile = (certain: boolean) =>
    run(createReconciliationActivities(ports()).reconcilePayments, certain);

  test('finds what is lost, more, or unknown, and changes nothing', async () => {
    clock.freeze(new Date());
    const tenant = await buildCustomer(stack);
    const [first, second, third] = [
      await stack.buy(tenant),
      await stack.buy(tenant),
      await stack.buy(tenant),
    ];
    await stack.deliverAll();
    expect(await reconcile(true)).toMatchObject({ differences: 0 });
    const { account } = stack.stripe;
    // The events of a refund are lost.
    account.refund(first, 500);
    const lost = account.events.slice(-2);
    account.events.splice(-2);
    // Those of a purchase, too.
    await stack.buy(tenant);
    account.events.splice(-3);
    // A payment names a purchase that is not here, and another is not at Stripe.
    account.createIntent({
      amount: '5',
      currency: 'usd',
      metadata: { presswork_purchase: '01990000-0000-7000-8000-0000000000aa' },
    });
    account.intents.delete(second);
    const before = await stack.lines(tenant);
    clock.freeze(new Date(Date.now() + 2 * 60 * 60_000));
    expect(await reconcile(false)).toMatchObject({ differences: 4 });
    expect(await stack.lines(tenant)).toEqual(before);
    for (const event of lost) await stack.deliver(event);
    expect(await reconcile(true)).toMatchObject({ differences: 3 });
    expect(third).toBeDefined();
  });

  test('does not miss the purchases of an organisation that was deleted', async () => {
    clock.freeze(new Date());
    const tenant = await buildCustomer(stack);
    await stack.buy(tenant);
    await stack.deliverAll();
    const before = await reconcile(true);
    const { rows } = await stack.api.db.pool.query('select name from organisations where id = $1', [
      tenant.organisationId,
    ]);
    const request = { confirm: rows[0].name as string, by: 'test' };
    await stack.api.db.transaction((tx) =>
      requestOrganisationDeletion({ tx, actor: operator, now: clock.now() }, tenant.organisationId, request),
    );
    // Of what was bought, the ledger alone is kept.
    await stack.api.db.pool.query('delete from billing_payments where organisation_id = $1', [
      tenant.organisationId,
    ]);
    expect(await reconcile(true)).toEqual(before);
  });
});
