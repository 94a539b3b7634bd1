import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { readBytes } from '../../api/http/body.ts';
import { ByteBudget } from '../../api/http/byte-budget.ts';

const KIB = 1_024;
const LARGE = 100 * KIB;

const budget = (waitMs = 60_000) => new ByteBudget({ total: 400 * KIB, perClient: 1 / 2, waitMs });

/** Whether a promise is settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  await new Promise(setImmediate);
  return Promise.race([promise.then(() => true), Promise.resolve(false)]);
}

test('large shares leave room for small ones, and the next large one waits until one is released', async () => {
  const room = budget();
  const [first] = await Promise.all(['a', 'b', 'c'].map((client) => room.take(client, LARGE)));
  const fourth = room.take('d', LARGE);
  expect(await isSettled(fourth)).toBe(false);
  (await room.take('e', 10 * KIB))();
  first?.();
  (await fourth)();
  expect(room.held).toBe(2 * LARGE);
});

test('a client that has used up its share only delays itself', async () => {
  const room = budget();
  const [first] = [await room.take('a', LARGE), await room.take('a', LARGE)];
  const third = room.take('a', LARGE);
  expect(await isSettled(third)).toBe(false);
  await room.take('b', LARGE);
  first();
  await third;
});

test('waiting requests are admitted in order', async () => {
  const room = budget();
  const held = await Promise.all(['a', 'b', 'c'].map((client) => room.take(client, LARGE)));
  const order: string[] = [];
  const waiting = ['d', 'e', 'f'].map(async (client) => {
    await room.take(client, LARGE);
    order.push(client);
  });
  for (const release of held) release();
  await Promise.all(waiting);
  expect(order).toEqual(['d', 'e', 'f']);
});

/** Requests that wait until `leave` is called. @returns how many are refused by now */
function crowd(room: ByteBudget) {
  const leaving = new AbortController();
  const refused: unknown[] = [];
  const stay = (client: string, count: number): void => {
    for (let each = 0; each < count; each += 1)
      room.take(client, LARGE, leaving.signal).catch((error: unknown) => refused.push(error));
  };
  const refusals = async (): Promise<unknown[]> => {
    await new Promise(setImmediate);
    return refused;
  };
  return { stay, refusals, leave: () => leaving.abort(new Error('gone')) };
}

test('a client that fills its places in the queue is refused more, and nobody else is', async () => {
  const room = budget();
  const releases = [await room.take('a', LARGE), await room.take('a', LARGE)];
  const { stay, refusals, leave } = crowd(room);
  stay('a', 1_500);
  expect(await refusals()).toHaveLength(1_000);
  expect((await refusals())[0]).toMatchObject({ code: 'MAINTENANCE', status: 503 });
  // With room it is served at once, and without it waits.
  const ofB = await room.take('b', LARGE);
  const ofC = room.take('c', LARGE);
  expect(await isSettled(ofC)).toBe(false);
  ofB();
  (await ofC)();
  leave();
  for (const release of releases) release();
  expect(room.held).toBe(0);
});

test('when no more requests may wait, those that have room are served', async () => {
  const room = budget();
  const releases = await Promise.all(['a', 'b', 'c'].map((client) => room.take(client, LARGE)));
  const { stay, refusals, leave } = crowd(room);
  for (const client of ['e', 'f', 'g', 'h']) stay(client, 500);
  expect(await refusals()).toHaveLength(0);
  await expect(room.take('d', LARGE)).rejects.toMatchObject({ code: 'MAINTENANCE', status: 503 });
  (await room.take('d', 10 * KIB))();
  leave();
  for (const release of releases) release();
  expect(room.held).toBe(0);
});

test('room that comes free goes to the client that holds the least, although another has waited longer', async () => {
  const room = budget();
  const [ofA, , ofC] = await Promise.all(['a', 'b', 'c'].map((client) => room.take(client, LARGE)));
  const more = room.take('a', LARGE);
  const ofD = room.take('d', LARGE);
  ofC?.();
  await ofD;
  expect(await isSettled(more)).toBe(false);
  ofA?.();
  await more;
});

test('a share is released once, even if release is called twice', async () => {
  const room = budget();
  const release = await room.take('a', LARGE);
  await room.take('b', LARGE);
  release();
  release();
  expect(room.held).toBe(LARGE);
});

test('if nothing is held, one share of any size is granted', async () => {
  const release = await budget().take('a', 1_000 * KIB);
  release();
});

test('a request that waits too long is 503 with Retry-After, and leaves the queue', async () => {
  const room = budget(20);
  const release = await room.take('a', 400 * KIB);
  await expect(room.take('b', LARGE)).rejects.toMatchObject({
    code: 'MAINTENANCE',
    status: 503,
    headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
  });
  release();
  expect(room.held).toBe(0);
});

test('a client that disconnects while it waits makes room for the next', async () => {
  const room = budget();
  await room.take('a', 250 * KIB);
  const leaving = new AbortController();
  const gone = room.take('b', LARGE, leaving.signal);
  const next = room.take('c', 50 * KIB);
  expect(await isSettled(next)).toBe(false);
  leaving.abort(new Error('gone'));
  await expect(gone).rejects.toThrow('gone');
  await next;
});

test('a body whose client has disconnected is refused at once', async () => {
  const read = Promise.withResolvers<void>();
  const server = createServer((request) => {
    request.on('error', () => {});
    request.once('close', () => {
      readBytes(request, 'a client').then(() => read.resolve(), read.reject);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345', () => socket.destroy());
  await expect(read.promise).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  server.close();
});
