import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { createWebhookEndpointActivities } from '../../activities/webhook-endpoint.ts';
import { searchAttributes } from '../../workflows/names.ts';
import { deliver, state, webhookEndpoint } from '../../workflows/webhook-endpoint.ts';
import { scheduledPublish } from '../../workflows/scheduled-publish.ts';
import { systemClock } from '../../domain/kernel/clock.ts';
import { workflowIdOf } from '../../domain/kernel/workflow-messages.ts';
import { startOnSharedDatabase } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { detailsOf } from './current-details.ts';
import { startTemporal, workflowBundle } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { startWebhooks } from '../support/webhooks.ts';
import type { WebhookStack } from '../support/webhooks.ts';

let temporal: TestTemporal;
let stack: WebhookStack;

beforeAll(async () => {
  [temporal, stack] = await Promise.all([startTemporal(), startWebhooks(startOnSharedDatabase)]);
});
afterAll(async () => {
  await temporal.close();
  await stack.close();
});

/** Runs a worker with these activities for as long as `work` does. */
async function withWorker(activities: object, work: (taskQueue: string) => Promise<void>): Promise<void> {
  const taskQueue = `mistakes-${randomUUID()}`;
  const { connection, namespace } = temporal;
  const worker = await Worker.create({ connection, namespace, taskQueue, workflowBundle, activities });
  await worker.runUntil(work(taskQueue));
}

/** As support starts it from the command line, without search attributes. */
const startEndpoint = (endpointId: string, taskQueue: string) =>
  temporal.client.workflow.signalWithStart(webhookEndpoint, {
    taskQueue,
    workflowId: workflowIdOf('webhook-endpoint', endpointId),
    args: [{ endpointId }],
    signal: deliver,
  });

const unknown = '00000000-0000-4000-8000-000000000000';
const time = '2026-03-01T09:00:00Z';

const mistakes: [signal: string, args: unknown[], shown: RegExp][] = [
  ['redeliver', [], /redeliver: .*there is none/],
  ['redeliver', [null], /redeliver: .*there is none/],
  ['redeliver', ['EVENT_ID'], /redeliver: .*EVENT_ID/],
  ['redeliver', [''], /redeliver: .*UUID/],
  ['redeliver', [42], /redeliver: .*42/],
  ['redeliver', [{ id: unknown }], /redeliver: .*UUID/],
  ['redeliver', [unknown, unknown], /redeliver: .*single/],
  ['redeliver', [unknown], /no longer kept/],
  ['replay', [], /replay: .*object/],
  ['replay', ['yesterday'], /replay: .*object/],
  ['replay', [{}], /replay: since/],
  ['replay', [{ since: 'nonsense' }], /replay: since .*nonsense/],
  ['replay', [{ since: '2026-03-01' }], /replay: since .*offset/],
  ['replay', [{ since: time, until: 'later' }], /replay: until/],
  ['replay', [{ since: time, until: time }], /replay: until must be later/],
  ['replay', [{ since: time, events: 'article.published' }], /replay: events/],
  ['replay', [{ since: time, events: ['no.such.event'] }], /replay: /],
  ['replay', [{ since: time, untl: time }], /replay: unknown members: .*untl/],
  ['replay', [{ since: time }, 1], /replay: .*single/],
  ['pause', ['please'], /pause: it takes no input/],
  ['resume', [true], /resume: it takes no input/],
];

test('each invalid signal is refused and shown; a valid one afterwards is done', async () => {
  const receiver = await stack.receiver();
  const { id } = await stack.endpoint(receiver.url);
  const [event] = await stack.emit();
  await withWorker(createWebhookEndpointActivities(stack.session), async (taskQueue) => {
    const handle = await startEndpoint(id, taskQueue);
    for (const [signal, args, shown] of mistakes) {
      await handle.signal(signal, ...args);
      await eventually(`${signal} ${JSON.stringify(args)} is refused`, async () =>
        shown.test(await detailsOf(handle)),
      );
    }
    await eventually('it has arrived once', () => receiver.seen.length === 1);
    await handle.signal('pause');
    await eventually('it is paused', async () => (await handle.query(state))?.paused);
    await handle.signal('redeliver', event!.toUpperCase());
    await eventually('it waits', async () => (await handle.query(state))?.waiting === 1);
    await handle.signal('resume', null);
    await eventually('it has arrived again', () => receiver.seen.length === 2);
    const { typedSearchAttributes } = await handle.describe();
    expect(typedSearchAttributes.get(searchAttributes.siteId)).toBe(stack.tenant.siteId);
    await handle.terminate();
  });
  const { rows } = await stack.api.db.pool.query(
    `select action, actor_kind from audit_log where target_id = $1 and actor_kind = 'system' order by at, id`,
    [id],
  );
  expect(rows.map(({ action }) => action)).toEqual(['webhook.pause', 'webhook.redeliver', 'webhook.resume']);
});

/** Payloads as a command line can send them: with any encoding and content. */
const undecodable: [what: string, payload: { metadata?: Record<string, Uint8Array>; data?: Uint8Array }][] = [
  [
    'an encoding that nothing knows',
    { metadata: { encoding: Buffer.from('binary/mine') }, data: Buffer.from('x') },
  ],
  ['JSON that is none', { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('{since:') }],
  ['no encoding at all', { data: Buffer.from('{}') }],
];

const sendRaw = (workflowId: string, signalName: string, payload: (typeof undecodable)[number][1]) =>
  temporal.connection.workflowService.signalWorkflowExecution({
    namespace: temporal.namespace,
    workflowExecution: { workflowId },
    signalName,
    input: { payloads: [payload] },
  });

test('a signal that cannot be decoded is refused and shown, and the workflow continues', async () => {
  const asked: boolean[] = [];
  const activities = {
    deliverDue: async () => idle,
    pauseEndpoint: async (_: string, paused: boolean) => {
      asked.push(paused);
      return {};
    },
  };
  await withWorker(activities, async (taskQueue) => {
    const handle = await startEndpoint(randomUUID(), taskQueue);
    for (const [what, payload] of undecodable) {
      for (const signal of ['redeliver', 'replay', 'pause', 'resume', 'deliver', 'unheard-of'])
        await sendRaw(handle.workflowId, signal, payload);
      await eventually(`${what} is refused`, async () =>
        (await detailsOf(handle)).includes('refused: resume: the input: it cannot be decoded'),
      );
      await handle.signal('redeliver', 'EVENT_ID');
      await eventually('the next mistake is shown', async () =>
        (await detailsOf(handle)).includes('EVENT_ID'),
      );
    }
    await handle.signal('pause');
    await eventually('the valid signal is done', () => asked.length === 1);
    const { history } = { history: await handle.fetchHistory() };
    expect(
      history.events?.filter(({ workflowTaskFailedEventAttributes }) => workflowTaskFailedEventAttributes),
    ).toEqual([]);
    await handle.terminate();
  });
});

test('a signal that takes no input is handled with any input', async () => {
  let looked = 0;
  const activities = {
    readScheduledTime: async () => {
      looked += 1;
      return looked === 1 ? new Date(systemClock.now().getTime() + 3_600_000).toISOString() : null;
    },
  };
  await withWorker(activities, async (taskQueue) => {
    const handle = await temporal.client.workflow.start(scheduledPublish, {
      taskQueue,
      workflowId: `scheduled-publish/${randomUUID()}`,
      args: [{ articleId: randomUUID(), siteId: randomUUID() }],
    });
    await eventually('it has read the time', () => looked === 1);
    await sendRaw(handle.workflowId, 'reschedule', undecodable[0]![1]);
    await handle.result();
    expect(looked).toBe(2);
  });
});

test('a workflow whose own input cannot be decoded does not start', async () => {
  let looked = 0;
  await withWorker({ deliverDue: async () => ((looked += 1), idle) }, async (taskQueue) => {
    const workflowId = workflowIdOf('webhook-endpoint', randomUUID());
    await temporal.connection.workflowService.startWorkflowExecution({
      namespace: temporal.namespace,
      workflowId,
      requestId: randomUUID(),
      workflowType: { name: 'webhookEndpoint' },
      taskQueue: { name: taskQueue },
      input: { payloads: [undecodable[0]![1]] },
    });
    const handle = temporal.client.workflow.getHandle(workflowId);
    await eventually('its task fails, and says why', async () =>
      (await handle.fetchHistory()).events?.some(({ workflowTaskFailedEventAttributes: failed }) =>
        failed?.failure?.message?.includes('binary/mine'),
      ),
    );
    expect(looked).toBe(0);
    await handle.terminate();
  });
});

test('a replay larger than one transaction is done in parts, in order, and without duplicates', async () => {
  const tenant = await stack.newTenant();
  await stack.api.db.pool.query(
    `insert into events (id, site_id, event, body, created_at)
     select gen_random_uuid(), $1, 'article.published', '{}', now() - interval '2 hours' + n * interval '1 second'
     from generate_series(1, 4500) n`,
    [tenant.siteId],
  );
  const { id } = await stack.endpoint((await stack.receiver()).url, {}, tenant.secretKey);
  const queued = async () =>
    (
      await stack.api.db.pool.query(
        `select e.created_at from webhook_queue q join events e on e.id = q.event_id
         where q.endpoint_id = $1 order by q.due_at`,
        [id],
      )
    ).rows.map(({ created_at }) => created_at.getTime());
  const activities = createWebhookEndpointActivities(stack.session);
  await withWorker({ ...activities, deliverDue: async () => idle }, async (taskQueue) => {
    const handle = await startEndpoint(id, taskQueue);
    await handle.signal('replay', { since: new Date(Date.now() - 3 * 3_600_000).toISOString() });
    await eventually('all of them wait', async () => (await queued()).length === 4_500, 200);
    await handle.terminate();
  });
  const times = await queued();
  expect(times).toEqual(times.toSorted((one, other) => one - other));
});

const idle = {
  exists: true,
  enabled: true,
  paused: false,
  waiting: 0,
  nextAt: null,
  leaseEndsAt: null,
  consecutiveFailures: 0,
  lastError: null,
  siteId: null,
};

test('an endpoint whose queue cannot be read shows that, handles signals of support in the meantime, and continues', async () => {
  let broken = true;
  const asked: boolean[] = [];
  const activities = {
    deliverDue: async () => {
      if (broken) throw new Error('relation "webhook_queue" does not exist');
      return idle;
    },
    pauseEndpoint: async (_: string, paused: boolean) => {
      asked.push(paused);
      return {};
    },
  };
  await withWorker(activities, async (taskQueue) => {
    const handle = await startEndpoint(randomUUID(), taskQueue);
    await eventually('it shows that it fails', async () =>
      (await detailsOf(handle)).includes('relation "webhook_queue" does not exist'),
    );
    expect((await handle.describe()).typedSearchAttributes.get(searchAttributes.processState)).toBe(
      'failing',
    );
    await handle.signal('pause');
    await eventually('the signal is handled', () => asked.length === 1);
    broken = false;
    await eventually('it is idle', async () => (await detailsOf(handle)).startsWith('idle'));
    await handle.terminate();
  });
});

test('an article whose publication fails shows it as a pending activity, and is published once it succeeds', async () => {
  let broken = true;
  const activities = {
    readScheduledTime: async () => new Date(systemClock.now().getTime() - 1_000).toISOString(),
    publishDueArticle: async () => {
      if (broken) throw ApplicationFailure.create({ message: 'a trigger refuses it' });
      return true;
    },
  };
  await withWorker(activities, async (taskQueue) => {
    const handle = await temporal.client.workflow.start(scheduledPublish, {
      taskQueue,
      workflowId: `scheduled-publish/${randomUUID()}`,
      args: [{ articleId: randomUUID(), siteId: randomUUID() }],
    });
    await eventually('a failing activity is pending', async () => {
      const [pending] = (await handle.describe()).raw.pendingActivities ?? [];
      return pending?.lastFailure?.message === 'a trigger refuses it';
    });
    expect(await handle.query('state')).toMatchObject({ state: 'publishing' });
    expect(await detailsOf(handle)).toContain('a trigger refuses it');
    broken = false;
    expect(await handle.result()).toBe('published');
  });
});
