import type { Page } from 'playwright-core';
import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { Names } from '../../adapters/http/names.ts';
import { axeFindings } from '../support/axe.ts';
import { inBrowser, isTooWide, tabTo } from '../support/browser.ts';
import { useDashboard } from '../support/dashboard-browser.ts';
import { closeReceivers, httpReceiver } from '../support/receivers.ts';

inBrowser('channels, in Chromium', () => {
  const allowedHosts = new Set<string>();
  const names = new Names();
  const http = createGuardedClient({ allowedHosts, names });
  const dashboard = useDashboard({ http, webhookUrls: { allowedHosts, names } });
  afterAll(async () => {
    await http.close();
    await closeReceivers();
  });

  async function server() {
    const state = { status: 200 };
    const { url } = await httpReceiver((_, response) => void response.writeHead(state.status).end());
    allowedHosts.add(new URL(url).host);
    return { state, url: `${url}/S3CR3T` };
  }
  const dialog = (page: Page) => page.getByRole('dialog');
  const row = (page: Page, name: string) =>
    page.getByRole('table', { name: 'Channels' }).getByRole('row').filter({ hasText: name });
  const choose = async (page: Page, name: string, action: string): Promise<void> => {
    await page.getByRole('button', { name: `Actions for “${name}”` }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };

  test('a channel is added by keyboard alone, a refused URL is named, and it is tested at once', async () => {
    const { tenant, page, open } = await dashboard.visit();
    const { state, url } = await server();
    await open('/settings');
    await page.getByText('No channel yet').waitFor();
    // After the many fields of the organisation.
    await page.getByRole('button', { name: 'Add a channel' }).focus();
    await page.keyboard.press('Enter');
    await dialog(page).getByLabel('Kind').waitFor();
    await tabTo(page, dialog(page).getByLabel('Name'));
    await page.keyboard.type('Editors');
    await page.keyboard.press('Tab');
    await page.keyboard.type('https://10.0.0.1/S3CR3T');
    await page.keyboard.press('Enter');
    await page.locator('input[name="url"][aria-invalid=true]:focus').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(url);
    state.status = 404;
    await page.keyboard.press('Enter');
    await dialog(page).getByText('It does not work yet').waitFor();
    await dialog(page).getByText('does not know the URL').waitFor();
    state.status = 200;
    await tabTo(page, 'Test again');
    await page.keyboard.press('Enter');
    await dialog(page).getByText('It works').waitFor();
    await tabTo(page, 'Close');
    await page.keyboard.press('Enter');
    await row(page, 'Editors').getByText('Enabled').waitFor();
    await row(page, new URL(url).host).waitFor();
    expect(await page.content()).not.toContain('S3CR3T');
    const { data } = await dashboard.api.request('GET', '/notifications/channels', { key: tenant.secretKey });
    expect(data.items).toHaveLength(1);
    expect(data.items[0].kinds).toHaveLength(13);
  });

  test('a channel is edited without its URL, disabled, enabled and deleted, and says why it fails', async () => {
    const { tenant, page, open } = await dashboard.visit();
    const { url } = await server();
    const send = (method: string, path: string, body?: object) =>
      dashboard.api.request(method, `/notifications/channels${path}`, { key: tenant.secretKey, body });
    const { data } = await send('POST', '', { kind: 'slack', name: 'Old name', url });
    await dashboard.api.db.pool.query('update channels set last_error = $2 where id = $1', [
      data.id,
      'The channel does not know the URL. (404)',
    ]);
    await open('/settings');
    await row(page, 'Old name').getByText('does not know the URL').waitFor();
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await isTooWide(page)).toBe(false);
      expect(await axeFindings(page)).toEqual([]);
    }
    await choose(page, 'Old name', 'Edit');
    expect(await dialog(page).getByLabel('URL').inputValue()).toBe('');
    await dialog(page).getByText('Leave this empty to keep it').waitFor();
    await dialog(page).getByLabel('Kind').selectOption('teams');
    await dialog(page).getByText('Another kind needs its URL').waitFor();
    await dialog(page).getByLabel('Kind').selectOption('slack');
    await dialog(page).getByLabel('Name').fill('New name');
    await dialog(page).getByRole('checkbox', { name: 'Ends of scans' }).uncheck();
    await send('PATCH', `/${data.id}`, { name: 'Meanwhile' });
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await dialog(page).getByText('Somebody else has changed this channel').waitFor();
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await row(page, 'New name').waitFor();
    expect((await send('GET', `/${data.id}`)).data.kinds).not.toContain('seo_scan.finished');
    await choose(page, 'New name', 'Disable');
    await row(page, 'New name').getByText('Disabled').waitFor();
    await choose(page, 'New name', 'Enable');
    await choose(page, 'New name', 'Test');
    await dialog(page).getByText('It works').waitFor();
    await dialog(page).getByRole('button', { name: 'Close' }).last().click();
    await choose(page, 'New name', 'Delete');
    await dialog(page).getByRole('button', { name: 'Delete the channel' }).click();
    await page.getByText('No channel yet').waitFor();
  });

  test('channels are shown in German, and to those alone who manage the settings', async () => {
    const { page, open } = await dashboard.visit({ browser: { locale: 'de-DE' } });
    await open('/settings');
    await page.getByRole('button', { name: 'Kanal hinzufügen' }).click();
    await dialog(page).getByLabel('Wartende Kommentare').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const editor = await dashboard.visit({ role: 'editor' });
    await editor.open('/settings');
    await editor.page.getByRole('heading', { name: 'Site' }).waitFor();
    expect(await editor.page.getByRole('heading', { name: 'Channels' }).count()).toBe(0);
  });
});
