import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRedactor } from '../../observability/log/redact.ts';
import { readSettings, secretsOf, SettingError, settingNames } from '../../runtime/settings.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'presswork-secrets-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

let sequence = 0;
const fileWith = (content: string): string => {
  const path = join(folder, `secret-${(sequence += 1)}`);
  writeFileSync(path, content);
  return path;
};

const key = (fill: number): string => Buffer.alloc(32, fill).toString('base64');

/** Each secret setting, with a value. */
const secrets = {
  DATABASE_URL: 'postgres://app:password-of-the-application@db.example/presswork',
  MIGRATION_DATABASE_URL: 'postgres://owner:password-of-the-migrator@db.example/presswork',
  SUPPORT_DATABASE_URL: 'postgres://support:password-of-the-support@db.example/presswork',
  ADMIN_DATABASE_URL: 'postgres://admin:password%20of%20the%20admin@db.example/presswork',
  LISTEN_DATABASE_URL: 'postgres://app:password-of-the-listener@db.example/presswork',
  ENCRYPTION_KEY: key(1),
  TEMPORAL_API_KEY: 'the-api-key-of-temporal',
  TEMPORAL_ENCRYPTION_KEY: `${key(2)},${key(3)}`,
  S3_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
  S3_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  LLM_API_KEY: 'the-key-of-the-language-model',
  RESEARCH_API_KEY: 'the-key-of-the-search',
  STRIPE_SECRET_KEY: 'sk_of_the_shop_0123456789',
  STRIPE_WEBHOOK_SECRET: 'whsec_of_the_shop_0123456789',
};

test.each(Object.entries(secrets))('%s is read from the file that its _FILE names', (name, value) => {
  const others = { ...secrets, [name]: undefined };
  for (const content of [value, `${value}\n`, `${value}\r\n`]) {
    const settings = readSettings({ ...others, [`${name}_FILE`]: fileWith(content) });
    expect(settings[name as keyof typeof secrets]).toEqual(
      readSettings(secrets)[name as keyof typeof secrets],
    );
  }
});

test('only one newline at the end is not part of the secret', () => {
  expect(readSettings({ LLM_API_KEY_FILE: fileWith(' a key \n\n') }).LLM_API_KEY).toBe(' a key \n');
});

test.each([
  [
    'a file that is not there',
    () => '/nowhere/secret',
    /^LLM_API_KEY_FILE: \/nowhere\/secret cannot be read \(ENOENT\)$/,
  ],
  ['a folder', () => folder, /^LLM_API_KEY_FILE: .* cannot be read \(EISDIR\)$/],
  ['an empty file', () => fileWith('\n'), /^LLM_API_KEY_FILE: .* is empty$/],
  [
    'more than 64 KB',
    () => fileWith('x'.repeat(64 * 1024 + 1)),
    /^LLM_API_KEY_FILE: .* has more than 64 KB$/,
  ],
])('%s is refused by the name of the setting', (_, path, message) => {
  expect(() => readSettings({ LLM_API_KEY_FILE: path() })).toThrow(message);
});

test('64 KB are read', () => {
  const value = 'x'.repeat(64 * 1024);
  expect(readSettings({ LLM_API_KEY_FILE: fileWith(value) }).LLM_API_KEY).toBe(value);
});

test('a secret and a file of it are refused, by both names', () => {
  const both = { ENCRYPTION_KEY: key(1), ENCRYPTION_KEY_FILE: fileWith(key(1)) };
  expect(() => readSettings(both)).toThrow(/^ENCRYPTION_KEY: .*ENCRYPTION_KEY_FILE/);
});

test('a wrong value in a file is named by the file, and not shown', () => {
  const read = () =>
    readSettings({ DATABASE_URL_FILE: fileWith('mysql://u:a-password-that-is-long@host/x') });
  expect(read).toThrow(/^DATABASE_URL_FILE: must be a URL/);
  expect(read).not.toThrow(/a-password-that-is-long/);
});

test('an empty _FILE counts as unset', () => {
  expect(readSettings({ LLM_API_KEY: 'a-key', LLM_API_KEY_FILE: '' }).LLM_API_KEY).toBe('a-key');
});

test('every secret is taken out of the log, whichever way it was set', () => {
  const files = Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [`${name}_FILE`, fileWith(`${value}\n`)]),
  );
  const all = [
    'password-of-the-application',
    'password-of-the-migrator',
    'password-of-the-support',
    'password-of-the-listener',
    'password%20of%20the%20admin',
    'password of the admin',
    ...[1, 2, 3].map(key),
    secrets.TEMPORAL_API_KEY,
    secrets.S3_ACCESS_KEY_ID,
    secrets.S3_SECRET_ACCESS_KEY,
    secrets.STRIPE_SECRET_KEY,
    secrets.STRIPE_WEBHOOK_SECRET,
    secrets.LLM_API_KEY,
    secrets.RESEARCH_API_KEY,
  ];
  for (const env of [secrets, files]) {
    const redact = createRedactor(secretsOf(readSettings(env)));
    for (const secret of all) expect(redact(`before ${secret} after`)).toBe('before [secret] after');
  }
});

test('several keys for payloads are given newest first', () => {
  const settings = readSettings({ TEMPORAL_ENCRYPTION_KEY: `${key(2)}, ${key(1)}` });
  expect(settings.TEMPORAL_ENCRYPTION_KEY?.map((bytes) => bytes[0])).toEqual([2, 1]);
  expect(() => readSettings({ TEMPORAL_ENCRYPTION_KEY: `${key(2)},short` })).toThrow(
    /^TEMPORAL_ENCRYPTION_KEY: /,
  );
});

test('a switch is on or off', () => {
  const read = (value: string) => readSettings({ TEMPORAL_TLS: value }).TEMPORAL_TLS;
  expect(['on', 'true', '1'].map(read)).toEqual([true, true, true]);
  expect(['off', 'false', '0'].map(read)).toEqual([false, false, false]);
  expect(() => read('yes')).toThrow(/^TEMPORAL_TLS: must be on or off$/);
});

test('a search has a provider that is known, and what it needs', () => {
  const [RESEARCH_URL, RESEARCH_API_KEY] = ['https://search.example.com', 'key'];
  expect(readSettings({}).RESEARCH_PROVIDER).toBeUndefined();
  expect(() => readSettings({ RESEARCH_PROVIDER: 'google' })).toThrow(
    /^RESEARCH_PROVIDER: must be searxng, brave or tavily$/,
  );
  expect(() => readSettings({ RESEARCH_PROVIDER: 'searxng', RESEARCH_API_KEY })).toThrow(
    /^RESEARCH_URL: is not set, .*searxng.*$/,
  );
  expect(() => readSettings({ RESEARCH_PROVIDER: 'searxng', RESEARCH_URL: 'ftp://search' })).toThrow(
    /^RESEARCH_URL: must be a URL/,
  );
  expect(readSettings({ RESEARCH_PROVIDER: 'searxng', RESEARCH_URL }).RESEARCH_URL).toBe(RESEARCH_URL);
  for (const RESEARCH_PROVIDER of ['brave', 'tavily']) {
    expect(() => readSettings({ RESEARCH_PROVIDER, RESEARCH_URL })).toThrow(
      new RegExp(`^RESEARCH_API_KEY: is not set, .*${RESEARCH_PROVIDER}.*$`),
    );
    expect(readSettings({ RESEARCH_PROVIDER, RESEARCH_API_KEY }).RESEARCH_PROVIDER).toBe(RESEARCH_PROVIDER);
  }
});

test('Stripe is set up whole or not at all, with prices and an origin that can be read', () => {
  const [STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET] = ['sk_1', 'whsec_1'];
  expect(() => readSettings({ STRIPE_SECRET_KEY })).toThrow(/^STRIPE_WEBHOOK_SECRET: is not set, .*$/);
  expect(() => readSettings({ STRIPE_WEBHOOK_SECRET })).toThrow(/^STRIPE_SECRET_KEY: is not set, .*$/);
  expect(readSettings({ STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET }).STRIPE_PRICES).toEqual({});
  for (const wrong of [
    '{',
    '[]',
    '"price_1"',
    'null',
    '{"a":1}',
    '{"a":""}',
    '{"":"price_1"}',
    '{"a":"x","b":"x"}',
  ])
    expect(() => readSettings({ STRIPE_PRICES: wrong })).toThrow(/^STRIPE_PRICES: must [^\n]*$/);
  for (const wrong of [
    'stripe',
    'ftp://127.0.0.1',
    'http://127.0.0.1/v1',
    'http://a:b@127.0.0.1',
    'http://127.0.0.1?x',
  ])
    expect(() => readSettings({ STRIPE_API_BASE: wrong })).toThrow(/^STRIPE_API_BASE: must [^\n]*$/);
  expect(readSettings({ STRIPE_API_BASE: 'http://127.0.0.1:8080/' }).STRIPE_API_BASE?.origin).toBe(
    'http://127.0.0.1:8080',
  );
});

const nonsense = [
  'nonsense',
  ' ',
  '://',
  'http://',
  'http://[',
  '/nowhere',
  '-1',
  '{"',
  '%',
  'é\n€',
  '9'.repeat(400),
];

test.each(settingNames)('nonsense in %s is one line that names it, or is taken', (name) => {
  for (const value of nonsense) {
    let said = `${name}: `;
    try {
      readSettings({ [name]: value });
    } catch (error) {
      expect(error).toBeInstanceOf(SettingError);
      said = (error as Error).message;
    }
    expect(said).toMatch(/^.+$/);
    // The two of Stripe name each other.
    expect(said).toMatch(name.startsWith('STRIPE_') ? /^STRIPE_[A-Z_]+: / : new RegExp(`^${name}: `));
  }
});

test.each(['ftp://example.com/in', 'https://someone@example.com/in', 'https://:secret@example.com/in'])(
  'the canary sends nothing to %s',
  (address) => {
    expect(() => readSettings({ CANARY_RECEIVER: address })).toThrow(/^CANARY_RECEIVER: must [^\n]+$/);
  },
);
