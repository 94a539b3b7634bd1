import { buildKey, buildMember, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { startApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';
import { buildCustomer, RETURN_URL, startBilling } from '../../../support/stripe/billing-stack.ts';
import type { BillingStack } from '../../../support/stripe/billing-stack.ts';

let stack: BillingStack;
let without: TestApi;
beforeAll(async () => {
  stack = await startBilling();
  without = await startApi({ payments: null }, { on: stack.api });
});
afterAll(async () => {
  await without.close();
  await stack.close();
});

const call = (method: string, path: string, key: string, body?: object) =>
  stack.api.request(method, path, { key, body });
const checkout = (key: string, body: object = {}) =>
  call('POST', '/billing/checkout', key, { pack: 'starter', return_url: RETURN_URL, ...body });
const TOP_UP = { enabled: true, below: 50, pack: 'starter', monthly_limit: 2 };
const fieldsOf = (answer: { status: number; json: any }) => {
  expect(answer.status).toBe(422);
  return Object.keys(answer.json.error.fields);
};

describe('without a payment provider', () => {
  test('GET /billing says so, and shows plan and balance', async () => {
    const { secretKey } = await buildTenant(without.db, { credits: 7, plan: 'free' });
    const { status, data } = await without.request('GET', '/billing', { key: secretKey });
    expect(status).toBe(200);
    expect(data).toEqual({
      provider: null,
      plan: { key: 'free', name: 'Free', entitlements: expect.any(Array) },
      subscription: null,
      credits: { balance: 7 },
      auto_top_up: { enabled: false, below: null, pack: null, monthly_limit: null },
      overage: { documents: 0, media_bytes: 0, amount: 0, currency: 'usd' },
    });
    const usage = await without.request('GET', '/usage', { key: secretKey });
    expect(data.plan).toEqual(usage.data.plan);
    const invoices = await without.request('GET', '/billing/invoices', { key: secretKey });
    expect(invoices.data).toEqual({ items: [], next_cursor: null });
  });

  test.each([
    ['POST', '/billing/checkout', { pack: 'any', return_url: RETURN_URL }],
    ['POST', '/billing/checkout', { plan: 'pro', return_url: RETURN_URL }],
    ['POST', '/billing/portal', { return_url: RETURN_URL }],
    ['PATCH', '/billing/auto-top-up', { ...TOP_UP, pack: 'any' }],
    ['PATCH', '/billing/auto-top-up', { enabled: false }],
  ])('%s %s is refused, and names what an operator can do', async (method, path, body) => {
    const { secretKey } = await buildTenant(without.db);
    const answer = await without.request(method, path, { key: secretKey, body });
    expect(answer.status).toBe(409);
    expect(answer.json.error.code).toBe('FEATURE_UNAVAILABLE');
    expect(answer.json.error.message).toContain('`presswork admin credits grant`');
  });

  test('an event is refused the same way', async () => {
    const answer = await without.request('POST', `${without.origin}/billing/stripe`, { body: {} });
    expect(answer.status).toBe(409);
    expect(answer.json.error).toMatchObject({ code: 'FEATURE_UNAVAILABLE' });
    expect(answer.json.error.message).toContain('`presswork admin credits grant`');
  });
});

describe('who may', () => {
  const reads = [
    ['GET', '/billing'],
    ['GET', '/billing/invoices'],
  ] as const;
  const writes = [
    ['POST', '/billing/checkout', { pack: 'starter', return_url: RETURN_URL }],
    ['POST', '/billing/portal', { return_url: RETURN_URL }],
    ['PATCH', '/billing/auto-top-up', { enabled: false }],
  ] as const;
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await buildCustomer(stack);
  });
  const keyOf = async (role: 'admin' | 'editor' | 'owner', options: object = {}): Promise<string> => {
    const member = await buildMember(stack.api.db, tenant.organisationId, role);
    return (await buildKey(stack.api.db, tenant.siteId, member, options)).secret;
  };

  test.each(reads)('%s %s: people and agents who may manage billing', async (method, path) => {
    expect((await call(method, path, await keyOf('admin'))).status).toBe(200);
    expect((await call(method, path, await keyOf('owner', { heldByAgent: true }))).status).toBe(200);
    for (const key of [
      await keyOf('editor'),
      await keyOf('owner', { scopes: ['keys:write'] }),
      tenant.publishableKey,
    ]) {
      const answer = await call(method, path, key);
      expect([answer.status, answer.json.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    }
  });

  test.each(writes)('%s %s: people only', async (method, path, body) => {
    const agent = await call(method, path, await keyOf('owner', { heldByAgent: true }), body);
    expect([agent.status, agent.json.error.code]).toEqual([403, 'FORBIDDEN']);
    for (const key of [await keyOf('editor'), await keyOf('owner', { scopes: ['meta:read'] })]) {
      const answer = await call(method, path, key, body);
      expect([answer.status, answer.json.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    }
    expect((await call(method, path, await keyOf('admin'), body)).status).toBeLessThan(300);
  });
});

describe('POST /billing/checkout', () => {
  test('a pack: a page to pay at, for the price, the number and the customer', async () => {
    const tenant = await buildCustomer(stack);
    const answer = await checkout(tenant.secretKey, { quantity: 3 });
    expect(answer.status).toBe(201);
    expect(answer.data).toEqual({
      url: expect.stringMatching(/^https:/),
      expires_at: expect.stringMatching(/Z$/),
    });
    const session = [...stack.stripe.account.sessions.values()].at(-1);
    expect(session).toMatchObject({
      mode: 'payment',
      line_items: { 0: { price: 'price_starter', quantity: '3' } },
      client_reference_id: tenant.organisationId,
      success_url: RETURN_URL,
      cancel_url: RETURN_URL,
    });
    const customer = stack.stripe.account.customers.get(session?.['customer']);
    expect(customer?.['metadata']).toEqual({ presswork_organisation: tenant.organisationId });
    expect(await stack.balance(tenant)).toBe(0);
  });

  test('the same Idempotency-Key gets the same page', async () => {
    const { secretKey: key } = await buildCustomer(stack);
    const body = { pack: 'starter', return_url: RETURN_URL };
    const send = (sent: object = body) =>
      stack.api.request('POST', '/billing/checkout', { key, body: sent, idempotencyKey: 'one' });
    const first = await send();
    const opened = stack.stripe.account.sessions.size;
    const second = await send();
    expect(second.json).toEqual(first.json);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect((await send({ ...body, quantity: 2 })).json.error.code).toBe('IDEMPOTENCY_KEY_CONFLICT');
    // Stripe is not asked again.
    expect(stack.stripe.account.sessions.size).toBe(opened);
    const { rows } = await stack.api.db.pool.query(
      `select count(*)::int as n from billing_payments p join billing_accounts a using (organisation_id)
       where p.session_id = any($1)`,
      [[...stack.stripe.account.sessions.keys()]],
    );
    expect(rows[0].n).toBeGreaterThan(0);
  });

  test('twenty at the same time with one Idempotency-Key open one page', async () => {
    const { secretKey: key } = await buildCustomer(stack);
    await checkout(key);
    const opened = stack.stripe.account.sessions.size;
    const body = { pack: 'starter', return_url: RETURN_URL };
    const send = () =>
      stack.api.request('POST', '/billing/checkout', { key, body, idempotencyKey: 'twenty' });
    const answers = await Promise.all(Array.from({ length: 20 }, send));
    expect(stack.stripe.account.sessions.size).toBe(opened + 1);
    const done = answers.filter(({ status }) => status === 201);
    expect(new Set(done.map(({ json }) => json.data.url)).size).toBe(1);
    expect((await send()).json).toEqual(done[0]?.json);
  });

  test('what is wrong is named, all at once', async () => {
    const { secretKey } = await buildCustomer(stack);
    const wrong = async (body: object) => fieldsOf(await call('POST', '/billing/checkout', secretKey, body));
    expect(await wrong({})).toEqual(expect.arrayContaining(['return_url', 'pack']));
    expect(await wrong({ pack: 'starter' })).toEqual(['return_url']);
    expect(await wrong({ pack: 'starter', plan: 'pro', return_url: RETURN_URL })).toEqual(['pack']);
    expect(await wrong({ pack: 'golden', return_url: RETURN_URL })).toEqual(['pack']);
    expect(await wrong({ pack: 'pro', return_url: RETURN_URL })).toEqual(['pack']);
    expect(await wrong({ pack: 'overage_media', return_url: RETURN_URL })).toEqual(['pack']);
    expect(await wrong({ plan: 'free', return_url: RETURN_URL })).toEqual(['plan']);
    expect(await wrong({ plan: 'pro', quantity: 1, return_url: RETURN_URL })).toEqual(['quantity']);
    for (const quantity of [0, -1, 1.5, 101, '1', null])
      expect(await wrong({ pack: 'starter', quantity, return_url: RETURN_URL })).toEqual(['quantity']);
    for (const returnUrl of [
      '/billing',
      'javascript:alert(1)',
      'https://a:b@example.com',
      'https:example.com',
      7,
    ])
      expect(await wrong({ pack: 'starter', return_url: returnUrl })).toEqual(['return_url']);
    expect(await wrong({ pack: 'starter', return_url: RETURN_URL, credits: 9 })).toEqual(['credits']);
    expect(await wrong({ pack: '__proto__', return_url: RETURN_URL })).toEqual(['pack']);
  });

  test('twenty at the same time have one customer', async () => {
    const tenant = await buildCustomer(stack);
    const answers = await Promise.all(Array.from({ length: 20 }, () => checkout(tenant.secretKey)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const own = [...stack.stripe.account.customers.values()].filter(
      ({ metadata }) => metadata.presswork_organisation === tenant.organisationId,
    );
    expect(own).toHaveLength(1);
  });

  test('a pack whose price says no credits is not sold', async () => {
    const { secretKey } = await buildCustomer(stack);
    const { payments } = stack.stripe;
    const catalogue = {
      ...payments.catalogue,
      packs: new Map([['odd', 'price_pro']]),
      planOf: () => null,
    } as never;
    const api = await startApi({ payments: { ...payments, catalogue } }, { on: stack.api });
    const other = await buildTenant(api.db);
    const body = { pack: 'odd', return_url: RETURN_URL };
    const answer = await api.request('POST', '/billing/checkout', { key: other.secretKey, body });
    expect([answer.status, answer.json.error.code]).toEqual([409, 'FEATURE_UNAVAILABLE']);
    await api.close();
    expect(secretKey).toBeDefined();
  });

  test('a lost answer and a busy Stripe are survived, a dead one is 503', async () => {
    const { faults } = stack.stripe;
    const { secretKey } = await buildCustomer(stack);
    faults.push({ path: /^POST .*sessions/, kind: 'lost' }, { path: /^POST .customers/, kind: 500 });
    expect((await checkout(secretKey)).status).toBe(201);
    faults.push(...Array.from({ length: 3 }, () => ({ path: /sessions/, kind: 500 as const })));
    const answer = await checkout(secretKey);
    expect([answer.status, answer.json.error.code]).toEqual([503, 'MAINTENANCE']);
    expect(answer.headers.get('retry-after')).toBe('5');
  });
});

test('POST /billing/portal creates the customer, and answers a page that no cache keeps', async () => {
  const tenant = await buildCustomer(stack);
  const answer = await call('POST', '/billing/portal', tenant.secretKey, { return_url: RETURN_URL });
  expect(answer.status).toBe(201);
  expect(answer.data).toEqual({ url: expect.stringMatching(/^https:/) });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const own = [...stack.stripe.account.customers.values()].filter(
    ({ metadata }) => metadata.presswork_organisation === tenant.organisationId,
  );
  expect(own).toHaveLength(1);
  expect(fieldsOf(await call('POST', '/billing/portal', tenant.secretKey, {}))).toEqual(['return_url']);
});

test('GET /billing/invoices pages through what Stripe has, newest first', async () => {
  const tenant = await buildCustomer(stack);
  await call('POST', '/billing/portal', tenant.secretKey, { return_url: RETURN_URL });
  expect((await call('GET', '/billing/invoices', tenant.secretKey)).data).toEqual({
    items: [],
    next_cursor: null,
  });
  await call('POST', '/billing/checkout', tenant.secretKey, { plan: 'pro', return_url: RETURN_URL });
  const session = [...stack.stripe.account.sessions.keys()].at(-1) as string;
  const subscription = stack.stripe.account.pay(session)['subscription'] as string;
  for (let month = 0; month < 4; month += 1) stack.stripe.account.renew(subscription, true);
  const seen: any[] = [];
  let cursor = '';
  do {
    const { data } = await call('GET', `/billing/invoices?limit=2${cursor}`, tenant.secretKey);
    expect(data.items.length).toBeLessThanOrEqual(2);
    seen.push(...data.items);
    cursor = data.next_cursor === null ? '' : `&cursor=${data.next_cursor}`;
  } while (cursor !== '');
  expect(seen).toHaveLength(5);
  expect(seen[0]).toEqual({
    id: expect.stringMatching(/^in_/),
    number: expect.any(String),
    status: 'paid',
    amount: 2_900,
    currency: 'usd',
    created_at: expect.stringMatching(/\.000Z$/),
    url: expect.any(String),
    pdf_url: expect.any(String),
  });
  const times = seen.map(({ created_at: at }) => at as string);
  expect(times).toEqual(times.toSorted().toReversed());
  expect((await call('GET', '/billing/invoices?cursor=made-up', tenant.secretKey)).status).toBe(400);
  const other = await buildCustomer(stack);
  const { data } = await call('GET', '/billing/invoices?limit=1', tenant.secretKey);
  expect((await call('GET', `/billing/invoices?cursor=${data.next_cursor}`, other.secretKey)).status).toBe(
    400,
  );
});

describe('PATCH /billing/auto-top-up', () => {
  const patch = (key: string, body: object) => call('PATCH', '/billing/auto-top-up', key, body);

  test('without a card it is refused, and says where to get one', async () => {
    const { secretKey } = await buildCustomer(stack);
    for (let time = 0; time < 2; time += 1) {
      const answer = await patch(secretKey, TOP_UP);
      expect([answer.status, answer.json.error.code]).toEqual([409, 'PREREQUISITE_MISSING']);
      expect(answer.json.error.message).toContain('POST /billing/checkout');
      await call('POST', '/billing/portal', secretKey, { return_url: RETURN_URL });
    }
    expect((await patch(secretKey, { below: 5 })).data).toEqual({
      enabled: false,
      below: 5,
      pack: null,
      monthly_limit: null,
    });
  });

  test('with a card it is set, in parts too, and shown', async () => {
    const tenant = await buildCustomer(stack, 500);
    await stack.buy(tenant);
    expect(fieldsOf(await patch(tenant.secretKey, { enabled: true, below: 5 }))).toEqual([
      'pack',
      'monthly_limit',
    ]);
    expect((await patch(tenant.secretKey, TOP_UP)).data).toEqual(TOP_UP);
    expect((await patch(tenant.secretKey, { below: 7 })).data).toEqual({ ...TOP_UP, below: 7 });
    expect((await call('GET', '/billing', tenant.secretKey)).data.auto_top_up).toEqual({
      ...TOP_UP,
      below: 7,
    });
    expect((await patch(tenant.secretKey, { enabled: false })).data.enabled).toBe(false);
  });

  test('what is wrong is named', async () => {
    const { secretKey } = await buildCustomer(stack);
    const wrong = { enabled: 'yes', below: -1, pack: 'golden', monthly_limit: 0, extra: 1 };
    expect(fieldsOf(await patch(secretKey, wrong)).toSorted()).toEqual([
      'below',
      'enabled',
      'extra',
      'monthly_limit',
      'pack',
    ]);
    for (const body of [
      { below: null },
      { below: 1.5 },
      { monthly_limit: 1_001 },
      { pack: 'pro' },
      { pack: null },
    ])
      expect(fieldsOf(await patch(secretKey, body))).toEqual(Object.keys(body));
  });
});
