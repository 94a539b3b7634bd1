import { randomUUID } from 'node:crypto';
import { chargeCredits } from '../../../../domain/billing/charge.ts';
import { signed, WEBHOOK_SECRET } from '../../../support/stripe/server.ts';
import { buildCustomer, startBilling } from '../../../support/stripe/billing-stack.ts';
import type { BillingStack } from '../../../support/stripe/billing-stack.ts';
import { buildPublished } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';

let stack: BillingStack;
beforeAll(async () => {
  stack = await startBilling();
});
afterAll(() => stack.close());
afterEach(() => {
  stack.stripe.hidden = null;
});

const post = (headers: Record<string, string>, body: unknown) =>
  stack.api.request('POST', `${stack.api.origin}/billing/stripe`, { headers, body });
const anEvent = (type = 'customer.created') => ({
  id: `evt_${randomUUID().replaceAll('-', '')}`,
  object: 'event',
  type,
  created: Math.floor(Date.now() / 1_000),
  data: { object: { id: 'cus_1', object: 'customer' } },
});
const charge = (tenant: Tenant, cost: number) =>
  stack.api.db.transaction((tx) =>
    chargeCredits(
      tx,
      { siteId: tenant.siteId, runId: randomUUID(), articleId: randomUUID(), stage: 'plan', cost },
      new Date(),
    ),
  );
const amounts = async (tenant: Tenant) =>
  (await stack.lines(tenant)).map(({ kind, amount }) => [kind, amount]);

describe('the signature', () => {
  test('decides: over the bytes, with the secret, and within 300 s of now', async () => {
    const event = anEvent();
    const good = signed(event);
    const bad = [
      { ...good, body: good.body.replace('customer', 'custumer') },
      { ...good, body: `${good.body} ` },
      { ...good, headers: {} },
      { ...good, headers: { 'stripe-signature': '' } },
      { ...good, headers: { 'stripe-signature': 't=1,v1=00' } },
      { ...good, headers: { 'stripe-signature': `t=${'9'.repeat(400)},v1=${'a'.repeat(4_000)}` } },
      signed(event, new Date(), `${WEBHOOK_SECRET}x`),
      signed(event, new Date(Date.now() - 302_000)),
      signed(event, new Date(Date.now() + 360_000)),
      { ...good, body: '' },
    ];
    for (const { headers, body } of bad) {
      const answer = await post(headers, body);
      expect([answer.status, answer.json.error.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(answer.headers.get('request-id')).toBe(answer.json.request_id);
    }
    const { rows } = await stack.api.db.pool.query('select from billing_events where id = $1', [event.id]);
    expect(rows).toHaveLength(0);
    expect((await post(good.headers, good.body)).status).toBe(200);
    const late = anEvent();
    const old = signed(late, new Date(Date.now() - 240_000));
    expect((await post(old.headers, old.body)).status).toBe(200);
    const early = anEvent();
    const ahead = signed(early, new Date(Date.now() + 290_000));
    expect((await post(ahead.headers, ahead.body)).status).toBe(200);
  });

  test('is one of several while the secret is replaced', async () => {
    const event = anEvent();
    const good = signed(event);
    const of = (secret: string) => signed(event, new Date(), secret).headers['stripe-signature'] as string;
    const time = good.headers['stripe-signature']!.split(',')[0];
    const marks = [of(`${WEBHOOK_SECRET}old`), good.headers['stripe-signature'] as string].map(
      (header) => header.split('v1=')[1],
    );
    const header = (names: readonly string[]) => `${time},${names.join(',')}`;
    const both = header([`v1=${marks[0]}`, `v1=${marks[1]}`, 'v0=00']);
    expect((await post({ 'stripe-signature': both }, good.body)).status).toBe(200);
    // Another scheme does not count.
    const old = header([`v1=${marks[0]}`, `v0=${marks[1]}`]);
    expect((await post({ 'stripe-signature': old }, good.body)).status).toBe(400);
  });

  test('what is signed and no event is 400', async () => {
    for (const wrong of [
      {},
      { id: 'evt_1' },
      { ...anEvent(), id: '../x' },
      { ...anEvent(), data: null },
      [],
    ]) {
      const { headers, body } = signed(wrong);
      expect((await post(headers, body)).status).toBe(400);
    }
    const broken = signed({});
    expect((await post(broken.headers, '{')).status).toBe(400);
  });

  test('a body over 1 MiB is 413, another method 405', async () => {
    const large = signed({ ...anEvent(), padding: 'x'.repeat(1_048_576) });
    expect((await post(large.headers, large.body)).status).toBe(413);
    const answer = await stack.api.request('GET', `${stack.api.origin}/billing/stripe`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

test('an event is stored once, and starts its workflow once', async () => {
  const event = anEvent();
  const { headers, body } = signed(event);
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(headers, body)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const { rows } = await stack.api.db.pool.query(`select workflow_id from outbox where workflow_id = $1`, [
    `billing-event/${event.id}`,
  ]);
  expect(rows).toHaveLength(1);
});

test('during maintenance of the platform Stripe is asked to come again', async () => {
  await stack.api.db.pool.query(`insert into maintenance (retry_after, started_at) values (30, now())`);
  const { headers, body } = signed(anEvent());
  const answer = await post(headers, body);
  await stack.api.db.pool.query('delete from maintenance');
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
});

describe('a payment', () => {
  test('gives the credits of its packs once, and is shown in the ledger of every Site', async () => {
    const tenant = await buildCustomer(stack, 5);
    const intent = await stack.buy(tenant, { pack: 'starter', quantity: 3 });
    expect(await stack.balance(tenant)).toBe(5);
    await stack.deliverAll();
    for (const event of stack.stripe.account.events) await stack.deliver(event);
    expect(await stack.balance(tenant)).toBe(305);
    const { data } = await stack.api.request('GET', '/usage/ledger', { key: tenant.secretKey });
    expect(data.items[0]).toMatchObject({
      kind: 'purchase',
      amount: 300,
      balance: 305,
      payment_id: intent,
      run_id: null,
      scan_id: null,
    });
    const log = await stack.api.request('GET', '/audit-log?limit=100', { key: tenant.secretKey });
    expect(log.data.items.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['billing.checkout', 'billing.purchase']),
    );
  });

  test('refunds take credits in proportion, all of them together what was granted', async () => {
    const tenant = await buildCustomer(stack);
    const intent = await stack.buy(tenant);
    await stack.deliverAll();
    for (const amount of [333, 333, 1, 333]) {
      stack.stripe.account.refund(intent, amount);
      await stack.deliverAll();
    }
    expect(await amounts(tenant)).toEqual([
      ['purchase', 100],
      ['refund_out', -33],
      ['refund_out', -33],
      ['refund_out', -34],
    ]);
    expect(await stack.balance(tenant)).toBe(0);
  });

  test('a refund that the bank did not take gives its credits back', async () => {
    const tenant = await buildCustomer(stack);
    const intent = await stack.buy(tenant);
    stack.stripe.account.refund(intent, 500);
    await stack.deliverAll();
    stack.stripe.account.failRefund(intent, 500);
    await stack.deliverAll();
    expect(await amounts(tenant)).toEqual([
      ['purchase', 100],
      ['refund_out', -50],
      ['refund_out', 50],
    ]);
  });

  test('a dispute takes them when it is opened, and gives them back when it is won', async () => {
    const tenant = await buildCustomer(stack);
    const intent = await stack.buy(tenant);
    await stack.deliverAll();
    const dispute = stack.stripe.account.openDispute(intent, 1_000);
    await stack.deliverAll();
    expect(await stack.balance(tenant)).toBe(0);
    stack.stripe.account.closeDispute(dispute, 'won');
    await stack.deliverAll();
    expect(await amounts(tenant)).toEqual([
      ['purchase', 100],
      ['dispute', -100],
      ['dispute', 100],
    ]);
    const again = stack.stripe.account.openDispute(intent, 400);
    stack.stripe.account.closeDispute(again, 'lost');
    await stack.deliverAll();
    expect(await stack.balance(tenant)).toBe(60);
  });

  test('a dispute that Stripe told of and does not show yet counts', async () => {
    const tenant = await buildCustomer(stack);
    const intent = await stack.buy(tenant);
    const { account } = stack.stripe;
    const dispute = account.openDispute(intent, 1_000);
    const charge = account.charges.get(account.intents.get(intent)?.['latest_charge']) as Record<string, any>;
    charge['disputed'] = false;
    await stack.deliverAll();
    expect(await stack.balance(tenant)).toBe(0);
    charge['disputed'] = true;
    account.closeDispute(dispute, 'won');
    await stack.deliverAll();
    expect(await stack.balance(tenant)).toBe(100);
  });

  test('an enquiry before a dispute takes nothing', async () => {
    const tenant = await buildCustomer(stack);
    const intent = await stack.buy(tenant);
    stack.stripe.account.openDispute(intent, 1_000, 'warning_needs_response');
    await stack.deliverAll();
    expect(await stack.balance(tenant)).toBe(100);
  });

  test('a balance below zero refuses paid operations until it is paid', async () => {
    const tenant = await buildCustomer(stack);
    await stack.api.db.pool.query(`update organisations set plan = 'pro' where id = $1`, [
      tenant.organisationId,
    ]);
    const intent = await stack.buy(tenant);
    await stack.deliverAll();
    expect(await charge(tenant, 60)).toBe('charged');
    stack.stripe.account.refund(intent, 1_000);
    await stack.deliverAll();
    expect(await stack.balance(tenant)).toBe(-60);
    const usage = await stack.api.request('GET', '/usage', { key: tenant.secretKey });
    expect([usage.status, usage.data.credits.balance]).toEqual([200, -60]);
    expect(await charge(tenant, 1)).toBe('insufficient_credits');
    const run = () =>
      stack.api.request('POST', '/pipeline/runs', {
        key: tenant.secretKey,
        body: { topics: [{ title: `Bread ${randomUUID()}` }] },
        idempotencyKey: true,
      });
    await buildPublished(stack.api, tenant.secretKey);
    const scan = () =>
      stack.api.request('POST', '/seo/scans/on-page', {
        key: tenant.secretKey,
        body: {},
        idempotencyKey: true,
      });
    for (const refused of [await run(), await scan()])
      expect([refused.status, refused.json.error.code]).toEqual([402, 'INSUFFICIENT_CREDITS']);
    await stack.buy(tenant);
    await stack.deliverAll();
    expect(await stack.balance(tenant)).toBe(40);
    expect([(await run()).status, (await scan()).status]).toEqual([202, 202]);
  });

  test('of another installation, or of nothing of ours, changes nothing', async () => {
    const { account } = stack.stripe;
    account.createIntent({ amount: '500', currency: 'usd', metadata: { presswork_purchase: randomUUID() } });
    account.createIntent({ amount: '500', currency: 'usd', metadata: { presswork_purchase: 'x; drop' } });
    account.createIntent({ amount: '500', currency: 'usd' });
    const before = await stack.api.db.pool.query('select count(*) from credit_ledger');
    await stack.deliverAll();
    expect((await stack.api.db.pool.query('select count(*) from credit_ledger')).rows).toEqual(before.rows);
  });

  test('whose objects the key may not read is known by its signed events alone, in any order', async () => {
    const tenant = await buildCustomer(stack);
    const { account } = stack.stripe;
    const begin = account.events.length;
    const intent = await stack.buy(tenant, { pack: 'starter', quantity: 2 });
    account.refund(intent, 500);
    const dispute = account.openDispute(intent, 1_000);
    account.refund(intent, 500);
    account.closeDispute(dispute, 'won');
    stack.stripe.hidden = /payment_intents|disputes/;
    const events = account.events.slice(begin);
    for (const event of [...events.toReversed(), ...events]) await stack.deliver(event);
    expect(await stack.balance(tenant)).toBe(100);
    await stack.deliverAll();
    expect(await stack.balance(tenant)).toBe(100);
  });

  test('whose page expired is over, and gives nothing', async () => {
    const tenant = await buildCustomer(stack);
    await stack.api.request('POST', '/billing/checkout', {
      key: tenant.secretKey,
      body: { pack: 'starter', return_url: 'https://example.com' },
    });
    const session = [...stack.stripe.account.sessions.values()].at(-1) as Record<string, any>;
    session['status'] = 'expired';
    await stack.deliver(stack.stripe.account.tell('checkout.session.expired', session));
    const { rows } = await stack.api.db.pool.query(
      'select status, failure from billing_payments where session_id = $1',
      [session['id']],
    );
    expect(rows).toEqual([{ status: 'failed', failure: 'expired' }]);
    expect(await stack.balance(tenant)).toBe(0);
  });
});

test('nothing of a card or of who paid is stored', async () => {
  const tenant = await buildCustomer(stack);
  const intent = await stack.buy(tenant);
  stack.stripe.account.refund(intent, 100);
  await stack.deliverAll();
  for (const table of [
    'billing_events',
    'billing_payments',
    'billing_accounts',
    'audit_log',
    'outbox',
    'credit_ledger',
  ]) {
    const { rows } = await stack.api.db.pool.query(
      `select coalesce(string_agg(t::text, ' '), '') as all from ${table} t`,
    );
    expect(rows[0].all).not.toMatch(/last4|visa|Xt5EWLLDS7FJjR1c|payer@example/);
  }
});
