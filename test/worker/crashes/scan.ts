import { eventually } from '../../support/eventually.ts';
import { balances, buildPurse } from '../../support/pipeline.ts';
import { endedScan, findingsOf, startScan } from '../../support/scans.ts';
import type { Place, Work } from './place.ts';

const ARTICLES = 95;
const UNITS = 10;

export async function scan({ api }: Place): Promise<Work> {
  const purse = await buildPurse(api, 50);
  await api.db.pool.query(
    `insert into articles (id, site_id, status, title, slug, content, version, published_at, content_updated_at, created_at, updated_at)
     select uuidv7(), $1, 'published', 'A title that is long enough ' || n, 'article-' || n, repeat('Tea. ', 50), 1, now(), now(), now(), now()
     from generate_series(1, $2) n`,
    [purse.siteId, ARTICLES],
  );
  const { id } = await startScan(api, purse.key, 'on-page');
  const opened = async (): Promise<number> =>
    (await api.db.pool.query('select units_opened from seo_scans where id = $1', [id])).rows[0].units_opened;
  const hasOpened = (units: number) => () =>
    eventually('a unit is open', async () => (await opened()) >= units, 5);
  return {
    kills: [hasOpened(1), hasOpened(4)],
    async expectDone() {
      expect(await endedScan(api, purse.key, id)).toMatchObject({
        status: 'completed',
        units: { done: UNITS, total: UNITS },
        found: { error: 0, warning: ARTICLES, notice: 0 },
        credits_spent: UNITS,
      });
      expect(await balances(api, purse.organisationId)).toEqual([50 - UNITS, 50 - UNITS]);
      const { rows } = await api.db.pool.query(
        `select count(*)::int as findings, count(distinct article_id)::int as articles from seo_findings where site_id = $1`,
        [purse.siteId],
      );
      expect(rows).toEqual([{ findings: ARTICLES, articles: ARTICLES }]);
      expect(await findingsOf(api, purse.key, '&status=open&rule=thin-content')).toHaveLength(ARTICLES);
      const events = (await api.request('GET', '/events?event=seo_scan.finished', { key: purse.key })).data
        .items;
      expect(events).toHaveLength(1);
    },
  };
}
