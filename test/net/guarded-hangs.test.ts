import { createSocket } from 'node:dgram';
import type { Socket as DatagramSocket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lookup } from '../../net/resolve.ts';
import { closeClients, postingTo } from './clients.ts';
import { closeReceivers, httpReceiver, rawReceiver } from './receivers.ts';
import type { Receiver } from './receivers.ts';

const servers: DatagramSocket[] = [];

afterEach(async () => {
  await closeClients();
  await closeReceivers();
  for (const server of servers.splice(0)) server.close();
});

/** A DNS server over UDP, and a look-up that asks it. @param answer what it sends to a question, or nothing */
async function nameServer(answer: (question: Buffer) => Buffer | undefined) {
  const server = createSocket('udp4');
  const asked = { count: 0 };
  server.on('message', (question, from) => {
    asked.count += 1;
    const reply = answer(question);
    if (reply) server.send(reply, from.port, from.address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  servers.push(server);
  const resolver = new dns.Resolver({ timeout: 60_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${(server.address() as AddressInfo).port}`]);
  const lookup: Lookup = async (name) => {
    const addresses = await resolver.resolve4(name).catch((error: Error) => {
      // As the system's own look-up says it.
      throw Object.assign(error, { code: 'EAI_FAIL' });
    });
    return addresses.map((address) => ({ address, family: 4 }));
  };
  return { lookup, asked };
}

/** The head of an answer that promises one record, and the question; the record itself does not follow. */
function cutShort(question: Buffer): Buffer {
  const reply = Buffer.from(question);
  reply.writeUInt16BE(0x8180, 2);
  reply.writeUInt16BE(1, 6);
  return reply.subarray(0, 20);
}

test.each([
  ['never answers', () => undefined],
  ['answers with the beginning of an answer', cutShort],
])(
  'a name whose DNS server %s is a failure within the time for all, and connects to nobody',
  async (_, answer) => {
    const { lookup, asked } = await nameServer(answer);
    const post = postingTo([], { lookup });
    const result = await post('https://hooks.example/', { timeoutMs: 400 });
    expect(result).toMatchObject({ outcome: 'failure', error: expect.stringMatching(/^(?:timeout|dns)$/) });
    expect(result.durationMs).toBeLessThan(3_000);
    expect(asked.count).toBeGreaterThan(0);
  },
);

test('the look-up of where a redirect leads has what is left of the time, and no more', async () => {
  const { lookup } = await nameServer(() => undefined);
  const first = await httpReceiver((_, response) => {
    setTimeout(() => response.writeHead(307, { location: 'https://hangs.example/' }).end(), 300);
  });
  const result = await postingTo([first], { lookup })(first.url, { timeoutMs: 600 });
  expect(result).toMatchObject({ outcome: 'failure', error: 'timeout' });
  // 300 for the redirect and 600 anew would be 900.
  expect(result.durationMs).toBeGreaterThanOrEqual(590);
  expect(result.durationMs).toBeLessThan(890);
});

test('a name that hangs holds up no other request', async () => {
  const { lookup: hanging } = await nameServer(() => undefined);
  const live = await httpReceiver((_, response) => response.end());
  const lookup: Lookup = (name) =>
    name === 'hangs.example' ? hanging(name) : Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
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

test('a thousand exchanges that hang, each in its own way, leave no socket open', async () => {
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
  // The head of a TLS record of 16 KB, and of what is in it one byte at a time.
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
