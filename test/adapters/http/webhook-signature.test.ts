import { execFileSync } from 'node:child_process';
import { Webhook } from 'standardwebhooks';
import { signStandardWebhook, signWebhook } from '../../../adapters/http/webhook-signature.ts';

const SECRET = 'whsec_0123456789abcdefghijABCDEFGHIJ0123456789_-a';
const BODY = Buffer.from('{"id":"0190","title":"Übergröße"}');
const SENT = 1_780_000_000;

test('the signature is what openssl computes over timestamp, dot and body', () => {
  const input = Buffer.concat([Buffer.from(`${SENT}.`), BODY]);
  const printed = execFileSync('openssl', ['dgst', '-sha256', '-hmac', SECRET, '-r'], { input }).toString();
  expect(signWebhook(BODY, SENT, SECRET)).toBe(`v1=${printed.slice(0, 64)}`);
});

test('the signature of Standard Webhooks is the one that its library computes, also with a secret of base64url', () => {
  const id = '01a1fcb8-8bf0-7159-90b0-b85968dda91e';
  for (const secret of [`whsec_${'a'.repeat(42)}A`, `whsec_${'-_'.repeat(21)}A`]) {
    const base64 = secret.slice('whsec_'.length).replaceAll('-', '+').replaceAll('_', '/');
    const theirs = new Webhook(`${base64}=`).sign(id, new Date(SENT * 1_000), BODY.toString());
    expect(signStandardWebhook(BODY, id, SENT, secret)).toBe(theirs);
  }
});
