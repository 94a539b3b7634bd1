import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createSecureServer, createServer as createHttp2Server } from 'node:http2';
import type { Http2Server } from 'node:http2';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../../runtime/free-port.ts';
import { prepareStart, reportOf } from '../../../tools/dev/prepare-start.ts';
import { createAuthority } from '../../support/certificates.ts';
import { environment } from '../../support/environment.ts';
import { captureConsole } from './console.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

// Its progress is of no interest.
captureConsole();

let home: string;
/** Accepts connections and never answers. */
let silent: Server;
let silentPort: number;
const sockets: Socket[] = [];

beforeAll(async () => {
  home = temporaryFolder();
  silent = createServer((socket) => sockets.push(socket.on('error', () => {})));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  silentPort = (silent.address() as AddressInfo).port;
});
afterAll(() => {
  silent.close();
  for (const socket of sockets) socket.destroy();
  rmSync(home, { recursive: true, force: true });
});

/** Working outside services for everything that is not under test. */
const working = {
  DATABASE_URL: environment('DATABASE_URL'),
  TEMPORAL_ADDRESS: environment('TEMPORAL_ADDRESS'),
  S3_ENDPOINT: environment('S3_ENDPOINT'),
  S3_ACCESS_KEY_ID: environment('S3_ACCESS_KEY_ID'),
  S3_SECRET_ACCESS_KEY: environment('S3_SECRET_ACCESS_KEY'),
  LLM_MODEL: 'a-model',
};
/** Prepares a start with a wrong setting. @returns the line that it prints */
async function startWith(env: Record<string, string>): Promise<string> {
  const folder = join(home, randomUUID());
  let release = (): void => {};
  const prepared = prepareStart(
    { PORT: String(await freePort()), PRESSWORK_HOME: folder, ...working, ...env },
    (releaseHome) => {
      release = releaseHome;
    },
  );
  const stopped: unknown = await prepared.then(
    () => null,
    (error: unknown) => error,
  );
  release();
  const line = reportOf(stopped);
  expect(line).toEqual(expect.any(String));
  expect(line).not.toMatch(/\n|^\s+at |secret/m);
  return String(line);
}

test.each([
  ['PORT', 'abc'],
  ['PORT', '70000'],
  ['HOST', 'nowhere.invalid'],
  ['METRICS_PORT', '65535'],
  ['SHUTDOWN_DELAY', 'soon'],
  ['SHUTDOWN_DELAY', '61s'],
  ['DATABASE_URL', 'mysql://127.0.0.1/x'],
  ['TEMPORAL_ADDRESS', 'http://127.0.0.1'],
  ['S3_ENDPOINT', 'somewhere'],
  ['MEDIA_PUBLIC_URL', 'ftp://127.0.0.1'],
  ['LLM_BASE_URL', 'a-model'],
  ['TRUSTED_PROXIES', '10.0.0.0/8, foo'],
  ['WORKFLOW_BUNDLE', '/nowhere/bundle.js'],
  ['TEMPORAL_TLS', 'perhaps'],
  ['TEMPORAL_TLS_KEY_FILE', '/nowhere/client.key'],
  ['TEMPORAL_ENCRYPTION_KEY', 'short'],
  ['S3_PUBLIC_ENDPOINT', 'somewhere'],
  ['S3_FORCE_PATH_STYLE', 'perhaps'],
  ['LLM_API_KEY_FILE', '/nowhere/key'],
  ['PRESSWORK_HOME', '/dev/null'],
  ['PRESSWORK_HOME', '/dev/null/home'],
  ['PRESSWORK_HOME', '/proc'],
])('%s=%s stops the start with one line naming it', async (name, value) => {
  expect(await startWith({ [name]: value })).toMatch(new RegExp(`^${name}: `));
});

/** Each is tried for eight seconds, as the service may still be being set up: all at the same time. */
test('a setting that a service refuses stops the start with one line naming it', async () => {
  const refused = [
    ['TEMPORAL_NAMESPACE', 'nowhere'],
    ['S3_BUCKET', 'nowhere'],
    ['S3_BUCKET', 'No/bucket'],
    ['S3_ACCESS_KEY_ID', 'nobody'],
    ['S3_SECRET_ACCESS_KEY', 'wrong'],
    ['S3_REGION', 'eu-west-1'],
  ] as const;
  const lines = await Promise.all(refused.map(([name, value]) => startWith({ [name]: value })));
  expect(lines).toEqual(refused.map(([name]) => expect.stringMatching(`^${name}: `)));
});

test('a port in use is reported', async () => {
  expect(await startWith({ PORT: String(silentPort) })).toMatch(/^PORT: \d+ is in use/);
});

test('a metrics port in use is reported, for API and worker', async () => {
  for (const port of [silentPort, silentPort - 1])
    expect(await startWith({ METRICS_PORT: String(port) })).toMatch(/^METRICS_PORT: \d+ is in use/);
});

test('a metrics port that is the API’s port is reported, for API and worker', async () => {
  const port = await freePort();
  for (const metrics of [port, port - 1]) {
    const line = await startWith({ PORT: String(port), METRICS_PORT: String(metrics) });
    expect(line).toMatch(new RegExp(`^METRICS_PORT: the (api|worker) would use ${port}`));
  }
});

test('an outside S3 server without its keys is reported by S3_ACCESS_KEY_ID', async () => {
  expect(await startWith({ S3_ACCESS_KEY_ID: '' })).toMatch(/^S3_ACCESS_KEY_ID: /);
});

test.each(['No_bucket', '10.0.0.1'])(
  '%s as the bucket of the embedded S3 server is reported by S3_BUCKET',
  async (bucket) => {
    const embedded = { S3_ENDPOINT: '', S3_ACCESS_KEY_ID: '', S3_SECRET_ACCESS_KEY: '' };
    expect(await startWith({ ...embedded, S3_BUCKET: bucket })).toMatch(/^S3_BUCKET: /);
  },
);

test('an API key for an outside Temporal without its address is named by the address', async () => {
  const env = { TEMPORAL_ADDRESS: '', TEMPORAL_API_KEY: 'the-api-key-of-an-outside-server' };
  expect(await startWith(env)).toMatch(/^TEMPORAL_ADDRESS: /);
});

test('a secret and a file of it are named both', async () => {
  const env = { S3_SECRET_ACCESS_KEY_FILE: '/nowhere/key' };
  expect(await startWith(env)).toMatch(/^S3_SECRET_ACCESS_KEY: .* S3_SECRET_ACCESS_KEY_FILE/);
});

test('a language model without a name is reported by LLM_MODEL', async () => {
  expect(await startWith({ LLM_BASE_URL: `http://127.0.0.1:${silentPort}/v1`, LLM_MODEL: '' })).toMatch(
    /^LLM_MODEL: /,
  );
});

/** Starts with a Temporal that answers with a status of gRPC. @returns the line */
async function startRefusedBy(
  server: Http2Server,
  status: string,
  env: Record<string, string>,
): Promise<string> {
  server.on('stream', (stream) =>
    stream.respond({ 'content-type': 'application/grpc', 'grpc-status': status }, { endStream: true }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const line = await startWith({ TEMPORAL_ADDRESS: `127.0.0.1:${port}`, ...env });
  server.close();
  return line;
}

test('a Temporal that refuses the key, or wants one, is said to do that', async () => {
  const answers = [
    ['16', { TEMPORAL_API_KEY: 'wrong' }, 'refuses the key'],
    ['7', { TEMPORAL_API_KEY: 'wrong' }, 'refuses the key'],
    ['16', {}, 'wants a key, and none is set'],
  ] as const;
  const lines = await Promise.all(
    answers.map(([status, env]) =>
      startRefusedBy(createHttp2Server(), status, { TEMPORAL_TLS: 'off', ...env }),
    ),
  );
  const told = answers.map(
    ([status, , words]) =>
      new RegExp(`^TEMPORAL_API_KEY: Temporal at \\S+ ${words} \\(.*gRPC status ${status}\\)\\.$`),
  );
  expect(lines).toEqual(told.map((line) => expect.stringMatching(line)));
});

test('a Temporal that refuses the certificate is said to refuse that', async () => {
  const authority = createAuthority();
  const { certificate, key } = authority.issue('IP:127.0.0.1');
  const files = {
    TEMPORAL_TLS_CERT_FILE: join(home, 'client.pem'),
    TEMPORAL_TLS_KEY_FILE: join(home, 'client.key'),
  };
  writeFileSync(files.TEMPORAL_TLS_CERT_FILE, certificate);
  writeFileSync(files.TEMPORAL_TLS_KEY_FILE, key);
  const server = createSecureServer({ cert: certificate, key });
  const line = await startRefusedBy(server, '7', { TEMPORAL_TLS_CA_FILE: authority.file, ...files });
  authority.remove();
  expect(line).toMatch(
    /^TEMPORAL_TLS_CERT_FILE: Temporal at \S+ refuses the certificate \(.*gRPC status 7\)\.$/,
  );
});

const addresses = (port: number) => [
  ['DATABASE_URL', `postgres://u:secret@127.0.0.1:${port}/x`],
  ['TEMPORAL_ADDRESS', `127.0.0.1:${port}`],
  ['S3_ENDPOINT', `http://127.0.0.1:${port}`],
  ['LLM_BASE_URL', `http://127.0.0.1:${port}/v1`],
];

/** Concurrently, because each takes up to fifteen seconds. */
async function nameUnreachable(port: number): Promise<void> {
  const lines = await Promise.all(
    addresses(port).map(async ([name = '', address = '']) => [name, await startWith({ [name]: address })]),
  );
  for (const [name, line] of lines)
    expect(line).toMatch(new RegExp(`^${name}: .* cannot be reached \\(.+\\)\\.$`));
}

test('an outside service that does not listen is reported', async () => nameUnreachable(await freePort()));

test('an outside service that accepts connections and never answers is reported', () =>
  nameUnreachable(silentPort));
