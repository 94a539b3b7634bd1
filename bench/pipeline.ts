import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { createPipelineActivities } from '../activities/pipeline.ts';
import { createDatabase } from '../db/database.ts';
import { operator } from '../domain/audit.ts';
import { systemClock } from '../domain/clock.ts';
import { createOrganisation } from '../domain/organisations.ts';
import { createRun, pipelineRunId } from '../domain/pipeline/create-run.ts';
import { createSite } from '../domain/sites.ts';
import { TASK_QUEUE } from '../temporal/names.ts';
import { prepareNamespace } from '../worker/namespace.ts';
import { Relay } from '../worker/relay.ts';
import { offlineWriter } from '../writer/offline/writer.ts';
import { fiveActivities } from './bare-workflow.ts';

/** Articles of a run: so many are written side by side. */
const ARTICLES_A_RUN = 4;
/** Credits of all stages of an article. */
const CREDITS = 19;

export interface PipelineSpeed {
  /** Articles through all five stages, a second. */
  readonly articlesPerSecond: number;
  /** Workflows of five activities that do nothing, a second. */
  readonly barePerSecond: number;
}

export interface PipelineBench {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly namespace: string;
  readonly articles: number;
}

/**
 * Measures articles through all five stages with the offline writer, beside the bare limit. Everything has been
 * handed to Temporal before its worker begins, and is timed from then on.
 *
 * @throws Error where a run did not complete
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
        tx,
        operator,
        { name: 'Pipeline', plan: 'pro', credits },
        now,
      );
      const place = {
        domain: 'pipeline.example.com',
        locale: 'en',
        timezone: 'Europe/Berlin',
        spendCap: null,
      };
      const siteId = await createSite(tx, operator, { organisationId, name: 'Pipeline', ...place }, now);
      const runs: string[] = [];
      for (let begun = 0; begun < bench.articles; begun += ARTICLES_A_RUN) {
        const topics = Array.from({ length: ARTICLES_A_RUN }, (_, index) => ({
          title: `How to bake bread, part ${begun + index}`,
        }));
        runs.push(pipelineRunId((await createRun(tx, siteId, { topics }, 'offline', now)).id));
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
    const pipeline = await Worker.create({
      connection,
      namespace: bench.namespace,
      taskQueue: TASK_QUEUE,
      workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)),
      activities: createPipelineActivities({ db, clock: systemClock, log, writer: offlineWriter, sources }),
    });
    const seconds = await timed(pipeline, client, ids, 'completed');

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
async function began(client: Client, workflowId: string): Promise<void> {
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

/** Has a worker carry out workflows. @returns how long it took, in seconds */
async function timed(
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
