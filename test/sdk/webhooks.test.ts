import { Readable } from 'node:stream';
import { Webhook } from 'standardwebhooks';
import { signStandardWebhook, signWebhook } from '../../adapters/http/webhook-signature.ts';
import { webhookRequest } from '../../adapters/http/webhook-request.ts';
import { generateSigningSecret } from '../../domain/webhooks/signing-secret.ts';
import { verifyWebhook } from '../../sdk/src/index.ts';
import type { WebhookHeaders } from '../../sdk/src/index.ts';

const SECRET = 'whsec_0123456789abcdefghijABCDEFGHIJ0123456789_-a';
const ID = '01a1fcb8-8bf0-7159-90b0-b85968dda91e';
const EVENT = { id: ID, event: 'ping', created_at: '2026-03-01T09:30:00.000Z', data: { title: 'Übergröße' } };
const BODY = JSON.stringify(EVENT);
const SENT = 1_780_000_000;
const at = (seconds: number) => ({ now: new Date(seconds * 1_000) });

/** The headers of a delivery, with both schemes. */
const signed = (overrides: Record<string, string | undefined> = {}, secret = SECRET) => ({
  'service-signature': signWebhook(BODY, SENT, secret),
  'service-timestamp': String(SENT),
  'webhook-id': ID,
  'webhook-timestamp': String(SENT),
  'webhook-signature': signStandardWebhook(BODY, ID, SENT, secret),
  ...overrides,
});
const without = (prefix: string): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(signed()).filter(([name]) => !name.startsWith(prefix)));

const refused = (headers: WebhookHeaders, secret: string | string[] = SECRET, options: object = at(SENT)) =>
  expect(verifyWebhook(BODY, headers, secret, options)).rejects;
const reason = (text: string) => ({
  name: 'PressworkError',
  code: 'INVALID_WEBHOOK',
  message: `The delivery is refused: ${text}.`,
});

test('a delivery of the service gives its event', async () => {
  for (const secret of [SECRET, generateSigningSecret(), generateSigningSecret()]) {
    const { headers, body } = webhookRequest({
      url: 'https://receiver.example/',
      body: BODY,
      event: 'ping',
      eventId: ID,
      id: ID,
      attempt: 1,
      at: new Date(),
      secret,
    });
    expect(await verifyWebhook(body as string, headers!, secret)).toEqual(EVENT);
  }
});

test('the body may be text or bytes, and headers a record, a Headers, and in any case', async () => {
  const headers = signed();
  const shouted = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  const bytes = Buffer.from(BODY);
  for (const form of [headers, shouted, new Headers(headers)]) {
    for (const body of [BODY, bytes, new Uint8Array(bytes), new Uint8Array(bytes).buffer]) {
      expect(await verifyWebhook(body, form, SECRET, at(SENT))).toEqual(EVENT);
    }
  }
});

test('each scheme is enough by itself, and one that is present has to be valid', async () => {
  expect(await verifyWebhook(BODY, without('webhook-'), SECRET, at(SENT))).toEqual(EVENT);
  expect(await verifyWebhook(BODY, without('service-'), SECRET, at(SENT))).toEqual(EVENT);
  const wrong = signed({}, `${SECRET}x`);
  const half = { ...signed(), 'webhook-signature': wrong['webhook-signature'] };
  await refused(half).toMatchObject(reason('webhook-signature does not match'));
  const other = { ...signed(), 'service-signature': wrong['service-signature'] };
  await refused(other).toMatchObject(reason('service-signature does not match'));
});

test('while a secret is rotated, each of several is accepted', async () => {
  const old = generateSigningSecret();
  expect(await verifyWebhook(BODY, signed({}, old), [SECRET, old], at(SENT))).toEqual(EVENT);
  await refused(signed({}, old), [SECRET]).toMatchObject(reason('service-signature does not match'));
  await refused(signed(), []).toMatchObject(reason('service-signature does not match'));
  const both = `${signStandardWebhook(BODY, ID, SENT, old)} v1a,x ${signed()['webhook-signature']}`;
  expect(await verifyWebhook(BODY, { ...signed(), 'webhook-signature': both }, SECRET, at(SENT))).toEqual(
    EVENT,
  );
});

test('at most ten signatures of a header are tried, as strangers write it', async () => {
  const wrong = signStandardWebhook(BODY, ID, SENT, generateSigningSecret());
  const after = (count: number): WebhookHeaders => ({
    ...without('service-'),
    'webhook-signature': [...Array(count).fill(wrong), signed()['webhook-signature']].join(' '),
  });
  expect(await verifyWebhook(BODY, after(9), SECRET, at(SENT))).toEqual(EVENT);
  await refused(after(10)).toMatchObject(reason('webhook-signature does not match'));
});

test('the timestamp may be 300 seconds off, in either direction, and no more', async () => {
  for (const off of [-300, 300])
    expect(await verifyWebhook(BODY, signed(), SECRET, at(SENT + off))).toEqual(EVENT);
  for (const off of [-301, 301]) {
    await refused(signed(), SECRET, at(SENT + off)).toMatchObject(
      reason('service-timestamp is more than 300 s away'),
    );
    await refused(without('service-'), SECRET, at(SENT + off)).toMatchObject(
      reason('webhook-timestamp is more than 300 s away'),
    );
  }
  await refused(signed(), SECRET, { ...at(SENT + 11), tolerance: 10 }).toMatchObject({
    code: 'INVALID_WEBHOOK',
  });
  await refused(signed(), SECRET, { ...at(SENT), tolerance: NaN }).toMatchObject({ code: 'INVALID_WEBHOOK' });
  await refused(signed(), SECRET, {}).toMatchObject({ code: 'INVALID_WEBHOOK' });
});

test('every library of Standard Webhooks is given the secret with = at its end; the one here takes both', () => {
  const secret = generateSigningSecret();
  for (const given of [secret, `${secret}=`]) {
    const headers = { ...signed({}, secret), 'webhook-timestamp': String(Math.floor(Date.now() / 1_000)) };
    const signature = signStandardWebhook(BODY, ID, Number(headers['webhook-timestamp']), secret);
    expect(new Webhook(given).verify(BODY, { ...headers, 'webhook-signature': signature })).toEqual(EVENT);
  }
});

test.each<[string, unknown, string]>([
  ['nothing', undefined, 'undefined'],
  ['null', null, 'null'],
  ['a parsed object', EVENT, 'a parsed object'],
  ['a parsed list', [EVENT], 'a parsed object'],
  ['a stream of Node', Readable.from([BODY]), 'a stream'],
  ['a stream of the web', new Blob([BODY]).stream(), 'a stream'],
  ['a number', 5, '5'],
])('%s instead of the raw body is refused in words that say so', async (_what, body, kind) => {
  await expect(verifyWebhook(body as string, signed(), SECRET, at(SENT))).rejects.toMatchObject(
    reason(`the body is ${kind}; pass the raw body, as text or bytes, before anything parses it`),
  );
});

test.each([undefined, null, '', [undefined], ['']])(
  'a secret that is not set, %j, is said so',
  async (secret) => {
    await expect(verifyWebhook(BODY, signed(), secret as string, at(SENT))).rejects.toMatchObject(
      reason('the secret is not set; pass that of the endpoint, with whsec_'),
    );
  },
);

test('beside a secret that is not set, another one is enough', async () => {
  const secrets = [SECRET, undefined] as string[];
  expect(await verifyWebhook(BODY, signed(), secrets, at(SENT))).toEqual(EVENT);
});

test('a changed body, timestamp, id or secret does not verify', async () => {
  const changed = verifyWebhook(`${BODY} `, signed(), SECRET, at(SENT));
  await expect(changed).rejects.toMatchObject(reason('service-signature does not match'));
  await refused(signed({ 'service-timestamp': String(SENT + 1) })).toMatchObject({ code: 'INVALID_WEBHOOK' });
  await refused(signed({ 'webhook-timestamp': String(SENT + 1) })).toMatchObject({ code: 'INVALID_WEBHOOK' });
  await refused(signed({ 'webhook-id': 'other' })).toMatchObject(reason('webhook-signature does not match'));
  await refused(signed(), 'whsec_').toMatchObject({ code: 'INVALID_WEBHOOK' });
});

test.each<[Record<string, string | undefined>, string]>([
  [{ 'service-signature': undefined, 'webhook-signature': undefined }, 'it has no signature'],
  [{ 'service-signature': 'v1=' }, 'service-signature is malformed'],
  [{ 'service-signature': '' }, 'service-signature is malformed'],
  [{ 'service-signature': `v2=${'0'.repeat(64)}` }, 'service-signature is malformed'],
  [{ 'service-signature': `v1=${'g'.repeat(64)}` }, 'service-signature is malformed'],
  [{ 'service-signature': `v1=${'0'.repeat(65)}` }, 'service-signature is malformed'],
  [{ 'webhook-signature': 'v1,' }, 'webhook-signature is malformed'],
  [{ 'webhook-signature': `v2,${'A'.repeat(43)}=` }, 'webhook-signature is malformed'],
  [{ 'service-timestamp': undefined }, 'it has no service-timestamp'],
  [{ 'webhook-timestamp': undefined }, 'it has no webhook-timestamp'],
  [{ 'webhook-id': undefined }, 'it has no webhook-id'],
  [{ 'service-timestamp': '' }, 'service-timestamp is malformed'],
  [{ 'service-timestamp': 'NaN' }, 'service-timestamp is malformed'],
  [{ 'service-timestamp': '-1' }, 'service-timestamp is malformed'],
  [{ 'service-timestamp': `${SENT}.0` }, 'service-timestamp is malformed'],
])('headers %j are refused: %s', async (overrides, text) => {
  await refused(signed(overrides)).toMatchObject(reason(text));
});

test('a repeated header is refused', async () => {
  const { 'service-signature': signature } = signed();
  await refused({ ...signed(), 'service-signature': [signature, signature] }).toMatchObject(
    reason('service-signature is malformed'),
  );
});

test('a signed body that is not JSON is refused', async () => {
  const headers = { 'service-signature': signWebhook('{', SENT, SECRET), 'service-timestamp': String(SENT) };
  const refusal = verifyWebhook('{', headers, SECRET, at(SENT));
  await expect(refusal).rejects.toMatchObject(reason('its body is not JSON'));
});

describe('with the library of Standard Webhooks', () => {
  const now = new Date();
  const seconds = String(Math.floor(now.getTime() / 1_000));

  test('what it signs, verifyWebhook accepts', async () => {
    const secret = generateSigningSecret();
    const signature = new Webhook(`${secret}=`).sign(ID, now, BODY);
    const headers = { 'webhook-id': ID, 'webhook-timestamp': seconds, 'webhook-signature': signature };
    expect(await verifyWebhook(BODY, headers, secret)).toEqual(EVENT);
    await refused(headers, generateSigningSecret(), {}).toMatchObject({ code: 'INVALID_WEBHOOK' });
  });

  test('what verifyWebhook accepts, it accepts', async () => {
    const secret = generateSigningSecret();
    const headers = {
      'webhook-id': ID,
      'webhook-timestamp': seconds,
      'webhook-signature': signStandardWebhook(BODY, ID, Number(seconds), secret),
    };
    expect(await verifyWebhook(BODY, headers, secret)).toEqual(EVENT);
    expect(new Webhook(`${secret}=`).verify(BODY, headers)).toEqual(EVENT);
    expect(() => new Webhook(`${secret}=`).verify(`${BODY} `, headers)).toThrow(
      'No matching signature found',
    );
  });
});
