import { TestWorkflowEnvironment } from '@temporalio/testing';
import { pipelineRunId } from '../../domain/pipeline/create-run.ts';
import { prepareNamespace } from '../../worker/namespace.ts';
import { environment } from '../support/environment.ts';
import { balances, buildPurse, ended, heldAt, startPipeline, startRun, topics } from '../support/pipeline.ts';
import type { PipelineWorld } from '../support/pipeline.ts';
import { eventually } from '../support/eventually.ts';
import { silent } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { offlineWriter } from '../../writer/offline/writer.ts';

/** Histories are called long from here on; usually it is 4,096 events. */
const LONG = 60;

let world: PipelineWorld;

/** A Temporal that asks for a fresh history early. */
async function startImpatient(): Promise<TestTemporal> {
  const server = await TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'existing-path', path: environment('TEMPORAL_PROGRAM') },
      extraArgs: ['--dynamic-config-value', `limit.historyCount.suggestContinueAsNew=${LONG}`],
    },
  });
  const { nativeConnection: connection, client, address } = server;
  const namespace = server.namespace ?? 'default';
  await prepareNamespace(connection, namespace, silent);
  return { address, namespace, connection, client, close: () => server.teardown() };
}

beforeAll(async () => {
  world = await startPipeline(startImpatient());
});
afterEach(() => {
  world.writer = offlineWriter;
});
afterAll(() => world.close());

/** How often the process of a run has begun with a fresh history, its first included. */
const lives = async (runId: string): Promise<number> => {
  const query = `WorkflowId = "${pipelineRunId(runId)}"`;
  return (await world.temporal.client.workflow.count(query)).count;
};

test('a long run goes on with a fresh history: every article is done, and every stage charged once', async () => {
  const { api } = world;
  const purse = await buildPurse(api, 1_000);
  const run = await startRun(api, purse.key, { topics: topics(12) });
  expect(await ended(api, purse.key, run.id)).toMatchObject({
    status: 'completed',
    credits_spent: 12 * 19,
    totals: { articles: 12, stages_done: 60, stages_total: 60 },
  });
  await eventually('it is seen to have had several', async () => (await lives(run.id)) > 2);
  const { rows } = await api.db.pool.query(
    `select count(*)::int as lines, count(distinct (article_id, stage))::int as units
     from credit_ledger where run_id = $1`,
    [run.id],
  );
  expect(rows[0]).toEqual({ lines: 60, units: 60 });
  expect(await balances(api, purse.organisationId)).toEqual([1_000 - 228, 1_000 - 228]);
  const { data } = await api.request('GET', '/events?event=pipeline_run.finished', { key: purse.key });
  expect(data.items).toHaveLength(1);
});

test('a cancel ends a run that has had a fresh history, and the rest can be taken on', async () => {
  const { api } = world;
  const purse = await buildPurse(api, 1_000);
  let generated = 0;
  // A stage that is not the last: a run whose every article is in its last one is complete, cancelled or not.
  const { reached, goOn } = heldAt(world, 'generate', 1);
  const held = world.writer;
  world.writer = {
    ...offlineWriter,
    // Four articles are worked on side by side: the ninth is in a later history.
    generate: (...args) => ((generated += 1) < 9 ? offlineWriter : held).generate(...args),
  };
  const { id } = await startRun(api, purse.key, { topics: topics(12) });
  await reached;
  await eventually('it is seen to have had several', async () => (await lives(id)) > 1);
  expect((await api.request('POST', `/pipeline/runs/${id}/cancel`, { key: purse.key })).status).toBe(200);
  goOn();
  const run = await ended(api, purse.key, id);
  expect([run.status, run.reason]).toEqual(['cancelled', 'cancelled']);
  expect(run.totals.stages_done).toBeLessThan(60);
  world.writer = offlineWriter;
  const rest = await ended(api, purse.key, (await startRun(api, purse.key, { resume_run_id: id })).id);
  expect([rest.status, rest.credits_spent + run.credits_spent]).toEqual(['completed', 228]);
});
