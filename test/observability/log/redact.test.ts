import { createRedactor } from '../../../observability/log/redact.ts';
import { measureWork } from '../../support/work.ts';

const OWN = 'p4ssw0rd/of+the"database=';
const redact = createRedactor([OWN, 'presswork']);

test.each([
  ['a key', 'no key svc_sk_0123456789abcdef here', 'no key [secret] here'],
  ['a publishable key in a path', '"/v1/svc_pub_0123456789abcdef/x"', '"/v1/[secret]/x"'],
  ['a signing secret', 'whsec_abc-DEF_123', '[secret]'],
  ["a key of a model's provider", 'provided: sk-proj-0123456789abcdef.', 'provided: [secret].'],
  ['a token', 'Authorization: Bearer abc.def-ghi', 'Authorization: Bearer [secret]'],
  ['credentials in a URL', 'https://jane:pw%40@example.com/x', 'https://[secret]@example.com/x'],
  ['the signature of a signed URL', 'X-Amz-Signature=abc123&x=1', 'X-Amz-Signature=[secret]&x=1'],
  ['a secret of the process', JSON.stringify({ reason: `no ${OWN}` }), '{"reason":"no [secret]"}'],
  ['an e-mail address', 'Key (email)=(jane.doe+x@example.com)', 'Key (email)=([e-mail])'],
  ['one in a path', '/v1/articles/%22jane%40example.com', '/v1/articles/[e-mail]'],
  ['one that was encoded twice', '/v1/jane%2540example.com', '/v1/[e-mail]'],
  ['one in letters of other countries', 'an jürgen@müller.example geschickt', 'an [e-mail] geschickt'],
  ['an IPv4 address', 'connect ECONNREFUSED 10.0.0.5:5432', 'connect ECONNREFUSED [address]:5432'],
  ['an IPv6 address', '[2001:db8::17]:443', '[[address]]:443'],
  ['a whole one', '2001:0db8:0:0:0:0:0:1', '[address]'],
  ['one in a path', '/v1/2001%3Adb8%3A%3A17', '/v1/[address]'],
  ['an IPv4 address over IPv6', '::ffff:203.0.113.7', '[address]'],
])('%s is taken out', (_, text, expected) => {
  expect(redact(text)).toBe(expected);
});

test.each([
  'presswork-api listens on 127.0.0.1:3000, 0.0.0.0 and ::1',
  'at file:///app/node_modules/@temporalio/worker/lib/worker.js:10:5',
  '{"time":1795257600000,"ms":12.3,"path":"/v1/articles/01990000-0000-7000-8000-000000000003/schedule"}',
  'version v24.21.0 at 2026-11-21T10:01:22.123Z, 10:01:22',
  'section 1.2.3.4.5 of 1.2.3',
])('%s stays', (text) => {
  expect(redact(text)).toBe(text);
});

test('a text crafted to be slow is not slow', () => {
  const pieces = ['a', 'a@', '%40', '://', '1.', ':', 'f:', '%3a', 'Bearer ', 'svc_sk_', 'X-Amz-Signature='];
  for (const piece of pieces) {
    const work = measureWork();
    redact(piece.repeat(16_384));
    expect(work()).toBeLessThan(2_000);
  }
});
