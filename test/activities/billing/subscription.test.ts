import { createSubscriptionGraceActivities } from '../../../activities/subscription-grace.ts';
import { updateOrganisation } from '../../../domain/organisations/organisations.ts';
import { operator } from '../../../domain/audit/record.ts';
import type { Tenant } from '../../support/builders.ts';
import { TestClock } from '../../support/clock.ts';
import { buildCustomer, RETURN_URL, startBilling } from '../../support/stripe/billing-stack.ts';
import type { BillingStack } from '../../support/stripe/billing-stack.ts';

const clock = new TestClock();
let stack: BillingStack;
beforeAll(async () => {
  stack = await startBilling(clock);
  stack.stripe.account.now = () => Math.floor(clock.now().getTime() / 1_000);
});
afterAll(() => stack.close());
beforeEach(() => {
  clock.freeze(new Date('2026-03-10T12:00:00.000Z'));
  stack.stripe.hidden = null;
});

const order = ({ secretKey }: Tenant) =>
  stack.api.request('POST', '/billing/checkout', {
    key: secretKey,
    body: { plan: 'pro', return_url: RETURN_URL },
  });
async function subscribe(tenant: Tenant): Promise<string> {
  const answer = await order(tenant);
  if (answer.status !== 201) throw new Error(answer.text);
  return stack.stripe.account.pay([...stack.stripe.account.sessions.keys()].at(-1) as string)['subscription'];
}
const billing = async ({ secretKey }: Tenant) => {
  const { data } = await stack.api.request('GET', '/billing', { key: secretKey });
  return {
    plan: data.plan.key,
    status: data.subscription?.status ?? null,
    ends: data.subscription?.cancel_at_period_end,
  };
};
const grace = () => createSubscriptionGraceActivities({ db: stack.api.db, clock });

test('a subscription gives its plan, and one that ends takes it', async () => {
  const tenant = await buildCustomer(stack);
  const id = await subscribe(tenant);
  expect(await billing(tenant)).toMatchObject({ plan: 'free', status: null });
  await stack.deliverAll();
  expect(await billing(tenant)).toEqual({ plan: 'pro', status: 'active', ends: false });
  const { data } = await stack.api.request('GET', '/billing', { key: tenant.secretKey });
  expect(data.subscription.current_period_end).toBe('2026-04-09T12:00:00.000Z');
  expect(data.plan.entitlements).toContain('pipeline');
  const second = await order(tenant);
  expect([second.status, second.json.error.code]).toEqual([409, 'CONFLICT']);
  stack.stripe.account.cancelAtEnd(id);
  await stack.deliverAll();
  expect(await billing(tenant)).toEqual({ plan: 'pro', status: 'active', ends: true });
  stack.stripe.account.cancel(id);
  await stack.deliverAll();
  expect(await billing(tenant)).toMatchObject({ plan: 'free', status: null });
  expect((await order(tenant)).status).toBe(201);
});

test('events in reverse, twice and at the same time end with the same plan', async () => {
  for (const ended of [false, true]) {
    const tenant = await buildCustomer(stack);
    const begin = stack.stripe.account.events.length;
    const id = await subscribe(tenant);
    stack.stripe.account.renew(id, false);
    stack.stripe.account.renew(id, true);
    if (ended) stack.stripe.account.cancel(id);
    const events = stack.stripe.account.events.slice(begin).toReversed();
    await Promise.all([...events, ...events].map((event) => stack.deliver(event)));
    expect((await billing(tenant)).plan).toBe(ended ? 'free' : 'pro');
  }
});

test('a failed renewal keeps the plan for 7 days, then it is free', async () => {
  const tenant = await buildCustomer(stack);
  const id = await subscribe(tenant);
  await stack.deliverAll();
  stack.stripe.account.renew(id, false);
  await stack.deliverAll();
  expect(await billing(tenant)).toMatchObject({ plan: 'pro', status: 'past_due' });
  expect(await grace().readSubscriptionGrace(id)).toBe('2026-03-17T12:00:00.000Z');
  clock.freeze(new Date('2026-03-17T11:59:59.000Z'));
  expect(await grace().endSubscriptionGrace(id)).toBe(false);
  clock.freeze(new Date('2026-03-17T12:00:00.000Z'));
  expect(await Promise.all([1, 2, 3].map(() => grace().endSubscriptionGrace(id)))).toContain(true);
  expect(await billing(tenant)).toMatchObject({ plan: 'free', status: 'past_due' });
  expect(await grace().readSubscriptionGrace(id)).toBeNull();
  // Another event of the unpaid renewal begins no new grace; the payment gives the plan back.
  stack.stripe.account.renew(id, false);
  await stack.deliverAll();
  expect((await billing(tenant)).plan).toBe('free');
  stack.stripe.account.renew(id, true);
  await stack.deliverAll();
  expect(await billing(tenant)).toMatchObject({ plan: 'pro', status: 'active' });
});

test('a renewal that is paid within the grace ends it', async () => {
  const tenant = await buildCustomer(stack);
  const id = await subscribe(tenant);
  stack.stripe.account.renew(id, false);
  await stack.deliverAll();
  stack.stripe.account.renew(id, true);
  await stack.deliverAll();
  clock.freeze(new Date('2026-03-20T12:00:00.000Z'));
  expect(await grace().readSubscriptionGrace(id)).toBeNull();
  expect(await grace().endSubscriptionGrace(id)).toBe(true);
  expect((await billing(tenant)).plan).toBe('pro');
});

test('a plan that an operator set stays when events of a subscription change nothing', async () => {
  const tenant = await buildCustomer(stack);
  const id = await subscribe(tenant);
  await stack.deliverAll();
  stack.stripe.account.cancel(id);
  await stack.deliverAll();
  await stack.api.db.transaction((tx) =>
    updateOrganisation({ tx, actor: operator, now: clock.now() }, tenant.organisationId, { plan: 'pro' }),
  );
  for (const event of stack.stripe.account.events.slice(-3))
    await stack.deliver({ ...event, id: `${event['id']}b` });
  expect((await billing(tenant)).plan).toBe('pro');
});

test('a subscription that the key may not read is known by its events, the newest of which counts', async () => {
  const tenant = await buildCustomer(stack);
  const begin = stack.stripe.account.events.length;
  const id = await subscribe(tenant);
  clock.freeze(new Date('2026-03-11T12:00:00.000Z'));
  stack.stripe.account.renew(id, false);
  stack.stripe.hidden = /subscriptions/;
  const events = stack.stripe.account.events.slice(begin);
  for (const event of events) await stack.deliver(event);
  expect(await billing(tenant)).toMatchObject({ plan: 'pro', status: 'past_due' });
  clock.freeze(new Date('2026-03-12T12:00:00.000Z'));
  stack.stripe.account.cancel(id);
  await stack.deliver(stack.stripe.account.events.at(-1) as object);
  for (const event of events) await stack.deliver({ ...event, id: `${event['id']}b` });
  expect(await billing(tenant)).toMatchObject({ plan: 'free', status: null });
});

test('of events of the same second that alone are known, the first is the oldest, and an end is final', async () => {
  const tenant = await buildCustomer(stack);
  const { account } = stack.stripe;
  const begin = account.events.length;
  const id = await subscribe(tenant);
  const first = account.events
    .slice(begin)
    .find(({ type }) => type === 'customer.subscription.created') as Record<string, any>;
  // As Stripe tells it: the first payment comes after the subscription, within its second.
  first['data'].object.status = 'incomplete';
  const updated = {
    ...account.tell('customer.subscription.updated', account.subscriptions.get(id) as object),
  };
  stack.stripe.hidden = /subscriptions/;
  await stack.deliver({ ...updated, created: first['created'] });
  await stack.deliver(first);
  expect(await billing(tenant)).toMatchObject({ plan: 'pro', status: 'active' });
  account.cancel(id);
  await stack.deliver({ ...(account.events.at(-1) as object), created: first['created'] });
  await stack.deliver({ ...updated, id: `${updated['id']}b`, created: first['created'] });
  await stack.deliver({ ...updated, id: `${updated['id']}c`, created: first['created'] + 60 });
  expect(await billing(tenant)).toMatchObject({ plan: 'free', status: null });
});

test('a subscription of another product of the account is ignored', async () => {
  const tenant = await buildCustomer(stack);
  const id = await subscribe(tenant);
  const subscription = stack.stripe.account.subscriptions.get(id) as Record<string, any>;
  subscription['items'].data[0].price.id = 'price_other';
  await stack.deliverAll();
  expect(await billing(tenant)).toMatchObject({ plan: 'free', status: null });
});
