import { formatScans, measureScans } from '../../../tools/bench/seo.ts';
import { createTestDatabase } from '../../support/database.ts';
import { startTemporal } from '../../support/temporal.ts';

test('the benchmark crawls all pages, alone and together, and fetches them barely', async () => {
  const [database, temporal] = await Promise.all([createTestDatabase(), startTemporal()]);
  const { address: temporalAddress, namespace } = temporal;
  const speed = await measureScans({ databaseUrl: database.url, temporalAddress, namespace, pages: 25 });
  for (const perSecond of Object.values(speed)) expect(perSecond).toBeGreaterThan(0);
  const { rows } = await database.db.pool.query(
    `select count(*)::int as crawls, sum(units_done)::int as units from seo_scans where status = 'completed'`,
  );
  expect(rows).toEqual([{ crawls: 9, units: 27 }]);
  await Promise.all([temporal.close(), database.drop()]);
});

test('its line compares crawls with the bare limit', () => {
  expect(formatScans({ alone: 20, together: 50, visited: 80, bare: 100 })).toBe(
    'seo: a crawl 20 pages/s (20 %), 8 at the same time 50 pages/s (50 %), visited and read apart 80 pages/s (80 %), beside 100 pages/s fetched and parsed',
  );
});
