import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildTenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { prices, SECRET_KEY, startTestStripe } from '../support/stripe/payments.ts';
import { signed, WEBHOOK_SECRET } from '../support/stripe/server.ts';
import { startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { endWorkers, spawnWorker } from './processes.ts';
import type { WorkerProcess } from './processes.ts';

type Stripe = Awaited<ReturnType<typeof startTestStripe>>;

let api: TestApi;
let stripe: Stripe;
let temporal: TestTemporal;
beforeAll(async () => {
  [stripe, temporal] = await Promise.all([startTestStripe(), startTemporal()]);
  api = await startApi({ payments: stripe.payments });
});
afterEach(() => endWorkers());
afterAll(() => Promise.all([api.close(), stripe.close(), temporal.close()]));

const PAYMENTS = 15;
const RETURN_URL = 'https://example.com/settings';

const startWorker = (): WorkerProcess =>
  spawnWorker({
    databaseUrl: api.url,
    temporalAddress: temporal.address,
    namespace: temporal.namespace,
    env: {
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_BASE: stripe.url,
      STRIPE_PRICES: JSON.stringify(prices),
    },
  });

/** As Stripe does: until it is answered with 200. */
const send = (event: Record<string, any>): Promise<unknown> =>
  eventually('the event is taken', async () => {
    const { headers, body } = signed(event);
    return (await api.request('POST', `${api.origin}/billing/stripe`, { headers, body })).status === 200;
  });

const count = async (statement: string, values: unknown[] = []): Promise<number> =>
  (await api.db.pool.query(statement, values)).rows[0].n as number;

/** All rows of all tables, as a dump has them. */
async function dump(): Promise<string> {
  const { rows: tables } = await api.db.pool.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const all: string[] = [];
  for (const { name } of tables) {
    const { rows } = await api.db.pool.query(`select string_agg(t::text, chr(10)) as text from ${name} t`);
    all.push(`${name}: ${rows[0].text}`);
  }
  return all.join('\n');
}

/** The same numbers in each run, so that a failure can be repeated. */
const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item, at) => ({ item, by: (at * 7919) % 1_009 }))
    .toSorted((a, b) => a.by - b.by)
    .map(({ item }) => item);

test('events shuffled, each thrice, over three kills of the worker, end in the exact balance', async () => {
  const tenant = await buildTenant(api.db, { credits: 0, plan: 'free' });
  let expected = 0;
  for (let number = 0; number < PAYMENTS; number += 1) {
    const body = { pack: 'starter', return_url: RETURN_URL };
    const answer = await api.request('POST', '/billing/checkout', { key: tenant.secretKey, body });
    expect(answer.status).toBe(201);
    const intent = stripe.account.pay([...stripe.account.sessions.keys()].at(-1) as string)['payment_intent'];
    expected += 100;
    if (number % 3 === 1) {
      stripe.account.refund(intent, 400);
      expected -= 40;
    }
    if (number % 5 === 2) {
      const dispute = stripe.account.openDispute(intent, 1_000);
      if (number % 2 === 0) stripe.account.closeDispute(dispute, 'won');
      else expected -= number % 3 === 1 ? 60 : 100;
    }
  }
  const { events } = stripe.account;
  let worker = startWorker();
  await worker.working;
  let output = '';
  const thrice = shuffled([...events, ...events, ...events]);
  const third = Math.ceil(thrice.length / 3);
  for (let part = 0; part < 3; part += 1) {
    const sent = Promise.all(thrice.slice(part * third, (part + 1) * third).map(send));
    const before = await count('select count(*)::int as n from billing_events where handled_at is not null');
    await eventually(
      'some are handled',
      async () =>
        (await count('select count(*)::int as n from billing_events where handled_at is not null')) >
        before + 3,
    );
    await worker.kill();
    output += worker.said();
    await sent;
    worker = startWorker();
  }
  await eventually(
    'all are handled',
    async () => (await count('select count(*)::int as n from billing_events where handled_at is null')) === 0,
  );
  expect(await count('select count(*)::int as n from billing_events')).toBe(events.length);
  expect(
    await count('select credit_balance::int as n from organisations where id = $1', [tenant.organisationId]),
  ).toBe(expected);
  expect(
    await count('select sum(amount)::int as n from credit_ledger where organisation_id = $1', [
      tenant.organisationId,
    ]),
  ).toBe(expected);
  expect(await count(`select count(*)::int as n from credit_ledger where kind = 'purchase'`)).toBe(PAYMENTS);

  // The Schedules of billing exist, and none of what was written anywhere has a secret or a card.
  const schedules: string[] = [];
  await eventually('the Schedules exist', async () => {
    schedules.length = 0;
    for await (const { scheduleId } of temporal.client.schedule.list()) schedules.push(scheduleId);
    return schedules.length === 2;
  });
  expect(schedules.toSorted()).toEqual(['billing-reconciliation', 'overage-invoices']);
  const secrets = [SECRET_KEY, WEBHOOK_SECRET, 'last4', 'Xt5EWLLDS7FJjR1c', 'payer@example'];
  const histories: string[] = [];
  for (const event of events.slice(0, 20)) {
    const handle = temporal.client.workflow.getHandle(`billing-event/${event['id']}`);
    histories.push(
      JSON.stringify(await handle.fetchHistory(), (_, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString() : value,
      ),
    );
  }
  const written = [output, worker.said(), ...histories, await dump()].join('\n');
  expect(written).toContain(events[0]?.['id']);
  for (const secret of secrets) expect(written).not.toContain(secret);
});
