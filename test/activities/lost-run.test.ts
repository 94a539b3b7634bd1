import { MockActivityEnvironment } from '@temporalio/testing';
import { createPipelineRunActivities } from '../../activities/pipeline-run.ts';
import { systemClock } from '../../domain/kernel/clock.ts';
import { createJobProcesses } from '../../adapters/untrusted-text/processes.ts';
import { offlineWriter } from '../../adapters/writer/offline/writer.ts';
import { useApi } from '../support/api.ts';
import { buildTenant } from '../support/builders.ts';
import { noSources } from '../support/pipeline.ts';
import { silent } from '../support/temporal.ts';

const api = await useApi({}, { ownDatabase: 'it counts the events of all Sites' });

test('a workflow whose run is no longer in the database ends, and neither writes nor charges anything', async () => {
  const { siteId, secretKey, organisationId } = await buildTenant(api.db);
  const { data: run } = await api.request('POST', '/pipeline/runs', {
    key: secretKey,
    body: { topics: [{ title: 'How to bake bread' }] },
    idempotencyKey: true,
  });
  const of = { siteId, runId: run.id as string, articleId: run.articles[0].article_id as string };
  // As after a restore to an earlier moment.
  await api.db.pool.query('delete from pipeline_run_articles where run_id = $1', [of.runId]);
  await api.db.pool.query(
    `begin; set local session_replication_role = replica; delete from pipeline_runs where id = '${of.runId}'; commit`,
  );
  await api.db.pool.query('delete from articles where id = $1', [of.articleId]);
  const ports = {
    db: api.db,
    clock: systemClock,
    log: silent,
    writer: offlineWriter,
    sources: noSources,
    jobProcesses: createJobProcesses(),
  };
  const activities = createPipelineRunActivities(ports);

  expect(await activities.beginPipelineRun(siteId, of.runId)).toBeNull();
  expect(await new MockActivityEnvironment().run(activities.advanceArticle, of)).toEqual({
    kind: 'stopped',
    reason: 'cancelled',
  });
  await activities.failArticle(of, 'The writer failed for good.');
  expect(await activities.endPipelineRun(siteId, of.runId, null)).toBe('gone');

  const { rows } = await api.db.pool.query(
    `select (select count(*)::int from credit_ledger where organisation_id = $1 and kind <> 'grant') as charges,
       (select count(*)::int from pipeline_run_articles) as held, (select count(*)::int from events) as events`,
    [organisationId],
  );
  expect(rows).toEqual([{ charges: 0, held: 0, events: 0 }]);
});
