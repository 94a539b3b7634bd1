import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { StripeAccount } from './account.ts';
import { parseForm } from './form.ts';

type Row = Record<string, any>;

/** What goes wrong with the next request for a path. */
export interface Fault {
  readonly path: RegExp;
  /** `lost`: it is done, and the answer never arrives. Otherwise an answer of this status, and nothing is done. */
  readonly kind: 'lost' | 400 | 401 | 403 | 429 | 500;
}

export interface StripeRequest {
  readonly method: string;
  readonly path: string;
  readonly form: Row;
  readonly key: string | undefined;
}

/** The part of Stripe's API that the product uses, on a local port. */
export interface StripeServer {
  readonly account: StripeAccount;
  readonly url: string;
  readonly faults: Fault[];
  /** In the order in which they came. */
  readonly requests: StripeRequest[];
  /** Paths that it does not show, as to a restricted key. */
  hidden: RegExp | null;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: Row;
}

const errors = {
  400: { type: 'invalid_request_error', code: 'payment_method_unexpected_state', message: 'pm_1 of Ann' },
  401: { type: 'invalid_request_error', message: 'Invalid API key' },
  403: { type: 'invalid_request_error', message: 'The provided key rk_live_1 does not have the permission' },
  429: { type: 'api_error', message: 'Try again' },
  500: { type: 'api_error', message: 'Try again' },
};

const missing = (what: string): Answer => ({
  status: 404,
  body: { error: { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${what}` } },
});
const ok = (body: Row): Answer => ({ status: 200, body });
const found = (row: Row | undefined): Answer => (row === undefined ? missing('object') : ok(row));

/** Newest first, as Stripe lists. */
function list(rows: Iterable<Row>, query: Row): Answer {
  const all = [...rows].toReversed();
  const from = query['starting_after'] ? all.findIndex(({ id }) => id === query['starting_after']) + 1 : 0;
  const limit = Number(query['limit'] ?? 10);
  return ok({
    object: 'list',
    data: all.slice(from, from + limit),
    has_more: all.length > from + limit,
    url: '/v1/x',
  });
}

/** The charge of a payment, as with `expand`. */
const withCharge = (account: StripeAccount, intent: Row): Row => ({
  ...intent,
  latest_charge: account.charges.get(intent['latest_charge']) ?? intent['latest_charge'],
});

function declined(intent: Row): Answer {
  const error = {
    type: 'card_error',
    code: 'card_declined',
    decline_code: intent['declined'],
    message: 'Your card ending in 4242 was declined.',
    payment_intent: intent,
    payment_method: { card: { last4: '4242' } },
  };
  return { status: 402, body: { error } };
}

type Route = readonly [
  method: string,
  path: RegExp,
  answer: (account: StripeAccount, id: string, form: Row) => Answer,
];

const routes: readonly Route[] = [
  ['GET', /^\/prices\/(\w+)$/, (a, id) => found(a.prices.get(id))],
  ['POST', /^\/customers$/, (a, _, form) => ok(a.createCustomer(form))],
  ['GET', /^\/customers\/(\w+)$/, (a, id) => found(a.customers.get(id))],
  [
    'GET',
    /^\/customers\/(\w+)\/payment_methods$/,
    (a, id, form) => list(a.cards.has(id) ? [{ id: a.cards.get(id), object: 'payment_method' }] : [], form),
  ],
  ['POST', /^\/checkout\/sessions$/, (a, _, form) => ok(a.createSession(form))],
  [
    'POST',
    /^\/billing_portal\/sessions$/,
    (a, _, form) =>
      a.customers.has(form['customer'])
        ? ok({ id: 'bps_1', url: 'https://billing.stripe.test/p/session/test_1' })
        : missing('customer'),
  ],
  [
    'POST',
    /^\/payment_intents$/,
    (a, _, form) => {
      const intent = a.createIntent(form);
      return intent['declined'] ? declined(intent) : ok(withCharge(a, intent));
    },
  ],
  [
    'GET',
    /^\/payment_intents\/(\w+)$/,
    (a, id) => {
      const intent = a.intents.get(id);
      return intent === undefined ? missing('payment_intent') : ok(withCharge(a, intent));
    },
  ],
  [
    'GET',
    /^\/payment_intents$/,
    (a, _, form) => {
      const rows = [...a.intents.values()].filter(
        (row) =>
          (form['customer'] === undefined || row['customer'] === form['customer']) &&
          row['created'] >= Number(form['created']?.gte ?? 0),
      );
      return list(
        rows.map((row) => withCharge(a, row)),
        form,
      );
    },
  ],
  [
    'GET',
    /^\/disputes$/,
    (a, _, form) =>
      list(
        [...a.disputes.values()].filter((row) => row['charge'] === form['charge']),
        form,
      ),
  ],
  ['GET', /^\/subscriptions\/(\w+)$/, (a, id) => found(a.subscriptions.get(id))],
  [
    'DELETE',
    /^\/subscriptions\/(\w+)$/,
    (a, id) => (a.subscriptions.has(id) ? ok(a.cancel(id)) : missing('subscription')),
  ],
  [
    'GET',
    /^\/invoices$/,
    (a, _, form) =>
      list(
        [...a.invoices.values()].filter((row) => row['customer'] === form['customer']),
        form,
      ),
  ],
  ['POST', /^\/invoices$/, (a, _, form) => ok(a.createInvoice(form))],
  ['POST', /^\/invoiceitems$/, (a, _, form) => ok(a.createInvoiceItem(form))],
  [
    'GET',
    /^\/invoiceitems$/,
    (a, _, form) =>
      list(
        [...a.invoiceItems.values()].filter((row) => row['customer'] === form['customer']),
        form,
      ),
  ],
];

const read = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

export async function startStripe(account = new StripeAccount()): Promise<StripeServer> {
  /** Answers by idempotency key, which belong to one path and one form. */
  const answers = new Map<string, { readonly of: string; readonly answer: Answer }>();
  const server = createServer();
  const stripe: StripeServer = {
    account,
    faults: [],
    requests: [],
    hidden: null,
    url: '',
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  const answerTo = ({ method, path, form, key }: StripeRequest): Answer => {
    if (stripe.hidden?.test(path)) return missing('object');
    const of = JSON.stringify([method, path, form]);
    const known = key === undefined || method === 'GET' ? undefined : answers.get(key);
    if (known !== undefined) {
      if (known.of === of) return known.answer;
      return { status: 400, body: { error: { type: 'idempotency_error', message: 'Another request' } } };
    }
    for (const [routeMethod, pattern, answer] of routes) {
      const match = routeMethod === method ? pattern.exec(path) : null;
      if (match === null) continue;
      const given = answer(account, match[1] ?? '', form);
      if (key !== undefined && method !== 'GET') answers.set(key, { of, answer: structuredClone(given) });
      return given;
    }
    return missing(`path ${method} ${path}`);
  };
  server.on('request', async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://stripe.test');
    const form = parseForm(request.method === 'GET' ? url.search.slice(1) : await read(request));
    const path = url.pathname.replace(/^\/v1/, '');
    const key = request.headers['idempotency-key'];
    const asked = { method: request.method ?? '', path, form, key: key as string | undefined };
    stripe.requests.push(asked);
    const at = stripe.faults.findIndex((fault) => fault.path.test(`${asked.method} ${path}`));
    const [fault] = at < 0 ? [] : stripe.faults.splice(at, 1);
    const answer: Answer =
      fault === undefined || fault.kind === 'lost'
        ? answerTo(asked)
        : { status: fault.kind, body: { error: errors[fault.kind] } };
    if (fault?.kind === 'lost') return void response.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json', 'request-id': 'req_test' });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(stripe, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

export const WEBHOOK_SECRET = 'whsec_test_of_the_product_0123456789';

/** The headers and the body of an event as Stripe sends it. */
export function signed(
  event: Row,
  at = new Date(),
  secret = WEBHOOK_SECRET,
): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify(event);
  const timestamp = Math.floor(at.getTime() / 1_000);
  const header = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
  return { headers: { 'stripe-signature': header, 'content-type': 'application/json' }, body };
}
