import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { inBrowser, isTooWide, tabTo } from '../support/browser.ts';
import { useDashboard } from '../support/dashboard-browser.ts';
import { TestClock } from '../support/clock.ts';
import { DashboardVisitor } from '../support/dashboard.ts';
import { codeAt } from '../support/second-factor.ts';

const NEW = 'correct horse battery staple';

inBrowser('the account, in Chromium', () => {
  const clock = new TestClock();
  const dashboard = useDashboard({ clock });

  const focused = (page: Page, name: string) =>
    page.getByLabel(name, { exact: true }).and(page.locator(':focus'));

  async function type(page: Page, name: string, text: string): Promise<void> {
    for (let presses = 0; presses < 60; presses += 1) {
      if ((await focused(page, name).count()) > 0) {
        await page.keyboard.press('ControlOrMeta+a');
        await page.keyboard.type(text);
        return;
      }
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${name}`);
  }

  test('a password is changed by keyboard alone, and a wrong one is said at its field', async () => {
    const { page, open, email, password } = await dashboard.visit();
    await open('/account');
    await type(page, 'Current password *', 'wrong');
    await type(page, 'New password *', NEW);
    await type(page, 'New password again *', `${NEW}!`);
    await page.keyboard.press('Enter');
    await page.getByText('The two new passwords are not the same.').waitFor();
    await type(page, 'New password again *', NEW);
    await page.keyboard.press('Enter');
    await page.locator('[aria-invalid=true]:focus').waitFor();
    await type(page, 'Current password *', password);
    await page.keyboard.press('Enter');
    await page.getByText('Your password is changed.').waitFor();
    expect(await page.getByLabel('Current password *', { exact: true }).inputValue()).toBe('');
    await new DashboardVisitor(dashboard.api).signIn(email, NEW);
  });

  test('a second factor is turned on, its codes are taken away, and it is turned off', async () => {
    const { page, open, password } = await dashboard.visit();
    await open('/account');
    await tabTo(page, 'Turn on');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Current password *').and(page.locator(':focus')).waitFor();
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    const secret = await dialog.getByRole('textbox', { name: 'Secret to type' }).inputValue();
    const picture = dialog.locator('img');
    await picture.evaluate((image) => (image as unknown as { decode(): Promise<void> }).decode());
    await dialog.getByLabel('Code that the app shows *').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('000000');
    await page.keyboard.press('Enter');
    await page.locator('[aria-invalid=true]:focus').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(codeAt(secret, clock.now()));
    await page.keyboard.press('Enter');
    await dialog.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    const codes = await dialog.getByRole('listitem').allInnerTexts();
    expect(codes).toHaveLength(10);
    const downloading = page.waitForEvent('download');
    await tabTo(page, 'Download');
    await page.keyboard.press('Enter');
    const file = await (await downloading).path();
    expect(readFileSync(file, 'utf8').trim().split('\n')).toEqual(codes.map((code) => code.trim()));
    await tabTo(page, 'I have kept them');
    await page.keyboard.press('Enter');
    await page.getByText('10 recovery codes are left.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);
    expect(await page.content()).not.toContain(codes[0]);

    // Passwords and codes are counted by the minute.
    clock.advance(60_000);
    await tabTo(page, 'New recovery codes');
    await page.keyboard.press('Enter');
    await type(page, 'Code of your app, or a recovery code *', codes[0] ?? '');
    await page.keyboard.press('Enter');
    await dialog.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    const renewed = await dialog.getByRole('listitem').allInnerTexts();
    expect(renewed).not.toContain(codes[1]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Turn off' }).click();
    await dialog.getByLabel('Current password *').fill(password);
    const code = dialog.getByLabel('Code of your app, or a recovery code *');
    await code.fill(renewed[0] ?? '');
    await code.press('Enter');
    await page.getByRole('button', { name: 'Turn on' }).waitFor();
  });

  test('other sessions are seen and ended, one and all', async () => {
    const { page, open, email, password } = await dashboard.visit();
    const others = [1, 2, 3].map(
      () => new DashboardVisitor(dashboard.api, { 'user-agent': 'Firefox/1 Windows' }),
    );
    for (const other of others) await other.signIn(email, password);
    const alive = async (): Promise<number> =>
      (await Promise.all(others.map((other) => other.ask('GET', '/account')))).filter(
        ({ status }) => status === 200,
      ).length;
    await open('/account');
    const rows = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    await rows.nth(3).waitFor();
    await page.getByRole('button', { name: 'Sign out of Firefox on Windows' }).first().click();
    await rows.nth(3).waitFor({ state: 'detached' });
    expect(await alive()).toBe(2);
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click();
    await rows.nth(1).waitFor({ state: 'detached' });
    expect([await alive(), await rows.innerText()]).toEqual([0, expect.stringContaining('This one')]);
  });

  test('language and appearance change at once, and stay', async () => {
    const { page, open } = await dashboard.visit({ browser: { viewport: { width: 320, height: 800 } } });
    await open('/account');
    await page.getByRole('radio', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Ihr Konto' }).waitFor();
    await page.getByRole('radio', { name: 'Dunkel' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Ihr Konto' }).waitFor();
    expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
    expect(await isTooWide(page)).toBe(false);
  });
});
