import { buildTenant } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { SECRET_KEY } from '../../support/stripe/payments.ts';
import { signed, WEBHOOK_SECRET } from '../../support/stripe/server.ts';
import type { Place, Work } from './place.ts';

const PAYMENTS = 15;
const PARTS = 3;
const RETURN_URL = 'https://example.com/settings';

export async function billing(place: Place): Promise<Work> {
  const { api, stripe } = place;
  const count = async (statement: string, values: unknown[] = []): Promise<number> =>
    (await api.db.pool.query(statement, values)).rows[0].n as number;
  const handled = (): Promise<number> =>
    count('select count(*)::int as n from billing_events where handled_at is not null');

  const { secretKey, organisationId } = await buildTenant(api.db, { credits: 0, plan: 'free' });
  const expected = await pay(place, secretKey);
  const { events } = stripe.account;
  const thrice = shuffled([...events, ...events, ...events]);
  const size = Math.ceil(thrice.length / PARTS);
  const sent: Promise<unknown>[] = [];

  /** Sends a part of the events, until some of them are handled. */
  const kill = (part: number) => async () => {
    const before = await handled();
    sent.push(...thrice.slice(part * size, (part + 1) * size).map((event) => send(place, event)));
    await eventually('some are handled', async () => (await handled()) > before + 3);
  };

  async function expectDone(): Promise<void> {
    await Promise.all(sent);
    await eventually(
      'all are handled',
      async () =>
        (await count('select count(*)::int as n from billing_events where handled_at is null')) === 0,
    );
    expect(await count('select count(*)::int as n from billing_events')).toBe(events.length);
    expect(
      await count('select credit_balance::int as n from organisations where id = $1', [organisationId]),
    ).toBe(expected);
    expect(
      await count('select sum(amount)::int as n from credit_ledger where organisation_id = $1', [
        organisationId,
      ]),
    ).toBe(expected);
    expect(await count(`select count(*)::int as n from credit_ledger where kind = 'purchase'`)).toBe(
      PAYMENTS,
    );
    await expectSchedules(place);
    await expectNoSecrets(place);
  }

  return { kills: Array.from({ length: PARTS }, (_, part) => kill(part)), expectDone };
}

/** Buys, and takes some of it back. @returns the credits that are left in the end */
async function pay({ api, stripe }: Place, key: string): Promise<number> {
  let expected = 0;
  for (let number = 0; number < PAYMENTS; number += 1) {
    const body = { pack: 'starter', return_url: RETURN_URL };
    const answer = await api.request('POST', '/billing/checkout', { key, body });
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
  return expected;
}

/** As Stripe does: until it is answered with 200. */
const send = ({ api }: Place, event: Record<string, any>): Promise<unknown> =>
  eventually('the event is taken', async () => {
    const { headers, body } = signed(event);
    return (await api.request('POST', `${api.origin}/billing/stripe`, { headers, body })).status === 200;
  });

/** The same order in each run, so that a failure can be repeated. */
const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item, at) => ({ item, by: (at * 7919) % 1_009 }))
    .toSorted((a, b) => a.by - b.by)
    .map(({ item }) => item);

async function expectSchedules({ temporal }: Place): Promise<void> {
  const schedules: string[] = [];
  await eventually('the Schedules exist', async () => {
    schedules.length = 0;
    for await (const { scheduleId } of temporal.client.schedule.list()) schedules.push(scheduleId);
    return schedules.length === 2;
  });
  expect(schedules.toSorted()).toEqual(['billing-reconciliation', 'overage-invoices']);
}

/** None of what was written anywhere has a secret or a card. */
async function expectNoSecrets({ api, stripe, temporal, workers }: Place): Promise<void> {
  const { events } = stripe.account;
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
  const written = [workers.said(), ...histories, await dump({ api })].join('\n');
  expect(written).toContain(events[0]?.['id']);
  for (const secret of secrets) expect(written).not.toContain(secret);
}

/** All rows of all tables, as a dump has them. */
async function dump({ api }: Pick<Place, 'api'>): Promise<string> {
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
