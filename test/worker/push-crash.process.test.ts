import { setTimeout as sleep } from 'node:timers/promises';
import { workflowIdOf } from '../../domain/workflow-messages.ts';
import { searchAttributes } from '../../workflows/names.ts';
import { buildPublished, buildTenant } from '../support/builders.ts';
import { startGitServer } from '../support/cms/git-server.ts';
import type { GitServer } from '../support/cms/git-server.ts';
import { connectionWrite } from '../support/connection-write.ts';
import { eventually } from '../support/eventually.ts';
import { startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { startWebhooks } from '../support/webhooks.ts';
import type { WebhookStack } from '../support/webhooks.ts';
import { endWorkers, spawnWorker } from './processes.ts';
import type { WorkerProcess } from './processes.ts';

let stack: WebhookStack;
let temporal: TestTemporal;
let repository: GitServer;

beforeAll(async () => {
  [stack, temporal, repository] = await Promise.all([startWebhooks(), startTemporal(), startGitServer()]);
  stack.allowedHosts.add(repository.host);
});
afterEach(() => endWorkers());
afterAll(async () => {
  await stack.close();
  await repository.close();
  await temporal.close();
});

async function workingWorker(): Promise<WorkerProcess> {
  const worker = spawnWorker({
    databaseUrl: stack.api.url,
    temporalAddress: temporal.address,
    namespace: temporal.namespace,
    env: {
      ENCRYPTION_KEY: stack.encryptionKey.toString('base64'),
      WEBHOOK_ALLOWED_HOSTS: [...stack.allowedHosts].join(','),
      WEBHOOK_RETRY_DELAYS: '1s,1s,1s,1s,1s',
    },
  });
  await worker.working;
  return worker;
}

const send = async (key: string, method: string, path: string, body?: object): Promise<any> => {
  const answer = await stack.api.request(method, path, { key, ...(body && { body }) });
  if (answer.status > 299) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.data;
};
const finished = async (key: string, id: string): Promise<any> => {
  const read = () => send(key, 'GET', `/delivery/pushes/${id}`);
  await eventually('the push is finished', async () => (await read()).finished_at !== null, 100);
  return read();
};

test('a publication pushes by itself, and the workflow of the connection shows it and ends with the connection', async () => {
  const receiver = await stack.receiver(200);
  const { siteId, secretKey: key } = await buildTenant(stack.api.db);
  const connection = await send(key, 'POST', '/delivery/connections', {
    ...connectionWrite,
    config: { url: receiver.url },
    auto: true,
  });
  await workingWorker();
  const article = await buildPublished(stack.api, key);
  await eventually('it has arrived', () => receiver.seen.length === 1);
  expect(JSON.parse(receiver.seen[0]?.body ?? '')).toMatchObject({
    event: 'article.published',
    data: { id: article.id },
  });
  const workflow = temporal.client.workflow.getHandle(workflowIdOf('cms-push', connection.id));
  await eventually('the workflow is idle', async () => {
    const { typedSearchAttributes: shown } = await workflow.describe();
    return (
      shown.get(searchAttributes.processState) === 'idle' && shown.get(searchAttributes.siteId) === siteId
    );
  });
  await send(key, 'DELETE', `/delivery/connections/${connection.id}`);
  await eventually(
    'the workflow has ended',
    async () => (await workflow.describe()).status.name === 'COMPLETED',
  );
});

test('a worker killed in the middle of a push: another one goes on, and nothing is there twice', async () => {
  const { secretKey: key } = await buildTenant(stack.api.db);
  const connection = await send(key, 'POST', '/delivery/connections', {
    kind: 'git',
    name: 'A repository',
    config: { remote_url: repository.url, path: 'killed' },
    secret: repository.password,
  });
  const articles = await Promise.all([1, 2, 3].map(() => buildPublished(stack.api, key)));
  const worker = await workingWorker();
  let arrived = false;
  repository.before = async (request) => {
    // The push is on its way when the worker dies.
    if (!arrived && request.method === 'POST' && request.url?.includes('receive-pack')) {
      arrived = true;
      await worker.kill();
    }
    return false;
  };
  const { id } = await send(key, 'POST', '/delivery/cms/push', {
    connection_id: connection.id,
    article_ids: articles.map((article) => article.id),
  });
  await eventually('the worker is dead', () => arrived);
  await workingWorker();
  const push = await finished(key, id);
  expect(push.items.map((item: any) => item.status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  const files = Object.keys(await repository.files()).filter((path) => path.startsWith('killed/'));
  expect(files.toSorted()).toEqual(articles.map(({ slug }) => `killed/${slug}.md`).toSorted());
  expect(await repository.commits()).toBe(2);
});

test('a remote that takes longer than a workflow task is waited for, and called once', async () => {
  const receiver = await stack.receiver(async (_, response) => {
    await sleep(9_000);
    response.writeHead(200).end();
  });
  const { secretKey: key } = await buildTenant(stack.api.db);
  const connection = await send(key, 'POST', '/delivery/connections', {
    ...connectionWrite,
    config: { url: receiver.url },
  });
  await workingWorker();
  const articles = await Promise.all([1, 2].map(() => buildPublished(stack.api, key)));
  const { id } = await send(key, 'POST', '/delivery/cms/push', {
    connection_id: connection.id,
    article_ids: articles.map((article) => article.id),
  });
  const push = await finished(key, id);
  expect(push.items.map((item: any) => [item.status, item.attempts])).toEqual([
    ['succeeded', 1],
    ['succeeded', 1],
  ]);
  expect(receiver.seen).toHaveLength(2);
});
