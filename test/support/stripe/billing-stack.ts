import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { pino } from 'pino';
import { createBillingEventActivities } from '../../../activities/billing-event.ts';
import { createTopUpActivities } from '../../../activities/top-up.ts';
import type { Payments } from '../../../adapters/payments/create-payments.ts';
import { systemClock } from '../../../domain/kernel/clock.ts';
import type { Clock } from '../../../domain/kernel/clock.ts';
import type { Logger } from 'pino';
import { startApi } from '../api.ts';
import type { Answer, TestApi } from '../api.ts';
import { buildTenant } from '../builders.ts';
import type { Tenant } from '../builders.ts';
import { signed } from './server.ts';
import type { StripeServer } from './server.ts';
import { startTestStripe } from './payments.ts';

type Row = Record<string, any>;

/** An API that sells, the Stripe it sells by, and what its worker does, called by hand. */
export interface BillingStack {
  readonly api: TestApi;
  readonly stripe: StripeServer & { readonly payments: Payments };
  /** Sends an event as Stripe does, and does what its workflow does. */
  deliver(event: Row): Promise<Answer>;
  /** Delivers what has not been delivered. */
  deliverAll(): Promise<void>;
  /** Does what the workflows of ordered automatic purchases do. @returns how they ended */
  buyOrdered(): Promise<string[]>;
  /** A person buys a pack and pays. @returns the payment's id */
  buy(tenant: Tenant, body?: Row): Promise<string>;
  balance(tenant: Tenant): Promise<number>;
  lines(tenant: Tenant): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** As a worker does. */
export const runActivity = <T>(activity: () => Promise<T>): Promise<T> =>
  new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') }).run(activity) as Promise<T>;

export const RETURN_URL = 'https://example.com/settings/billing';

export async function startBilling(
  clock: Clock = systemClock,
  log: Logger = pino({ level: 'silent' }),
  start: typeof startApi = startApi,
): Promise<BillingStack> {
  const stripe = await startTestStripe();
  const { payments } = stripe;
  const api = await start({ payments, clock, log });
  const ports = { db: api.db, clock, log, payments };
  const events = createBillingEventActivities(ports);
  const topUps = createTopUpActivities(ports);
  let delivered = 0;
  const stack: BillingStack = {
    api,
    stripe,
    async deliver(event) {
      const { headers, body } = signed(event, clock.now());
      const answer = await api.request('POST', `${api.origin}/billing/stripe`, { headers, body });
      if (answer.status === 200) await runActivity(() => events.handleBillingEvent(event['id']));
      return answer;
    },
    async deliverAll() {
      for (; delivered < stripe.account.events.length; delivered += 1)
        await stack.deliver(stripe.account.events[delivered] as Row);
    },
    async buyOrdered() {
      const { rows } = await api.db.pool.query(
        `delete from outbox where kind = 'top-up' returning payload ->> 'paymentId' as id`,
      );
      return Promise.all(rows.map(({ id }) => runActivity(() => topUps.chargeTopUp(id as string))));
    },
    async buy(tenant, body = { pack: 'starter' }) {
      const answer = await api.request('POST', '/billing/checkout', {
        key: tenant.secretKey,
        body: { return_url: RETURN_URL, ...body },
      });
      if (answer.status !== 201) throw new Error(answer.text);
      const session = [...stripe.account.sessions.keys()].at(-1) as string;
      return stripe.account.pay(session)['payment_intent'] as string;
    },
    async balance({ secretKey }) {
      return (await api.request('GET', '/billing', { key: secretKey })).data.credits.balance as number;
    },
    async lines({ organisationId }) {
      const { rows } = await api.db.pool.query(
        `select kind, amount::int, balance::int, payment_id from credit_ledger where organisation_id = $1
         and payment_id is not null order by created_at, id`,
        [organisationId],
      );
      return rows as Row[];
    },
    async close() {
      await api.close();
      await stripe.close();
    },
  };
  return stack;
}

export const buildCustomer = (stack: BillingStack, credits = 0): Promise<Tenant> =>
  buildTenant(stack.api.db, { credits, plan: 'free' });
