import { orderId } from '../../../domain/billing/order-id.ts';

const noon = new Date('2026-11-28T12:00:00Z');
const SITE = '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11';
const body = { pack: 'starter', quantity: 2 };
const id = orderId(SITE, 'a key', body, noon);

test('requests with the same key and body are one order, in any order of its members', () => {
  expect(orderId(SITE, 'a key', { quantity: 2, pack: 'starter' }, new Date('2026-11-28T13:00:00Z'))).toBe(id);
});

test.each([
  ['another Site', orderId('0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a12', 'a key', body, noon)],
  ['another key', orderId(SITE, 'b key', body, noon)],
  ['another body', orderId(SITE, 'a key', { ...body, quantity: 3 }, noon)],
  [
    'the day after, when the record of the key has expired',
    orderId(SITE, 'a key', body, new Date('2026-11-29T12:00:00Z')),
  ],
  ['no key', orderId(SITE, undefined, body, noon)],
])('%s is another order', (_what, other) => {
  expect(other).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(other).not.toBe(id);
});

test('without a key, each request is an order of its own', () => {
  expect(orderId(SITE, undefined, body, noon)).not.toBe(orderId(SITE, undefined, body, noon));
});
