import type { Page } from 'playwright-core';
import { poll, startDeviceSignIn } from '../support/device.ts';
import { axeFindings } from '../support/axe.ts';
import { inBrowser, isTooWide, pick, tabTo } from '../support/browser.ts';
import { useDashboard } from '../support/dashboard-browser.ts';

inBrowser('keys, in Chromium', () => {
  const dashboard = useDashboard();

  const press = async (page: Page, name: string): Promise<void> => {
    await tabTo(page, name);
    await page.keyboard.press('Enter');
  };
  const shownSecret = async (page: Page): Promise<string> => {
    const field = page.getByRole('textbox', { name: 'Secret' });
    await field.waitFor();
    return field.inputValue();
  };
  const status = async (secret: string, path = '/articles'): Promise<number> =>
    (await dashboard.api.request('GET', path, { key: secret })).status;

  /** Makes a key for writing articles, by keyboard alone. @returns its secret */
  async function createKey(page: Page, name: string): Promise<string> {
    await press(page, 'Create a key');
    await page.getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type(name);
    const reading = page.getByRole('radio', { name: 'Read the Site’s content' });
    await tabTo(page, reading);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const secret = await shownSecret(page);
    await press(page, 'I have copied it');
    await page.getByRole('dialog').last().waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);
    return secret;
  }

  test('a key is made for a task, gets a new secret and is revoked, by keyboard alone', async () => {
    const { page, open } = await dashboard.visit();
    await open('/keys');
    const first = await createKey(page, 'Shop');
    const row = page.getByRole('row', { name: 'Shop' });
    expect(await row.innerText()).toMatch(/Write articles\s+Active/);
    expect([await status(first), await status(first, '/webhooks')]).toEqual([200, 403]);

    await press(page, 'Actions for Shop');
    await pick(page, 'New secret');
    await press(page, 'Make a new secret');
    const second = await shownSecret(page);
    expect(await page.getByRole('dialog').innerText()).toMatch(/works for (1 day|23 hours, 5\d minutes)/);
    await press(page, 'I have copied it');
    await row.getByText('Old secret works for 23 hours, 5').waitFor();
    expect([await status(first), await status(second)]).toEqual([200, 200]);

    await press(page, 'Actions for Shop');
    await pick(page, 'Revoke');
    await page.getByRole('dialog', { name: 'Revoke Shop?' }).waitFor();
    await press(page, 'Revoke key');
    await row.waitFor({ state: 'detached' });
    expect([await status(first), await status(second)]).toEqual([401, 401]);
  });

  test('a publishable key is only offered what it may carry, and an empty name is said at the field', async () => {
    const { page, open } = await dashboard.visit();
    await open('/keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('radio', { name: 'In a page that readers open' }).click();
    expect(await page.getByRole('radio', { name: 'Write articles' }).count()).toBe(0);
    await page.getByText('Details: the exact scopes').click();
    const scopes = await page.getByRole('checkbox').and(page.locator('details *')).all();
    expect(scopes.length).toBeGreaterThan(3);
    expect(await page.locator('details').innerText()).not.toMatch(/:write|media:read/);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.locator('[aria-invalid=true]:focus').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Website');
    await page.getByRole('button', { name: 'Create key' }).click();
    expect(await shownSecret(page)).toMatch(/^svc_pub_/);
  });

  test('the key of an agent is for drafts only, unless the person chooses otherwise', async () => {
    const { page, open } = await dashboard.visit();
    await open('/keys');
    for (const [name, chosen] of [
      ['Writer', true],
      ['Publisher', false],
    ] as const) {
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill(name);
      await page.getByRole('checkbox', { name: 'It is for an AI agent' }).click();
      const drafts = page.getByRole('checkbox', { name: 'Drafts only' });
      expect(await drafts.isChecked()).toBe(true);
      if (!chosen) await drafts.click();
      await page.getByRole('button', { name: 'Create key' }).click();
      await shownSecret(page);
      await page.getByRole('button', { name: 'I have copied it' }).click();
      const row = page.getByRole('row', { name });
      await row.getByText('Agent', { exact: true }).waitFor();
      expect(await row.getByText('Drafts only').count()).toBe(chosen ? 1 : 0);
    }
  });

  test('a device gets its key by its code, and the list says what is a device’s and what a dashboard’s', async () => {
    const { page, open, email } = await dashboard.visit();
    const started = await startDeviceSignIn(dashboard.api, { client_name: 'Terminal' });
    await open('/keys');
    await page.getByRole('button', { name: 'Look at the request' }).click();
    await page.getByText('Enter the code that the device shows.').waitFor();
    await page.getByLabel('Code of the device').fill(started.user_code);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Give this device a key?' }).waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'Approved' }).waitFor();
    const { data } = await poll(dashboard.api, started);
    expect([data.status, data.key.expires_at]).toEqual(['approved', null]);
    await open('/keys');
    await page.getByRole('row', { name: /Terminal.*Device/ }).waitFor();
    const own = page.getByRole('row', { name: `Dashboard of ${email}` });
    expect(await own.count()).toBe(0);
    await page.getByRole('switch').click();
    await own.waitFor();
    expect(page.url()).toContain('all=true');
  });

  test('axe finds nothing in the scopes of a new key, in German and at 320 px', async () => {
    const { page, open } = await dashboard.visit({
      browser: { locale: 'de-DE', viewport: { width: 320, height: 800 } },
    });
    await open('/keys');
    await page.getByRole('button', { name: 'Schlüssel erstellen' }).click();
    await page.getByText('Details: die genauen Rechte').click();
    expect([await axeFindings(page), await isTooWide(page)]).toEqual([[], false]);
  });
});
