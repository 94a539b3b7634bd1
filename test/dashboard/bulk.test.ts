import { buildArticle } from '../support/builders.ts';
import { sendJob, work } from '../support/bulk.ts';
import { axeFindings, inBrowser, isTooWide, startDashboard } from '../support/dashboard-browser.ts';
import type { DashboardBrowser, Visit } from '../support/dashboard-browser.ts';

inBrowser('bulk jobs, in Chromium', () => {
  let dashboard: DashboardBrowser;

  beforeAll(async () => {
    dashboard = await startDashboard();
  });
  afterEach(() => dashboard.endVisits());
  afterAll(() => dashboard.close());

  /** A job that publishes an article with a text, and one without. */
  async function job({ tenant }: Visit): Promise<string> {
    const key = tenant.secretKey;
    const good = await buildArticle(dashboard.api, key, { title: 'With a text', content: 'Text.' });
    const bad = await buildArticle(dashboard.api, key, { title: 'Without a text', content: null });
    const body = { action: 'publish', article_ids: [good.id, bad.id] };
    const { status, text, data } = await sendJob(dashboard.api, key, body);
    if (status !== 202) throw new Error(text);
    return data.id;
  }

  test('a job shows how far it is, by itself, and what was not done and why', async () => {
    const visit = await dashboard.visit();
    const { page, open, tenant } = visit;
    const id = await job(visit);
    await open(`/bulk/${id}`);
    await page.getByRole('heading', { level: 1, name: 'Publish: 2 articles' }).waitFor();
    await page.getByText('0 done, 0 not done, 2 not begun').waitFor();
    await work(dashboard.api, tenant.siteId, id);
    await page.getByText('1 done, 1 not done, 0 not begun').waitFor();
    const failed = page.getByRole('row').filter({ hasText: 'Without a text' });
    await failed.getByText('content').waitFor();
    expect(await page.getByRole('button', { name: 'Cancel the job' }).count()).toBe(0);
    await page.getByLabel('Show only what was not done').check();
    await page.getByRole('row').filter({ hasText: 'With a text' }).waitFor({ state: 'detached' });
    expect(await axeFindings(page)).toEqual([]);
    await failed.getByRole('link').click();
    await page.getByRole('textbox', { name: 'Title' }).waitFor();
  });

  test('a job is cancelled by keyboard, and found again in the list of this browser', async () => {
    const visit = await dashboard.visit();
    const { page, open, tenant } = visit;
    const id = await job(visit);
    await open(`/bulk/${id}`);
    const cancel = page.getByRole('button', { name: 'Cancel the job' });
    await cancel.focus();
    await page.keyboard.press('Enter');
    const asking = page.getByRole('dialog', { name: 'Cancel this job?' });
    await asking.getByRole('button', { name: 'Cancel the job' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('The job is cancelled.').waitFor();
    await work(dashboard.api, tenant.siteId, id);
    await page.getByText('Cancelled', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Bulk jobs' }).click();
    await page.getByRole('link', { name: 'Publish: 2 articles' }).waitFor();
    await dashboard.api.db.pool.query('delete from bulk_jobs where id = $1', [id]);
    await page.reload();
    await page.getByText('A job that no longer exists').waitFor();
    await page.getByRole('button', { name: 'Remove from this list' }).click();
    await page.getByText('No bulk jobs in this browser').waitFor();
  });

  test('axe finds nothing in German at 320 px', async () => {
    const visit = await dashboard.visit({
      browser: { locale: 'de-DE', viewport: { width: 320, height: 800 } },
    });
    const { page, open, tenant } = visit;
    const id = await job(visit);
    await work(dashboard.api, tenant.siteId, id);
    await open(`/bulk/${id}`);
    await page.getByText('1 erledigt, 1 nicht erledigt, 0 nicht begonnen').waitFor();
    expect([await axeFindings(page), await isTooWide(page)]).toEqual([[], false]);
    await open('/bulk');
    await page.getByRole('link', { name: 'Veröffentlichen: 2 Artikel' }).waitFor();
    expect([await axeFindings(page), await isTooWide(page)]).toEqual([[], false]);
  });
});
