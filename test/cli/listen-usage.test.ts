import { generateSecret } from '../../domain/access/key-secret.ts';
import { useApi } from '../support/api.ts';
import { buildKey, buildPublished, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { closeReceivers, httpReceiver } from '../support/receivers.ts';
import type { Receiver } from '../support/receivers.ts';
import { endCommands } from '../support/command.ts';
import { startListener } from './listener.ts';
import type { Listener } from './listener.ts';

const api = await useApi();
let tenant: Tenant;
let receiver: Receiver;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  receiver = await httpReceiver((_, response) => response.writeHead(200).end());
});
afterEach(async () => {
  await endCommands();
  await closeReceivers();
});

const start = (key: string, baseUrl = `${api.origin}/v1`): Listener =>
  startListener('--forward-to', `${receiver.url}/hook`, '--key', key, '--base-url', baseUrl);

describe('exit code 2', () => {
  test.each([
    ['no receiver', [], '--forward-to'],
    ['a receiver that is no address', ['--forward-to', 'localhost'], '--forward-to'],
    ['an address with a password', ['--forward-to', 'http://a:b@localhost:1'], '--forward-to'],
    [
      'a base URL that is no address',
      ['--base-url', 'x', '--forward-to', 'http://localhost:1'],
      '--base-url',
    ],
    ['an unknown event', ['--events', 'article.read', '--forward-to', 'http://localhost:1'], 'article.read'],
    [
      'a time without offset',
      ['--since', '2026-01-01T00:00:00', '--forward-to', 'http://localhost:1'],
      '--since',
    ],
    ['an unknown option', ['--forward', 'http://localhost:1'], '--forward'],
  ])('for %s', async (_, args, named) => {
    const listener = startListener('--key', tenant.secretKey, ...args);
    expect(await listener.ended).toBe(2);
    expect(listener.err()).toContain(named);
  });

  test('for no key', async () => {
    const listener = startListener('--forward-to', receiver.url);
    expect(await listener.ended).toBe(2);
    expect(listener.err()).toContain('--key');
  });

  test('for a key that is malformed, unknown, publishable, without the scope or revoked', async () => {
    const bare = await buildKey(api.db, tenant.siteId, tenant.memberId, { scopes: ['articles:read'] });
    const revoked = await buildKey(api.db, tenant.siteId, tenant.memberId);
    await api.db.pool.query('update api_keys set revoked_at = now() where id = $1', [revoked.id]);
    const keys = ['nonsense\n', generateSecret('secret'), tenant.publishableKey, bare.secret, revoked.secret];
    for (const key of keys) {
      const listener = start(key);
      expect(await listener.ended).toBe(2);
      expect(listener.err()).toMatch(/^--key: /);
      expect(listener.out()).toBe('');
      expect(listener.err()).not.toContain(key);
    }
  });

  test('for a URL at which something else answers', async () => {
    const listener = start(tenant.secretKey, receiver.url);
    expect(await listener.ended).toBe(2);
    expect(listener.err()).toContain('is not the API of Presswork');
  });
});

test('the key is never shown, even if it is given in the wrong place', async () => {
  const { secretKey } = tenant;
  for (const args of [
    [secretKey],
    [`--keyy=${secretKey}`],
    ['--forward-to', secretKey],
    ['--forward-to', receiver.url, '--key', secretKey, secretKey],
  ]) {
    const listener = startListener(...args);
    expect(await listener.ended).toBe(2);
    expect(listener.err() + listener.out()).not.toContain(secretKey);
  }
  const listener = start(secretKey);
  await eventually('it listens', () => listener.out().includes('Forwarding events'));
  await buildPublished(api, secretKey);
  await eventually('it has come', () => listener.lines().length > 0);
  expect(listener.err() + listener.out()).not.toContain(secretKey);
  expect(JSON.stringify(receiver.seen)).not.toContain(secretKey);
});
