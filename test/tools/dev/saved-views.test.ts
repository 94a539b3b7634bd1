import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ApplicationFailure } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import type { PushQueueState } from '../../../activities/cms-push.ts';
import type { QueueState } from '../../../activities/webhook-endpoint.ts';
import { savedViews, viewUrl } from '../../../tools/dev/saved-views.ts';
import { eventually } from '../../support/eventually.ts';
import { startTemporal, workflowBundle } from '../../support/temporal.ts';
import type { TestTemporal } from '../../support/temporal.ts';

/** Objects by the state that the product would find them in. */
const ids = (count: number): string[] => Array.from({ length: count }, () => randomUUID());
const [broken, later] = ids(2) as [string, string];
const [refusing, heldBack, quiet] = ids(3) as [string, string, string];
const [healthy, retrying, failed, paused, disabled] = ids(5) as [string, string, string, string, string];
const [atWork, partial, completed] = ids(3) as [string, string, string];
const [failing, applied] = ids(2) as [string, string];
const [pending, used] = ids(2) as [string, string];
const siteId = randomUUID();
const soon = new Date(Date.now() + 3_600_000).toISOString();

const queue = {
  exists: true,
  enabled: true,
  paused: false,
  waiting: 0,
  nextAt: null,
  leaseEndsAt: null,
  consecutiveFailures: 0,
  lastError: null,
  siteId,
};
const queues: Readonly<Record<string, QueueState>> = {
  [healthy]: queue,
  [retrying]: { ...queue, waiting: 1, nextAt: soon, consecutiveFailures: 1, lastError: 'status 500' },
  [failed]: { ...queue, consecutiveFailures: 6, lastError: 'timeout' },
  [paused]: { ...queue, paused: true },
  [disabled]: { ...queue, enabled: false },
};

const [pushing, pushFails, pushFailed] = [randomUUID(), randomUUID(), randomUUID()];
const pushQueue = { exists: true, enabled: true, waiting: 0, nextAt: null, lastError: null, siteId };
const pushes: Readonly<Record<string, PushQueueState>> = {
  [pushing]: { ...pushQueue, waiting: 1, nextAt: soon },
  [pushFails]: { ...pushQueue, waiting: 1, nextAt: soon, lastError: 'status 500' },
  [pushFailed]: { ...pushQueue, lastError: 'status 500' },
};

const activities = {
  readScheduledTime: async (id: string) => (id === broken ? new Date(0).toISOString() : soon),
  publishDueArticle: async () => {
    throw ApplicationFailure.create({ message: 'The database refuses' });
  },
  readPendingEdit: async (id: string) => ({
    due: id === heldBack ? null : id === refusing ? new Date(0).toISOString() : soon,
    conflict: id === heldBack ? ['title'] : [],
  }),
  publishPendingEdit: async () => {
    throw ApplicationFailure.create({ message: 'The database refuses' });
  },
  deliverDue: async (id: string) => queues[id],
  beginPipelineRun: async (_: string, id: string) => ({
    articles: id === atWork ? [{ articleId: randomUUID(), cost: 1 }] : [],
    left: 10,
  }),
  endPipelineRun: async (_: string, id: string) => (id === partial ? 'partial' : 'completed'),
  applyBulkItems: async (id: string) => {
    if (id === failing)
      throw ApplicationFailure.create({ message: 'The database refuses', nextRetryDelay: 1 });
    return { state: 'completed', waiting: 0, done: 1, failed: 0 };
  },
  pushDue: async (id: string) => pushes[id],
  readApproval: async (id: string) => ({ status: id === used ? 'used' : 'pending', expiresAt: soon }),
};

/** Which workflows each view has to show. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'articles not published': [`scheduled-publish/${broken}`],
  'pending edits not published': [refusing, heldBack].map((id) => `pending-edit/${id}`),
  'endpoints that fail or are paused': [retrying, failed, paused, disabled].map(
    (id) => `webhook-endpoint/${id}`,
  ),
  'runs at work, partial or failed': [atWork, partial].map((id) => `pipeline-run/${id}`),
  'bulk jobs that fail': [`bulk/${failing}`],
  'connections whose pushes fail': [pushFails, pushFailed].map((id) => `cms-push/${id}`),
  'workflows that did not end well': ['cache-purge/ended-by-hand'],
  'approvals that wait for a person': [`approval/${pending}`],
};

let temporal: TestTemporal;
let worker: Worker;
let running: Promise<void>;

beforeAll(async () => {
  temporal = await startTemporal();
  const { connection, namespace, client } = temporal;
  // Nothing takes the stages of the run that is at work: they are on another queue.
  worker = await Worker.create({ connection, namespace, taskQueue: 'views', workflowBundle, activities });
  running = worker.run();
  const start = (type: string, workflowId: string, input: object): Promise<unknown> =>
    client.workflow.start(type, { workflowId, taskQueue: 'views', args: [{ siteId, ...input }] });
  for (const articleId of [broken, later])
    await start('scheduledPublish', `scheduled-publish/${articleId}`, { articleId });
  for (const articleId of [refusing, heldBack, quiet])
    await start('pendingEdit', `pending-edit/${articleId}`, { articleId });
  for (const endpointId of Object.keys(queues))
    await start('webhookEndpoint', `webhook-endpoint/${endpointId}`, { endpointId });
  for (const connectionId of Object.keys(pushes))
    await start('cmsPush', `cms-push/${connectionId}`, { connectionId });
  for (const runId of [atWork, partial, completed])
    await start('pipelineRun', `pipeline-run/${runId}`, { runId });
  for (const jobId of [failing, applied]) await start('bulk', `bulk/${jobId}`, { jobId });
  for (const approvalId of [pending, used]) await start('approval', `approval/${approvalId}`, { approvalId });
  await client.workflow.start('cachePurge', {
    workflowId: 'cache-purge/ended-by-hand',
    taskQueue: 'nobody',
    args: [{ siteId, purgeId: randomUUID() }],
  });
  await client.workflow.getHandle('cache-purge/ended-by-hand').terminate();
});
afterAll(async () => {
  worker.shutdown();
  await running;
  await temporal.close();
});

test.each(savedViews.map((view) => [view.name, view] as const))(
  '%s: the query finds them, and nothing else',
  async (name, { query }) => {
    const found = async (): Promise<string[]> => {
      const workflows = [];
      for await (const { workflowId } of temporal.client.workflow.list({ query })) workflows.push(workflowId);
      return workflows.toSorted();
    };
    const wanted = expected[name]?.toSorted() ?? [];
    await eventually('it has been found', async () => (await found()).join() === wanted.join(), 200);
  },
);

test('docs/runbook/temporal.md has each of them', () => {
  const document = readFileSync(new URL('../../../docs/runbook/temporal.md', import.meta.url), 'utf8');
  for (const { name, query } of savedViews)
    expect(document).toMatch(new RegExp(`\\| ${name} +\\| \`${escape(query)}\``));
});

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

test('its address in the UI carries the query', () => {
  for (const view of savedViews) {
    const url = new URL(viewUrl('http://127.0.0.1:8233', 'default', view));
    expect([url.pathname, url.searchParams.get('query')]).toEqual([
      '/namespaces/default/workflows',
      view.query,
    ]);
  }
});
