import { until } from '../../dev/processes.ts';
import type { ActionCount } from '../temporal-actions.ts';
import type { Costed } from './operations.ts';
import type { CostStack } from './stack.ts';

/** The cost of one operation, including its follow-up work. */
export interface Cost {
  readonly name: string;
  /** Of the API process: statements, including BEGIN and COMMIT, and round trips to PostgreSQL. */
  readonly apiStatements: number;
  readonly apiRoundTrips: number;
  /** Of the worker, beyond its idle work. */
  readonly workerStatements: number;
  readonly workerRoundTrips: number;
  /** Bytes of WAL: without full-page images, and with them, right after a checkpoint. */
  readonly walBytes: number;
  readonly walBytesAfterCheckpoint: number;
  /** Bytes by which the database grows before a vacuum. */
  readonly grownBytes: number;
  readonly actions: number;
  readonly historyBytes: number;
  readonly storeRequests: number;
}

/** The activity of an idle system, per second. */
export interface Idle {
  readonly workerStatements: number;
  readonly workerRoundTrips: number;
  readonly walBytes: number;
}

interface Snapshot extends Idle {
  readonly apiStatements: number;
  readonly apiRoundTrips: number;
  readonly storeRequests: number;
  readonly databaseBytes: number;
  readonly temporal: ActionCount;
  readonly at: number;
}

const TIMES = 50;
const WARM_UP = 5;
const SETTLE_MS = 120_000;
/** Long enough for one run of housekeeping. */
const IDLE_MS = 60_000;

export async function measureIdle(stack: CostStack): Promise<Idle> {
  await settle(stack, undefined);
  const before = await look(stack);
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const after = await look(stack);
  const perSecond = (of: keyof Idle): number => ((after[of] - before[of]) * 1_000) / (after.at - before.at);
  return {
    workerStatements: perSecond('workerStatements'),
    workerRoundTrips: perSecond('workerRoundTrips'),
    walBytes: perSecond('walBytes'),
  };
}

/** Repeats an operation, and waits for its follow-up work. */
export async function measureCost(stack: CostStack, operation: Costed, idle: Idle): Promise<Cost> {
  await configure(stack, 'off');
  const plain = await repeat(stack, operation, idle);
  await configure(stack, 'on');
  const { walBytes } = await repeat(stack, operation, idle, true);
  return { ...plain, name: operation.name, walBytesAfterCheckpoint: walBytes };
}

/** Whether PostgreSQL writes a full-page image when a page first changes after a checkpoint. */
async function configure({ sql }: CostStack, fullPages: 'on' | 'off'): Promise<void> {
  await sql.query(`alter system set full_page_writes = ${fullPages}`);
  await sql.query('select pg_reload_conf()');
  const taken = async (): Promise<boolean> =>
    (await sql.query('show full_page_writes')).rows[0].full_page_writes === fullPages;
  if (!(await until(taken, SETTLE_MS))) throw new Error('PostgreSQL does not apply its settings');
}

async function repeat(
  stack: CostStack,
  { once, settled, times = TIMES }: Costed,
  idle: Idle,
  checkpoint = false,
) {
  stack.nextKey();
  const warmUp = Math.min(WARM_UP, Math.ceil(times / 4));
  for (let done = 0; done < warmUp; done += 1) await once();
  await settle(stack, settled);
  if (checkpoint) await stack.sql.query('checkpoint');
  const before = await look(stack);
  for (let done = 0; done < times; done += 1) await once();
  await settle(stack, settled);
  const after = await look(stack);
  const seconds = (after.at - before.at) / 1_000;
  const each = (of: (snapshot: Snapshot) => number, idlePerSecond = 0): number =>
    Math.max(0, (of(after) - of(before) - idlePerSecond * seconds) / times);
  return {
    apiStatements: each(({ apiStatements }) => apiStatements),
    apiRoundTrips: each(({ apiRoundTrips }) => apiRoundTrips),
    workerStatements: each(({ workerStatements }) => workerStatements, idle.workerStatements),
    workerRoundTrips: each(({ workerRoundTrips }) => workerRoundTrips, idle.workerRoundTrips),
    walBytes: each(({ walBytes }) => walBytes, idle.walBytes),
    grownBytes: each(({ databaseBytes }) => databaseBytes),
    actions: each(({ temporal }) => temporal.actions),
    historyBytes: each(({ temporal }) => temporal.bytes),
    storeRequests: each(({ storeRequests }) => storeRequests),
  };
}

async function look({ sql, wires, store, actions }: CostStack): Promise<Snapshot> {
  const { rows } = await sql.query(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal,
       pg_database_size(current_database())::float8 as size`,
  );
  return {
    at: Date.now(),
    apiStatements: wires.api.count.statements,
    apiRoundTrips: wires.api.count.roundTrips,
    workerStatements: wires.worker.count.statements,
    workerRoundTrips: wires.worker.count.roundTrips,
    walBytes: rows[0].wal,
    databaseBytes: rows[0].size,
    storeRequests: store.count.requests,
    temporal: await actions.count(),
  };
}

/** Waits until outbox, queue and search index have nothing left to do, and the operation's own condition holds. */
async function settle({ sql }: CostStack, settled: Costed['settled']): Promise<void> {
  const done = async (): Promise<boolean> => {
    const { rows } = await sql.query(
      `select exists (select from outbox where available_at <= now()) or exists (select from webhook_queue)
         or exists (select from article_search where not (indexed and refined)) as waits`,
    );
    return rows[0].waits === false && ((await settled?.()) ?? true);
  };
  if (!(await until(done, SETTLE_MS, 100)))
    throw new Error('The follow-up work of an operation was not done in time');
}
