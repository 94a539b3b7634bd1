import type { Page } from 'playwright-core';
import { buildPerson } from '../support/builders.ts';
import { inBrowser, pick, tabTo } from '../support/browser.ts';
import { useDashboard } from '../support/dashboard-browser.ts';

inBrowser('the team, in Chromium', () => {
  const dashboard = useDashboard();

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  test('a member is added, gets another role and is removed, by keyboard alone', async () => {
    const { page, open } = await dashboard.visit();
    await open('/team');
    const row = page.getByRole('row', { name: 'grace@example.com' });
    await tabTo(page, 'Add a member');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'E-mail address' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('grace@example.com');
    await page.keyboard.press('Tab');
    await page.getByRole('radio', { name: 'Editor' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Make the link');
    await page.keyboard.press('Enter');
    const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
    expect((await fetch(link)).status).toBe(200);
    await tabTo(page, 'Done');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').last().waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(link);
    expect(await row.innerText()).toMatch(/Author\s+No password yet/);

    await tabTo(page, 'Actions for grace@example.com');
    await page.keyboard.press('Enter');
    await pick(page, 'Change role');
    await tabTo(page, page.getByRole('radio', { name: 'Author' }));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await row.getByText('Contributor').waitFor();

    await tabTo(page, 'Actions for grace@example.com');
    await page.keyboard.press('Enter');
    await pick(page, 'Remove');
    await button(page, 'Remove member').waitFor();
    await tabTo(page, 'Remove member');
    await page.keyboard.press('Enter');
    await row.waitFor({ state: 'detached' });
  });

  test('no owner can be changed, and nobody changes themselves', async () => {
    const { page, open, tenant, email } = await dashboard.visit();
    const second = await buildPerson(dashboard.api.db, tenant.organisationId);
    await open('/team');
    await button(page, `Actions for ${second.email}`).click();
    await page.getByRole('menuitem').first().waitFor();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Link to set a password …']);
    expect(await button(page, `Actions for ${email}`).count()).toBe(0);
  });

  test('an address that is wrong or taken is said at the field, and stays in it', async () => {
    const { page, open, tenant } = await dashboard.visit();
    const { email: taken } = await buildPerson(dashboard.api.db, tenant.organisationId, { role: 'editor' });
    await open('/team');
    await button(page, 'Add a member').click();
    const email = page.getByRole('textbox', { name: 'E-mail address' });
    await email.fill('grace');
    await button(page, 'Add member').click();
    await page.locator('[aria-invalid=true]:focus').waitFor();
    expect(await email.inputValue()).toBe('grace');
    await email.fill(taken);
    await button(page, 'Add member').click();
    await page.getByRole('alert').getByText('already').waitFor();
    expect(await email.inputValue()).toBe(taken);
  });
});
