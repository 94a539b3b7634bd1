import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testAuthority } from '../support/receivers.ts';
import { apiKeyProxy, certificateProxy } from '../adapters/temporal/proxies.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildArticle, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { endWorkers, spawnApi, spawnWorker } from './processes.ts';

type Authority = Awaited<ReturnType<typeof testAuthority>>;

let api: TestApi;
let tenant: Tenant;
let temporal: TestTemporal;
let server: Authority;
let client: Authority;
let folder: string;

beforeAll(async () => {
  [api, temporal, server, client] = await Promise.all([
    startApi(),
    startTemporal(),
    testAuthority('DNS:temporal.example'),
    testAuthority('DNS:client'),
  ]);
  tenant = await buildTenant(api.db);
  folder = mkdtempSync(join(tmpdir(), 'presswork-tls-'));
});
afterEach(() => endWorkers());
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await api.close();
  await temporal.close();
});

const fileWith = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const processSettings = (temporalAddress: string, env: Record<string, string>) => ({
  databaseUrl: api.url,
  temporalAddress,
  namespace: temporal.namespace,
  env: {
    TEMPORAL_TLS_CA_FILE: fileWith('ca.pem', server.ca),
    TEMPORAL_TLS_SERVER_NAME: 'temporal.example',
    ...env,
  },
});

/** Publishes an article by its workflow. */
async function publishByWorkflow(): Promise<void> {
  const key = tenant.secretKey;
  const { id } = await buildArticle(api, key, { title: 'Over TLS', content: 'Text.' });
  const body = { scheduled_publish_at: new Date(Date.now() + 500).toISOString() };
  const { status } = await api.request('POST', `/articles/${id}/schedule`, { key, body });
  expect(status).toBe(200);
  const read = async () => (await api.request('GET', `/articles/${id}`, { key })).data.status;
  await eventually('the article is published', async () => (await read()) === 'published', 100);
  // Not by the rescue of overdue articles, which needs no workflow of the article.
  const { status: ended } = await temporal.client.workflow.getHandle(`scheduled-publish/${id}`).describe();
  expect(['RUNNING', 'COMPLETED']).toContain(ended.name);
}

const readiness = async (origin: string): Promise<string> =>
  ((await (await fetch(`${origin}/readyz`)).json()) as { data: { checks: { temporal: string } } }).data.checks
    .temporal;

test('API and worker reach a Temporal that asks for a certificate, and renewed certificates take effect by themselves', async () => {
  const proxy = await certificateProxy(temporal.address, server, client.ca);
  const settings = processSettings(proxy.address, {
    TEMPORAL_TLS_CERT_FILE: fileWith('client.pem', client.cert),
    TEMPORAL_TLS_KEY_FILE: fileWith('client.key', client.key),
  });
  const worker = spawnWorker(settings);
  const { origin, working } = await spawnApi(settings);
  await Promise.all([worker.working, working]);
  await publishByWorkflow();
  expect(await readiness(origin)).toBe('ok');

  const renewed = await testAuthority('DNS:client');
  proxy.trust(renewed.ca);
  fileWith('client.key', renewed.key);
  fileWith('client.pem', renewed.cert);
  await eventually(
    'the worker has connected again',
    () => worker.said().includes('the changed certificates'),
    100,
  );
  // What is left of the old connection ends.
  proxy.cut();
  await publishByWorkflow();
  await eventually('the API is ready', async () => (await readiness(origin)) === 'ok', 200);
  expect(await worker.stop()).toBe(0);
  await proxy.close();
});

test('API and worker reach a Temporal that asks for an API key, and a changed key takes effect by itself', async () => {
  const proxy = await apiKeyProxy(temporal.address, server, 'the-first-api-key', /operatorservice/);
  const file = fileWith('api-key', 'the-first-api-key\n');
  const settings = processSettings(proxy.address, { TEMPORAL_API_KEY_FILE: file });
  const worker = spawnWorker(settings);
  const { origin, working } = await spawnApi(settings);
  await Promise.all([worker.working, working]);
  await publishByWorkflow();
  expect(await readiness(origin)).toBe('ok');

  fileWith('api-key', 'the-second-api-key\n');
  proxy.accept('the-second-api-key');
  await eventually(
    'the worker has connected again',
    () => worker.said().includes('the changed certificates'),
    100,
  );
  await publishByWorkflow();
  await eventually('the API is ready', async () => (await readiness(origin)) === 'ok', 200);
  expect(worker.said()).not.toMatch(/the-(first|second)-api-key/);
  expect(await worker.stop()).toBe(0);
  await proxy.close();
});

test('a wrong certificate or API key is waited out, said in the log, and shown by readiness', async () => {
  const proxy = await apiKeyProxy(temporal.address, server, 'the-right-api-key');
  const settings = processSettings(proxy.address, { TEMPORAL_API_KEY: 'a-wrong-api-key-of-ours' });
  const worker = spawnWorker(settings);
  // It ends without having worked.
  worker.working.catch(() => {});
  const { origin, working } = await spawnApi(settings);
  await working;
  await eventually('it is said', () => worker.said().includes('Temporal cannot be reached yet'));
  expect(await readiness(origin)).toBe('unreachable');
  expect(worker.said()).not.toContain('a-wrong-api-key-of-ours');
  expect(await worker.stop()).toBe(0);
  await proxy.close();
});

test('a file that is not there ends the start with one line that names the setting', async () => {
  const env = { TEMPORAL_TLS_CERT_FILE: '/nowhere/client.pem' };
  for (const start of [spawnWorker, spawnApi]) {
    const { said, working } = await start(processSettings(temporal.address, env));
    await expect(working).rejects.toThrow(/ended/);
    expect(said()).toMatch(/^TEMPORAL_TLS_CERT_FILE: [^\n]+\n$/);
  }
});
