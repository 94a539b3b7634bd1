import { buildArticle, buildTerm } from '../support/builders.ts';
import { axeFindings } from '../support/axe.ts';
import { inBrowser } from '../support/browser.ts';
import { useDashboard } from '../support/dashboard-browser.ts';

inBrowser('the search for everything', () => {
  const dashboard = useDashboard();

  test('by keyboard: an article and a tag are found, the article is opened, and is there the next time', async () => {
    const { page, open, tenant } = await dashboard.visit();
    const { id } = await buildArticle(dashboard.api, tenant.secretKey, { title: 'Brewing green tea' });
    await buildArticle(dashboard.api, tenant.secretKey, { title: 'Roasting coffee' });
    await buildTerm(dashboard.api, tenant.secretKey, 'tags', { name: 'Green' });
    await open('');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search everywhere' });
    await field.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('green');
    await page.getByText('2 results').waitFor();
    expect(await page.getByRole('option').allInnerTexts()).toEqual([
      expect.stringContaining('Brewing green tea'),
      'Green',
    ]);
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/articles/${id}`);
    await page.keyboard.press('Control+k');
    await page.getByRole('group', { name: 'Opened lately' }).getByText('Brewing green tea').waitFor();
  });

  test('screens are found by name, nothing is said to be nothing, and Escape gives the focus back', async () => {
    const { page, open } = await dashboard.visit();
    await open('');
    const button = page.getByRole('button', { name: 'Search', exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox').fill('zzzz');
    await page.getByText('Nothing matches “zzzz”.').waitFor();
    await page.keyboard.press('Escape');
    await button.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox').fill('calen');
    await page.getByRole('option', { name: 'Calendar' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor();
  });
});
