import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildAgent } from '../support/approvals.ts';
import { buildPublished, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { closeReceivers, httpReceiver } from '../support/receivers.ts';
import { freePort } from '../../runtime/free-port.ts';
import { exportsFolder, sample, wxr, wxrPost } from '../packages/importer/convert/converter.ts';
import { endExports, exportArgs, newTarget } from './export/exporter.ts';
import type { Target } from './export/exporter.ts';
import { closeProxies, startApiProxy } from '../packages/importer/import/api-proxy.ts';
import { buildFile, entry, importFile } from '../packages/importer/import/importer.ts';
import { endAgents, folderWithKey, ping } from './mcp/agent-command.ts';
import { endPrograms, startProgram } from '../support/program.ts';
import type { Program } from '../support/program.ts';

let api: TestApi;
let tenant: Tenant;

beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  tenant = await buildTenant(api.db);
});
afterEach(async () => {
  endPrograms();
  await endExports();
  await endAgents();
  await closeProxies();
  await closeReceivers();
});
afterAll(() => api.close());

const organisations = async (name: string): Promise<number> =>
  (await api.db.pool.query('select from organisations where name = $1', [name])).rowCount ?? 0;

const createOrganisation = (...args: string[]) =>
  startProgram(['admin', 'org', 'create', ...args], { env: { DATABASE_URL: api.url } });

describe('admin', () => {
  test('ends with 0, with 2 for wrong usage, and with 1 for a refusal', async () => {
    const made = createOrganisation('--name', 'Made by a process');
    expect([await made.ended, made.err()]).toEqual([0, '']);
    expect(Object.keys(JSON.parse(made.out()))).toEqual(['id']);
    expect(await organisations('Made by a process')).toBe(1);
    const wrong = createOrganisation('--name', 'O', '--colour', 'red');
    expect([await wrong.ended, wrong.out(), wrong.err()]).toEqual([
      2,
      '',
      expect.stringContaining('--colour'),
    ]);
    const refused = startProgram(['admin', 'org', 'create', '--name', 'O'], {
      env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    });
    expect([await refused.ended, refused.out(), refused.err()]).toEqual([1, '', expect.stringMatching(/\w/)]);
  });

  test('does its work though nobody reads what it prints', async () => {
    const unread = createOrganisation('--name', 'Made unseen');
    unread.stopReading();
    expect([await unread.ended, unread.err()]).toEqual([0, '']);
    expect(await organisations('Made unseen')).toBe(1);
  });

  test('reads what it is given on standard input', async () => {
    const program = startProgram(['admin', 'member', 'password', '--id', tenant.memberId], {
      env: { DATABASE_URL: api.url },
      alone: false,
    });
    program.stdin?.end('one that is long enough\n');
    expect([await program.ended, program.out(), program.err()]).toEqual([
      0,
      `${JSON.stringify({ id: tenant.memberId })}\n`,
      '',
    ]);
  });

  test('is ended by a signal as any program is', async () => {
    const connected = Promise.withResolvers<void>();
    const silent = createServer(() => connected.resolve()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const waiting = startProgram(['admin', 'org', 'create', '--name', 'O'], {
      env: { DATABASE_URL: `postgres://u@127.0.0.1:${port}/x` },
    });
    await connected.promise;
    waiting.kill('SIGTERM');
    expect(await waiting.ended).toBeNull();
    silent.close();
  });

  test('codec-server ends with 0 by a signal', async () => {
    const server = startProgram(['admin', 'codec-server', '--port', `${await freePort()}`], {
      env: { TEMPORAL_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') },
    });
    await eventually('it listens', () => server.out().includes('\n'));
    server.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });
});

describe('listen', () => {
  test('forwards though nobody reads its lines, and Ctrl-C ends it with 0', async () => {
    const receiver = await httpReceiver((_, response) => response.writeHead(200).end());
    const from = ['--key', tenant.secretKey, '--base-url', `${api.origin}/v1`];
    const listener = startProgram(['listen', '--forward-to', receiver.url, ...from]);
    await eventually('it listens', () => listener.out().includes('Forwarding events'));
    listener.stopReading();
    for (const count of [1, 2]) {
      await buildPublished(api, tenant.secretKey);
      await eventually('it has come', () => receiver.seen.length >= count);
    }
    listener.kill('SIGINT');
    expect([await listener.ended, listener.err()]).toEqual([0, '']);
  });
});

describe('convert', () => {
  const folder = exportsFolder();
  afterAll(() => folder.remove());

  test('ends with 0, and with 1 if a post is missing, after all that it says', async () => {
    const whole = startProgram(['convert', 'wordpress', sample('wordpress.xml')]);
    expect(await whole.ended).toBe(0);
    expect(JSON.parse(whole.out()).format).toBe('service-import');
    expect(whole.err()).toContain('Converted ');
    const posts = wxrPost({ 'wp:post_id': '1' }) + wxrPost({ 'wp:post_id': '1', 'wp:post_name': 'again' });
    const partial = startProgram(['convert', 'wordpress', folder.write('partial.xml', wxr(posts))]);
    expect(await partial.ended).toBe(1);
    expect(JSON.parse(partial.out()).articles).toHaveLength(1);
  });

  test('says so with 1 if nobody reads the file', async () => {
    const posts = Array.from({ length: 500 }, (_, index) =>
      wxrPost({
        'wp:post_id': `${index}`,
        'wp:post_name': `post-${index}`,
        'content:encoded': 'Text. '.repeat(400),
      }),
    );
    const program = startProgram(['convert', 'wordpress', folder.write('large.xml', wxr(posts.join('')))]);
    program.stopReading();
    expect([await program.ended, program.err()]).toEqual([1, 'write EPIPE\n']);
  });
});

describe('import', () => {
  const command = (articles: readonly object[], baseUrl: string): string[] => {
    const to = ['--base-url', baseUrl, '--key', tenant.secretKey, '--concurrency', '1'];
    return ['import', buildFile(importFile({ articles })), ...to];
  };

  test('Ctrl-C ends it with 130, and the same command continues to the end, with 1 for a refused entry', async () => {
    const held = Promise.withResolvers<void>();
    let creates = 0;
    const proxy = await startApiProxy(api.origin, ({ method, path, body }) => {
      if (method !== 'POST' || path !== '/v1/articles' || body === '[]' || (creates += 1) !== 2)
        return 'pass';
      held.resolve();
      return 'hold';
    });
    const args = command([entry(), entry(), entry({ slug: '?' })], proxy.baseUrl);
    const interrupted = startProgram(args);
    await held.promise;
    interrupted.kill('SIGINT');
    expect([await interrupted.ended, interrupted.out()]).toEqual([130, '']);
    expect(interrupted.err()).toContain('Run the same command again to continue.');
    const again = startProgram(args);
    expect(await again.ended).toBe(1);
    expect(JSON.parse(again.out())).toMatchObject({ created: 1, unchanged: 1, refused: [{ index: 2 }] });
  });

  test('does its work though nobody reads its report', async () => {
    const program = startProgram(command([entry({ external_id: 'unseen' })], `${api.origin}/v1`));
    program.stopReading();
    expect(await program.ended).toBe(0);
    const { data } = await api.request('GET', '/articles?external_id=unseen', { key: tenant.secretKey });
    expect(data.items).toHaveLength(1);
  });
});

describe('export', () => {
  test('ends with 0, and writes the file though nobody reads its report', async () => {
    await buildPublished(api, tenant.secretKey, { external_id: 'a' });
    const [read, unread] = [newTarget(), newTarget()];
    const start = (target: Target): Program =>
      startProgram(exportArgs(`${api.origin}/v1`, tenant.secretKey, target));
    const one = start(read);
    expect(await one.ended).toBe(0);
    expect(JSON.parse(one.out()).articles).toBe(1);
    const other = start(unread);
    other.stopReading();
    expect(await other.ended).toBe(0);
    expect(unread.text()).toBe(read.text());
  });
});

describe('mcp, as npx runs it', () => {
  let configuration: string;
  beforeEach(async () => {
    configuration = folderWithKey(api.origin, (await buildAgent(api, tenant)).secret);
  });

  const start = (alone = false): Program =>
    startProgram(['mcp', '--base-url', `${api.origin}/v1`], {
      env: { XDG_CONFIG_HOME: configuration },
      file: 'cli/presswork.mjs',
      alone,
    });
  const send = ({ stdin }: Program, id: number): void => void stdin?.write(`${JSON.stringify(ping(id))}\n`);
  const answered = (program: Program): Promise<void> =>
    eventually('it answers', () => program.out().includes('"id":1'));

  test('answers on its standard output, and ends with 0 by a signal or with its client', async () => {
    for (const end of [
      (program: Program) => program.kill('SIGTERM'),
      (program: Program) => void program.stdin?.end(),
    ]) {
      const program = start();
      send(program, 1);
      await answered(program);
      end(program);
      expect([await program.ended, program.err()]).toEqual([0, '']);
      expect(JSON.parse(program.out())).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    }
  });

  test('ends with 0 when nobody reads its answers, and with nothing to do when nobody can ask', async () => {
    const unread = start();
    send(unread, 1);
    await answered(unread);
    unread.stopReading();
    send(unread, 2);
    expect([await unread.ended, unread.err()]).toEqual([0, '']);
    const alone = start(true);
    expect([await alone.ended, alone.out(), alone.err()]).toEqual([0, '', '']);
  });

  test('ends with 2 for wrong usage', async () => {
    const program = startProgram(['mcp'], { file: 'cli/presswork.mjs' });
    expect([await program.ended, program.out(), program.err()]).toEqual([
      2,
      '',
      expect.stringContaining('--base-url'),
    ]);
  });
});
