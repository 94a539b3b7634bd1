import { createHash } from 'node:crypto';
import { displayPrefix, generateSecret, hashSecret, keyPrefixes } from '../../../domain/access/key-secret.ts';
import type { KeyKind } from '../../../domain/access/key-secret.ts';
import { isWellFormedSecret } from '../../../packages/base/key-form.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** CRC-32 (IEEE) bit by bit, and zero-padded base62: implemented here again from the contract. */
function checksum(text: string): string {
  let crc = 0xffffffffn;
  for (const byte of Buffer.from(text)) {
    crc ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1n ? (crc >> 1n) ^ 0xedb88320n : crc >> 1n;
  }
  let rest = crc ^ 0xffffffffn;
  let text62 = '';
  for (; rest > 0n; rest /= 62n) text62 = digits[Number(rest % 62n)] + text62;
  return text62.padStart(6, '0');
}

const kinds: [KeyKind, string][] = [
  ['secret', 'svc_sk_'],
  ['publishable', 'svc_pub_'],
];

describe.each(kinds)('a %s key’s secret', (kind, prefix) => {
  const samples = Array.from({ length: 500 }, () => generateSecret(kind));

  test('is the prefix, 32 random base62 characters and 6 of checksum', () => {
    expect(keyPrefixes[kind]).toBe(prefix);
    for (const secret of samples) expect(secret).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{38}$`));
  });

  test('has the CRC-32 of what precedes as its checksum, zero-padded', () => {
    for (const secret of samples) expect(secret.slice(-6)).toBe(checksum(secret.slice(0, -6)));
  });

  test('is well-formed and unique', () => {
    expect(samples.every(isWellFormedSecret)).toBe(true);
    expect(new Set(samples).size).toBe(samples.length);
  });

  test('uses every digit', () => {
    const seen = new Set(samples.map((secret) => secret.slice(prefix.length, -6)).join(''));
    expect([...seen].sort().join('')).toBe([...digits].sort().join(''));
  });

  test('only shows its prefix and 6 characters', () => {
    const [secret = ''] = samples;
    expect(displayPrefix(secret)).toBe(secret.slice(0, prefix.length + 6));
  });
});

test('a checksum that begins with zeros keeps them', () => {
  const body = Array.from(
    { length: 200_000 },
    (_, index) => `svc_sk_${String(index).padStart(32, '0')}`,
  ).find((text) => checksum(text).startsWith('00'));
  expect(body).toBeDefined();
  expect(isWellFormedSecret(body + checksum(body!))).toBe(true);
});

test('changing any one character makes it malformed', () => {
  const secret = generateSecret('secret');
  for (let index = 0; index < secret.length; index += 1) {
    for (const other of ['0', 'A', 'z', '_', 'é'].filter((digit) => digit !== secret[index]))
      expect(isWellFormedSecret(secret.slice(0, index) + other + secret.slice(index + 1))).toBe(false);
  }
});

test.each([
  ['nothing', () => ''],
  ['a prefix alone', () => 'svc_sk_'],
  [
    'another prefix with a right checksum',
    () => `svc_xx_${'0'.repeat(32)}${checksum(`svc_xx_${'0'.repeat(32)}`)}`,
  ],
  ['31 characters', () => `svc_sk_${'0'.repeat(31)}${checksum(`svc_sk_${'0'.repeat(31)}`)}`],
  ['33 characters', () => `svc_sk_${'0'.repeat(33)}${checksum(`svc_sk_${'0'.repeat(33)}`)}`],
  ['a line break after it', () => `${generateSecret('secret')}\n`],
  ['a space before it', () => ` ${generateSecret('secret')}`],
])('%s is malformed', (_name, make) => {
  expect(isWellFormedSecret(make())).toBe(false);
});

test('only the SHA-256 of the whole secret is stored', () => {
  const secret = generateSecret('secret');
  expect(hashSecret(secret)).toEqual(createHash('sha256').update(secret).digest());
});
