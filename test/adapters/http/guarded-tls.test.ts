import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually.ts';
import { closeClients, detour, postingTo, resolver } from './clients.ts';
import {
  closeReceivers,
  httpReceiver,
  rawReceiver,
  testAuthority,
  tlsReceiver,
} from '../../support/receivers.ts';

let authority: Awaited<ReturnType<typeof testAuthority>>;

beforeAll(async () => {
  authority = await testAuthority('DNS:hooks.example,IP:127.0.0.1');
});

afterEach(async () => {
  await closeClients();
  await closeReceivers();
});

const setUp = async (trusting = true) => {
  const receiver = await tlsReceiver(authority, (_, response) => response.end());
  const { reroute, dialled } = detour(receiver);
  const lookup = resolver(['93.184.216.34']);
  const post = postingTo([], { lookup, reroute, ...(trusting && { ca: authority.ca }) });
  return { receiver, dialled, post };
};

test('a public name: pinned to its address, certificate and host header by its name, no allowance needed', async () => {
  const { receiver, dialled, post } = await setUp();
  expect(await post('https://hooks.example/x')).toMatchObject({ outcome: 'response', status: 200 });
  expect(await post('https://hooks.example./x')).toMatchObject({ outcome: 'response', status: 200 });
  expect(dialled).toEqual(['93.184.216.34', '93.184.216.34']);
  expect(receiver.seen.map(({ headers }) => headers.host)).toEqual(['hooks.example', 'hooks.example.']);
});

test('an address in the URL must match the certificate, too', async () => {
  const named = await testAuthority('DNS:hooks.example,DNS:127.0.0.1');
  const right = await tlsReceiver(authority, (_, response) => response.end());
  const wrong = await tlsReceiver(named, (_, response) => response.end());
  const post = postingTo([right, wrong], { ca: authority.ca + named.ca });
  expect(await post(`https://127.0.0.1:${right.port}`)).toMatchObject({ outcome: 'response', status: 200 });
  expect(await post(`https://127.0.0.1:${wrong.port}`)).toMatchObject({ outcome: 'failure', error: 'tls' });
});

test('a certificate for another name is a failure, also right after a good one from the same address', async () => {
  const { receiver, post } = await setUp();
  expect(await post('https://hooks.example/')).toMatchObject({ outcome: 'response' });
  expect(await post('https://other.example/')).toMatchObject({ outcome: 'failure', error: 'tls' });
  expect(receiver.seen).toHaveLength(1);
});

test('an unknown authority is a failure, whatever the environment’s settings', async () => {
  const { receiver, post } = await setUp(false);
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  try {
    expect(await post('https://hooks.example/')).toMatchObject({ outcome: 'failure', error: 'tls' });
  } finally {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  }
  expect(receiver.seen).toEqual([]);
});

test('a connection that is being opened is closed with the client', async () => {
  const silent = await rawReceiver(() => {});
  const result = postingTo([silent])(silent.url.replace('http:', 'https:'));
  await eventually('it is being opened', () => silent.connections === 1);
  await closeClients();
  await silent.allClosed();
  expect(await result).toMatchObject({ outcome: 'failure', error: 'connection' });
});

test('connections are kept alive', async () => {
  const { receiver, post } = await setUp();
  for (const _ of [1, 2, 3]) {
    await post('https://hooks.example/', { readBody: true });
    // The connection is free a turn of the event loop later.
    await sleep(20);
  }
  expect(receiver.connections).toBe(1);
});

test('a receiver that speaks plain HTTP on a TLS port is a failure', async () => {
  const plain = await httpReceiver((_, response) => response.end());
  expect(await postingTo([plain])(plain.url.replace('http:', 'https:'))).toMatchObject({ error: 'tls' });
});

test('a handshake that never ends is a timeout', async () => {
  const silent = await rawReceiver(() => {});
  const result = await postingTo([silent])(silent.url.replace('http:', 'https:'), { timeoutMs: 150 });
  expect(result).toMatchObject({ outcome: 'failure', error: 'timeout' });
});
