import { Worker } from '@temporalio/worker';
import { createPipelineRunActivities, STAGES_AT_ONCE } from '../../activities/pipeline-run.ts';
import { systemClock } from '../../domain/kernel/clock.ts';
import { grantCredits } from '../../domain/usage/credits.ts';
import { operator } from '../../domain/audit/record.ts';
import type { Stage } from '../../domain/pipeline/stages.ts';
import type { Writer } from '../../domain/pipeline/writer.ts';
import { PIPELINE_TASK_QUEUE, TASK_QUEUE } from '../../workflows/names.ts';
import { Relay } from '../../worker/relay.ts';
import { createJobProcesses } from '../../adapters/untrusted-text/processes.ts';
import type { JobProcesses } from '../../adapters/untrusted-text/processes.ts';
import type { Research } from '../../adapters/research/research.ts';
import { offlineWriter } from '../../adapters/writer/offline/writer.ts';
import { withoutSource } from '../../adapters/writer/source-text.ts';
import type { Source } from '../../adapters/writer/source-text.ts';
import type { SourceReader } from '../../adapters/writer/source.ts';
import { startApi } from './api.ts';
import type { TestApi } from './api.ts';
import { buildKey, buildMember, buildOrganisation, buildSite } from './builders.ts';
import { eventually } from './eventually.ts';
import { silent, startTemporal, workflowBundle } from './temporal.ts';
import type { TestTemporal } from './temporal.ts';

/** The API, the relay and a worker for runs. */
export interface PipelineStack {
  readonly api: TestApi;
  readonly temporal: TestTemporal;
  /** Settable. */
  writer: Writer;
  sources: SourceReader;
  research?: Research | undefined;
  /** The helper processes that parse untrusted text. */
  readonly jobProcesses: JobProcesses;
  close(): Promise<void>;
}

export const noSources: SourceReader = { read: async () => withoutSource('there is none') };

/** A page that was read at the first try. */
export const readPage = (url: string, text: string, values: Partial<Source> = {}): Source =>
  ({ url, text, title: null, published_at: null, problem: null, ...values }) as Source;

/**
 * @param starting a separate Temporal; by default that of the test run
 * @param slots the worker's concurrent stages
 * @param running an API that has been started already
 */
export async function startPipeline(
  starting = startTemporal(),
  slots = STAGES_AT_ONCE,
  running?: TestApi,
): Promise<PipelineStack> {
  const [api, temporal] = await Promise.all([running ?? startApi(), starting]);
  const stack: PipelineStack = {
    api,
    temporal,
    writer: offlineWriter,
    sources: noSources,
    jobProcesses: createJobProcesses(),
    close,
  };
  const current: Writer = {
    get name() {
      return stack.writer.name;
    },
    modelOf: (...args) => stack.writer.modelOf(...args),
    classify: (...args) => stack.writer.classify(...args),
    get questions() {
      return stack.writer.questions;
    },
    extract: (...args) => stack.writer.extract(...args),
    plan: (...args) => stack.writer.plan(...args),
    generate: (...args) => stack.writer.generate(...args),
    improve: (...args) => stack.writer.improve(...args),
    get claims() {
      return stack.writer.claims as NonNullable<Writer['claims']>;
    },
  };
  const common = {
    connection: temporal.connection,
    namespace: temporal.namespace,
    activities: createPipelineRunActivities({
      db: api.db,
      clock: systemClock,
      log: silent,
      writer: current,
      sources: { read: (...args) => stack.sources.read(...args) },
      get research() {
        return stack.research;
      },
      jobProcesses: stack.jobProcesses,
    }),
  };
  const workers = await Promise.all([
    Worker.create({ ...common, taskQueue: TASK_QUEUE, workflowBundle }),
    Worker.create({
      ...common,
      taskQueue: PIPELINE_TASK_QUEUE,
      maxConcurrentActivityTaskExecutions: slots,
    }),
  ]);
  const working = workers.map((worker) => worker.run());
  const relay = new Relay({ db: api.db, client: temporal.client, clock: systemClock, log: silent });
  const relaying = relay.run();
  // Replaces the listener.
  const waking = setInterval(() => relay.wake(), 50);

  async function close(): Promise<void> {
    clearInterval(waking);
    relay.stop();
    for (const worker of workers) worker.shutdown();
    await Promise.all([relaying, ...working]);
    stack.jobProcesses.close();
    await temporal.close();
    await api.close();
  }
  return stack;
}

/** A Site whose organisation has this many credits, with a key for everything. */
export interface Purse {
  readonly organisationId: string;
  readonly siteId: string;
  readonly key: string;
}

export async function buildPurse(
  { db }: TestApi,
  credits: number,
  values: { plan?: 'free' | 'pro'; spendCap?: number | null } = {},
): Promise<Purse> {
  const { plan = 'pro', spendCap = null } = values;
  const organisationId = await buildOrganisation(db, { plan, credits });
  const memberId = await buildMember(db, organisationId);
  const siteId = await buildSite(db, organisationId, { spendCap });
  return { organisationId, siteId, key: (await buildKey(db, siteId, memberId)).secret };
}

export const grant = ({ db }: TestApi, organisationId: string, amount: number): Promise<number> =>
  db.transaction((tx) => grantCredits({ tx, actor: operator, now: new Date() }, organisationId, amount));

let batches = 0;

/** Topics that no writer skips: each is another. Their titles end in their number, from 1. */
export const topics = (count: number): object[] => {
  batches += 1;
  return Array.from({ length: count }, (_, index) => ({
    title: `How to bake bread of batch ${batches}, number ${index + 1}`,
    notes: 'A warm kitchen makes it faster.',
  }));
};

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export async function startRun(api: TestApi, key: string, body?: object): Promise<any> {
  const answer = await api.request('POST', '/pipeline/runs', {
    key,
    ...(body === undefined ? {} : { body }),
  });
  if (answer.status !== 202) throw new Error(`${answer.status} ${answer.text}`);
  return answer.data;
}

/** Waits until a run has ended, by its row, because reads by the API are limited. @returns the run */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export async function ended(api: TestApi, key: string, runId: string): Promise<any> {
  await eventually(
    'the run has ended',
    async () => {
      const { rows } = await api.db.pool.query('select finished_at from pipeline_runs where id = $1', [
        runId,
      ]);
      return rows[0]?.finished_at;
    },
    100,
  );
  const answer = await api.request('GET', `/pipeline/runs/${runId}`, { key });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data;
}

/** The organisation's credits, by its balance and by its ledger. */
export async function balances({ db }: TestApi, organisationId: string): Promise<[number, number]> {
  const { rows } = await db.pool.query(
    `select o.credit_balance::int as balance, coalesce(sum(l.amount), 0)::int as ledger
     from organisations o left join credit_ledger l on l.organisation_id = o.id where o.id = $1 group by o.id`,
    [organisationId],
  );
  return [rows[0].balance, rows[0].ledger];
}

/** Makes the writer wait at a stage until `goOn` is called. `reached` resolves once `count` articles wait there. */
export function heldAt(
  stack: PipelineStack,
  stage: Stage,
  count = 1,
): { readonly reached: Promise<void>; readonly goOn: () => void } {
  let goOn = (): void => {};
  let reach = (): void => {};
  let waiting = 0;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const perform = offlineWriter[stage] as (...args: unknown[]) => Promise<unknown>;
  stack.writer = {
    ...offlineWriter,
    [stage]: async (...args: unknown[]) => {
      waiting += 1;
      if (waiting >= count) reach();
      await held;
      return perform(...args);
    },
  };
  return { reached, goOn };
}
