import { pipelineRunId } from '../../domain/pipeline/create-run.ts';
import { WriterError } from '../../domain/pipeline/writer.ts';
import { createGuardedClient } from '../../net/guarded-client.ts';
import { createModelWriter } from '../../writer/llm/writer.ts';
import { offlineWriter } from '../../writer/offline/writer.ts';
import { balances, buildPurse, ended, startRun, topics } from '../support/pipeline.ts';
import type { Purse } from '../support/pipeline.ts';
import { eventually } from '../support/eventually.ts';
import { refuses, startModelServer, writes } from '../writer/model-server.ts';
import { cleanOnce, startSkippedTime, terminateAtRest } from './skipped-time.ts';
import type { SkippedTime } from './skipped-time.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let world: SkippedTime;

beforeAll(async () => {
  world = await startSkippedTime();
});
afterEach(() => {
  world.writer = offlineWriter;
});
afterAll(() => world.close());

const start = (purse: Purse, body?: object) =>
  world.api.request('POST', '/pipeline/runs', { key: purse.key, ...(body && { body }) });
const usage = async (purse: Purse) => (await world.api.request('GET', '/usage', { key: purse.key })).data;
const process = (runId: string) => world.temporal.client.workflow.getHandle(pipelineRunId(runId));
const charges = async (runId: string): Promise<string[]> => {
  const { rows } = await world.api.db.pool.query(
    `select kind || ' ' || stage as line from credit_ledger where run_id = $1 order by created_at, id`,
    [runId],
  );
  return rows.map(({ line }: { line: string }) => line);
};
const EACH_ONCE = ['classify', 'extract', 'plan', 'generate', 'improve'].map((stage) => `charge ${stage}`);

test('a run that the cap stopped is taken on when the month turns in UTC, and not a second before', async () => {
  const turnAfter = (at: Date): number => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
  const began = await world.now();
  // All of it is to be in one month, whenever the test runs.
  if (turnAfter(began) - began.getTime() < 5 * MINUTE) await world.pass(5 * MINUTE);
  const purse = await buildPurse(world.api, 1_000, { spendCap: 20 });
  const first = await startRun(world.api, purse.key, { topics: topics(2) });
  expect(await ended(world.api, purse.key, first.id)).toMatchObject({
    status: 'partial',
    reason: 'spend_cap_reached',
    credits_spent: 20,
  });
  const before = await usage(purse);
  expect(before.spend_cap).toEqual({ limit: 20, spent: 20, remaining: 0 });

  const now = await world.now();
  const turn = turnAfter(now);
  expect(before.period.end).toBe(new Date(turn).toISOString());
  await world.pass(turn - now.getTime() - 30 * SECOND);
  const early = await start(purse);
  expect([early.status, early.json.error.code]).toEqual([402, 'SPEND_CAP_REACHED']);
  await world.pass(31 * SECOND);
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
  expect(await ended(world.api, purse.key, second.data.id)).toMatchObject({
    status: 'completed',
    credits_spent: 18,
  });
  expect((await usage(purse)).spend_cap).toEqual({ limit: 20, spent: 18, remaining: 2 });
  expect(await balances(world.api, purse.organisationId)).toEqual([1_000 - 38, 1_000 - 38]);
});

test('a provider that names a time is left in peace until then, and asked once more after it', async () => {
  const model = await startModelServer();
  const http = createGuardedClient();
  const writer = createModelWriter({ baseUrl: model.url, apiKey: 'key', model: 'test', http });
  try {
    world.writer = writer;
    model.reactions = [refuses(429, { 'retry-after': '540' }), writes];
    const purse = await buildPurse(world.api, 100);
    const run = await startRun(world.api, purse.key, { topics: topics(1) });
    await eventually('it was asked', () => model.asked.length === 1);
    await world.pass(8 * MINUTE);
    expect(model.asked).toHaveLength(1);
    const { data } = await world.api.request('GET', `/pipeline/runs/${run.id}`, { key: purse.key });
    expect([data.status, data.credits_spent]).toEqual(['running', 1]);
    await world.pass(2 * MINUTE);
    expect(await ended(world.api, purse.key, run.id)).toMatchObject({
      status: 'completed',
      writer: 'llm',
      credits_spent: 19,
    });
    expect(model.asked).toHaveLength(6);
    expect(await charges(run.id)).toEqual(EACH_ONCE);
  } finally {
    await model.close();
    await http.close();
  }
});

test('a run whose process is gone is begun again by housekeeping an hour later, and nothing is charged twice', async () => {
  let tries = 0;
  world.writer = {
    ...offlineWriter,
    plan: () => {
      tries += 1;
      return Promise.reject(new WriterError('it answered 503.', { final: false, retryAfterMs: 5 * MINUTE }));
    },
  };
  const purse = await buildPurse(world.api, 100);
  const { id } = await startRun(world.api, purse.key, { topics: topics(1) });
  await eventually('the plan was tried', () => tries === 1);
  await terminateAtRest(process(id));
  world.writer = offlineWriter;
  const read = async () => (await world.api.request('GET', `/pipeline/runs/${id}`, { key: purse.key })).data;

  await world.pass(50 * MINUTE);
  expect((await cleanOnce(world)).rescuedRuns).toBe(0);
  expect(await read()).toMatchObject({ status: 'running', credits_spent: 4, totals: { stages_done: 2 } });
  await world.pass(15 * MINUTE);
  expect((await cleanOnce(world)).rescuedRuns).toBe(1);
  expect(await ended(world.api, purse.key, id)).toMatchObject({
    status: 'completed',
    credits_spent: 19,
    totals: { stages_done: 5 },
  });
  expect(await charges(id)).toEqual(EACH_ONCE);
  expect(await balances(world.api, purse.organisationId)).toEqual([81, 81]);
  expect((await cleanOnce(world)).rescuedRuns).toBe(0);
  const { data } = await world.api.request('GET', '/events?event=pipeline_run.finished', { key: purse.key });
  expect(data.items).toHaveLength(1);
});

test('a cancel that reaches a run while it waits for its provider ends it at that boundary', async () => {
  let tries = 0;
  world.writer = {
    ...offlineWriter,
    generate: (...args) => {
      tries += 1;
      if (tries > 1) return offlineWriter.generate(...args);
      return Promise.reject(new WriterError('it answered 429.', { final: false, retryAfterMs: 9 * MINUTE }));
    },
  };
  const purse = await buildPurse(world.api, 100);
  const { id } = await startRun(world.api, purse.key, { topics: topics(1) });
  await eventually('it was tried', () => tries === 1);
  const cancelling = await world.api.request('POST', `/pipeline/runs/${id}/cancel`, { key: purse.key });
  expect(cancelling.status).toBe(200);
  await world.pass(10 * MINUTE);
  expect(await ended(world.api, purse.key, id)).toMatchObject({ status: 'cancelled', credits_spent: 14 });
  expect(await charges(id)).toEqual(EACH_ONCE.slice(0, 4));
});
