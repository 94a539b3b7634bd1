import { workflowIdOf } from '../../domain/kernel/workflow-messages.ts';
import { startImpatientTemporal } from '../support/impatient-temporal.ts';
import { balances, buildPurse, ended, heldAt, startPipeline, startRun, topics } from '../support/pipeline.ts';
import type { PipelineStack } from '../support/pipeline.ts';
import { eventually } from '../support/eventually.ts';
import { offlineWriter } from '../../adapters/writer/offline/writer.ts';

let stack: PipelineStack;

beforeAll(async () => {
  stack = await startPipeline(startImpatientTemporal());
});
afterEach(() => {
  stack.writer = offlineWriter;
});
afterAll(() => stack.close());

/** The number of executions of a run's workflow, including the first. */
const lives = async (runId: string): Promise<number> => {
  const query = `WorkflowId = "${workflowIdOf('pipeline-run', runId)}"`;
  return (await stack.temporal.client.workflow.count(query)).count;
};

test('a long run continues as new: every article is done, and every stage charged once', async () => {
  const { api } = stack;
  const purse = await buildPurse(api, 1_000);
  const run = await startRun(api, purse.key, { topics: topics(12) });
  expect(await ended(api, purse.key, run.id)).toMatchObject({
    status: 'completed',
    credits_spent: 12 * 19,
    totals: { articles: 12, stages_done: 60, stages_total: 60 },
  });
  await eventually('it has several executions', async () => (await lives(run.id)) > 2);
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

test('a cancellation ends a run that has continued as new, and the rest can be resumed', async () => {
  const { api } = stack;
  const purse = await buildPurse(api, 1_000);
  let generated = 0;
  // Not the last stage: a run with all articles in their last stage completes, cancelled or not.
  const { reached, goOn } = heldAt(stack, 'generate', 1);
  const held = stack.writer;
  stack.writer = {
    ...offlineWriter,
    // Four articles are in progress at once, so the ninth is in a later execution.
    generate: (...args) => ((generated += 1) < 9 ? offlineWriter : held).generate(...args),
  };
  const { id } = await startRun(api, purse.key, { topics: topics(12) });
  await reached;
  await eventually('it has several executions', async () => (await lives(id)) > 1);
  expect((await api.request('POST', `/pipeline/runs/${id}/cancel`, { key: purse.key })).status).toBe(200);
  goOn();
  const run = await ended(api, purse.key, id);
  expect([run.status, run.reason]).toEqual(['cancelled', 'cancelled']);
  expect(run.totals.stages_done).toBeLessThan(60);
  stack.writer = offlineWriter;
  const rest = await ended(api, purse.key, (await startRun(api, purse.key, { resume_run_id: id })).id);
  expect([rest.status, rest.credits_spent + run.credits_spent]).toEqual(['completed', 228]);
});
