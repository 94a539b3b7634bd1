import { mutable } from '../../domain/notifications/kinds.ts';
import { ask, buildAgent } from '../support/approvals.ts';
import type { RequestOptions } from '../support/api.ts';
import { axeFindings } from '../support/axe.ts';
import { inBrowser, isTooWide, tabTo } from '../support/browser.ts';
import { useDashboard } from '../support/dashboard-browser.ts';

inBrowser('notifications, in Chromium', () => {
  const dashboard = useDashboard({ mails: true });

  test('what came is shown, opened by keyboard, and read then', async () => {
    // A person who signs in is told of the new device.
    const { page, open } = await dashboard.visit();
    await open('/notifications');
    await page.getByRole('link', { name: /^Notifications ?, 1 unread$/ }).waitFor();
    await page.getByRole('row', { name: /from a new device/ }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('o');
    await page.waitForURL(/\/account$/);
    await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor();
    await open('/notifications?show=unread');
    await page.getByText('You have read everything').waitFor();
  });

  test('a request of an agent is told in words, and the bell says how many are unread where there is no room', async () => {
    const { page, open, tenant } = await dashboard.visit();
    const { secret } = await buildAgent(dashboard.api, tenant);
    const options: RequestOptions = {
      body: { name: 'New', kind: 'secret', scopes: ['articles:read'] },
      idempotencyKey: true,
    };
    await ask(dashboard.api, secret, { method: 'POST', path: '/keys', options });
    await page.setViewportSize({ width: 320, height: 700 });
    await open('');
    const bell = page.getByRole('link', { name: /^Notifications ?, 2 unread$/ });
    await bell.waitFor();
    await tabTo(page, bell);
    await page.keyboard.press('Enter');
    await page.getByText('An agent asks for your approval: Create a key.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
  });

  test('everything but security can be kept out of mail', async () => {
    const { page, open } = await dashboard.visit();
    await open('/notifications');
    await page.getByLabel('How often').waitFor();
    const kinds = page.getByRole('group', { name: 'Mail about' }).getByRole('checkbox');
    expect(await kinds.evaluateAll((boxes) => boxes.map((box) => box.getAttribute('value')))).toEqual(
      mutable,
    );
  });

  test('mail is set by the person, and stays set', async () => {
    const { page, open } = await dashboard.visit();
    await open('/notifications');
    await page.getByLabel('How often').selectOption('daily');
    await page.getByLabel('Comments that wait').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.reload();
    await page.getByLabel('How often').waitFor();
    expect(await page.getByLabel('How often').inputValue()).toBe('daily');
    expect(await page.getByLabel('Comments that wait').isChecked()).toBe(false);
    expect(await page.getByLabel('Problems with payments').isChecked()).toBe(true);
  });
});

inBrowser('notifications of a service without mail, in Chromium', () => {
  const dashboard = useDashboard();

  test('the screen says that nothing is sent', async () => {
    const { page, open } = await dashboard.visit();
    await open('/notifications');
    await page.getByText('This service sends no mail').waitFor();
  });
});
