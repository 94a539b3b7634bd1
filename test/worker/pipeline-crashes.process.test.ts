import type { ServerResponse } from 'node:http';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { balances, buildPurse, ended, startRun } from '../support/pipeline.ts';
import type { Purse } from '../support/pipeline.ts';
import { eventually } from '../support/eventually.ts';
import { startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { startModelServer, writes } from '../adapters/writer/model-server.ts';
import type { Asked, ModelServer } from '../adapters/writer/model-server.ts';
import { oneBehindWire } from './processes.ts';

const STAGES = ['classify', 'extract', 'plan', 'generate', 'improve'] as const;
type Stage = (typeof STAGES)[number];

let api: TestApi;
let temporal: TestTemporal;
let model: ModelServer;

beforeAll(async () => {
  [api, temporal, model] = await Promise.all([startApi(), startTemporal(), startModelServer()]);
});
afterAll(async () => {
  await workers.kill();
  await Promise.all([api.close(), temporal.close(), model.close()]);
});

/** The one that has finished the runs of a test begins those of the next. */
const workers = oneBehindWire(() => ({
  databaseUrl: api.url,
  temporalAddress: temporal.address,
  namespace: temporal.namespace,
  env: { LLM_BASE_URL: model.url, LLM_MODEL: 'test' },
}));

interface Held {
  readonly stage: Stage;
  readonly purse: Purse;
  readonly runId: string;
  readonly articleId: string;
}

/** A run of one article that will hang at a stage. */
async function begin(stage: Stage): Promise<Held> {
  const purse = await buildPurse(api, 100);
  const run = await startRun(api, purse.key, { topics: [{ title: `How to bake bread, until ${stage}` }] });
  return { stage, purse, runId: run.id, articleId: run.articles[0].article_id };
}

/** Makes the model hang at the stage named in an article's title. @returns the hanging articles */
function hang(): Map<Stage, () => void> {
  const hanging = new Map<Stage, () => void>();
  const questions = new Map<Stage, number>();
  model.asked.length = 0;
  const react = (response: ServerResponse, asked: Asked): void => {
    const title = asked.body.messages.at(-1)?.content ?? '';
    const stage = STAGES.find((each) => title.includes(`until ${each}`)) as Stage;
    // A model is called once per stage, so the number of calls identifies the stage.
    const count = (questions.get(stage) ?? 0) + 1;
    questions.set(stage, count);
    if (count === STAGES.indexOf(stage) + 1) hanging.set(stage, () => writes(response, asked));
    else writes(response, asked);
  };
  model.reactions = [react];
  return hanging;
}

const allHang = (hanging: ReadonlyMap<Stage, unknown>): Promise<void> =>
  eventually('each run is at its stage', () => hanging.size === STAGES.length);

async function hasEnded(runId: string): Promise<boolean> {
  const { rows } = await api.db.pool.query('select finished_at from pipeline_runs where id = $1', [runId]);
  return rows[0].finished_at !== null;
}

/** Each run is finished by another worker, each stage was charged once, and balance and ledger match. */
async function expectOneCharge(runs: readonly Held[], questions: number): Promise<void> {
  for (const { purse, runId } of runs) {
    await eventually('its run has ended', () => hasEnded(runId));
    const run = await ended(api, purse.key, runId);
    expect(run).toMatchObject({ status: 'completed', credits_spent: 19, totals: { stages_done: 5 } });
    expect(run.articles[0]).toMatchObject({ status: 'needs_images', stage: 'improve', error: null });
    const { rows } = await api.db.pool.query(
      `select stage, amount::int from credit_ledger where run_id = $1 order by id`,
      [runId],
    );
    expect(rows.map(({ stage }) => stage)).toEqual(STAGES);
    expect(rows.map(({ amount }) => amount)).toEqual([-1, -1, -2, -10, -5]);
    // An attempt that is repeated because its worker was lost is still one.
    const { items } = (await api.request('GET', `/pipeline/runs/${runId}/steps`, { key: purse.key })).data;
    const steps = (items as { stage: string; attempt: number; status: string; credits: number }[]).map(
      ({ stage, attempt, status, credits }) => [stage, attempt, status, credits],
    );
    expect(steps).toEqual(STAGES.map((stage, index) => [stage, 1, 'succeeded', [1, 1, 2, 10, 5][index]]));
    expect(await balances(api, purse.organisationId)).toEqual([81, 81]);
    expect((await api.request('GET', '/usage', { key: purse.key })).data.usage.credits_spent).toBe(19);
  }
  expect(model.asked).toHaveLength(questions);
}

const QUESTIONS = STAGES.length * STAGES.length;

test('a worker killed while the writer is at a stage: another one does the stage, and it is charged once', async () => {
  const hanging = hang();
  await workers.working();
  const runs = await Promise.all(STAGES.map(begin));
  await allHang(hanging);
  await workers.kill();
  await workers.working();
  await expectOneCharge(runs, QUESTIONS + STAGES.length);
});

test('a worker that shuts down while the writer is at a stage hands it back: another one does the stage, and it is charged once', async () => {
  const hanging = hang();
  const worker = await workers.working();
  const runs = await Promise.all(STAGES.map(begin));
  await allHang(hanging);
  expect(await worker.stop()).toBe(0);
  await workers.working();
  await expectOneCharge(runs, QUESTIONS + STAGES.length);
});

test('a worker killed with an uncommitted answer: the stage is repeated, and charged once', async () => {
  const hanging = hang();
  await workers.working();
  const runs = await Promise.all(STAGES.map(begin));
  await allHang(hanging);
  const client = await api.db.pool.connect();
  try {
    await client.query('begin');
    await client.query('select from articles where id = any($1) for update', [
      runs.map(({ articleId }) => articleId),
    ]);
    for (const goOn of hanging.values()) goOn();
    await eventually('each waits to be written', async () => {
      const { rows } = await api.db.pool.query(
        `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows[0].count === STAGES.length;
    });
    await workers.kill();
  } finally {
    await client.query('rollback');
    client.release();
  }
  await workers.working();
  await expectOneCharge(runs, QUESTIONS + STAGES.length);
});

test('a worker killed between the commit of a stage and its report: nothing is done or charged twice', async () => {
  const hanging = hang();
  await workers.working();
  const runs = await Promise.all(STAGES.map(begin));
  await allHang(hanging);
  workers.wire().hold('requests');
  for (const goOn of hanging.values()) goOn();
  await eventually('each stage is written down', async () => {
    const { rows } = await api.db.pool.query(
      `select run_id, stage from pipeline_run_articles where open_stage is null and run_id = any($1)`,
      [runs.map(({ runId }) => runId)],
    );
    return runs.every(({ runId, stage }) => rows.some((row) => row.run_id === runId && row.stage === stage));
  });
  await workers.kill();
  await workers.working();
  await expectOneCharge(runs, QUESTIONS);
});

test('a worker killed inside the transaction that pays: nothing is paid, and another one pays once', async () => {
  hang();
  await workers.working();
  const client = await api.db.pool.connect();
  let runs: Held[];
  try {
    runs = await Promise.all([1, 2, 3].map(() => begin('improve')));
    await client.query('begin');
    // The run's article is locked and read; the charge waits for the balance.
    await client.query('select from organisations where id = any($1) for update', [
      runs.map(({ purse }) => purse.organisationId),
    ]);
    model.reactions = [writes];
    await eventually('each waits to pay', async () => {
      const { rows } = await api.db.pool.query(
        `select count(*)::int from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%organisations%'`,
      );
      return rows[0].count === runs.length;
    });
    await workers.kill();
  } finally {
    await client.query('rollback');
    client.release();
  }
  await workers.working();
  await expectOneCharge(runs, runs.length * STAGES.length);
});

test('a worker killed after it failed a stage that stays charged, before its report: the run has failed', async () => {
  await workers.kill();
  model.reactions = [writes];
  const purse = await buildPurse(api, 100);
  // The prompt would be too long.
  const template = '{{title}}'.repeat(1_000);
  await api.request('PATCH', '/pipeline/prompts/classify', { key: purse.key, body: { template } });
  const topic = { title: 'How to bake bread, '.repeat(15) };
  const { id: runId } = await startRun(api, purse.key, { topics: [topic] });
  const client = await api.db.pool.connect();
  try {
    await client.query('begin');
    await client.query('select from organisations where id = $1 for update', [purse.organisationId]);
    await workers.working();
    await eventually('it waits to pay', async () => {
      const { rowCount } = await api.db.pool.query(
        `select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%organisations%'`,
      );
      return rowCount === 1;
    });
    workers.wire().hold('requests');
  } finally {
    await client.query('rollback');
    client.release();
  }
  await eventually('the article has failed', async () => {
    const { rows } = await api.db.pool.query('select failed from pipeline_run_articles where run_id = $1', [
      runId,
    ]);
    return rows[0].failed;
  });
  await workers.kill();
  await workers.working();
  await eventually('its run has ended', () => hasEnded(runId));
  expect(await ended(api, purse.key, runId)).toMatchObject({
    status: 'failed',
    reason: 'provider_unavailable',
    credits_spent: 1,
  });
  expect(await balances(api, purse.organisationId)).toEqual([99, 99]);
});
