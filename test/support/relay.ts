import type { Client } from '@temporalio/client';
import { pino } from 'pino';
import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { enqueue } from '../../db/outbox.ts';
import type { OutboxMessage } from '../../db/outbox.ts';
import { systemClock } from '../../domain/kernel/clock.ts';
import { newId } from '../../domain/kernel/ids.ts';
import { workflowMessage } from '../../domain/kernel/workflow-messages.ts';
import type { MessageOf } from '../../domain/kernel/workflow-messages.ts';
import { Relay } from '../../worker/relay.ts';
import { createTestDatabase, poolMode } from './database.ts';
import { eventually } from './eventually.ts';
import type { TestTemporal } from './temporal.ts';

const POLL_MS = 100;
export const NEVER_MS = 86_400_000;

interface OutboxRow {
  readonly workflow_id: string;
  readonly attempts: number;
  readonly last_error: string | null;
}

/** A new database with its outbox, and relays that hand it over to Temporal. */
export interface RelayStack {
  /** As in production, rows are not checked against their types. */
  readonly db: Database;
  readonly databaseUrl: string;
  /** What its relays warned of: hand-overs that failed, and are repeated. */
  readonly warnings: readonly string[];
  startRelay(client?: Client, pollMs?: number, mayLook?: () => Promise<void>): Relay;
  /** Runs something when the stack is closed, after what was registered before. */
  atEnd(stop: () => unknown): void;
  /** Writes messages in one transaction. */
  leave(...messages: OutboxMessage[]): Promise<void>;
  outbox(): Promise<OutboxRow[]>;
  /** Waits until the outbox is empty. */
  emptied(): Promise<void>;
  /** Waits until a relay that is idle has looked for messages again. */
  looked(relay: Relay): Promise<void>;
  /** Whether a workflow runs. */
  runs(workflowId: string): Promise<boolean>;
  /** How often a workflow was started or signalled. */
  signalsOf(workflowId: string): Promise<number>;
  close(): Promise<void>;
}

export async function startRelayStack(temporal: TestTemporal): Promise<RelayStack> {
  const database = await createTestDatabase();
  const db = createDatabase({
    connectionString: database.url,
    applicationName: 'presswork-test',
    poolMode: poolMode(),
    poolSize: 8,
  });
  const stops: (() => unknown)[] = [];
  const warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => warnings.push(line) });
  const outbox = async (): Promise<OutboxRow[]> =>
    (await db.pool.query('select workflow_id, attempts, last_error from outbox order by id')).rows;
  return {
    db,
    databaseUrl: database.url,
    warnings,
    startRelay(client = temporal.client, pollMs = POLL_MS, mayLook = async () => {}) {
      const relay = new Relay({ db, client, clock: systemClock, log, pollMs, mayLook });
      const ended = relay.run();
      stops.push(async () => {
        relay.stop();
        await ended;
      });
      return relay;
    },
    atEnd: (stop) => void stops.push(stop),
    leave: (...messages) =>
      db.transaction(async (tx) => {
        for (const left of messages) enqueue(tx, left, new Date());
      }),
    outbox,
    emptied: () => eventually('the outbox is empty', async () => (await outbox()).length === 0),
    async looked(relay) {
      // The second look begins when the first has ended.
      for (let looks = 0; looks < 2; looks += 1) {
        const from = performance.now();
        await eventually('it has looked', () => relay.idleMs() < performance.now() - from);
      }
    },
    async runs(workflowId) {
      try {
        return (await temporal.client.workflow.getHandle(workflowId).describe()).status.name === 'RUNNING';
      } catch {
        return false;
      }
    },
    async signalsOf(workflowId) {
      const { events } = await temporal.client.workflow.getHandle(workflowId).fetchHistory();
      return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length;
    },
    async close() {
      for (const stop of stops) await stop();
      await db.close();
      await database.drop();
    },
  };
}

/** A message to the workflow of a scheduled article. */
export const message = (
  articleId = newId(),
  signal: 'reschedule' | 'cancel' = 'reschedule',
): MessageOf<'scheduled-publish'> =>
  workflowMessage('scheduled-publish', { articleId, siteId: newId(), signal });
