import { randomUUID } from 'node:crypto';
import { NativeConnection } from '@temporalio/worker';
import { pino } from 'pino';
import { prepareNamespace } from '../../worker/namespace.ts';
import { searchAttributes } from '../../workflows/names.ts';
import { testAuthority } from '../support/receivers.ts';
import { apiKeyProxy } from '../adapters/temporal/proxies.ts';
import { registerNamespace, startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';

let temporal: TestTemporal;
let proxy: Awaited<ReturnType<typeof apiKeyProxy>>;
let connection: NativeConnection;

/** Only an operator may register search attributes, as on Temporal Cloud. */
beforeAll(async () => {
  temporal = await startTemporal();
  const server = await testAuthority('DNS:temporal.example');
  proxy = await apiKeyProxy(temporal.address, server, 'a-key', /AddSearchAttributes/);
  const tls = { serverRootCACertificate: Buffer.from(server.ca), serverNameOverride: 'temporal.example' };
  connection = await NativeConnection.connect({ address: proxy.address, tls, apiKey: 'a-key' });
});
afterAll(async () => {
  await connection.close();
  await proxy.close();
  await temporal.close();
});

/** @returns whether it is done, and what it wrote to the log */
async function prepare(namespace: string, address?: string) {
  const lines: any[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { done: await prepareNamespace(connection, namespace, log, address), lines };
}

const names = Object.values(searchAttributes).map(({ name }) => name);

test('without the right to register search attributes nothing is logged if they exist', async () => {
  expect(await prepare(temporal.namespace)).toEqual({ done: true, lines: [] });
});

test('without the right to register search attributes the log has the one command that does', async () => {
  const namespace = `bare-${randomUUID()}`;
  await registerNamespace(temporal.connection, namespace);
  const { done, lines } = await prepare(namespace, 'temporal.example:7233');
  expect(done).toBe(true);
  expect(lines).toHaveLength(1);
  expect(lines[0].names).toEqual(names);
  expect(lines[0].command).toBe(
    `temporal operator search-attribute create --address temporal.example:7233 --namespace ${namespace} ` +
      names.map((name) => `--name ${name} --type Keyword`).join(' '),
  );
});

test.each(['blog.a1b2c.tmprl.cloud:7233', 'eu-central-1.aws.api.temporal.io:7233'])(
  'on Temporal Cloud (%s) that is the command of its own tool',
  async (address) => {
    const { lines } = await prepare(`absent-${randomUUID()}`, address);
    expect(lines[0].command).toMatch(
      /^tcld namespace search-attributes add --namespace absent-\S+ --search-attribute SiteId=Keyword /,
    );
  },
);
