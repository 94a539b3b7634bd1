import { WriterError } from '../../domain/pipeline/writer.ts';
import { workflowIdOf } from '../../domain/kernel/workflow-messages.ts';
import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { createJobProcesses } from '../../adapters/untrusted-text/processes.ts';
import { createModelWriter } from '../../adapters/writer/llm/writer.ts';
import { offlineWriter } from '../../adapters/writer/offline/writer.ts';
import { balances, buildPurse, ended, startRun, topics } from '../support/pipeline.ts';
import type { Purse } from '../support/pipeline.ts';
import { eventually } from '../support/eventually.ts';
import { refuses, startModelServer, writes } from '../adapters/writer/model-server.ts';
import { rescueOnce, startTimeSkippingStack, terminateAtRest } from './time-skipping-stack.ts';
import type { TimeSkippingStack } from './time-skipping-stack.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let stack: TimeSkippingStack;

beforeAll(async () => {
  stack = await startTimeSkippingStack();
});
afterEach(() => {
  stack.writer = offlineWriter;
});
afterAll(() => stack.close());

const start = (purse: Purse, body?: object) =>
  stack.api.request('POST', '/pipeline/runs', { key: purse.key, ...(body && { body }) });
const usage = async (purse: Purse) => (await stack.api.request('GET', '/usage', { key: purse.key })).data;
const workflowOf = (runId: string) =>
  stack.temporal.client.workflow.getHandle(workflowIdOf('pipeline-run', runId));
const charges = async (runId: string): Promise<string[]> => {
  const { rows } = await stack.api.db.pool.query(
    `select kind || ' ' || stage as line from credit_ledger where run_id = $1 order by created_at, id`,
    [runId],
  );
  return rows.map(({ line }: { line: string }) => line);
};
const EACH_ONCE = ['classify', 'extract', 'plan', 'generate', 'improve'].map((stage) => `charge ${stage}`);

test('a run stopped by the cap can be resumed when the month ends in UTC, and not a second before', async () => {
  const turnAfter = (at: Date): number => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
  const began = await stack.now();
  // Everything has to be in one month, whenever the test runs.
  if (turnAfter(began) - began.getTime() < 5 * MINUTE) await stack.pass(5 * MINUTE);
  const purse = await buildPurse(stack.api, 1_000, { spendCap: 20 });
  const first = await startRun(stack.api, purse.key, { topics: topics(2) });
  expect(await ended(stack.api, purse.key, first.id)).toMatchObject({
    status: 'partial',
    reason: 'spend_cap_reached',
    credits_spent: 20,
  });
  const before = await usage(purse);
  expect(before.spend_cap).toEqual({ limit: 20, spent: 20, remaining: 0 });

  const now = await stack.now();
  const turn = turnAfter(now);
  expect(before.period.end).toBe(new Date(turn).toISOString());
  await stack.pass(turn - now.getTime() - 30 * SECOND);
  const early = await start(purse);
  expect([early.status, early.json.error.code]).toEqual([402, 'SPEND_CAP_REACHED']);
  await stack.pass(31 * SECOND);
  const after = await usage(purse);
  expect(after.spend_cap).toEqual({ limit: 20, spent: 0, remaining: 20 });
  expect([after.period.start, after.usage.credits_spent, after.usage.pipeline_runs]).toEqual([
    new Date(turn).toISOString(),
    0,
    0,
  ]);

  const second = await start(purse, { resume_run_id: first.id });
  expect(second.status).toBe(202);
  expect(second.data.totals).toEqual({ articles: 1, stages_done: 0, stages_total: 4 });
  expect(await ended(stack.api, purse.key, second.data.id)).toMatchObject({
    status: 'completed',
    credits_spent: 18,
  });
  expect((await usage(purse)).spend_cap).toEqual({ limit: 20, spent: 18, remaining: 2 });
  expect(await balances(stack.api, purse.organisationId)).toEqual([1_000 - 38, 1_000 - 38]);
});

test('a provider that sends Retry-After is called again only after that time', async () => {
  const model = await startModelServer();
  const http = createGuardedClient();
  const jobProcesses = createJobProcesses();
  const writer = createModelWriter({ baseUrl: model.url, apiKey: 'key', model: 'test', http, jobProcesses });
  try {
    stack.writer = writer;
    model.reactions = [refuses(429, { 'retry-after': '540' }), writes];
    const purse = await buildPurse(stack.api, 100);
    const run = await startRun(stack.api, purse.key, { topics: topics(1) });
    await eventually('it was called', () => model.asked.length === 1);
    await stack.pass(8 * MINUTE);
    expect(model.asked).toHaveLength(1);
    const { data } = await stack.api.request('GET', `/pipeline/runs/${run.id}`, { key: purse.key });
    expect([data.status, data.credits_spent]).toEqual(['running', 1]);
    await stack.pass(2 * MINUTE);
    expect(await ended(stack.api, purse.key, run.id)).toMatchObject({
      status: 'completed',
      writer: 'llm',
      credits_spent: 19,
    });
    expect(model.asked).toHaveLength(6);
    expect(await charges(run.id)).toEqual(EACH_ONCE);
  } finally {
    jobProcesses.close();
    await model.close();
    await http.close();
  }
});

test('housekeeping restarts a run whose workflow was lost, and nothing is charged twice', async () => {
  let tries = 0;
  stack.writer = {
    ...offlineWriter,
    plan: () => {
      tries += 1;
      return Promise.reject(new WriterError('it answered 503.', { final: false, retryAfterMs: 5 * MINUTE }));
    },
  };
  const purse = await buildPurse(stack.api, 100);
  const { id } = await startRun(stack.api, purse.key, { topics: topics(1) });
  await eventually('the plan was tried', () => tries === 1);
  await terminateAtRest(workflowOf(id));
  stack.writer = offlineWriter;
  const read = async () => (await stack.api.request('GET', `/pipeline/runs/${id}`, { key: purse.key })).data;

  await stack.pass(50 * MINUTE);
  expect((await rescueOnce(stack)).runs).toBe(0);
  expect(await read()).toMatchObject({ status: 'running', credits_spent: 4, totals: { stages_done: 2 } });
  await stack.pass(15 * MINUTE);
  expect((await rescueOnce(stack)).runs).toBe(1);
  expect(await ended(stack.api, purse.key, id)).toMatchObject({
    status: 'completed',
    credits_spent: 19,
    totals: { stages_done: 5 },
  });
  expect(await charges(id)).toEqual(EACH_ONCE);
  expect(await balances(stack.api, purse.organisationId)).toEqual([81, 81]);
  expect((await rescueOnce(stack)).runs).toBe(0);
  const { data } = await stack.api.request('GET', '/events?event=pipeline_run.finished', { key: purse.key });
  expect(data.items).toHaveLength(1);
});

test('a cancellation during the wait for a provider ends the run at that boundary', async () => {
  let tries = 0;
  stack.writer = {
    ...offlineWriter,
    generate: (...args) => {
      tries += 1;
      if (tries > 1) return offlineWriter.generate(...args);
      return Promise.reject(new WriterError('it answered 429.', { final: false, retryAfterMs: 9 * MINUTE }));
    },
  };
  const purse = await buildPurse(stack.api, 100);
  const { id } = await startRun(stack.api, purse.key, { topics: topics(1) });
  await eventually('it was tried', () => tries === 1);
  const cancelling = await stack.api.request('POST', `/pipeline/runs/${id}/cancel`, { key: purse.key });
  expect(cancelling.status).toBe(200);
  await stack.pass(10 * MINUTE);
  expect(await ended(stack.api, purse.key, id)).toMatchObject({ status: 'cancelled', credits_spent: 14 });
  expect(await charges(id)).toEqual(EACH_ONCE.slice(0, 4));
});
