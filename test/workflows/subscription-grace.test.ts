import { applySubscription, findSubscription } from '../../domain/billing/subscription.ts';
import { workflowIdOf } from '../../domain/kernel/workflow-messages.ts';
import type { SubscriptionGraceState } from '../../workflows/subscription-grace.ts';
import { buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startTimeSkippingStack } from './time-skipping-stack.ts';
import type { TimeSkippingStack } from './time-skipping-stack.ts';

const DAY = 24 * 60 * 60_000;

let stack: TimeSkippingStack;
beforeAll(async () => {
  stack = await startTimeSkippingStack();
});
afterAll(() => stack.close());

/** What an event tells of a subscription. */
async function told({ organisationId }: Tenant, id: string, status: string): Promise<void> {
  const now = await stack.now();
  const before = await findSubscription(stack.api.db, id);
  const end = new Date(now.getTime() + 30 * DAY);
  const seen = {
    id,
    plan: 'pro' as const,
    status,
    currentPeriodEnd: end,
    cancelAtPeriodEnd: false,
    toldAt: now,
  };
  await stack.api.db.transaction((tx) => applySubscription(tx, organisationId, before, seen, now));
}
const planOf = async ({ secretKey }: Tenant): Promise<string> =>
  (await stack.api.request('GET', '/billing', { key: secretKey })).data.plan.key as string;
const workflowOf = (id: string) =>
  stack.temporal.client.workflow.getHandle(workflowIdOf('subscription-grace', id));
const inGrace = (id: string): Promise<void> =>
  eventually('it is in its grace', async () => {
    const state = await workflowOf(id)
      .query<SubscriptionGraceState>('state')
      .catch(() => null);
    return state?.state === 'grace';
  });
const ended = (id: string): Promise<void> =>
  eventually(
    'its workflow has ended',
    async () => (await workflowOf(id).describe()).status.name === 'COMPLETED',
  );

test('a failed renewal keeps the plan for 7 days, then it is free', async () => {
  const tenant = await buildTenant(stack.api.db, { plan: 'free' });
  await told(tenant, 'sub_late', 'active');
  expect(await planOf(tenant)).toBe('pro');
  await told(tenant, 'sub_late', 'past_due');
  await inGrace('sub_late');
  await stack.pass(7 * DAY - 60_000);
  expect(await planOf(tenant)).toBe('pro');
  await stack.pass(2 * 60_000);
  await ended('sub_late');
  expect(await planOf(tenant)).toBe('free');
});

test('a payment within the grace ends it, and a later failure has its own 7 days', async () => {
  const tenant = await buildTenant(stack.api.db, { plan: 'free' });
  await told(tenant, 'sub_paid', 'active');
  await told(tenant, 'sub_paid', 'past_due');
  await inGrace('sub_paid');
  await stack.pass(5 * DAY);
  await told(tenant, 'sub_paid', 'active');
  await ended('sub_paid');
  await stack.pass(3 * DAY);
  expect(await planOf(tenant)).toBe('pro');
  await told(tenant, 'sub_paid', 'past_due');
  await inGrace('sub_paid');
  await stack.pass(6 * DAY);
  expect(await planOf(tenant)).toBe('pro');
  await stack.pass(2 * DAY);
  await ended('sub_paid');
  expect(await planOf(tenant)).toBe('free');
});
