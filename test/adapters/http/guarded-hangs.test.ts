import { setTimeout as sleep } from 'node:timers/promises';
import { dnsLookup } from '../../../adapters/http/resolve.ts';
import type { Lookup } from '../../../adapters/http/resolve.ts';
import { eventually } from '../../support/eventually.ts';
import { closeClients, postingTo } from './clients.ts';
import { closeNameServers, nameServer } from './name-server.ts';
import type { NameAnswer } from './name-server.ts';
import { closeReceivers, httpReceiver, rawReceiver } from '../../support/receivers.ts';
import type { Receiver } from '../../support/receivers.ts';

afterEach(async () => {
  await closeClients();
  await closeReceivers();
  closeNameServers();
});

/** A look-up by a DNS server of the test. @param answer its reply to a question, or nothing */
async function lookupBy(answer: NameAnswer) {
  const server = await nameServer(answer);
  return { lookup: dnsLookup([server.address]), asked: server.asked };
}

/** The head of a reply that announces one record, and the question, without the record. */
function cutShort(question: Buffer): Buffer {
  const reply = Buffer.from(question);
  reply.writeUInt16BE(0x8180, 2);
  reply.writeUInt16BE(1, 6);
  return reply.subarray(0, 20);
}

test.each([
  ['never answers', () => undefined, /^timeout$/],
  ['answers with the beginning of an answer', cutShort, /^(?:timeout|dns)$/],
])(
  'a name whose DNS server %s is a failure within the request’s time, without a connection',
  async (_, answer, error) => {
    const { lookup, asked } = await lookupBy(answer);
    const post = postingTo([], { lookup });
    const result = await post('https://hooks.example/', { timeoutMs: 400 });
    expect(result).toMatchObject({ outcome: 'failure', error: expect.stringMatching(error) });
    expect(asked.length).toBeGreaterThan(0);
  },
);

test('the look-up of a redirect’s target has only the remaining time', async () => {
  const { lookup } = await lookupBy(() => undefined);
  const first = await httpReceiver((_, response) => {
    setTimeout(() => response.writeHead(307, { location: 'https://hangs.example/' }).end(), 300);
  });
  const post = postingTo([first], { lookup });
  // With a new time-out it would always take 300 for the redirect and 600 more. A busy machine may sometimes.
  await eventually('it is given up before that', async () => {
    const result = await post(first.url, { timeoutMs: 600 });
    expect(result).toMatchObject({ outcome: 'failure', error: 'timeout' });
    expect(result.durationMs).toBeGreaterThanOrEqual(590);
    return result.durationMs < 890;
  });
});

test('a hanging name delays no other request', async () => {
  const { lookup: hanging } = await lookupBy(() => undefined);
  const live = await httpReceiver((_, response) => response.end());
  const lookup: Lookup = (name, signal) =>
    name === 'hangs.example' ? hanging(name, signal) : Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  const post = postingTo([live, `live.example:${live.port}`], { lookup });
  const hung = Promise.all(
    Array.from({ length: 100 }, () => post('https://hangs.example/', { timeoutMs: 2_000 })),
  );
  for (let count = 0; count < 20; count += 1)
    expect(await post(`http://live.example:${live.port}/`)).toMatchObject({ status: 200 });
  expect((await hung).every((result) => result.outcome === 'failure' && result.error === 'timeout')).toBe(
    true,
  );
});

test('a thousand exchanges that hang in different ways leave no socket open', async () => {
  const trickling = (bytes: string) =>
    rawReceiver(async (socket) => {
      for (const byte of bytes.repeat(50)) {
        if (socket.destroyed) return;
        socket.write(byte, 'latin1');
        await sleep(20);
      }
    });
  const silent = await rawReceiver(() => {});
  const head = await trickling('HTTP/1.1 200 OK\r\nx-long: aaaaaaaa');
  // The head of a TLS record of 16 KB, then one byte of it at a time.
  const handshake = await trickling('\x16\x03\x03\x40\x00\x02\x00\x3f\xfc\x03\x03');
  const body = await rawReceiver((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n.');
  });
  const receivers: Receiver[] = [silent, head, handshake, body];
  const urls = [silent.url, head.url, handshake.url.replace('http:', 'https:'), body.url];
  const post = postingTo(receivers);
  for (let round = 0; round < 10; round += 1) {
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, number) => post(urls[number % 4]!, { timeoutMs: 200, readBody: true })),
    );
    expect(
      new Set(results.map((result) => (result.outcome === 'failure' ? result.error : result.status))),
    ).toEqual(new Set(['timeout']));
  }
  for (const receiver of receivers) {
    expect(receiver.connections).toBeGreaterThan(0);
    await receiver.allClosed();
  }
});
