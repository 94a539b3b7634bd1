import type { Page } from 'playwright-core';
import { buildPublished, buildTenant } from '../support/builders.ts';
import { axeFindings } from '../support/axe.ts';
import { inBrowser, tabTo } from '../support/browser.ts';
import { startDashboard, useVisits } from '../support/dashboard-browser.ts';
import type { Visit } from '../support/dashboard-browser.ts';
import { endedScan, startScan, startScans } from '../support/scans.ts';
import type { ScanStack } from '../support/scans.ts';

inBrowser('SEO, in Chromium', () => {
  let stack: ScanStack;
  const dashboard = useVisits(() => stack);

  beforeAll(async () => {
    stack = await startScans({}, undefined, startDashboard);
  });
  afterAll(() => stack.close());

  const publish = ({ tenant }: Pick<Visit, 'tenant'>) =>
    buildPublished(dashboard.api, tenant.secretKey, {
      title: 'A title of the right length',
      content: 'Short.',
    });
  const scanned = async ({ tenant }: Pick<Visit, 'tenant'>): Promise<void> => {
    const { id } = await startScan(dashboard.api, tenant.secretKey, 'on-page');
    await endedScan(dashboard.api, tenant.secretKey, id);
  };
  const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
  const choose = (page: Page, label: string, option: string) =>
    page.getByLabel(label, { exact: true }).selectOption({ label: option });

  test('by keyboard: a scan is started, followed until it ends, and its findings are read', async () => {
    const visit = await dashboard.visit();
    const { page, open } = visit;
    await publish(visit);
    await open('/seo');
    await page.getByText('Nothing is open').waitFor();
    await tabTo(page, 'Start a scan');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Start a scan' });
    await dialog.getByRole('radio', { name: 'Texts of the articles' }).waitFor();
    await dialog.getByRole('button', { name: 'Start the scan' }).press('Enter');
    await page.getByText('The scan is started.').waitFor();
    await row(page, 'Texts of the articles').getByText('Finished').waitFor();
    await row(page, 'Texts of the articles').getByText('1 of 1').waitFor();
    await page.getByRole('link', { name: 'Texts of the articles' }).press('Enter');
    await tabTo(page, 'Little text');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'What was found' }).getByText('300').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('a finding is planned and dismissed, and found among the dismissed', async () => {
    const visit = await dashboard.visit();
    const { page, open, tenant } = visit;
    await publish(visit);
    await scanned(visit);
    await open('/seo');
    const act = async (name: string) => {
      await page.getByRole('button', { name: 'Actions for “Little text”' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await row(page, 'Little text').waitFor();
    await act('Add to the content plan');
    await page.getByRole('status').filter({ hasText: 'is in the content plan.' }).waitFor();
    const plan = await dashboard.api.request('GET', '/content-plan', { key: tenant.secretKey });
    expect(plan.data.items).toHaveLength(1);
    await act('Dismiss');
    await row(page, 'Little text').waitFor({ state: 'detached' });
    await choose(page, 'Status', 'Dismissed');
    await row(page, 'Little text').waitFor();
    await page.waitForURL('**/seo?status=dismissed');
    await choose(page, 'Severity', 'Error');
    await page.getByText('No finding matches').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('Nothing is open').waitFor();
  });

  test('what scans found is drawn over time, and said in words', async () => {
    const visit = await dashboard.visit();
    const { page, open } = visit;
    await publish(visit);
    await scanned(visit);
    await open('/seo/scans');
    const trends = page.getByRole('region', { name: 'What scans found over time' });
    await row(page, 'Texts of the articles').getByText('Finished').waitFor();
    expect(await trends.count()).toBe(0);
    await publish(visit);
    await scanned(visit);
    await page.reload();
    await trends.getByText(/1 more than before/).waitFor();
    await trends.getByRole('img', { name: /^Findings of each scan, the newest last: 1 and 2$/ }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('a file of links is imported, its wrong lines are named, and a link is deleted', async () => {
    const visit = await dashboard.visit();
    const { page, open } = visit;
    await open('/seo/backlinks');
    const lines = [
      'source_url,target_url',
      'https://news.example.org/a,https://blog.example.com/',
      'nowhere,https://blog.example.com/',
      'https://tea.example.net/b,https://blog.example.com/',
    ];
    await page.locator('input[type=file]').setInputFiles({
      name: 'links.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`\uFEFF${lines.join('\n')}`),
    });
    await page.getByText('2 links are new, 0 were known, 1 lines are no links.').waitFor();
    await page.getByText('Line 3').waitFor();
    await row(page, 'news.example.org').getByText('Not checked').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('searchbox').fill('example.net');
    await row(page, 'news.example.org').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete: https://tea.example.net/b' }).click();
    await page.getByText('The link is deleted.').waitFor();
    await page.getByText('No finding matches').waitFor();
    await page.locator('input[type=file]').setInputFiles({
      name: 'other.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('name,age\nInes,40'),
    });
    await page.getByRole('alert').getByText('source_url').waitFor();
  });

  test('another file after a lost answer is imported, too', async () => {
    const visit = await dashboard.visit();
    const { page, open } = visit;
    await open('/seo/backlinks');
    const choose = (name: string, host: string) =>
      page.locator('input[type=file]').setInputFiles({
        name,
        mimeType: 'text/csv',
        buffer: Buffer.from(`source_url,target_url\nhttps://${host}/a,https://blog.example.com/`),
      });
    const isImport = ({ pathname }: URL): boolean => pathname.endsWith('/backlinks/import');
    await page.route(isImport, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await choose('first.csv', 'one.example.org');
    await page.getByRole('alert').getByText('There is no connection').waitFor();
    await page.unroute(isImport);
    await choose('second.csv', 'two.example.org');
    await page.getByText('1 links are new').waitFor();
    await row(page, 'one.example.org').waitFor();
    await row(page, 'two.example.org').waitFor();
  });

  test('who may only read starts nothing', async () => {
    const tenant = await buildTenant(dashboard.api.db);
    await publish({ tenant });
    await scanned({ tenant });
    const { page, open } = await dashboard.visit({
      tenant,
      role: 'viewer',
      browser: { locale: 'de-DE', viewport: { width: 320, height: 800 } },
    });
    for (const [path, text] of [
      ['/seo', 'Wenig Text'],
      ['/seo/scans', 'Texte der Artikel'],
      ['/seo/backlinks', 'Noch keine Links von anderen Websites'],
    ] as const) {
      await open(path);
      await page.getByText(text).last().waitFor();
      expect(await page.getByRole('button', { name: /starten|importieren/ }).count()).toBe(0);
    }
  });
});
