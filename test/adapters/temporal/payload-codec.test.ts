import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter } from '@temporalio/common';
import type { Payload } from '@temporalio/common';
import { createPayloadCodec, fromJson, toJson } from '../../../adapters/temporal/payload-codec.ts';

const keys = [randomBytes(32), randomBytes(32), randomBytes(32)] as const;
const payload = (value: unknown): Payload => defaultPayloadConverter.toPayload(value) as Payload;
const valueOf = (read: Payload | undefined): unknown => defaultPayloadConverter.fromPayload(read as Payload);
const textOf = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString('latin1');

test('an encrypted payload shows nothing of its content, and is read again', async () => {
  const codec = createPayloadCodec([keys[0]]);
  const value = { articleId: 'an-id-to-look-for', nested: [1, 'two'] };
  const [sealed] = await codec.encode([payload(value)]);
  expect(textOf(sealed?.metadata?.['encoding'])).toBe('binary/encrypted');
  expect(JSON.stringify(toJson(sealed!)) + textOf(sealed?.data)).not.toContain('an-id-to-look-for');
  expect(valueOf((await codec.decode([sealed!]))[0])).toEqual(value);
});

test('equal payloads look different', async () => {
  const sealed = await createPayloadCodec([keys[0]]).encode([payload('same'), payload('same')]);
  expect(textOf(sealed[0]?.data)).not.toBe(textOf(sealed[1]?.data));
});

test('every known key reads, and the newest writes', async () => {
  const before = await createPayloadCodec([keys[0]]).encode([payload('old')]);
  const both = createPayloadCodec([keys[1], keys[0]]);
  expect(valueOf((await both.decode(before))[0])).toBe('old');
  const after = await both.encode([payload('new')]);
  expect(valueOf((await createPayloadCodec([keys[1]]).decode(after))[0])).toBe('new');
});

test('a payload under a key that is not known is an error that names the setting, and no key', async () => {
  const sealed = await createPayloadCodec([keys[0]]).encode([payload('x')]);
  const decoding = createPayloadCodec([keys[2]]).decode(sealed);
  await expect(decoding).rejects.toThrow(/^TEMPORAL_ENCRYPTION_KEY: has no key with the id [0-9a-f]{16}$/);
});

test('a payload that is not encrypted is passed on, also one without content', async () => {
  const codec = createPayloadCodec([keys[0]]);
  const plain = [payload('plain'), payload(undefined), {}];
  expect(await codec.decode(plain)).toEqual(plain);
});

test('a payload without content is encrypted and read again', async () => {
  const codec = createPayloadCodec([keys[0]]);
  const sealed = await codec.encode([payload(undefined)]);
  expect(valueOf((await codec.decode(sealed))[0])).toBeUndefined();
});

test('what is encrypted is not encrypted twice', async () => {
  const codec = createPayloadCodec([keys[0]]);
  const once = await codec.encode([payload('x')]);
  expect(await codec.encode(once)).toEqual(once);
});

test('a changed or shortened payload is not decrypted, and does not stop the others', async () => {
  const codec = createPayloadCodec([keys[0]]);
  const [sealed, good] = await codec.encode([payload('x'), payload('good')]);
  const data = Buffer.from(sealed?.data ?? []);
  const changed = Buffer.from(data);
  changed[20]! ^= 1;
  // A shorter tag would be easier to guess.
  for (const wrong of [changed, data.subarray(0, 20), data.subarray(0, 14), Buffer.alloc(0)]) {
    const broken = { ...sealed, data: wrong };
    const [unread, read] = await codec.decode([broken, good!]);
    expect(unread).toEqual(broken);
    expect(valueOf(read)).toBe('good');
  }
});

test('the form of codec servers keeps every byte', () => {
  const bytes = { metadata: { encoding: Buffer.from('binary/plain') }, data: randomBytes(300) };
  expect(fromJson(toJson(bytes))).toEqual(bytes);
});
