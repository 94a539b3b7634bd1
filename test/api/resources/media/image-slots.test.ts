import type { Context } from 'koa';
import { createImageSlots } from '../../../../api/resources/media/image-slots.ts';
import { STREAMING_SOCKETS } from '../../../../adapters/storage/bucket.ts';

const SHARE = 32;

const of = (address: string): Context => ({ req: address }) as unknown as Context;
const here = new AbortController().signal;
const createSlots = () => createImageSlots((request) => request as unknown as string);

test('a client of which too many images wait for its share is 429 with Retry-After, also from another address of its IPv6 network', async () => {
  const take = createSlots();
  const over = new AbortController();
  for (let index = 0; index < SHARE; index += 1) await take(of(`2001:db8::${index}`), here);
  const waiting = Array.from({ length: 256 }, () => take(of('2001:db8::1'), over.signal));
  await expect(take(of('2001:db8::ffff'), here)).rejects.toMatchObject({
    code: 'RATE_LIMIT_EXCEEDED',
    status: 429,
    headers: { 'Retry-After': expect.stringMatching(/^[1-9]/) },
  });
  await take(of('2001:db8:0:1::1'), here);
  over.abort(new Error('gone'));
  for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe('rejected');
});

test('an image that waits in vain for those before it is 503: how long they take is not its client’s doing alone', async () => {
  const take = createSlots();
  for (let index = 0; index < SHARE; index += 1) await take(of('192.0.2.1'), here);
  await expect(take(of('192.0.2.1'), here)).rejects.toMatchObject({
    code: 'MAINTENANCE',
    headers: { 'Retry-After': expect.stringMatching(/^[1-9]/) },
  });
});

test('if every connection to storage is in use, an image is 503 with Retry-After', async () => {
  const take = createSlots();
  for (let index = 0; index < STREAMING_SOCKETS; index += 1) await take(of(`192.0.2.${index % 16}`), here);
  await expect(take(of('198.51.100.1'), here)).rejects.toMatchObject({
    code: 'MAINTENANCE',
    status: 503,
    headers: { 'Retry-After': expect.stringMatching(/^[1-9]/) },
  });
});
