import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createPipelineActivities } from '../../activities/pipeline.ts';
import { systemClock } from '../../domain/clock.ts';
import { WriterError } from '../../domain/pipeline/writer.ts';
import type { Attempt } from '../../domain/pipeline/writer.ts';
import { offlineWriter } from '../../writer/offline/writer.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildPurse, noSources, startRun } from '../support/pipeline.ts';
import { silent } from '../support/temporal.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** The last try of a stage whose writer is cut off, as the model's client is by an abort. */
async function lastTry(end: (environment: MockActivityEnvironment) => void): Promise<unknown> {
  const { key, siteId } = await buildPurse(api, 100);
  const run = await startRun(api, key, { topics: [{ title: 'How to bake bread' }] });
  const environment = new MockActivityEnvironment({ attempt: 5 });
  const classify = (_: unknown, { signal }: Attempt): Promise<never> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new WriterError('it was cut off.', { final: false })));
      end(environment);
    });
  const { beginPipelineRun, advanceArticle } = createPipelineActivities({
    db: api.db,
    clock: systemClock,
    log: silent,
    writer: { ...offlineWriter, classify },
    sources: noSources,
  });
  await beginPipelineRun(siteId, run.id);
  const of = { runId: run.id, siteId, articleId: run.articles[0].article_id };
  return environment.run(advanceArticle, of).then(
    () => null,
    (error: unknown) => error,
  );
}

test('a stage that ends because its worker does has not failed, also at its last try', async () => {
  const error = await lastTry((environment) => environment.cancel('WORKER_SHUTDOWN'));
  expect(error).toBeInstanceOf(ApplicationFailure);
  expect(error).toMatchObject({ type: 'HandedBack', nonRetryable: false });
});
