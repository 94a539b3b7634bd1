import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { createPipelineRunActivities } from '../../activities/pipeline-run.ts';
import { createDatabase } from '../../db/database.ts';
import { operator } from '../../domain/audit/record.ts';
import { systemClock } from '../../domain/clock.ts';
import { createOrganisation } from '../../domain/organisations/organisations.ts';
import { createRun } from '../../domain/pipeline/create-run.ts';
import { createSite } from '../../domain/organisations/sites.ts';
import { workflowIdOf } from '../../domain/workflow-messages.ts';
import { PIPELINE_TASK_QUEUE, TASK_QUEUE } from '../../workflows/names.ts';
import { prepareNamespace } from '../../worker/namespace.ts';
import { Relay } from '../../worker/relay.ts';
import { createJobProcesses } from '../../adapters/writer/jobs/processes.ts';
import { createOfflineWriter } from '../../adapters/writer/offline/in-job.ts';
import { fiveActivities } from './bare-workflow.ts';

/** Articles per run: this many are in progress at once. */
const ARTICLES_A_RUN = 4;
/** Credits of all stages of an article. */
const CREDITS = 19;

export interface PipelineSpeed {
  /** Articles through all five stages, per second. */
  readonly articlesPerSecond: number;
  /** Workflows of five empty activities, per second. */
  readonly barePerSecond: number;
}

export interface PipelineBench {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly namespace: string;
  readonly articles: number;
}

/**
 * Measures articles through all five stages with the offline writer, and the bare limit. The workflows are started
 * before the worker, and the time runs from its start.
 *
 * @throws Error if a run did not complete
 */
export async function measurePipeline(bench: PipelineBench): Promise<PipelineSpeed> {
  const connection = await NativeConnection.connect({ address: bench.temporalAddress });
  const client = new Client({ connection, namespace: bench.namespace });
  const log = pino({ level: 'silent' });
  await prepareNamespace(connection, bench.namespace, log);
  const db = createDatabase({
    connectionString: bench.databaseUrl,
    applicationName: 'presswork-bench',
    poolSize: 16,
  });
  try {
    const ids = await db.transaction(async (tx) => {
      const now = new Date();
      const credits = CREDITS * (bench.articles + ARTICLES_A_RUN);
      const organisationId = await createOrganisation(
        { tx, actor: operator, now },
        { name: 'Pipeline', plan: 'pro', credits },
      );
      const place = {
        domain: 'pipeline.example.com',
        locale: 'en',
        timezone: 'Europe/Berlin',
        spendCap: null,
      };
      const siteId = await createSite(
        { tx, actor: operator, now },
        { organisationId, name: 'Pipeline', ...place },
      );
      const runs: string[] = [];
      for (let begun = 0; begun < bench.articles; begun += ARTICLES_A_RUN) {
        const topics = Array.from({ length: ARTICLES_A_RUN }, (_, index) => ({
          title: `How to bake bread, part ${begun + index}`,
        }));
        const act = { tx, actor: operator, now };
        runs.push(workflowIdOf('pipeline-run', (await createRun(act, siteId, { topics }, 'offline')).id));
      }
      return runs;
    });
    const relay = new Relay({ db, client, clock: systemClock, log });
    const relaying = relay.run();
    const started = ids.map((id) => began(client, id));
    await Promise.all(started);
    relay.stop();
    await relaying;
    const sources = { read: async () => ({ text: null, problem: null }) };
    const jobProcesses = createJobProcesses();
    const writer = createOfflineWriter(jobProcesses);
    const activities = createPipelineRunActivities({
      db,
      clock: systemClock,
      log,
      writer,
      sources,
      jobProcesses,
    });
    const common = { connection, namespace: bench.namespace, activities };
    const pipeline = await Worker.create({
      ...common,
      taskQueue: TASK_QUEUE,
      workflowsPath: fileURLToPath(new URL('../../workflows/index.ts', import.meta.url)),
    });
    const stages = await Worker.create({ ...common, taskQueue: PIPELINE_TASK_QUEUE });
    const seconds = await stages.runUntil(timed(pipeline, client, ids, 'completed'));
    jobProcesses.close();

    const taskQueue = 'bench-bare';
    const bareIds = ids.flatMap((id) =>
      Array.from({ length: ARTICLES_A_RUN }, (_, index) => `bare/${id}/${index}`),
    );
    for (const workflowId of bareIds) await client.workflow.start(fiveActivities, { taskQueue, workflowId });
    const bare = await Worker.create({
      connection,
      namespace: bench.namespace,
      taskQueue,
      workflowsPath: fileURLToPath(new URL('./bare-workflow.ts', import.meta.url)),
      activities: { nothing: async () => {} },
    });
    const bareSeconds = await timed(bare, client, bareIds, undefined);
    return {
      articlesPerSecond: bareIds.length / seconds,
      barePerSecond: bareIds.length / bareSeconds,
    };
  } finally {
    await db.close();
    await connection.close();
  }
}

/** Resolves once Temporal has a workflow. */
export async function began(client: Client, workflowId: string): Promise<void> {
  const known = (): Promise<boolean> =>
    client.workflow
      .getHandle(workflowId)
      .describe()
      .then(
        () => true,
        () => false,
      );
  while (!(await known())) await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Runs workflows on a worker. @returns how long it took, in seconds */
export async function timed(
  worker: Worker,
  client: Client,
  ids: readonly string[],
  expected: unknown,
): Promise<number> {
  return worker.runUntil(async () => {
    const begun = performance.now();
    const results = await Promise.all(
      ids.map((id) => client.workflow.getHandle(id).result() as Promise<unknown>),
    );
    if (results.some((result) => (result ?? undefined) !== expected))
      throw new Error(`Workflows of the benchmark ended otherwise than as ${JSON.stringify(expected)}`);
    return (performance.now() - begun) / 1000;
  });
}

/** A line for the report. */
export const formatPipeline = ({ articlesPerSecond, barePerSecond }: PipelineSpeed): string =>
  `pipeline: ${articlesPerSecond.toFixed(1)} articles/s through five stages, beside ${barePerSecond.toFixed(1)} workflows/s ` +
  `of five empty activities (${Math.round((articlesPerSecond / barePerSecond) * 100)} %)`;
