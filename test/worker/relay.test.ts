import { enqueue } from '../../db/outbox.ts';
import { newId } from '../../domain/kernel/ids.ts';
import { workflowMessage } from '../../domain/kernel/workflow-messages.ts';
import { listen } from '../../worker/listener.ts';
import { directUrl } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { message, NEVER_MS, startRelayStack } from '../support/relay.ts';
import type { RelayStack } from '../support/relay.ts';
import { silent, startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';

let temporal: TestTemporal;
let stack: RelayStack;

beforeAll(async () => {
  temporal = await startTemporal();
});
afterAll(() => temporal.close());
beforeEach(async () => {
  stack = await startRelayStack(temporal);
});
afterEach(() => stack.close());

test('a workflow is started once its change has committed, and not before', async () => {
  const relay = stack.startRelay();
  const left = message();
  await stack.db.transaction(async (tx) => {
    enqueue(tx, left, new Date());
    relay.wake();
    await stack.looked(relay);
    expect(await stack.runs(left.workflow_id)).toBe(false);
  });
  relay.wake();
  await stack.emptied();
  expect(await stack.runs(left.workflow_id)).toBe(true);
});

test('messages wait while something more urgent is under way', async () => {
  const { promise: free, resolve } = Promise.withResolvers<void>();
  const relay = stack.startRelay(temporal.client, undefined, () => free);
  const left = message();
  await stack.leave(left);
  relay.wake();
  await eventually('it waits', () => relay.idleMs() > 0);
  expect(await stack.outbox()).toHaveLength(1);
  expect(await stack.runs(left.workflow_id)).toBe(false);
  resolve();
  await stack.emptied();
  expect(await stack.runs(left.workflow_id)).toBe(true);
});

test('a change that is rolled back starts nothing', async () => {
  const relay = stack.startRelay();
  const left = message();
  const failing = stack.db.transaction(async (tx) => {
    enqueue(tx, left, new Date());
    throw new Error('taken back');
  });
  await expect(failing).rejects.toThrow('taken back');
  await stack.looked(relay);
  expect(await stack.runs(left.workflow_id)).toBe(false);
});

test('with NOTIFY a message is handed over at once, and after the listener was cut off again', async () => {
  const relay = stack.startRelay(temporal.client, NEVER_MS);
  const listener = listen(directUrl(stack.databaseUrl), silent, {
    presswork_outbox: () => relay.wake(),
    presswork_schedules: () => {},
    presswork_webhooks: () => {},
  });
  stack.atEnd(async () => listener.close());
  const listening = async (): Promise<number | undefined> => {
    const { rows } = await stack.db.pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'presswork-listener' and datname = current_database() and state = 'idle' and query ilike 'listen%'`,
    );
    return rows[0]?.pid;
  };
  const handOver = async (): Promise<void> => {
    for (let times = 0; times < 5; times += 1) {
      await stack.leave(message());
      await stack.emptied();
    }
  };
  await eventually('it listens', async () => (await listening()) !== undefined);
  await handOver();
  const first = await listening();
  await stack.db.pool.query('select pg_terminate_backend($1)', [first]);
  await eventually('it listens again', async () => ![undefined, first].includes(await listening()));
  await handOver();
});

test('a message whose NOTIFY was lost is found by the poll', async () => {
  const relay = stack.startRelay();
  await stack.looked(relay);
  const left = message();
  await stack.leave(left);
  await stack.emptied();
  expect(await stack.runs(left.workflow_id)).toBe(true);
});

test('three relays at once hand each message over once', async () => {
  const left = Array.from({ length: 120 }, () => message());
  const relays = [stack.startRelay(), stack.startRelay(), stack.startRelay()];
  await Promise.all(
    Array.from({ length: 12 }, async (_, batch) => {
      await stack.leave(...left.slice(batch * 10, batch * 10 + 10));
      for (const relay of relays) relay.wake();
    }),
  );
  await stack.emptied();
  const signals = await Promise.all(left.map(({ workflow_id }) => stack.signalsOf(workflow_id)));
  expect(Math.min(...signals)).toBe(1);
  // A hand-over that timed out is repeated, although it may have arrived.
  if (stack.warnings.length === 0) expect(Math.max(...signals)).toBe(1);
});

test('a message that is handed over twice starts its workflow once', async () => {
  const scheduled = message();
  const purge = workflowMessage('cache-purge', { purgeId: newId(), siteId: newId() });
  stack.startRelay();
  for (let times = 1; times <= 2; times += 1) {
    await stack.leave(scheduled, purge);
    await stack.emptied();
  }
  // One that has ended in the meantime is not started again either.
  await temporal.client.workflow.getHandle(purge.workflow_id).terminate();
  await stack.leave(purge);
  await stack.emptied();
  expect(await stack.runs(purge.workflow_id)).toBe(false);
  const executions: string[] = [];
  const query = `WorkflowId in ('${scheduled.workflow_id}', '${purge.workflow_id}')`;
  await eventually('both are listed', async () => {
    executions.length = 0;
    for await (const { workflowId } of temporal.client.workflow.list({ query })) executions.push(workflowId);
    return executions.length >= 2;
  });
  expect(executions.sort()).toEqual([purge.workflow_id, scheduled.workflow_id].sort());
});

test('a cancel message for a workflow that never started or has ended is done', async () => {
  const ended = message();
  stack.startRelay();
  await stack.leave(ended);
  await stack.emptied();
  await temporal.client.workflow.getHandle(ended.workflow_id).terminate();
  await stack.leave(message(newId(), 'cancel'), message(ended.payload.articleId, 'cancel'));
  await stack.emptied();
});

test('a message from a process whose clock is ahead is handed over at once', async () => {
  stack.startRelay();
  const left = message();
  const ahead = new Date(Date.now() + 3_600_000);
  await stack.db.transaction(async (tx) => enqueue(tx, left, ahead));
  await stack.emptied();
  expect(await stack.runs(left.workflow_id)).toBe(true);
});
