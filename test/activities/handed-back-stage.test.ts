import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createPipelineRunActivities } from '../../activities/pipeline-run.ts';
import { systemClock } from '../../domain/kernel/clock.ts';
import { WriterError } from '../../domain/pipeline/writer.ts';
import type { Attempt } from '../../domain/pipeline/writer.ts';
import { createJobProcesses } from '../../adapters/untrusted-text/processes.ts';
import { offlineWriter } from '../../adapters/writer/offline/writer.ts';
import { useApi } from '../support/api.ts';
import { buildPurse, noSources, startRun } from '../support/pipeline.ts';
import { silent } from '../support/temporal.ts';

const jobProcesses = createJobProcesses();
const api = await useApi();
afterAll(() => jobProcesses.close());

/** The last attempt at a stage whose writer is aborted, as the model's client is. */
async function lastTry(end: (environment: MockActivityEnvironment) => void): Promise<unknown> {
  const { key, siteId } = await buildPurse(api, 100);
  const run = await startRun(api, key, { topics: [{ title: 'How to bake bread' }] });
  const environment = new MockActivityEnvironment({ attempt: 5 });
  const classify = (_: unknown, { signal }: Attempt): Promise<never> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new WriterError('it was cut off.', { final: false })));
      end(environment);
    });
  const { beginPipelineRun, advanceArticle } = createPipelineRunActivities({
    db: api.db,
    clock: systemClock,
    log: silent,
    writer: { ...offlineWriter, classify },
    sources: noSources,
    jobProcesses,
  });
  await beginPipelineRun(siteId, run.id);
  const of = { runId: run.id, siteId, articleId: run.articles[0].article_id };
  return environment.run(advanceArticle, of).then(
    () => null,
    (error: unknown) => error,
  );
}

test('a stage that ends with its worker has not failed, not even at its last attempt', async () => {
  const error = await lastTry((environment) => environment.cancel('WORKER_SHUTDOWN'));
  expect(error).toBeInstanceOf(ApplicationFailure);
  expect(error).toMatchObject({ type: 'HandedBack', nonRetryable: false });
});
