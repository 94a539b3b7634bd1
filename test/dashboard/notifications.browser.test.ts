import { inBrowser } from '../support/browser.ts';
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
