import { MockActivityEnvironment } from '@temporalio/testing';
import { createPipelineRunActivities } from '../../activities/pipeline-run.ts';
import { systemClock } from '../../domain/kernel/clock.ts';
import { openStage } from '../../domain/pipeline/stage-execution.ts';
import { WORKERS_LOST } from '../../domain/paid-work/paid-work.ts';
import { FAILED_CALLS, WRITER_TRIES } from '../../domain/pipeline/tries.ts';
import { WriterError } from '../../domain/pipeline/writer.ts';
import type { Attempt, Brief, Writer } from '../../domain/pipeline/writer.ts';
import { PIPELINE_TASK_QUEUE } from '../../workflows/names.ts';
import { createJobProcesses } from '../../adapters/untrusted-text/processes.ts';
import { offlineWriter } from '../../adapters/writer/offline/writer.ts';
import { eventually } from '../support/eventually.ts';
import { useApi } from '../support/api.ts';
import { balances, buildPurse, noSources, startRun } from '../support/pipeline.ts';
import type { Purse } from '../support/pipeline.ts';
import { silent } from '../support/temporal.ts';

const jobProcesses = createJobProcesses();
const api = await useApi();

afterAll(() => jobProcesses.close());

type Classify = Writer['classify'];

const failing =
  (failedCalls = 0): Classify =>
  () =>
    Promise.reject(new WriterError('it answered nonsense.', { final: false, failedCalls }));

/** A run of one article at its first stage, and the attempts that Temporal would make. */
async function begin(
  classify: Classify,
  purse?: Purse,
  keywords: string[] = [],
  name: Writer['name'] = 'offline',
) {
  const { organisationId, siteId, key } = purse ?? (await buildPurse(api, 100));
  const run = await startRun(api, key, { topics: [{ title: 'How to bake bread', keywords }] });
  const articleId = run.articles[0].article_id as string;
  const of = { runId: run.id as string, siteId, articleId };
  const activities = createPipelineRunActivities({
    db: api.db,
    clock: systemClock,
    log: silent,
    writer: { ...offlineWriter, name, classify },
    sources: noSources,
    jobProcesses,
  });
  await activities.beginPipelineRun(siteId, of.runId);
  /** @returns the outcome, or the error */
  const attempt = (number: number, during: (environment: MockActivityEnvironment) => void = () => {}) => {
    const environment = new MockActivityEnvironment({ attempt: number, taskQueue: PIPELINE_TASK_QUEUE });
    during(environment);
    return environment.run(activities.advanceArticle, of).then(
      (value) => value as { kind: string; type?: string; nonRetryable?: boolean },
      (error: { type: string; nonRetryable: boolean }) => ({
        kind: 'failed',
        type: error.type,
        nonRetryable: error.nonRetryable,
      }),
    );
  };
  const read = async () => (await api.request('GET', `/pipeline/runs/${of.runId}`, { key })).data;
  const books = () => balances(api, organisationId);
  return { of, activities, attempt, read, books, purse: { organisationId, siteId, key } };
}

const again = { kind: 'failed', type: 'WriterError', nonRetryable: false };
const givenUp = { ...again, nonRetryable: true };

/** Sets the failed calls of a Site's month. */
const useUp = (siteId: string, calls = FAILED_CALLS) =>
  api.db.pool.query(
    `insert into site_months as m (site_id, month, failed_calls)
     values ($1, date_trunc('month', now() at time zone 'utc')::date, $2)
     on conflict on constraint site_months_pkey do update set failed_calls = $2`,
    [siteId, calls],
  );

test('a writer has all its tries, however many attempts ended for other reasons', async () => {
  const { attempt } = await begin(failing());
  const outcomes = [];
  for (let number = 50; number < 50 + WRITER_TRIES; number += 1) outcomes.push(await attempt(number));
  expect(outcomes).toEqual([again, again, again, again, givenUp]);
});

test('stages that are handed back repeatedly use up none of the tries', async () => {
  let handBack = true;
  let cut = (): void => {};
  const classify = (_: Brief, { signal }: Attempt): Promise<never> =>
    new Promise((_resolve, reject) => {
      const end = () => reject(new WriterError('it was cut off.', { final: false, failedCalls: 1 }));
      if (!handBack) return end();
      signal.addEventListener('abort', end);
      return cut();
    });
  const { attempt, of } = await begin(classify);
  for (let number = 1; number <= WORKERS_LOST + 3; number += 1) {
    const handed = await attempt(number, (environment) => {
      // Once the writer works.
      cut = () => environment.cancel('WORKER_SHUTDOWN');
    });
    expect(handed).toEqual({ kind: 'failed', type: 'HandedBack', nonRetryable: false });
  }
  handBack = false;
  expect(await attempt(30)).toEqual(again);
  const { rows } = await api.db.pool.query('select failed_calls::int from site_months where site_id = $1', [
    of.siteId,
  ]);
  expect(rows).toEqual([{ failed_calls: 1 }]);
});

test('a stage that kills its workers is given up after ten of them, and refunded', async () => {
  const { attempt, of, activities, books } = await begin(failing());
  expect(await attempt(1)).toEqual(again);
  // As an attempt leaves it whose worker is killed.
  await api.db.pool.query('update pipeline_run_articles set attempts_open = $2 where run_id = $1', [
    of.runId,
    WORKERS_LOST,
  ]);
  expect(await attempt(12)).toEqual({ kind: 'failed', type: 'WorkersLost', nonRetryable: true });
  await activities.failArticle(of, 'The writer failed for good.');
  expect(await books()).toEqual([100, 100]);
});

test('a failure on our side uses up no tries, is charged once, and ends the stage after an hour', async () => {
  const { attempt, of, books } = await begin(() => Promise.reject(new Error('no')));
  const failed = { kind: 'failed', type: 'StageError', nonRetryable: false };
  for (let number = 1; number <= WORKERS_LOST + 3; number += 1) expect(await attempt(number)).toEqual(failed);
  expect(await attempt(60)).toEqual({ ...failed, nonRetryable: true });
  const { rows } = await api.db.pool.query(
    'select attempts_open, writer_failures from pipeline_run_articles where run_id = $1',
    [of.runId],
  );
  expect(rows).toEqual([{ attempts_open: 0, writer_failures: 0 }]);
  expect(await books()).toEqual([99, 99]);
});

const manyKeywords = Array.from({ length: 100 }, () => 'k'.repeat(5_000));

/** A Site whose template makes a prompt that is too long, of these keywords. */
async function wordyPurse(): Promise<Purse> {
  const purse = await buildPurse(api, 100);
  const template = '{{keywords}}'.repeat(400);
  await api.request('PATCH', '/pipeline/prompts/classify', { key: purse.key, body: { template } });
  return purse;
}

test('the offline writer sends no prompt, so none is too long for it', async () => {
  const { attempt, read, of } = await begin(offlineWriter.classify, await wordyPurse(), manyKeywords);
  expect(await attempt(1)).toMatchObject({ kind: 'done' });
  expect((await read()).articles[0]).toMatchObject({ status: 'scored', error: null });
  const { rows } = await api.db.pool.query(
    'select prompt_version, prompt from pipeline_steps where run_id = $1',
    [of.runId],
  );
  expect(rows).toEqual([{ prompt_version: 1, prompt: null }]);
});

test('a prompt that would be too long fails its stage for good, is charged once, and is never sent', async () => {
  let asked = 0;
  const purse = await wordyPurse();
  const classify: Classify = (...args) => {
    asked += 1;
    return offlineWriter.classify(...args);
  };
  const { attempt, read, books } = await begin(classify, purse, manyKeywords, 'llm');
  expect(await attempt(1)).toEqual({ kind: 'finished' });
  expect(await attempt(2)).toEqual({ kind: 'finished' });
  const run = await read();
  expect([run.credits_spent, asked]).toEqual([1, 0]);
  expect(run.articles[0]).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(
      /^The prompt of the stage classify would have 200079200 characters; at most 200000 are sent\..* The stage was charged\.$/,
    ),
  });
  expect(await books()).toEqual([99, 99]);
});

test('a Site that has used up its failed calls pays for a failing stage, after one try', async () => {
  const { attempt, of, read, books } = await begin(failing(2));
  await useUp(of.siteId, FAILED_CALLS - 3);
  // 99 of 100: still refunded.
  expect(await attempt(1)).toEqual(again);
  expect(await attempt(2)).toEqual({ kind: 'finished' });
  const run = await read();
  expect(run.credits_spent).toBe(1);
  expect(run.articles[0].status).toBe('failed');
  expect(run.articles[0].error).toMatch(/it answered nonsense\. The stage was charged all the same/);
  expect(await books()).toEqual([99, 99]);
});

test('what a late attempt at an earlier stage ends in changes nothing of the stage that is open now', async () => {
  let late: ((error: WriterError) => void) | undefined;
  const hanging: Classify = (...args) =>
    late === undefined ? new Promise((_, reject) => (late = reject)) : offlineWriter.classify(...args);
  const { attempt, of, read } = await begin(hanging);
  await useUp(of.siteId);
  const first = attempt(1);
  await eventually('the writer works', () => late !== undefined);
  // Another worker redoes the stage, and opens the next one.
  await attempt(2);
  await api.db.transaction((tx) => openStage(tx, of, systemClock.now()));
  const before = await read();
  late?.(new WriterError('it answered nonsense.', { final: true }));
  await first;
  expect(await read()).toEqual(before);
  const { rows } = await api.db.pool.query(
    'select open_stage, attempts_open, writer_failures, held from pipeline_run_articles where run_id = $1',
    [of.runId],
  );
  expect(rows).toEqual([{ open_stage: 'extract', attempts_open: 1, writer_failures: 0, held: true }]);
});

test('another Site, and another month, have their own failed calls', async () => {
  const purse = await buildPurse(api, 100);
  await api.db.pool.query(
    `insert into site_months (site_id, month, failed_calls) values ($1, '2020-01-01', $2)`,
    [purse.siteId, FAILED_CALLS],
  );
  const { attempt, activities, of, books } = await begin(failing(2), purse);
  const other = await begin(failing(2));
  await useUp(other.of.siteId);
  for (let number = 1; number < WRITER_TRIES; number += 1) expect(await attempt(number)).toEqual(again);
  expect(await attempt(WRITER_TRIES)).toEqual(givenUp);
  await activities.failArticle(of, 'The writer failed for good.');
  expect(await books()).toEqual([100, 100]);
});

test('a Site that deletes articles during their stages is refunded up to a limit', async () => {
  const purse = await buildPurse(api, 100);
  const takenAway = async () => {
    const answer = { answer: '{}', inputTokens: 1, outputTokens: 1 };
    let articleId = '';
    const classify: Classify = async () => {
      await api.request('DELETE', `/articles/${articleId}`, { key: purse.key });
      return { value: { score: 90, reason: '' }, ...answer };
    };
    const one = await begin(classify, purse);
    ({ articleId } = one.of);
    expect(await one.attempt(1)).toMatchObject({ kind: 'done', costLeft: 0 });
    return one.read();
  };
  await useUp(purse.siteId, FAILED_CALLS - 2);
  expect((await takenAway()).credits_spent).toBe(0);
  const paid = await takenAway();
  expect(paid.credits_spent).toBe(1);
  expect(paid.articles[0].error).toMatch(
    /^The article left the pipeline while the stage classify ran\. The stage was charged/,
  );
  expect(await balances(api, purse.organisationId)).toEqual([99, 99]);
});

test('a Site has a share of a worker’s stages; stages beyond it wait in their workflow, unpaid', async () => {
  let waiting = 0;
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const purse = await buildPurse(api, 1_000);
  const topics = Array.from({ length: 30 }, (_, index) => ({ title: `How to bake bread number ${index}` }));
  const run = await startRun(api, purse.key, { topics });
  const classify: Classify = async (...args) => {
    waiting += 1;
    await held;
    return offlineWriter.classify(...args);
  };
  const writer = { ...offlineWriter, classify };
  const ports = { db: api.db, clock: systemClock, log: silent, writer, sources: noSources, jobProcesses };
  const { beginPipelineRun, advanceArticle } = createPipelineRunActivities(ports);
  await beginPipelineRun(purse.siteId, run.id);
  const advances = run.articles.map(({ article_id: articleId }: { article_id: string }) =>
    new MockActivityEnvironment({ taskQueue: PIPELINE_TASK_QUEUE }).run(advanceArticle, {
      runId: run.id,
      siteId: purse.siteId,
      articleId,
    }),
  ) as Promise<{ kind: string }>[];
  // Some find the queue full, and the others time out.
  const kinds: string[] = [];
  for (const advance of advances) void advance.then(({ kind }) => kinds.push(kind));
  await eventually('twelve are written, and the others wait', () => waiting + kinds.length === 30);
  expect([waiting, new Set(kinds)]).toEqual([12, new Set(['waits'])]);
  expect((await balances(api, purse.organisationId))[0]).toBe(1_000 - 12);
  goOn();
  await Promise.all(advances);
  expect(kinds.filter((kind) => kind === 'done')).toHaveLength(12);
});
