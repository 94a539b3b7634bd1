import { buildArticle } from '../support/builders.ts';
import { sendJob, work } from '../support/bulk.ts';
import { axeFindings } from '../support/axe.ts';
import { inBrowser, isTooWide } from '../support/browser.ts';
import { useDashboard } from '../support/dashboard-browser.ts';
import type { Visit } from '../support/dashboard-browser.ts';

inBrowser('bulk jobs, in Chromium', () => {
  const dashboard = useDashboard();

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

  test('another selection after a lost answer is another job', async () => {
    const visit = await dashboard.visit();
    const { page, open, tenant } = visit;
    for (const title of ['Tea', 'Coffee'])
      await buildArticle(dashboard.api, tenant.secretKey, { title, content: 'Text.' });
    await open('/articles');
    await page.getByLabel('Select Tea').check();
    await page.route('**/articles/bulk', async (route) => {
      await route.fetch();
      await route.abort();
    });
    const publish = page.getByRole('button', { name: 'Publish', exact: true });
    await publish.click();
    await page.getByText('There is no connection to the server').waitFor();
    await page.unroute('**/articles/bulk');
    await page.getByLabel('Select Coffee').check();
    const answered = page.waitForResponse('**/articles/bulk');
    await publish.click();
    const job = await (await answered).json();
    expect(job.data.items).toHaveLength(2);
  });

  test('a job that does not exist is asked for once', async () => {
    const { page, open } = await dashboard.visit();
    await page.clock.install();
    let asked = 0;
    await page.route('**/articles/bulk/*', (route) => {
      asked += 1;
      return route.continue();
    });
    await open('/bulk/0197a000-0000-7000-8000-000000000000');
    await page.getByText('There is nothing at this address').waitFor();
    await page.clock.runFor('01:00');
    await page.waitForLoadState('networkidle');
    expect(asked).toBe(1);
  });

  test('axe finds nothing in the list, in German and at 320 px', async () => {
    const visit = await dashboard.visit({
      browser: { locale: 'de-DE', viewport: { width: 320, height: 800 } },
    });
    const { page, open, tenant } = visit;
    const id = await job(visit);
    await work(dashboard.api, tenant.siteId, id);
    await open(`/bulk/${id}`);
    await page.getByText('1 erledigt, 1 nicht erledigt, 0 nicht begonnen').waitFor();
    expect(await isTooWide(page)).toBe(false);
    await open('/bulk');
    await page.getByRole('link', { name: 'Veröffentlichen: 2 Artikel' }).waitFor();
    expect([await axeFindings(page), await isTooWide(page)]).toEqual([[], false]);
  });
});
