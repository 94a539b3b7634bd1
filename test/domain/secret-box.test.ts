import { createCipheriv, randomBytes } from 'node:crypto';
import { createSecretBox } from '../../domain/kernel/secret-box.ts';

const [oldKey, newKey, strange] = [randomBytes(32), randomBytes(32), randomBytes(32)];

/** As secrets were sealed before keys had names. */
function sealedWithoutName(key: Buffer, secret: string, owner: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
}

test('old and new key side by side open what either sealed, and seal with the newest', () => {
  const [old, both, rotated] = [
    createSecretBox(oldKey),
    createSecretBox(newKey, oldKey),
    createSecretBox(newKey),
  ];
  const before = old.seal('whsec_a', 'endpoint');
  const after = both.seal('whsec_b', 'endpoint');
  expect([before, after].map((sealed) => both.open(sealed, 'endpoint'))).toEqual(['whsec_a', 'whsec_b']);
  expect([before, after].map((sealed) => both.isNewest(sealed))).toEqual([false, true]);
  expect(rotated.open(after, 'endpoint')).toBe('whsec_b');
  expect(() => rotated.open(before, 'endpoint')).toThrow();
  // A process that still seals with the old key reads what the others seal, once it knows the new one.
  expect(createSecretBox(oldKey, newKey).open(after, 'endpoint')).toBe('whsec_b');
});

test('what was sealed before keys had names opens with any of the keys, and counts as old', () => {
  const sealed = sealedWithoutName(oldKey, 'whsec_a', 'endpoint');
  for (const keys of [[oldKey], [newKey, oldKey], [oldKey, newKey], [newKey, oldKey, strange]] as const) {
    const box = createSecretBox(...(keys as unknown as [Buffer]));
    expect(box.open(sealed, 'endpoint')).toBe('whsec_a');
    expect(box.isNewest(sealed)).toBe(false);
  }
  expect(() => createSecretBox(newKey, strange).open(sealed, 'endpoint')).toThrow();
});

test('a secret of one owner does not open for another, and a changed byte does not open at all', () => {
  const box = createSecretBox(newKey, oldKey);
  const sealed = box.seal('whsec_a', 'endpoint');
  expect(() => box.open(sealed, 'another')).toThrow();
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed);
    changed[index] = (changed[index] as number) ^ 1;
    expect(() => box.open(changed, 'endpoint')).toThrow();
  }
  expect(() => box.open(Buffer.alloc(0), 'endpoint')).toThrow();
});

test('what is looked up by a fingerprint is found under each key', () => {
  const [old, both] = [createSecretBox(oldKey), createSecretBox(newKey, oldKey)];
  const stored = old.fingerprint('ABCD-EFGH', 'code');
  expect(both.fingerprints('ABCD-EFGH', 'code').some((mac) => mac.equals(stored))).toBe(true);
  expect(both.fingerprint('ABCD-EFGH', 'code')).toEqual(both.fingerprints('ABCD-EFGH', 'code')[0]);
  expect(both.fingerprint('ABCD-EFGH', 'code')).not.toEqual(stored);
  expect(both.fingerprint('ABCD-EFGH', 'other')).not.toEqual(both.fingerprint('ABCD-EFGH', 'code'));
});
