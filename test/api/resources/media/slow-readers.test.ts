import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createClientAddress } from '../../../../api/http/client-address.ts';
import { parseNetworks } from '../../../../runtime/networks.ts';
import { startOnSharedDatabase } from '../../../support/api.ts';
import type { Answer, TestApi } from '../../../support/api.ts';
import { buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { environment } from '../../../support/environment.ts';
import { eventually } from '../../../support/eventually.ts';
import { noise } from '../../../support/images.ts';
import { createTestObjects } from '../../../support/objects.ts';
import { registerUpload, uploadBytes } from '../../../support/uploads.ts';

const READERS = 200;
const OTHERS = 40;
/** Pixels of three bytes. */
const LARGE_BYTES = 1_800 * 1_800 * 3;

let relay: Server;
/** Connections of the API to storage. */
const toStorage = new Set<Socket>();
const readers: Socket[] = [];
let api: TestApi;
let tenant: Tenant;
/** Larger than the kernel buffers for a client that does not read. */
let large: string;
let small: string;

beforeAll(async () => {
  const target = new URL(environment('S3_ENDPOINT'));
  relay = createServer((socket) => {
    const onward = connect(Number(target.port), target.hostname);
    socket.pipe(onward).pipe(socket);
    toStorage.add(socket);
    socket.on('error', () => {}).on('close', () => (toStorage.delete(socket), onward.destroy()));
    onward.on('error', () => {}).on('close', () => socket.destroy());
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
  api = await startOnSharedDatabase({
    objects: createTestObjects(endpoint),
    clientAddress: createClientAddress(parseNetworks('127.0.0.1')),
  });
  tenant = await buildTenant(api.db);
  large = await publicPath(await noise(1_800, 1_800).png({ compressionLevel: 0 }).toBuffer());
  small = await publicPath(await noise(200, 100).png().toBuffer());
});
afterAll(async () => {
  for (const reader of readers) reader.destroy();
  await api.close();
  for (const socket of toStorage) socket.destroy();
  relay.close();
});

/** Repeats the registration, which allows storage 4 s: a busy machine may need longer for the large image. */
async function publicPath(bytes: Buffer): Promise<string> {
  const id = await uploadBytes(api, tenant.secretKey, bytes);
  let registered: Answer | undefined;
  await eventually('the image is registered', async () => {
    registered = await registerUpload(api, tenant.secretKey, id);
    return registered.status === 201;
  });
  return new URL(registered?.data.url).pathname.replace(/^.*?\/public\//, '/public/');
}

const image = (path: string, client: string): Promise<Answer> =>
  api.request('GET', api.origin + path, { headers: { 'x-forwarded-for': client } });

/** Requests an image, and reads a byte of it per second. */
function readSlowly(path: string, client: string): Promise<void> {
  const { hostname, port } = new URL(api.origin);
  const socket = connect(Number(port), hostname);
  readers.push(socket);
  socket.on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${client}\r\n\r\n`);
  const timer = setInterval(() => socket.read(1), 1_000);
  socket.on('close', () => clearInterval(timer));
  return new Promise((resolve) => socket.once('readable', resolve).once('close', resolve));
}

/** Time-outs: 4 s for storage, and 5 s for a slot. */
const statusOf = async (work: Promise<Answer>): Promise<number> => (await work).status;

test('200 clients that read a byte a second delay no one, and are disconnected, together with their connections to storage', async () => {
  const upload = await uploadBytes(api, tenant.secretKey, await noise(60, 40).jpeg().toBuffer());
  // Most of them are one client, which is limited to its share; together they exceed the SDK's default of 50
  // connections.
  for (let index = 0; index < READERS - OTHERS; index += 1) void readSlowly(large, '192.0.2.1');
  await Promise.all(Array.from({ length: OTHERS }, (_, index) => readSlowly(large, `198.51.100.${index}`)));
  expect(await statusOf(image(small, '203.0.113.1'))).toBe(200);
  expect(await statusOf(registerUpload(api, tenant.secretKey, upload))).toBe(201);
  expect(await statusOf(api.request('GET', `${api.origin}/readyz`))).toBe(200);
  expect(await statusOf(image(large, '203.0.113.2'))).toBe(200);

  // The remaining connections are idle ones.
  await eventually('storage connections are released', () => toStorage.size < 20);
  // Only a client that keeps reading notices the reset.
  const cut = readers.slice(-OTHERS);
  for (const reader of cut) reader.resume();
  await eventually('the readers are cut', () => cut.every(({ closed }) => closed));
  // For some, the kernel has buffered the whole image, which then occupies nothing.
  expect(cut.filter(({ bytesRead }) => bytesRead < LARGE_BYTES).length).toBeGreaterThan(0);
  expect(await statusOf(image(small, '192.0.2.1'))).toBe(200);
}, 240_000);

test('the request to storage ends when the client disconnects, and its slot is released', async () => {
  const before = toStorage.size;
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(Array.from({ length: 32 }, () => readSlowly(large, '192.0.2.9')));
    for (const reader of readers) reader.destroy();
    await eventually('storage connections are released', () => toStorage.size <= before + 2);
  }
  expect(await statusOf(image(small, '192.0.2.9'))).toBe(200);
}, 240_000);

test('images pipelined on one connection all arrive, and end with it', async () => {
  const { hostname, port } = new URL(api.origin);
  const socket = connect(Number(port), hostname);
  const one = `GET ${small} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.10\r\n\r\n`;
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.write(one.repeat(20));
  await eventually('all have come', () => received.split('HTTP/1.1 200').length === 21);
  socket.destroy();
  // Those queued after an unread one are released with it.
  const slow = `GET ${large} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.10\r\n\r\n`;
  for (let round = 0; round < 4; round += 1) {
    const reader = connect(Number(port), hostname);
    readers.push(reader);
    reader.write(slow.repeat(20));
    await new Promise((resolve) => reader.once('readable', resolve).once('close', resolve));
    reader.destroy();
  }
  await eventually('its share is free', async () => (await image(small, '192.0.2.10')).status === 200);
}, 240_000);
