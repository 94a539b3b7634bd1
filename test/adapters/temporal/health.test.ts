import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { checkTemporal } from '../../../adapters/temporal/health.ts';
import type { TemporalConnection } from '../../../adapters/temporal/connection.ts';
import { environment } from '../../support/environment.ts';
import { testAuthority } from '../../support/receivers.ts';
import { apiKeyProxy, certificateProxy } from './proxies.ts';

const target = environment('TEMPORAL_ADDRESS');
let server: Awaited<ReturnType<typeof testAuthority>>;
let client: Awaited<ReturnType<typeof testAuthority>>;
let withCertificate: Awaited<ReturnType<typeof certificateProxy>>;
let withKey: Awaited<ReturnType<typeof apiKeyProxy>>;

beforeAll(async () => {
  [server, client] = await Promise.all([testAuthority('DNS:temporal.example'), testAuthority('DNS:client')]);
  withCertificate = await certificateProxy(target, server, client.ca);
  withKey = await apiKeyProxy(target, server, 'the-right-key');
});
afterAll(async () => {
  await withCertificate.close();
  await withKey.close();
});

const connection = (
  address: string,
  tls: Partial<NonNullable<TemporalConnection['tls']>> | null,
  apiKey?: string,
): TemporalConnection => ({
  address,
  namespace: 'default',
  tls: tls && {
    serverRootCACertificate: Buffer.from(server.ca),
    clientCertPair: undefined,
    serverNameOverride: 'temporal.example',
    ...tls,
  },
  apiKey,
  metadata: {},
});
const pair = ({ cert, key }: { cert: string; key: string }) => ({
  clientCertPair: { crt: Buffer.from(cert), key: Buffer.from(key) },
});

test('a server without TLS is healthy', async () => {
  await checkTemporal(connection(target, null));
});

test('a server that asks for a certificate is healthy for a client that has it, and for no other', async () => {
  const { address } = withCertificate;
  await checkTemporal(connection(address, pair(client)));
  await expect(checkTemporal(connection(address, {}))).rejects.toThrow();
  await expect(checkTemporal(connection(address, pair(server)))).rejects.toThrow();
  await expect(checkTemporal(connection(address, null))).rejects.toThrow();
});

test("a server is not healthy whose certificate is another's", async () => {
  const { address } = withCertificate;
  const wrongName = connection(address, { ...pair(client), serverNameOverride: 'other.example' });
  await expect(checkTemporal(wrongName)).rejects.toThrow(/other\.example/);
  const wrongAuthority = { ...pair(client), serverRootCACertificate: Buffer.from(client.ca) };
  await expect(checkTemporal(connection(address, wrongAuthority))).rejects.toThrow(/certificate/);
});

test('a server that asks for an API key is healthy for a client that has it, and for no other', async () => {
  const { address } = withKey;
  await checkTemporal(connection(address, {}, 'the-right-key'));
  await expect(checkTemporal(connection(address, {}, 'another-key'))).rejects.toThrow(/gRPC status 16/);
  await expect(checkTemporal(connection(address, {}))).rejects.toThrow(/gRPC status 16/);
});

test('a server that answers with something else is not healthy', async () => {
  const answers = [{ ':status': 401 }, { ':status': 200 }];
  const strange = createServer();
  strange.on('stream', (stream) => stream.respond(answers.shift(), { endStream: true }));
  await new Promise<void>((resolve) => strange.listen(0, '127.0.0.1', resolve));
  const { port } = strange.address() as AddressInfo;
  const asked = connection(`127.0.0.1:${port}`, null);
  await expect(checkTemporal(asked)).rejects.toThrow(/HTTP 401/);
  await expect(checkTemporal(asked)).rejects.toThrow(/no answer/);
  await new Promise((resolve) => strange.close(resolve));
});
