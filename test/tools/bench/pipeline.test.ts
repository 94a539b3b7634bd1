import { formatPipeline, measurePipeline } from '../../../tools/bench/pipeline.ts';
import { createTestDatabase } from '../../support/database.ts';
import { startTemporal } from '../../support/temporal.ts';

test('the benchmark runs articles through all stages, and as many bare workflows', async () => {
  const [database, temporal] = await Promise.all([createTestDatabase(), startTemporal()]);
  const { address: temporalAddress, namespace } = temporal;
  const speed = await measurePipeline({ databaseUrl: database.url, temporalAddress, namespace, articles: 8 });
  expect(speed.articlesPerSecond).toBeGreaterThan(0);
  expect(speed.barePerSecond).toBeGreaterThan(0);
  const { rows } = await database.db.pool.query(
    `select count(*)::int as done from pipeline_run_articles where stage = 'improve' and stages_done = 5`,
  );
  expect(rows).toEqual([{ done: 8 }]);
  await Promise.all([temporal.close(), database.drop()]);
});

test('its line compares articles with the bare limit', () => {
  expect(formatPipeline({ articlesPerSecond: 5, barePerSecond: 20 })).toBe(
    'pipeline: 5.0 articles/s through five stages, beside 20.0 workflows/s of five empty activities (25 %)',
  );
});
