import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPayments } from '../../../adapters/payments/create-payments.ts';
import type { PaymentProvider } from '../../../domain/billing/provider.ts';
import { readSettings } from '../../../runtime/settings.ts';
import { freePort } from '../../../runtime/free-port.ts';
import { environment } from '../../support/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { prices } from '../../support/stripe/payments.ts';
import { WEBHOOK_SECRET } from '../../support/stripe/server.ts';

const program = environment('PAYMENTS_MOCK');
/** Of the form that the mock takes. */
const SECRET_KEY = 'sk_test_0123456789';
const authorization = `Bearer ${SECRET_KEY}`;

let mock: ChildProcess;
let mockUrl: string;
let recorder: Server;
let provider: PaymentProvider;
/** What was asked, with what the mock said to it. */
const asked: { readonly request: string; readonly status: number; readonly message: string }[] = [];

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** Ids, such as `pi_1`, by their kind. */
const pathOf = (url: string): string =>
  url.replace(/\?.*$/, '').replace(/\/(price|cus|pi|sub)_\w+/g, (_, kind: string) => `/{${kind}}`);

/** Passes requests on, and notes what the mock thinks of them. */
async function startRecorder(): Promise<string> {
  recorder = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await bodyOf(request);
    const answer = await fetch(mockUrl + url, {
      method,
      headers: {
        authorization: headers.authorization ?? '',
        'stripe-version': String(headers['stripe-version']),
        ...(headers['content-type'] && { 'content-type': headers['content-type'] }),
      },
      ...(body.length > 0 && { body }),
    });
    const text = await answer.text();
    const { error } = JSON.parse(text) as { error?: { message: string } };
    asked.push({ request: `${method} ${pathOf(url)}`, status: answer.status, message: error?.message ?? '' });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => recorder.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`;
}

// Where it cannot be installed, nothing is asked; the run has said so.
const described = program === '' ? describe.skip : describe;

described('Stripe, by its own description,', () => {
  beforeAll(async () => {
    mockUrl = `http://127.0.0.1:${await freePort()}`;
    mock = spawn(program, ['-http-addr', new URL(mockUrl).host], { stdio: 'ignore' });
    await eventually('the mock answers', () =>
      fetch(`${mockUrl}/v1/balance`, { headers: { authorization } }).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    const settings = readSettings({
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_BASE: await startRecorder(),
      STRIPE_PRICES: JSON.stringify(prices),
    });
    provider = (await createPayments(settings))!.provider;
  });
  beforeEach(() => void asked.splice(0));
  afterAll(() => {
    mock.kill();
    recorder.close();
  });

  const organisationId = '01990000-0000-7000-8000-000000000001';
  const purchaseId = '01990000-0000-7000-8000-000000000002';
  const customerId = 'cus_1';
  const returnUrl = 'https://example.com/settings/billing';
  const order = { customerId, organisationId, priceId: 'price_1', returnUrl };
  const card = { customerId, organisationId, purchaseId, paymentMethodId: 'pm_1' };
  const charge = { customerId, organisationId, month: '2026-03', amount: 120, currency: 'usd' };
  const since = new Date('2026-03-01T00:00:00.000Z');

  /** What the port does, and the requests that it sends for it. */
  const calls: Readonly<Record<keyof PaymentProvider, readonly [() => Promise<unknown>, readonly string[]]>> =
    {
      readPrice: [() => provider.readPrice('price_1'), ['GET /v1/prices/{price}']],
      createCustomer: [
        () => provider.createCustomer({ organisationId, name: 'Tea & Co' }, 'key-1'),
        ['POST /v1/customers'],
      ],
      openCheckout: [
        async () => {
          for (const paid of [
            { quantity: 3, purchaseId },
            { quantity: 1, purchaseId: null },
          ])
            // The mock's session has no address.
            await provider.openCheckout({ ...order, ...paid }, `key-${paid.quantity}`).catch(() => {});
        },
        ['POST /v1/checkout/sessions', 'POST /v1/checkout/sessions'],
      ],
      openPortal: [() => provider.openPortal(customerId, returnUrl), ['POST /v1/billing_portal/sessions']],
      listInvoices: [
        async () => [
          await provider.listInvoices(customerId, 20, null),
          await provider.listInvoices(customerId, 20, 'in_1'),
        ],
        ['GET /v1/invoices', 'GET /v1/invoices'],
      ],
      findCard: [
        () => provider.findCard(customerId),
        ['GET /v1/customers/{cus}', 'GET /v1/customers/{cus}/payment_methods'],
      ],
      chargeCard: [
        () =>
          provider.chargeCard(
            { ...card, amount: 1_000, currency: 'usd', description: '100 credits' },
            'key-3',
          ),
        ['POST /v1/payment_intents'],
      ],
      readPayment: [() => provider.readPayment('pi_1'), ['GET /v1/payment_intents/{pi}']],
      findPayment: [() => provider.findPayment(customerId, purchaseId, since), ['GET /v1/payment_intents']],
      listPayments: [
        async () => [
          await provider.listPayments(since, 100, null),
          await provider.listPayments(since, 100, 'pi_1'),
        ],
        ['GET /v1/payment_intents', 'GET /v1/payment_intents'],
      ],
      readSubscription: [() => provider.readSubscription('sub_1'), ['GET /v1/subscriptions/{sub}']],
      cancelSubscription: [() => provider.cancelSubscription('sub_1'), ['DELETE /v1/subscriptions/{sub}']],
      chargeOverage: [
        () => provider.chargeOverage({ ...charge, description: 'Storage', withSubscription: false }, 'key-4'),
        ['GET /v1/invoiceitems', 'POST /v1/invoiceitems', 'POST /v1/invoices'],
      ],
    };

  test.each(Object.keys(calls) as (keyof PaymentProvider)[])('accepts what %s sends', async (name) => {
    const [call, requests] = calls[name];
    await call();
    expect(asked).toEqual(requests.map((request) => ({ request, status: 200, message: '' })));
  });

  // Members of members are checked by the types of Stripe's package alone.
  test.each([
    ['a member that it does not know', 'checkout/sessions', 'mode=payment&nonsense=1'],
    ['a value that it does not know', 'checkout/sessions', 'mode=nothing'],
    ['a value of another type', 'payment_intents', 'amount=x&currency=usd'],
    ['what lacks a member', 'payment_intents', 'amount=1'],
  ])('refuses %s, so that a mistake would be seen', async (_, path, body) => {
    const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await fetch(`${mockUrl}/v1/${path}`, { method: 'POST', headers, body });
    expect(answer.status).toBe(400);
  });
});
