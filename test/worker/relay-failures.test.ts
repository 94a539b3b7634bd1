import { Client, Connection } from '@temporalio/client';
import { eventually } from '../support/eventually.ts';
import { message, startRelayStack } from '../support/relay.ts';
import type { RelayStack } from '../support/relay.ts';
import { createWire, startTemporal } from '../support/temporal.ts';
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

describe('while Temporal is unavailable', () => {
  test('messages are kept, with the reason, and handed over once it is back', async () => {
    const wire = await createWire(temporal.address);
    await wire.cut();
    const connection = Connection.lazy({ address: wire.address });
    stack.atEnd(async () => connection.close());
    stack.atEnd(wire.cut);
    stack.startRelay(new Client({ connection, namespace: temporal.namespace }));
    const left = [message(), message(), message()];
    await stack.leave(...left);
    await eventually('it has been tried', async () =>
      (await stack.outbox()).every(({ attempts, last_error }) => attempts > 0 && last_error !== null),
    );
    expect((await stack.outbox()).map(({ last_error }) => last_error).join()).toMatch(
      /UNAVAILABLE|DEADLINE_EXCEEDED/,
    );
    await wire.open();
    await stack.emptied();
    for (const { workflow_id } of left) expect(await stack.runs(workflow_id)).toBe(true);
  });

  test('after a long outage messages do not wait for long', async () => {
    const wire = await createWire(temporal.address);
    const connection = await Connection.connect({ address: wire.address });
    stack.atEnd(async () => connection.close());
    stack.atEnd(wire.cut);
    await wire.cut();
    await stack.leave(message());
    await stack.db.pool.query('update outbox set attempts = 20');
    stack.startRelay(new Client({ connection, namespace: temporal.namespace }));
    await eventually('it has been tried', async () => (await stack.outbox())[0]!.attempts > 20);
    const { rows } = await stack.db.pool.query(
      'select extract(epoch from available_at - now())::float8 as wait from outbox',
    );
    expect(rows[0].wait).toBeLessThanOrEqual(5);
    await wire.open();
    await stack.emptied();
  });

  test('a message whose acceptance was lost is handed over again, and takes effect once', async () => {
    const wire = await createWire(temporal.address);
    const connection = await Connection.connect({ address: wire.address });
    stack.atEnd(async () => connection.close());
    stack.atEnd(wire.cut);
    wire.hold('answers');
    stack.startRelay(new Client({ connection, namespace: temporal.namespace }));
    const left = message();
    await stack.leave(left);
    await eventually('it is accepted', () => stack.runs(left.workflow_id));
    await wire.cut();
    await wire.open();
    await stack.emptied();
    expect(await stack.signalsOf(left.workflow_id)).toBeGreaterThanOrEqual(1);
    const { events } = await temporal.client.workflow.getHandle(left.workflow_id).fetchHistory();
    expect((events ?? []).filter((event) => event.workflowExecutionStartedEventAttributes)).toHaveLength(1);
  });
});

describe('a message that cannot be handed over', () => {
  const FIRST_PAUSE_MS = 200;

  /** How often it was tried and when it is tried again, once that is more often than before. */
  async function nextAttempt(before: number): Promise<{ attempts: number; at: number }> {
    let row: { attempts: number; available_at: Date } | undefined;
    await eventually('it has been tried again', async () => {
      [row] = (await stack.db.pool.query('select attempts, available_at from outbox')).rows;
      return row !== undefined && row.attempts > before;
    });
    return { attempts: row!.attempts, at: row!.available_at.getTime() };
  }

  test('delays no other, is retried with growing pauses, and stores the reason', async () => {
    const refused = message('x'.repeat(2_000));
    await stack.leave(refused);
    stack.startRelay();
    await eventually('it has been tried', async () => (await stack.outbox())[0]!.attempts > 0);
    const left = Array.from({ length: 150 }, () => message());
    await stack.leave(...left);
    await eventually('the others are gone', async () => (await stack.outbox()).length === 1);
    const [stuck] = await stack.outbox();
    expect(stuck?.workflow_id).toBe(refused.workflow_id);
    expect(stuck?.last_error).toMatch(/length exceeds limit/);
    let last = await nextAttempt(0);
    while (last.attempts < 4) {
      const next = await nextAttempt(last.attempts);
      expect(next.at - last.at).toBeGreaterThanOrEqual(FIRST_PAUSE_MS * 2 ** (next.attempts - 1));
      last = next;
    }
  });

  test('because its kind is unknown to this version, is kept for one that knows it', async () => {
    await stack.db.pool.query(
      `insert into outbox (kind, workflow_id, payload, created_at, available_at)
       values ('of-tomorrow', 'of-tomorrow/1', '{}', now(), now() - interval '1 second')`,
    );
    const known = message();
    await stack.leave(known);
    stack.startRelay();
    await eventually('the other is gone', async () => (await stack.outbox()).length === 1);
    await eventually('it is kept, with the reason', async () =>
      /of-tomorrow/.test((await stack.outbox())[0]?.last_error ?? ''),
    );
    expect(await stack.runs(known.workflow_id)).toBe(true);
  });

  test.each([
    ['scheduled-publish', '{}'],
    ['scheduled-publish', 'null'],
    ['pipeline-run', '"no object"'],
    ['upload-reservation', '{"uploadId": "1", "siteId": "2", "signal": "unheard of"}'],
  ])('because its payload cannot be read (%s %s), is kept, and delays no other', async (kind, payload) => {
    await stack.db.pool.query(
      `insert into outbox (kind, workflow_id, payload, created_at, available_at)
       values ($1, 'unreadable/1', $2, now(), now() - interval '1 second')`,
      [kind, payload],
    );
    const known = message();
    await stack.leave(known);
    stack.startRelay();
    await eventually('it has been tried', async () =>
      /cannot be read/.test((await stack.outbox())[0]?.last_error ?? ''),
    );
    await eventually('the other is gone', async () => (await stack.outbox()).length === 1);
    expect([await stack.runs(known.workflow_id), await stack.runs('unreadable/1')]).toEqual([true, false]);
  });
});
