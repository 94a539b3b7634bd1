import { createRescueActivities } from '../../activities/rescue.ts';
import { systemClock } from '../../domain/kernel/clock.ts';
import { workflowIdOf } from '../../domain/kernel/workflow-messages.ts';
import { buildPublished } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startImpatientTemporal } from '../support/impatient-temporal.ts';
import { balances, buildPurse } from '../support/pipeline.ts';
import { crawlOf, endedScan, findingsOf, startScan, startScans } from '../support/scans.ts';
import type { ScanStack } from '../support/scans.ts';
import { silent } from '../support/temporal.ts';
import type { ScanKind } from '../../domain/seo/scan-kind.ts';

/** Pages of a crawl: enough for several executions of its workflow. */
const PAGES = 300;
const UNITS = PAGES / 10;

let stack: ScanStack;
/** Holds back the examination of a unit; settable. */
let before: (unit: Parameters<ScanKind['examine']>[1]) => Promise<unknown> = async () => {};

beforeAll(async () => {
  const pages = Array.from({ length: PAGES }, (_, at) => `https://blog.example.com/${at}`);
  const crawl = crawlOf(pages, async (_, targets) => {
    await before(targets);
    return {
      faults: targets.map(({ key, url }) => ({
        rule: 'noindex' as const,
        subject: key,
        url,
        articleId: null,
        evidence: {},
      })),
      lookedAt: [],
    };
  });
  stack = await startScans({ 'site-crawl': crawl }, undefined, undefined, startImpatientTemporal);
});
afterEach(() => {
  before = async () => {};
});
afterAll(() => stack.close());

const handle = (id: string) => stack.temporal.client.workflow.getHandle(workflowIdOf('seo-scan', id));
const age = (id: string, minutes: number) =>
  stack.api.db.pool.query(
    `update seo_scans set active_at = now() - $2 * interval '1 minute' where id = $1 and finished_at is null`,
    [id, minutes],
  );
const rescue = () =>
  createRescueActivities({ db: stack.api.db, clock: systemClock, log: silent }).rescueQueuedRuns();

/** Holds a crawl in its n-th unit. */
function heldIn(unit: number): { reached: Promise<void>; goOn: () => void } {
  const [reached, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let units = 0;
  before = async () => {
    units += 1;
    if (units !== unit) return;
    reached.resolve();
    await held.promise;
  };
  return { reached: reached.promise, goOn: held.resolve };
}

async function requirePaidOnce(purse: { organisationId: string }, scanId: string, credits: number) {
  const { rows } = await stack.api.db.pool.query(
    `select count(*)::int as lines, count(distinct scan_unit)::int as units from credit_ledger where scan_id = $1`,
    [scanId],
  );
  expect(rows).toEqual([{ lines: UNITS, units: UNITS }]);
  expect(await balances(stack.api, purse.organisationId)).toEqual([credits - UNITS, credits - UNITS]);
}

test('a large crawl continues as new, and is charged once a unit', async () => {
  const purse = await buildPurse(stack.api, 100);
  const { id } = await startScan(stack.api, purse.key, 'site-crawl', { max_pages: 2_000 });
  expect(await endedScan(stack.api, purse.key, id)).toMatchObject({
    status: 'completed',
    units: { done: UNITS, total: UNITS },
    found: { warning: PAGES },
    credits_spent: UNITS,
  });
  await requirePaidOnce(purse, id, 100);
  const query = `WorkflowId = "${workflowIdOf('seo-scan', id)}"`;
  await eventually(
    'it has several executions',
    async () => (await stack.temporal.client.workflow.count(query)).count > 2,
  );
  const { data } = await stack.api.request('GET', '/events?event=seo_scan.finished', { key: purse.key });
  expect(data.items).toHaveLength(1);
});

test('a scan whose workflow was terminated is found by the rescue, goes on, and pays no unit again', async () => {
  const purse = await buildPurse(stack.api, 100);
  const { reached, goOn } = heldIn(5);
  const { id } = await startScan(stack.api, purse.key, 'site-crawl', { max_pages: 2_000 });
  await reached;
  await handle(id).terminate('by mistake');
  goOn();
  await age(id, 59);
  expect(await rescue()).toBe(0);
  await age(id, 61);
  // As two workers that do it at the same time.
  const rescued = await Promise.all([rescue(), rescue()]);
  expect(Math.max(...rescued)).toBe(1);
  expect(await endedScan(stack.api, purse.key, id)).toMatchObject({
    status: 'completed',
    units: { done: UNITS, total: UNITS },
    found: { warning: PAGES },
    credits_spent: UNITS,
  });
  await requirePaidOnce(purse, id, 100);
});

test('a scan whose rows are deleted while it runs ends without an error', async () => {
  const purse = await buildPurse(stack.api, 100);
  const { reached, goOn } = heldIn(3);
  const { id } = await startScan(stack.api, purse.key, 'site-crawl');
  await reached;
  await stack.api.db.pool.query('delete from seo_scans where id = $1', [id]);
  goOn();
  expect(await handle(id).result()).toBe('gone');
  const { events } = await handle(id).fetchHistory();
  expect(events?.filter((event) => event.activityTaskFailedEventAttributes)).toEqual([]);
});

test('articles that are deleted while they wait are looked at by nobody, and no fault of theirs is found', async () => {
  const purse = await buildPurse(stack.api, 100);
  const { key } = purse;
  const published: string[] = [];
  for (let made = 0; made < 12; made += 1) {
    const values = { title: `A title that is long enough, ${made}`, slug: `thin-${made}`, content: 'Short.' };
    published.push((await buildPublished(stack.api, key, values)).id);
  }
  const gone = published.slice(9);
  const { pool } = stack.api.db;
  const locking = await pool.connect();
  await locking.query('begin');
  await locking.query('lock table seo_scan_targets in share row exclusive mode');
  const { id } = await startScan(stack.api, key, 'on-page');
  // The plan was made, and waits to be written.
  const waiting = async (): Promise<boolean> => {
    const { rows } = await pool.query(
      `select from pg_locks where relation = 'seo_scan_targets'::regclass and not granted`,
    );
    return rows.length > 0;
  };
  await eventually('the plan is made', waiting);
  await Promise.all(gone.map((article) => stack.api.request('DELETE', `/articles/${article}`, { key })));
  await locking.query('commit');
  locking.release();
  expect(await endedScan(stack.api, key, id)).toMatchObject({
    status: 'completed',
    units: { done: 2, total: 2 },
    credits_spent: 2,
    found: { warning: 9 },
  });
  const found = await findingsOf(stack.api, key);
  expect(found.map(({ article_id: article }) => article).toSorted()).toEqual(
    published.slice(0, 9).toSorted(),
  );
});
