import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { freePort } from '../../../runtime/free-port.ts';
import { join } from 'node:path';
import { useApi } from '../../support/api.ts';
import { buildAgent } from '../../support/approvals.ts';
import { buildTenant } from '../../support/builders.ts';
import type { Tenant } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import {
  codeOf,
  configurationFolder,
  decide,
  endAgents,
  folderWithKey,
  initialize,
  keptKey,
  keyFileOf,
  ping,
  startAgent,
} from './agent-command.ts';
import type { AgentCommand } from './agent-command.ts';

const api = await useApi();
let tenant: Tenant;
let configuration: string;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  configuration = configurationFolder();
});
afterEach(endAgents);

const start = (more: object = {}): AgentCommand =>
  startAgent({ baseUrl: `${api.origin}/v1`, configuration, ...more });

const kept = (): string => keptKey(configuration, api.origin);

const signInsOf = async (): Promise<number> =>
  (await api.db.pool.query('select from device_authorizations')).rowCount ?? 0;

async function revokeKey(secret: string): Promise<void> {
  const { rowCount } = await api.db.pool.query(
    'update api_keys set revoked_at = now() where revoked_at is null and key_prefix = $1',
    [secret.slice(0, 13)],
  );
  expect(rowCount).toBe(1);
}

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('a first start', () => {
  test('signs in as a device that an agent holds, and answers what has waited', async () => {
    const command = start();
    command.send(initialize(1));
    command.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    command.send({ jsonrpc: '2.0', id: 'two', method: 'tools/list' });
    await codeOf(command);
    expect(command.err()).toContain(`${api.origin}/device`);
    expect(command.out()).toBe('');
    await decide(api, tenant.secretKey, command);

    expect((await command.answer(1)).result.serverInfo.name).toBe('presswork');
    expect((await command.answer('two')).result.tools.length).toBeGreaterThan(10);
    const { data } = await api.request('GET', '/keys', { key: tenant.secretKey });
    const key = data.items.find(({ key_prefix }: any) => kept().startsWith(key_prefix));
    expect(key).toMatchObject({ kind: 'secret', held_by_agent: true });
    expect(key.name).toMatch(/^MCP on ./);
  });

  test('keeps the key in a file that only its owner can read, and shows it nowhere', async () => {
    const command = start();
    await decide(api, tenant.secretKey, command);
    await eventually('the key is kept', () => existsSync(keyFileOf(configuration, api.origin)));
    command.send(ping(1));
    await command.answer(1);
    expect(modeOf(join(configuration, 'presswork'))).toBe(0o700);
    expect(readdirSync(join(configuration, 'presswork'))).toHaveLength(1);
    expect(modeOf(keyFileOf(configuration, api.origin))).toBe(0o600);
    expect(command.err() + command.out()).not.toContain(kept());
    expect(command.err() + command.out()).not.toMatch(/svc_|device_code/);
  });

  test('without a client only signs in', async () => {
    const command = start({ alone: true });
    await decide(api, tenant.secretKey, command);
    expect(await command.ended).toBe(0);
    expect(kept()).toMatch(/^svc_sk_/);
    expect(command.out()).toBe('');
  });

  test('keeps the key below the home folder, if no other place is configured', async () => {
    for (const unusable of [undefined, '', 'relative']) {
      const home = configurationFolder();
      const command = start({ alone: true, env: { HOME: home, XDG_CONFIG_HOME: unusable } });
      await decide(api, tenant.secretKey, command);
      expect(await command.ended).toBe(0);
      expect(keptKey(join(home, '.config'), api.origin)).toMatch(/^svc_sk_/);
    }
  });

  test('that a person denies ends with 1, and what has waited is answered', async () => {
    const command = start();
    command.send(initialize(1));
    await decide(api, tenant.secretKey, command, 'deny');
    expect(await command.ended).toBe(1);
    expect(command.messages()).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'The sign-in was denied.' } },
    ]);
    expect(command.err()).toContain('The sign-in was denied.');
    expect(existsSync(keyFileOf(configuration, api.origin))).toBe(false);
  });

  test('without a network ends with 1, and what has waited is answered', async () => {
    const command = start({ baseUrl: `http://127.0.0.1:${await freePort()}/v1` });
    command.send(initialize(1));
    expect((await command.answer(1)).error.message).toContain('ECONNREFUSED');
    expect(await command.ended).toBe(1);
    expect(command.err()).toContain('ECONNREFUSED');
  });

  test('ends with its client, or by SIGTERM, before anyone has decided', async () => {
    for (const end of ['leave', 'terminate'] as const) {
      const command = start();
      await codeOf(command);
      command[end]();
      expect(await command.ended).toBe(0);
      expect(existsSync(keyFileOf(configuration, api.origin))).toBe(false);
    }
  });
});

describe('a later start', () => {
  test('uses the kept key, whether or not the URL ends in /v1', async () => {
    configuration = folderWithKey(api.origin, (await buildAgent(api, tenant)).secret);
    for (const baseUrl of [api.origin, `${api.origin}/`, `${api.origin}/v1`, `${api.origin}/v1/`]) {
      const command = start({ baseUrl });
      command.send(ping(1));
      expect(await command.answer(1)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
      command.leave();
      expect(await command.ended).toBe(0);
      expect(command.err()).toBe('');
    }
  });

  test('for another API leaves this one’s key alone', async () => {
    const key = (await buildAgent(api, tenant)).secret;
    configuration = folderWithKey(api.origin, key);
    const command = start({ baseUrl: api.origin.replace('127.0.0.1', 'localhost'), alone: true });
    await decide(api, tenant.secretKey, command);
    expect(await command.ended).toBe(0);
    expect(kept()).toBe(key);
    expect(readdirSync(join(configuration, 'presswork'))).toHaveLength(2);
  });

  test('mends a file and a folder that others could read, and says so', async () => {
    configuration = folderWithKey(api.origin, (await buildAgent(api, tenant)).secret);
    chmodSync(join(configuration, 'presswork'), 0o755);
    chmodSync(keyFileOf(configuration, api.origin), 0o644);
    const command = start();
    command.send(ping(1));
    expect((await command.answer(1)).result).toEqual({});
    expect(command.err().match(/was open to other users/g)).toHaveLength(2);
    expect(command.err()).not.toContain('svc_');
    expect(modeOf(join(configuration, 'presswork'))).toBe(0o700);
    expect(modeOf(keyFileOf(configuration, api.origin))).toBe(0o600);
  });

  test('refuses a link instead of the file or the folder', async () => {
    const key = (await buildAgent(api, tenant)).secret;
    for (const link of ['presswork', join('presswork', encodeURIComponent(api.origin) + '.json')]) {
      configuration = folderWithKey(api.origin, key);
      renameSync(join(configuration, link), join(configuration, 'elsewhere'));
      symlinkSync(join(configuration, 'elsewhere'), join(configuration, link));
      const command = start();
      command.send(ping(1));
      expect((await command.answer(1)).error.message).toContain(join(configuration, 'presswork'));
      expect(await command.ended).toBe(1);
    }
  });

  test.each([
    ['junk', 'junk'],
    ['a list', '[]'],
    ['no object', 'null'],
    ['a malformed key', '{"key": "svc_sk_x"}'],
  ])('with %s in the file signs in anew', async (_, text) => {
    mkdirSync(join(configuration, 'presswork'), { mode: 0o700 });
    writeFileSync(keyFileOf(configuration, api.origin), text, { mode: 0o600 });
    const command = start({ alone: true });
    await decide(api, tenant.secretKey, command);
    expect(await command.ended).toBe(0);
    expect(command.err()).toContain('has no usable key');
    expect(kept()).toMatch(/^svc_sk_/);
  });
});

describe('a key that is revoked', () => {
  test('is replaced by one sign-in for all messages, which then are answered', async () => {
    configuration = folderWithKey(api.origin, (await buildAgent(api, tenant)).secret);
    const command = start();
    command.send(ping(0));
    await command.answer(0);
    const before = await signInsOf();
    const old = kept();
    await revokeKey(old);
    for (const id of [1, 2, 3]) command.send(ping(id));
    await decide(api, tenant.secretKey, command);
    for (const id of [1, 2, 3]) expect((await command.answer(id)).result).toEqual({});
    expect(kept()).not.toBe(old);
    expect((await signInsOf()) - before).toBe(1);
  });

  test('is replaced by that which another process has got meanwhile', async () => {
    configuration = folderWithKey(api.origin, (await buildAgent(api, tenant)).secret);
    const command = start();
    command.send(ping(0));
    await command.answer(0);
    await revokeKey(kept());
    const { secret } = await buildAgent(api, tenant);
    writeFileSync(keyFileOf(configuration, api.origin), JSON.stringify({ origin: api.origin, key: secret }));
    command.send(ping(1));
    expect((await command.answer(1)).result).toEqual({});
    expect(command.err()).toBe('');
  });

  test('whose replacement is denied gives errors, and nobody is asked again', async () => {
    configuration = folderWithKey(api.origin, (await buildAgent(api, tenant)).secret);
    const command = start();
    command.send(ping(0));
    await command.answer(0);
    await revokeKey(kept());
    command.send(ping(1));
    await decide(api, tenant.secretKey, command, 'deny');
    expect((await command.answer(1)).error.message).toBe('The sign-in was denied.');
    command.send(ping(2));
    expect((await command.answer(2)).error.message).toBe('The sign-in was denied.');
    expect(command.err().match(/Sign in: /g)).toHaveLength(1);
    expect(readFileSync(keyFileOf(configuration, api.origin), 'utf8')).toContain('svc_sk_');
  });
});
