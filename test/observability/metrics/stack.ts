import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { freePort } from '../../../runtime/free-port.ts';
import { TASK_QUEUE } from '../../../workflows/names.ts';
import { closeReceivers, httpReceiver } from '../../support/receivers.ts';
import { startApi } from '../../support/api.ts';
import type { Answer, TestApi } from '../../support/api.ts';
import { buildTenant } from '../../support/builders.ts';
import type { Tenant } from '../../support/builders.ts';
import { buildPurse, ended, startRun } from '../../support/pipeline.ts';
import { eventually } from '../../support/eventually.ts';
import { createWire, startTemporal } from '../../support/temporal.ts';
import type { TestTemporal, Wire } from '../../support/temporal.ts';
import { endWorkers, spawnApi, spawnWorker } from '../../worker/processes.ts';
import { startModelServer, writes } from '../../adapters/writer/model-server.ts';
import { scrape } from '../../support/exposition.ts';
import type { Sample } from '../../support/exposition.ts';

/** API and worker as separate processes with metrics, and an API whose database can be cut off. */
export interface MetricsStack {
  /** For builders; not one of the scraped processes. */
  readonly api: TestApi;
  readonly tenant: Tenant;
  readonly wire: Wire;
  request(method: string, path: string, body?: unknown, key?: string): Promise<Answer>;
  cutOffRequest(path: string): Promise<Answer>;
  scrapeApi(): Promise<readonly Sample[]>;
  scrapeCutOff(): Promise<readonly Sample[]>;
  scrapeWorker(): Promise<readonly Sample[]>;
  /** Does everything the product does, once. */
  makeTraffic(): Promise<void>;
  close(): Promise<void>;
}

export async function startMetrics(): Promise<MetricsStack> {
  const [api, temporal, model] = await Promise.all([startApi(), startTemporal(), startModelServer()]);
  const [tenant, wire] = await Promise.all([buildTenant(api.db), createWire(new URL(api.url).host)]);
  const good = await httpReceiver((_, response) => response.writeHead(200).end());
  const bad = await httpReceiver((_, response) => response.writeHead(500).end());
  const [apiPort, cutOffPort, workerPort] = [await freePort(), await freePort(), await freePort()];
  const settings = { databaseUrl: api.url, temporalAddress: temporal.address, namespace: temporal.namespace };
  const env = (port: number): Record<string, string> => ({
    METRICS_PORT: String(port),
    WEBHOOK_ALLOWED_HOSTS: `127.0.0.1:${good.port},127.0.0.1:${bad.port}`,
    WEBHOOK_RETRY_DELAYS: '1ms,1ms,1ms,1ms,1ms',
    LLM_BASE_URL: model.url,
    PURGE_URL: good.url,
    LLM_MODEL: 'test',
  });
  const cutOffUrl = new URL(api.url);
  cutOffUrl.host = wire.address;
  // One after another, because three concurrent starts may each take too long.
  await spawnWorker({ ...settings, env: env(workerPort) }).working;
  const main = await spawnApi({ ...settings, env: env(apiPort) });
  await main.working;
  const cutOff = await spawnApi({ ...settings, databaseUrl: cutOffUrl.href, env: env(cutOffPort) });
  await cutOff.working;

  const request: MetricsStack['request'] = (method, path, body, key = tenant.secretKey) =>
    api.request(method, `${main.origin}/v1${path}`, {
      key,
      ...(body !== undefined && { body }),
      ...(method === 'POST' && { idempotencyKey: true }),
    });

  return {
    api,
    tenant,
    wire,
    request,
    cutOffRequest: (path) => api.request('GET', `${cutOff.origin}/v1${path}`, { key: tenant.secretKey }),
    scrapeApi: () => scrape(apiPort),
    scrapeCutOff: () => scrape(cutOffPort),
    scrapeWorker: () => scrape(workerPort),
    async makeTraffic() {
      await sendRequests(api, main.origin, request);
      await publishAndDeliver(request, [good.url, bad.url]);
      await runPipeline(api);
      await startUnknown(temporal);
      await endBadly(temporal);
    },
    async close() {
      endWorkers();
      await Promise.all([wire.cut(), model.close(), closeReceivers(), temporal.close()]);
      await api.close();
    },
  };

  async function runPipeline(pipelineApi: TestApi): Promise<void> {
    const { key } = await buildPurse(pipelineApi, 100);
    model.reactions = [writes];
    const done = await startRun(pipelineApi, key, { topics: [{ title: 'How to bake bread' }] });
    await ended(pipelineApi, key, done.id);
    // A wrong key is final, so there is no retry.
    model.reactions = [(response) => response.writeHead(401).end()];
    const failed = await startRun(pipelineApi, key, { topics: [{ title: 'How to bake rolls' }] });
    await ended(pipelineApi, key, failed.id);
  }
}

async function sendRequests(api: TestApi, origin: string, request: MetricsStack['request']): Promise<void> {
  expect((await request('GET', '/articles')).status).toBe(200);
  expect((await request('GET', '/articles', undefined, 'svc_sk_wrong')).status).toBe(401);
  expect((await request('GET', `/articles/${randomUUID()}`)).status).toBe(404);
  expect((await request('POST', '/articles', { title: 1 })).status).toBe(422);
  expect((await request('GET', `/no/such/path/${randomUUID()}`)).status).toBe(404);
  expect((await request('DELETE', '/articles')).status).toBe(405);
  expect((await api.request('GET', `${origin}/healthz`)).status).toBe(200);
  await sendNonsense(new URL(origin));
}

const sendNonsense = ({ hostname, port }: URL): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write('this is not HTTP\r\n\r\n'));
    socket.on('data', () => {});
    socket.on('close', () => resolve()).on('error', reject);
  });

/** Publishes one article on schedule and two at once; one receiver accepts, the other refuses until it is disabled. */
async function publishAndDeliver(request: MetricsStack['request'], urls: readonly string[]): Promise<void> {
  const endpoints: string[] = [];
  for (const url of urls) {
    const answer = await request('POST', '/webhooks', { url, events: ['article.published'] });
    endpoints.push(answer.data.id);
  }
  const articles: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    const answer = await request('POST', '/articles', { title: 'An article', content: 'Text.' });
    expect(answer.status).toBe(201);
    articles.push(answer.data.id);
  }
  const [scheduled, ...others] = articles;
  const time = new Date(Date.now() + 1_000).toISOString();
  expect(
    (await request('POST', `/articles/${scheduled}/schedule`, { scheduled_publish_at: time })).status,
  ).toBe(200);
  for (const id of others) expect((await request('POST', `/articles/${id}/publish`)).status).toBe(200);
  await eventually(
    'the scheduled article is published',
    async () => (await request('GET', `/articles/${scheduled}`)).data.status === 'published',
    100,
  );
  await eventually(
    'the endpoint is disabled',
    async () => (await request('GET', `/webhooks/${endpoints[1]}`)).data.enabled === false,
    100,
  );
}

/** A workflow that the worker's code does not have: its workflow tasks fail, as after an incompatible change. */
const startUnknown = ({ client }: TestTemporal): Promise<unknown> =>
  client.workflow.start('noSuchWorkflow', { taskQueue: TASK_QUEUE, workflowId: `unknown/${randomUUID()}` });

/** A workflow that times out, and one that is terminated: no worker counts either. */
async function endBadly({ client }: TestTemporal): Promise<void> {
  const taskQueue = 'nobody-polls-it';
  const [timesOut, ends] = [`times-out/${randomUUID()}`, `ends/${randomUUID()}`];
  const timed = { taskQueue, workflowId: timesOut, workflowExecutionTimeout: 1_000 };
  await client.workflow.start('noSuchWorkflow', timed);
  const ended = await client.workflow.start('noSuchWorkflow', { taskQueue, workflowId: ends });
  await ended.terminate('It is a test');
}
