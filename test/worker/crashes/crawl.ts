import { createSiteCrawl } from '../../../activities/seo-scan/site-crawl.ts';
import { verifyWebhook } from '../../../sdk/src/index.ts';
import { eventually } from '../../support/eventually.ts';
import { page, redirect } from '../../support/generated-site.ts';
import type { GeneratedSite } from '../../support/generated-site.ts';
import { balances, buildPurse } from '../../support/pipeline.ts';
import { driveScan } from '../../support/scan-driver.ts';
import { visitorOf } from '../../support/scan-visitor.ts';
import { findingsOf, startScan } from '../../support/scans.ts';
import type { Place, Work } from './place.ts';

const PAGES = 34;
/** The good pages, the start, the missing and the untitled one. */
const COUNTED = PAGES + 3;
const UNITS = 4;
/** Requests after which the worker is killed. */
const KILLS = [6, 22];

/** A tree of pages, with faults at its end. */
function build(site: GeneratedSite): void {
  const good = Array.from({ length: PAGES }, (_, at) => `/p/${at}`);
  site.paths.set('/', page('/', ['/p/0', '/p/1']));
  for (const [at, path] of good.entries())
    site.paths.set(
      path,
      page(path, [...good.slice(at + 2, at + 4), '/', ...(at === 30 ? ['/file.pdf'] : [])]),
    );
  site.paths.set(`/p/${PAGES - 1}`, page(`/p/${PAGES - 1}`, ['/missing', '/untitled', '/loop']));
  site.paths.set('/untitled', '<meta name="description" content="x">');
  site.paths.set('/loop', redirect('/loop'));
  site.paths.set('/file.pdf', (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/pdf' }).end('%PDF');
  });
}

export async function crawl({ api, site, authorityFile, receiver }: Place): Promise<Work> {
  build(site);
  const purse = await buildPurse(api, 50);
  await api.db.pool.query('update sites set domain = $2 where id = $1', [purse.siteId, site.host]);
  const { url, seen } = receiver('/crawl');
  const { data: endpoint } = await api.request('POST', '/webhooks', {
    key: purse.key,
    body: { url, events: ['seo_scan.finished'] },
  });
  const { id } = await startScan(api, purse.key, 'site-crawl');
  const read = async () => (await api.request('GET', `/seo/scans/${id}`, { key: purse.key })).data;

  async function expectDone(): Promise<void> {
    await eventually('it has ended', async () => (await read()).finished_at !== null, 120);
    const scan = await read();
    expect(scan).toMatchObject({
      status: 'completed',
      units: { done: UNITS, total: UNITS },
      found: { error: 3, warning: 0, notice: 0 },
      credits_spent: UNITS,
    });
    expect(await balances(api, purse.organisationId)).toEqual([50 - UNITS, 50 - UNITS]);

    const { rows } = await api.db.pool.query(
      `select s.counted,
         (select array_agg(l.scan_unit order by l.scan_unit) from credit_ledger l where l.scan_id = s.id) as charged,
         (select array_agg(distinct l.kind) from credit_ledger l where l.scan_id = s.id) as kinds
       from seo_scans s where s.id = $1`,
      [id],
    );
    expect(rows).toEqual([{ counted: COUNTED, charged: [1, 2, 3, 4], kinds: ['charge'] }]);
    // What was being done when a worker died is done again, and nothing else.
    const extra = site.requests.length - new Set(site.requests).size;
    const loops = site.requests.filter((path) => path === '/loop').length - 1;
    const robots = site.requests.filter((path) => path === '/robots.txt').length - 1;
    expect(extra - loops - robots).toBeLessThanOrEqual(10 * KILLS.length);

    const visitor = visitorOf([site.host], authorityFile);
    const undisturbed = await driveScan(createSiteCrawl({ db: api.db, pages: visitor }), purse.siteId, {
      max_pages: 200,
    });
    await visitor.end();
    expect(undisturbed.counted).toBe(COUNTED);
    const named = (all: readonly { rule: string; url: string | null }[]): string[] =>
      all.map(({ rule, url: at }) => `${rule} ${at}`).toSorted();
    expect(named(await findingsOf(api, purse.key))).toEqual(named(undisturbed.faults));

    await eventually('the webhook has arrived', () => seen().length > 0, 30);
    expect(new Set(seen().map(({ body }) => JSON.parse(body).id)).size).toBe(1);
    const [first] = seen();
    const event = await verifyWebhook(first!.body, first!.headers, endpoint.secret);
    expect(event).toMatchObject({ event: 'seo_scan.finished', data: scan });
  }

  return {
    kills: KILLS.map(
      (requests) => () => eventually('it is fetching', () => site.requests.length >= requests, 60),
    ),
    expectDone,
  };
}
