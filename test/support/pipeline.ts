import { Worker } from '@temporalio/worker';
import { createPipelineActivities } from '../../activities/pipeline.ts';
import { systemClock } from '../../domain/clock.ts';
import { grantCredits } from '../../domain/credits.ts';
import { operator } from '../../domain/audit.ts';
import type { Stage } from '../../domain/pipeline/stages.ts';
import type { Writer } from '../../domain/pipeline/writer.ts';
import { TASK_QUEUE } from '../../temporal/names.ts';
import { Relay } from '../../worker/relay.ts';
import { offlineWriter } from '../../writer/offline/writer.ts';
import type { SourceReader } from '../../writer/source.ts';
import { startApi } from './api.ts';
import type { TestApi } from './api.ts';
import { buildKey, buildMember, buildOrganisation, buildSite } from './builders.ts';
import { eventually } from './eventually.ts';
import { silent, startTemporal, workflowsPath } from './temporal.ts';
import type { TestTemporal } from './temporal.ts';

/** The API, the relay and a worker that carries out runs. */
export interface PipelineWorld {
  readonly api: TestApi;
  readonly temporal: TestTemporal;
  /** Who writes; settable. */
  writer: Writer;
  sources: SourceReader;
  close(): Promise<void>;
}

export const noSources: SourceReader = { read: async () => ({ text: null, problem: null }) };

/** @param starting a Temporal of its own; without it the one of the test run */
export async function startPipeline(starting = startTemporal()): Promise<PipelineWorld> {
  const [api, temporal] = await Promise.all([startApi(), starting]);
  const world: PipelineWorld = { api, temporal, writer: offlineWriter, sources: noSources, close };
  const current: Writer = {
    get name() {
      return world.writer.name;
    },
    classify: (...args) => world.writer.classify(...args),
    extract: (...args) => world.writer.extract(...args),
    plan: (...args) => world.writer.plan(...args),
    generate: (...args) => world.writer.generate(...args),
    improve: (...args) => world.writer.improve(...args),
  };
  const worker = await Worker.create({
    connection: temporal.connection,
    namespace: temporal.namespace,
    taskQueue: TASK_QUEUE,
    workflowsPath,
    activities: createPipelineActivities({
      db: api.db,
      clock: systemClock,
      log: silent,
      writer: current,
      sources: { read: (...args) => world.sources.read(...args) },
    }),
  });
  const working = worker.run();
  const relay = new Relay({ db: api.db, client: temporal.client, clock: systemClock, log: silent });
  const relaying = relay.run();
  // In place of the listener.
  const waking = setInterval(() => relay.wake(), 50);

  async function close(): Promise<void> {
    clearInterval(waking);
    relay.stop();
    worker.shutdown();
    await Promise.all([relaying, working]);
    await temporal.close();
    await api.close();
  }
  return world;
}

/** A Site whose organisation has so many credits, with a key for everything. */
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
  db.transaction((tx) => grantCredits(tx, operator, organisationId, amount, new Date()));

/** Topics the offline writer does not skip. */
export const topics = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({ title: `How to bake bread number ${index + 1}` }));

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export async function startRun(api: TestApi, key: string, body?: object): Promise<any> {
  const answer = await api.request('POST', '/pipeline/runs', {
    key,
    ...(body === undefined ? {} : { body }),
  });
  if (answer.status !== 202) throw new Error(`${answer.status} ${answer.text}`);
  return answer.data;
}

/** Waits until a run has ended. @returns the run */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export async function ended(api: TestApi, key: string, runId: string): Promise<any> {
  let run: { status: string } | undefined;
  await eventually(
    'the run has ended',
    async () => {
      run = (await api.request('GET', `/pipeline/runs/${runId}`, { key })).data;
      return run?.status !== 'queued' && run?.status !== 'running';
    },
    100,
  );
  return run;
}

/** What the organisation has, by its balance and by its ledger. */
export async function balances({ db }: TestApi, organisationId: string): Promise<[number, number]> {
  const { rows } = await db.pool.query(
    `select o.credit_balance::int as balance, coalesce(sum(l.amount), 0)::int as ledger
     from organisations o left join credit_ledger l on l.organisation_id = o.id where o.id = $1 group by o.id`,
    [organisationId],
  );
  return [rows[0].balance, rows[0].ledger];
}

/** Has the writer wait at a stage until it is told to go on. `reached` resolves once `count` articles wait there. */
export function heldAt(
  world: PipelineWorld,
  stage: Stage,
  count = 1,
): { readonly reached: Promise<void>; readonly goOn: () => void } {
  let goOn = (): void => {};
  let reach = (): void => {};
  let waiting = 0;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const perform = offlineWriter[stage] as (...args: unknown[]) => Promise<unknown>;
  world.writer = {
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
