import { execFileSync } from 'node:child_process';
import { signWebhook, verifyWebhook } from '../../net/webhook-signature.ts';

const SECRET = 'whsec_0123456789abcdefghijABCDEFGHIJ0123456789_-a';
const BODY = Buffer.from('{"id":"0190","title":"Übergröße"}');
const SENT = 1_780_000_000;
const at = (seconds: number) => ({ now: new Date(seconds * 1_000) });
const signed = (overrides: Record<string, string | undefined> = {}) => ({
  'service-signature': signWebhook(BODY, SENT, SECRET),
  'service-timestamp': String(SENT),
  ...overrides,
});

test('the signature is what openssl computes over timestamp, dot and body', () => {
  const input = Buffer.concat([Buffer.from(`${SENT}.`), BODY]);
  const printed = execFileSync('openssl', ['dgst', '-sha256', '-hmac', SECRET, '-r'], { input }).toString();
  expect(signWebhook(BODY, SENT, SECRET)).toBe(`v1=${printed.slice(0, 64)}`);
});

test('a delivery verifies with headers as a record, as Headers, and in any case', () => {
  const headers = signed();
  const shouted = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  for (const form of [headers, shouted, new Headers(headers)]) {
    expect(verifyWebhook(BODY, form, SECRET, at(SENT))).toEqual({ ok: true });
    expect(verifyWebhook(BODY.toString(), form, SECRET, at(SENT))).toEqual({ ok: true });
  }
});

test('the timestamp may be 300 seconds off, in either direction, and no more', () => {
  for (const off of [-300, 300])
    expect(verifyWebhook(BODY, signed(), SECRET, at(SENT + off))).toEqual({ ok: true });
  for (const off of [-301, 301]) {
    const verdict = verifyWebhook(BODY, signed(), SECRET, at(SENT + off));
    expect(verdict).toEqual({ ok: false, reason: 'timestamp_out_of_tolerance' });
  }
  expect(verifyWebhook(BODY, signed(), SECRET, { ...at(SENT + 11), toleranceSeconds: 10 }).ok).toBe(false);
});

test('the present is the default', () => {
  const now = Math.floor(Date.now() / 1_000);
  const headers = { 'service-signature': signWebhook(BODY, now, SECRET), 'service-timestamp': String(now) };
  expect(verifyWebhook(BODY, headers, SECRET)).toEqual({ ok: true });
});

test('a changed body, timestamp or secret does not verify', () => {
  const mismatch = { ok: false, reason: 'signature_mismatch' };
  expect(verifyWebhook(`${BODY.toString()} `, signed(), SECRET, at(SENT))).toEqual(mismatch);
  expect(verifyWebhook(BODY, signed({ 'service-timestamp': String(SENT + 1) }), SECRET, at(SENT))).toEqual(
    mismatch,
  );
  expect(verifyWebhook(BODY, signed(), `${SECRET}x`, at(SENT))).toEqual(mismatch);
});

test.each([
  [{ 'service-signature': undefined }, 'missing_signature'],
  [{ 'service-signature': 'v1=' }, 'malformed_signature'],
  [{ 'service-signature': `v2=${'0'.repeat(64)}` }, 'malformed_signature'],
  [{ 'service-signature': `v1=${'g'.repeat(64)}` }, 'malformed_signature'],
  [{ 'service-signature': `v1=${'0'.repeat(65)}` }, 'malformed_signature'],
  [{ 'service-timestamp': undefined }, 'missing_timestamp'],
  [{ 'service-timestamp': '' }, 'malformed_timestamp'],
  [{ 'service-timestamp': 'NaN' }, 'malformed_timestamp'],
  [{ 'service-timestamp': '-1' }, 'malformed_timestamp'],
  [{ 'service-timestamp': `${SENT}.0` }, 'malformed_timestamp'],
])('headers %j are refused as %s', (overrides, reason) => {
  expect(verifyWebhook(BODY, signed(overrides), SECRET, at(SENT))).toEqual({ ok: false, reason });
});

test('a header that came twice is refused', () => {
  const { 'service-signature': signature } = signed();
  const verdict = verifyWebhook(
    BODY,
    { ...signed(), 'service-signature': [signature!, signature!] },
    SECRET,
    at(SENT),
  );
  expect(verdict).toEqual({ ok: false, reason: 'malformed_signature' });
});
