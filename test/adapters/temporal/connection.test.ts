import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { namesTemporal, readTemporalConnection } from '../../../adapters/temporal/connection.ts';
import { readSettings } from '../../../runtime/settings.ts';
import { testAuthority } from '../../support/receivers.ts';

let folder: string;
let mine: Awaited<ReturnType<typeof testAuthority>>;
let other: Awaited<ReturnType<typeof testAuthority>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'presswork-temporal-'));
  [mine, other] = await Promise.all([testAuthority('DNS:client'), testAuthority('DNS:other')]);
});
afterAll(() => rmSync(folder, { recursive: true }));

let sequence = 0;
const fileWith = (content: string): string => {
  const path = join(folder, `file-${(sequence += 1)}`);
  writeFileSync(path, content);
  return path;
};

const address = { TEMPORAL_ADDRESS: 'temporal.example:7233' };
const read = (env: Record<string, string>) => readTemporalConnection(readSettings(env), env);

test('an address alone is a connection without TLS, to the namespace default', async () => {
  expect(await read(address)).toEqual({
    address: 'temporal.example:7233',
    namespace: 'default',
    tls: null,
    apiKey: undefined,
    metadata: {},
  });
});

test('certificate, key, authority and server name are those of the settings', async () => {
  const env = {
    ...address,
    TEMPORAL_TLS_CA_FILE: fileWith(mine.ca + other.ca),
    TEMPORAL_TLS_CERT_FILE: fileWith(mine.cert),
    TEMPORAL_TLS_KEY_FILE: fileWith(mine.key),
    TEMPORAL_TLS_SERVER_NAME: 'frontend.example',
  };
  expect((await read(env)).tls).toEqual({
    serverRootCACertificate: Buffer.from(mine.ca + other.ca),
    clientCertPair: { crt: Buffer.from(mine.cert), key: Buffer.from(mine.key) },
    serverNameOverride: 'frontend.example',
  });
});

test.each([
  [{}, false],
  [{ TEMPORAL_TLS: 'on' }, true],
  [{ TEMPORAL_API_KEY: 'a-key' }, true],
  [{ TEMPORAL_TLS_SERVER_NAME: 'frontend.example' }, true],
  [{ TEMPORAL_API_KEY: 'a-key', TEMPORAL_TLS: 'off' }, false],
] as [Record<string, string>, boolean][])('with %j TLS is %s', async (env, on) => {
  const { tls, apiKey } = await read({ ...address, ...env });
  expect(tls !== null).toBe(on);
  expect(apiKey).toBe(env['TEMPORAL_API_KEY']);
});

const profile = (content: string): string => fileWith(`[profile.default]\n${content}`);

test("what Temporal's own tools read is read too, and the settings come first", async () => {
  const file = profile(`
address = "profile.example:7233"
namespace = "theirs"
api_key = "profile-key"
[profile.default.tls]
server_name = "name.of.profile"
[profile.default.grpc_meta]
x-team = "blog"
`);
  const fromProfile = await read({ TEMPORAL_CONFIG_FILE: file });
  expect(fromProfile).toMatchObject({
    address: 'profile.example:7233',
    namespace: 'theirs',
    apiKey: 'profile-key',
    tls: { serverNameOverride: 'name.of.profile' },
    metadata: { 'x-team': 'blog' },
  });
  const over = await read({
    TEMPORAL_CONFIG_FILE: file,
    ...address,
    TEMPORAL_NAMESPACE: 'ours',
    TEMPORAL_API_KEY: 'our-key',
    TEMPORAL_TLS_SERVER_NAME: 'our.name',
  });
  expect(over).toMatchObject({
    address: 'temporal.example:7233',
    namespace: 'ours',
    apiKey: 'our-key',
    tls: { serverNameOverride: 'our.name' },
  });
});

test('a profile is chosen by TEMPORAL_PROFILE', async () => {
  const file = fileWith(
    '[profile.prod]\naddress = "prod.example:7233"\n[profile.prod.tls]\ndisabled = true\n',
  );
  const env = { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'prod' };
  expect(await read(env)).toMatchObject({ address: 'prod.example:7233', tls: null });
  const absent = read({ ...env, TEMPORAL_PROFILE: 'absent' });
  await expect(absent).rejects.toThrow(/^TEMPORAL_PROFILE: .*'absent' not found/);
});

test("the file of Temporal's own tools in the home folder is only read for a profile that is asked for", async () => {
  for (const place of ['.config', 'Library/Application Support']) {
    mkdirSync(join(folder, place, 'temporalio'), { recursive: true });
    const file = join(folder, place, 'temporalio/temporal.toml');
    writeFileSync(file, '[profile.default]\naddress = "home.example:7233"\n');
  }
  expect(await namesTemporal(readSettings({}), { HOME: folder })).toBe(false);
  expect(await read({ HOME: folder, TEMPORAL_PROFILE: 'default' })).toMatchObject({
    address: 'home.example:7233',
  });
});

test("the variables of Temporal's own tools for certificates are read", async () => {
  const { tls } = await read({
    ...address,
    TEMPORAL_TLS_CLIENT_CERT_PATH: fileWith(mine.cert),
    TEMPORAL_TLS_CLIENT_KEY_DATA: mine.key,
    TEMPORAL_TLS_SERVER_CA_CERT_DATA: other.ca,
  });
  expect(tls).toMatchObject({
    serverRootCACertificate: Buffer.from(other.ca),
    clientCertPair: { crt: Buffer.from(mine.cert), key: Buffer.from(mine.key) },
  });
});

test.each([
  ['TEMPORAL_TLS_CA_FILE', 'a file that is not there', () => ({ TEMPORAL_TLS_CA_FILE: '/nowhere/ca.pem' })],
  ['TEMPORAL_TLS_CA_FILE', 'no certificate', () => ({ TEMPORAL_TLS_CA_FILE: fileWith('text') })],
  [
    'TEMPORAL_TLS_CA_FILE',
    'a key in place of certificates',
    () => ({ TEMPORAL_TLS_CA_FILE: fileWith(mine.key) }),
  ],
  [
    'TEMPORAL_TLS_CA_FILE',
    'half a certificate',
    () => ({ TEMPORAL_TLS_CA_FILE: fileWith(mine.ca.replace(/[A-Z]{4}/, '')) }),
  ],
  [
    'TEMPORAL_TLS_KEY_FILE',
    'a certificate without its key',
    () => ({ TEMPORAL_TLS_CERT_FILE: fileWith(mine.cert) }),
  ],
  [
    'TEMPORAL_TLS_CERT_FILE',
    'a key without its certificate',
    () => ({ TEMPORAL_TLS_KEY_FILE: fileWith(mine.key) }),
  ],
  [
    'TEMPORAL_TLS_KEY_FILE',
    'the key of another certificate',
    () => ({ TEMPORAL_TLS_CERT_FILE: fileWith(mine.cert), TEMPORAL_TLS_KEY_FILE: fileWith(other.key) }),
  ],
  [
    'TEMPORAL_TLS_KEY_FILE',
    'no key',
    () => ({ TEMPORAL_TLS_CERT_FILE: fileWith(mine.cert), TEMPORAL_TLS_KEY_FILE: fileWith('text') }),
  ],
  [
    'TEMPORAL_TLS_CLIENT_CERT_PATH',
    'a path of theirs that is not there',
    () => ({ TEMPORAL_TLS_CLIENT_CERT_PATH: '/nowhere/cert.pem' }),
  ],
  [
    'TEMPORAL_CONFIG_FILE',
    'a configuration that is not there',
    () => ({ TEMPORAL_CONFIG_FILE: '/nowhere/temporal.toml' }),
  ],
  [
    'TEMPORAL_CONFIG_FILE',
    'a configuration in another form',
    () => ({ TEMPORAL_CONFIG_FILE: fileWith('api_key = "a-secret-in-a-file\n') }),
  ],
  [
    'TEMPORAL_CONFIG_FILE',
    'a configuration without profiles',
    () => ({ TEMPORAL_CONFIG_FILE: fileWith('x = 1\n') }),
  ],
  [
    'TEMPORAL_API_KEY_FILE',
    'an API key that is not there',
    () => ({ TEMPORAL_API_KEY_FILE: '/nowhere/key' }),
  ],
])('%s is named for %s, in one line', async (name, _, env) => {
  const refused = await Promise.resolve()
    .then(() => read({ ...address, ...env() }))
    .then(
      () => 'not refused',
      (error: Error) => error.message,
    );
  expect(refused).toMatch(new RegExp(`^${name}: [^\\n]+$`));
  expect(refused).not.toContain('a-secret-in-a-file');
});

test('files are read again each time', async () => {
  const file = fileWith('first\n');
  const settings = readSettings({ ...address, TEMPORAL_API_KEY_FILE: file });
  expect((await readTemporalConnection(settings, {})).apiKey).toBe('first');
  writeFileSync(file, 'second\n');
  expect((await readTemporalConnection(settings, {})).apiKey).toBe('second');
});
