import { axeFindings } from '../../support/axe.ts';
import { inBrowser, isTooWide, tabTo } from '../../support/browser.ts';
import { claim, supported, unsupported } from '../../support/claims.ts';
import { useDashboard } from '../../support/dashboard-browser.ts';
import { eventually } from '../../support/eventually.ts';
import { clientOf, openArticle, textOf } from './support.ts';

const CONTENT = 'Green tea is brewed at 80 °C. [^1]\n\nWhite tea is the oldest of all. It needs little.';
const url = 'https://tea.example/water';
const sources = [{ n: 1, text: 'Brew green tea at 80 °C, and white tea a little cooler.' }];

inBrowser('the claims of a text in the editor', () => {
  const dashboard = useDashboard();

  test('are shown with their evidence, found in the text by keyboard, and those without a source alone', async () => {
    const { visit, page, id } = await openArticle(dashboard, {
      title: 'Tea',
      content: CONTENT,
      origin: 'generated',
      sources: [{ url, title: 'Water for tea' }],
    });
    await claim(dashboard.api, visit.tenant.siteId, id, sources, [
      unsupported('White tea is the oldest of all.'),
      supported('Green tea is brewed at 80 °C.', 1, 'Brew green tea at 80 °C'),
      { ...supported('It needs little.', 1, 'white tea a little cooler'), verdict: 'weak' },
    ]);
    await page.getByRole('tab', { name: 'Claims', exact: true }).click();
    const panel = page.getByRole('tabpanel', { name: 'Claims' });
    await panel.getByText('1 of 3 supported').waitFor();
    const items = panel.getByRole('listitem');
    await items.nth(2).waitFor();
    expect(await items.allInnerTexts()).toEqual([
      expect.stringMatching(/^Supported\s+Green tea is .*\s+Brew green tea at 80 °C\s+Water for tea$/),
      expect.stringMatching(/^Without a source\s+White tea is the oldest of all\.$/),
      expect.stringMatching(/^Weak\s+It needs little\.\s+white tea a little cooler\s+Water for tea$/),
    ]);
    expect(await panel.getByRole('link', { name: 'Water for tea' }).first().getAttribute('href')).toBe(url);
    for (const width of [1_280, 360]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await axeFindings(page)).toEqual([]);
      expect(await isTooWide(page)).toBe(false);
    }
    await page.setViewportSize({ width: 1_280, height: 900 });
    await panel.getByRole('checkbox', { name: 'Only those without a source (1)' }).focus();
    await page.keyboard.press('Space');
    await items.nth(1).waitFor({ state: 'detached' });
    await tabTo(page, 'Show in the text: White tea is the oldest of all.');
    await page.keyboard.press('Enter');
    await page.waitForFunction('getSelection().toString() === "White tea is the oldest of all."');
    // They move with the text, and one that is written anew is not there any more.
    await textOf(page).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Green tea is brewed at 80 °C.');
    await panel.getByText('1 of 1 supported').waitFor();
    expect(await items.count()).toBe(0);
    await panel.getByRole('checkbox', { name: 'Only those without a source (0)' }).uncheck();
    await panel.getByText('The text does not have this any more.').first().waitFor();
  });

  test('there are none of a text that no run has written', async () => {
    const { page } = await openArticle(dashboard, { title: 'Tea', content: CONTENT, origin: 'generated' });
    await page.getByRole('tab', { name: 'Claims', exact: true }).click();
    await page.getByText('There are no claims.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('how many may have no source is a setting of the Site', async () => {
    const visit = await dashboard.visit();
    const { page, open } = visit;
    const saved = async () => (await clientOf(dashboard, visit).site.get()).max_unsupported_claims;
    await open('/settings');
    const field = page.getByRole('textbox', { name: 'Claims without a source' });
    for (const [typed, value] of [
      ['20', 20],
      ['', null],
    ] as const) {
      await field.fill(typed);
      await field.press('Enter');
      await eventually('it is saved', async () => (await saved()) === value);
      await page.getByRole('button', { name: 'Discard changes' }).first().waitFor({ state: 'detached' });
    }
    expect(await axeFindings(page)).toEqual([]);
  });
});
