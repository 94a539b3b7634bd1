import { Client, Connection } from '@temporalio/client';
import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import type { Transaction } from '../../db/transaction.ts';
import { enqueue } from '../../db/outbox.ts';
import type { OutboxMessage } from '../../db/outbox.ts';
import { systemClock } from '../../domain/clock.ts';
import { newId } from '../../domain/ids.ts';
import { listen } from '../../worker/listener.ts';
import { Relay } from '../../worker/relay.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createWire, silent, sleep, startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';

const POLL_MS = 100;
const NEVER_MS = 86_400_000;

let temporal: TestTemporal;
let database: TestDatabase;
/** As in production: rows are not checked against their types. */
let db: Database;
const running: (() => Promise<void>)[] = [];

beforeAll(async () => {
  temporal = await startTemporal();
});
afterAll(() => temporal.close());
beforeEach(async () => {
  database = await createTestDatabase();
  db = createDatabase({ connectionString: database.url, applicationName: 'presswork-test', poolSize: 8 });
});
afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
  await db.close();
  await database.drop();
});

function startRelay(client = temporal.client, pollMs = POLL_MS): Relay {
  const relay = new Relay({ db, client, clock: systemClock, log: silent, pollMs });
  const ended = relay.run();
  running.push(async () => {
    relay.stop();
    await ended;
  });
  return relay;
}

const message = (id = newId(), signal: 'reschedule' | 'cancel' = 'reschedule'): OutboxMessage => ({
  kind: 'scheduled-publish',
  workflow_id: `scheduled-publish/${id}`,
  payload: { articleId: id, siteId: newId(), signal },
});

const leave = (...messages: OutboxMessage[]): Promise<void> =>
  db.transaction(async (tx: Transaction) => {
    for (const left of messages) enqueue(tx, left, new Date());
  });

const outbox = async (): Promise<{ workflow_id: string; attempts: number; last_error: string | null }[]> =>
  (await db.pool.query('select workflow_id, attempts, last_error from outbox order by id')).rows;
const emptied = (): Promise<void> =>
  eventually('the outbox is empty', async () => (await outbox()).length === 0);

const runs = async (workflowId: string): Promise<boolean> => {
  try {
    return (await temporal.client.workflow.getHandle(workflowId).describe()).status.name === 'RUNNING';
  } catch {
    return false;
  }
};

/** How often a process was started or told. */
async function signalsOf(workflowId: string): Promise<number> {
  const { events } = await temporal.client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length;
}

test('a process is started once its change has committed, and not before', async () => {
  const relay = startRelay();
  const left = message();
  await db.transaction(async (tx) => {
    enqueue(tx, left, new Date());
    relay.wake();
    await sleep(500);
    expect(await runs(left.workflow_id)).toBe(false);
  });
  relay.wake();
  await emptied();
  expect(await runs(left.workflow_id)).toBe(true);
});

test('a change that is rolled back starts nothing', async () => {
  startRelay();
  const left = message();
  const failing = db.transaction(async (tx) => {
    enqueue(tx, left, new Date());
    throw new Error('taken back');
  });
  await expect(failing).rejects.toThrow('taken back');
  await sleep(POLL_MS + 500);
  expect(await runs(left.workflow_id)).toBe(false);
});

test('with NOTIFY a message is handed over at once, and after the listener was cut off again', async () => {
  const relay = startRelay(temporal.client, NEVER_MS);
  const listener = listen(database.url, silent, {
    presswork_outbox: () => relay.wake(),
    presswork_webhooks: () => {},
  });
  running.push(async () => listener.close());
  const listening = async (): Promise<number | undefined> => {
    const { rows } = await db.pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'presswork-listener' and datname = current_database() and state = 'idle' and query ilike 'listen%'`,
    );
    return rows[0]?.pid;
  };
  const handOver = async (): Promise<void> => {
    for (let times = 0; times < 5; times += 1) {
      await leave(message());
      await emptied();
    }
  };
  await eventually('it listens', async () => (await listening()) !== undefined);
  await handOver();
  const first = await listening();
  await db.pool.query('select pg_terminate_backend($1)', [first]);
  await eventually('it listens again', async () => ![undefined, first].includes(await listening()));
  await handOver();
});

test('a message whose NOTIFY was lost is found by the poll', async () => {
  startRelay();
  await sleep(200);
  const left = message();
  await leave(left);
  await emptied();
  expect(await runs(left.workflow_id)).toBe(true);
});

test('three relays at once hand each message over once', async () => {
  const left = Array.from({ length: 120 }, () => message());
  const relays = [startRelay(), startRelay(), startRelay()];
  await Promise.all(
    Array.from({ length: 12 }, async (_, batch) => {
      await leave(...left.slice(batch * 10, batch * 10 + 10));
      for (const relay of relays) relay.wake();
    }),
  );
  await emptied();
  expect(await Promise.all(left.map(({ workflow_id }) => signalsOf(workflow_id)))).toEqual(left.map(() => 1));
});

test('a message that is handed over twice starts nothing twice', async () => {
  const scheduled = message();
  const siteId = newId();
  const purge: OutboxMessage = {
    kind: 'cache-purge',
    workflow_id: `cache-purge/${newId()}`,
    payload: { purgeId: newId(), siteId },
  };
  startRelay();
  for (let times = 1; times <= 2; times += 1) {
    await leave(scheduled, purge);
    await emptied();
  }
  // One that has ended by now is not started again either.
  await temporal.client.workflow.getHandle(purge.workflow_id).terminate();
  await leave(purge);
  await emptied();
  expect(await runs(purge.workflow_id)).toBe(false);
  const executions: string[] = [];
  const query = `WorkflowId in ('${scheduled.workflow_id}', '${purge.workflow_id}')`;
  await eventually('both are listed', async () => {
    executions.length = 0;
    for await (const { workflowId } of temporal.client.workflow.list({ query })) executions.push(workflowId);
    return executions.length >= 2;
  });
  expect(executions.sort()).toEqual([purge.workflow_id, scheduled.workflow_id].sort());
});

test('a cancel for a process that never began, or has ended, is done', async () => {
  const ended = message();
  startRelay();
  await leave(ended);
  await emptied();
  await temporal.client.workflow.getHandle(ended.workflow_id).terminate();
  await leave(message(newId(), 'cancel'), { ...message(ended.payload['articleId' as never], 'cancel') });
  await emptied();
});

describe('while Temporal is away', () => {
  test('messages stay, with the reason, and are handed over once it is back', async () => {
    const wire = await createWire(temporal.address);
    await wire.cut();
    const connection = Connection.lazy({ address: wire.address });
    running.push(async () => connection.close());
    running.push(wire.cut);
    startRelay(new Client({ connection, namespace: temporal.namespace }));
    const left = [message(), message(), message()];
    await leave(...left);
    await eventually('it has been tried', async () =>
      (await outbox()).every(({ attempts, last_error }) => attempts > 0 && last_error !== null),
    );
    expect((await outbox()).map(({ last_error }) => last_error).join()).toMatch(
      /UNAVAILABLE|DEADLINE_EXCEEDED/,
    );
    await wire.open();
    await emptied();
    for (const { workflow_id } of left) expect(await runs(workflow_id)).toBe(true);
  });

  test('a server that has been away for long does not find everything put off for long', async () => {
    const wire = await createWire(temporal.address);
    const connection = await Connection.connect({ address: wire.address });
    running.push(async () => connection.close());
    running.push(wire.cut);
    await wire.cut();
    await leave(message());
    await db.pool.query('update outbox set attempts = 20');
    startRelay(new Client({ connection, namespace: temporal.namespace }));
    await eventually('it has been tried', async () => (await outbox())[0]!.attempts > 20);
    const { rows } = await db.pool.query(
      'select extract(epoch from available_at - now())::float8 as wait from outbox',
    );
    expect(rows[0].wait).toBeLessThanOrEqual(5);
    await wire.open();
    await emptied();
  });

  test('a server that has accepted a message and whose answer is lost has it told again, and runs it once', async () => {
    const wire = await createWire(temporal.address);
    const connection = await Connection.connect({ address: wire.address });
    running.push(async () => connection.close());
    running.push(wire.cut);
    wire.hold('answers');
    startRelay(new Client({ connection, namespace: temporal.namespace }));
    const left = message();
    await leave(left);
    await eventually('it is accepted', () => runs(left.workflow_id));
    await wire.cut();
    await wire.open();
    await emptied();
    expect(await signalsOf(left.workflow_id)).toBeGreaterThanOrEqual(1);
    const { events } = await temporal.client.workflow.getHandle(left.workflow_id).fetchHistory();
    expect((events ?? []).filter((event) => event.workflowExecutionStartedEventAttributes)).toHaveLength(1);
  });
});

describe('a message that cannot be handed over', () => {
  test('holds up no other, is tried less and less often, and says why', async () => {
    const refused = message('x'.repeat(2_000));
    await leave(refused);
    startRelay();
    await eventually('it has been tried', async () => (await outbox())[0]!.attempts > 0);
    const left = Array.from({ length: 150 }, () => message());
    await leave(...left);
    await eventually('the others are gone', async () => (await outbox()).length === 1);
    const [stuck] = await outbox();
    expect(stuck?.workflow_id).toBe(refused.workflow_id);
    expect(stuck?.last_error).toMatch(/length exceeds limit/);
    await sleep(2_000);
    expect((await outbox())[0]!.attempts).toBeLessThan(6);
  });

  test('because it is of a kind that this version does not know, is kept for one that does', async () => {
    await db.pool.query(
      `insert into outbox (kind, workflow_id, payload, created_at, available_at)
       values ('of-tomorrow', 'of-tomorrow/1', '{}', now(), now() - interval '1 second')`,
    );
    const known = message();
    await leave(known);
    startRelay();
    await eventually('the other is gone', async () => (await outbox()).length === 1);
    await eventually('it is kept, with the reason', async () =>
      /of-tomorrow/.test((await outbox())[0]?.last_error ?? ''),
    );
    expect(await runs(known.workflow_id)).toBe(true);
  });

  test.each([
    ['scheduled-publish', '{}'],
    ['scheduled-publish', 'null'],
    ['pipeline-run', '"no object"'],
    ['upload-reservation', '{"uploadId": "1", "siteId": "2", "signal": "unheard of"}'],
  ])('because its payload cannot be read (%s %s), is kept, and holds up no other', async (kind, payload) => {
    await db.pool.query(
      `insert into outbox (kind, workflow_id, payload, created_at, available_at)
       values ($1, 'unreadable/1', $2, now(), now() - interval '1 second')`,
      [kind, payload],
    );
    const known = message();
    await leave(known);
    startRelay();
    await eventually('it has been tried', async () =>
      /cannot be read/.test((await outbox())[0]?.last_error ?? ''),
    );
    await eventually('the other is gone', async () => (await outbox()).length === 1);
    expect([await runs(known.workflow_id), await runs('unreadable/1')]).toEqual([true, false]);
  });
});

test('a message left by a process whose clock is ahead is handed over at once', async () => {
  startRelay();
  const left = message();
  const ahead = new Date(Date.now() + 3_600_000);
  await db.transaction(async (tx) => enqueue(tx, left, ahead));
  await emptied();
  expect(await runs(left.workflow_id)).toBe(true);
});
