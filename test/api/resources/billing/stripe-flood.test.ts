import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { stripeEndpoint } from '../../../../api/pages/billing/stripe-endpoint.ts';
import { createClientAddress } from '../../../../api/http/client-address.ts';
import type { Ports } from '../../../../api/framework/ports.ts';
import { systemClock } from '../../../../domain/kernel/clock.ts';
import { ServiceError } from '../../../../domain/kernel/errors.ts';
import { parseNetworks } from '../../../../runtime/networks.ts';
import { startApi } from '../../../support/api.ts';
import { buildTenant } from '../../../support/builders.ts';
import { eventually } from '../../../support/eventually.ts';
import { startBilling } from '../../../support/stripe/billing-stack.ts';
import type { BillingStack } from '../../../support/stripe/billing-stack.ts';
import { signed } from '../../../support/stripe/server.ts';
import { openRaw, sendRaw } from '../../raw-http.ts';

const MIB = 1_048_576;

/** Addresses of clients are what `X-Forwarded-For` says. */
const clientAddress = createClientAddress(parseNetworks('127.0.0.1'));

let stack: BillingStack;
beforeAll(async () => {
  stack = await startBilling(undefined, undefined, (options) => startApi({ ...options, clientAddress }));
});
afterAll(() => stack.close());

const anEvent = (id: string) => ({
  id: `evt_${id}`,
  object: 'event',
  type: 'customer.created',
  created: Math.floor(Date.now() / 1_000),
  data: { object: { id: 'cus_1', object: 'customer' } },
});

const head = (address: string, ...more: string[]): string[] => [
  'POST /billing/stripe HTTP/1.1',
  'Host: localhost',
  `X-Forwarded-For: ${address}`,
  ...more,
];

test('bodies that never come fill the places of their network alone, and Stripe and Sites have theirs', async () => {
  const signature = `Stripe-Signature: ${signed({}).headers['stripe-signature']}`;
  const refused: unknown[] = [];
  const exchanges = Array.from({ length: 520 }, (_, index) => {
    const exchange = openRaw(stack.api.origin);
    exchange.answer.then(
      ({ status, json }) => refused.push([status, json.error.code]),
      () => {},
    );
    // All addresses of one IPv6 network are one client.
    const lines = head(`2001:db8:1:2::${index.toString(16)}`, signature, `Content-Length: ${MIB}`);
    void exchange.write(`${lines.join('\r\n')}\r\n\r\n`);
    return exchange;
  });
  // One is being read, and 500 wait.
  await eventually('what finds no place is refused', () => refused.length >= 19);
  expect([refused.length, refused[0]]).toEqual([19, [503, 'MAINTENANCE']]);

  const { headers, body } = signed(anEvent('besides'));
  const padded = signed({ ...anEvent('large'), padding: 'x'.repeat(MIB / 2) });
  const event = { ...headers, 'x-forwarded-for': '192.0.2.1' };
  const large = { ...padded.headers, 'x-forwarded-for': '192.0.2.1' };
  const url = `${stack.api.origin}/billing/stripe`;
  expect((await stack.api.request('POST', url, { headers: event, body })).status).toBe(200);
  expect((await stack.api.request('POST', url, { headers: large, body: padded.body })).status).toBe(200);
  const { secretKey } = await buildTenant(stack.api.db);
  const article = { title: 'Large', content: 'x'.repeat(MIB / 2) };
  const created = await stack.api.request('POST', '/articles', {
    key: secretKey,
    idempotencyKey: true,
    body: article,
  });
  expect(created.status).toBe(201);
  for (const exchange of exchanges) exchange.end();
});

test('without a signature no body is waited for', async () => {
  const answer = await sendRaw(stack.api.origin, head('192.0.2.2', `Content-Length: ${MIB}`));
  expect([answer.status, answer.json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  expect(answer.json.error.message).toContain('Stripe-Signature');
});

test('beyond the limit of requests, what Stripe signed is stored, and all else is 429', async () => {
  const ports = {
    db: stack.api.db,
    payments: stack.stripe.payments,
    clock: systemClock,
    clientAddress,
  } as unknown as Ports;
  const app = new Koa();
  app.use(async (ctx, next) => {
    await next().catch((error: ServiceError) => {
      ctx.status = error.status;
      ctx.body = { code: error.code };
    });
  });
  app.use(
    stripeEndpoint(ports, () => {
      throw new ServiceError('RATE_LIMIT_EXCEEDED', 'Too many.');
    }),
  );
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const unsigned = await sendRaw(origin, head('192.0.2.3', `Content-Length: ${MIB}`));
  expect([unsigned.status, unsigned.json]).toEqual([429, { code: 'RATE_LIMIT_EXCEEDED' }]);
  const post = async (headers: Record<string, string>, body: string) =>
    (await fetch(`${origin}/billing/stripe`, { method: 'POST', headers, body })).status;
  const { headers, body } = signed(anEvent('beyond'));
  expect([await post(headers, body), await post(headers, `${body} `)]).toEqual([200, 429]);
  const { rows } = await stack.api.db.pool.query(`select from billing_events where id = 'evt_beyond'`);
  expect(rows).toHaveLength(1);
  server.closeAllConnections();
  server.close();
});
