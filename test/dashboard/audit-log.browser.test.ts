import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { buildArticle } from '../support/builders.ts';
import { axeFindings } from '../support/axe.ts';
import { eventually } from '../support/eventually.ts';
import { inBrowser, isTooWide, tabTo } from '../support/browser.ts';
import { useDashboard } from '../support/dashboard-browser.ts';
import type { Visit } from '../support/dashboard-browser.ts';

inBrowser('the audit log, in Chromium', () => {
  const dashboard = useDashboard();

  const rows = (page: Page) => page.getByRole('table', { name: 'Audit log' }).locator('tbody tr');
  const change = async ({ tenant }: Visit, id: string, body: object) => {
    const { status, text } = await dashboard.api.request('PATCH', `/articles/${id}`, {
      key: tenant.secretKey,
      body,
    });
    if (status !== 200) throw new Error(text);
  };

  test('by keyboard: an entry is opened and shows what was there before and after', async () => {
    const visit = await dashboard.visit();
    const { page, open, tenant } = visit;
    const { id } = await buildArticle(dashboard.api, tenant.secretKey, { title: 'Tea' });
    await change(visit, id, { title: 'شاي أخضر' });
    await open('/audit-log');
    await page.getByRole('button', { name: 'Changed an article' }).waitFor();
    await tabTo(page, 'Changed an article');
    await page.keyboard.press('Enter');
    const title = page.locator('dl > div').filter({ hasText: 'title' });
    expect(await title.getByRole('deletion').innerText()).toBe('Tea');
    expect(await title.getByRole('insertion').innerText()).toBe('شاي أخضر');
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await title.waitFor({ state: 'detached' });
  });

  test('the log is narrowed by action, person, object and day, all of it in the address', async () => {
    const visit = await dashboard.visit();
    const { page, open, tenant } = visit;
    const tea = await buildArticle(dashboard.api, tenant.secretKey, { title: 'Tea' });
    const coffee = await buildArticle(dashboard.api, tenant.secretKey, { title: 'Coffee' });
    await change(visit, tea.id, { title: 'Black tea' });
    await change(visit, coffee.id, { title: 'Black coffee' });
    await open('/audit-log');
    await page.getByLabel('Action', { exact: true }).selectOption({ label: 'Changed an article' });
    await page.waitForURL('**/audit-log?action=article.update');
    await page.getByRole('button', { name: 'Created an article' }).first().waitFor({ state: 'detached' });
    await eventually('the two changes are shown', async () => (await rows(page).count()) === 2);
    await page.getByLabel('Changed object (id)').fill(tea.id);
    await page.waitForURL((url) => url.searchParams.get('target') === tea.id);
    await rows(page).nth(1).waitFor({ state: 'detached' });
    await page.getByLabel('From', { exact: true }).fill('2099-01-01');
    await page.getByText('No entry matches').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('button', { name: 'Created an article' }).first().waitFor();
    expect(new URL(page.url()).search).toBe('');
    await rows(page)
      .first()
      .getByRole('link', { name: /^Show only / })
      .click();
    await page.waitForURL((url) => url.searchParams.has('actor'));
    await page.getByLabel('By (id)').fill('nobody');
    await page.getByLabel('By (id)').and(page.locator('[aria-invalid=true]')).waitFor();
    await page.getByText('An id has 36 characters').waitFor();
    await page.getByRole('button', { name: 'Created an article' }).first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('what is listed becomes a file whose cells no spreadsheet calculates', async () => {
    const visit = await dashboard.visit();
    const { page, open, tenant } = visit;
    const { id } = await buildArticle(dashboard.api, tenant.secretKey, { title: 'Tea' });
    for (let made = 0; made < 110; made += 1) await change(visit, id, { title: `Tea, "${made}"` });
    await open('/audit-log?action=article.update');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('audit-log.csv');
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines[0]).toBe(
      '\uFEFFtime,actor_kind,actor_id,actor,action,target_type,target_id,details,request_id',
    );
    expect(lines).toHaveLength(111);
    expect(lines[1]).toContain('Tea, \\""109\\""');
    await page.getByText('110 rows are in the file.').waitFor();
  });

  test('an editor does not see it, and an entry is not too wide in German at 320 px', async () => {
    const editor = await dashboard.visit({ role: 'editor' });
    await editor.open('');
    await editor.page.getByRole('link', { name: 'Articles' }).first().waitFor();
    expect(await editor.page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    const { page, open, tenant } = await dashboard.visit({
      browser: { locale: 'de-DE', viewport: { width: 320, height: 800 } },
    });
    await buildArticle(dashboard.api, tenant.secretKey, { title: 'Tee' });
    await open('/audit-log');
    await page.getByRole('button', { name: 'Artikel' }).first().click();
    await page.locator('dl').waitFor();
    expect(await isTooWide(page)).toBe(false);
  });
});
