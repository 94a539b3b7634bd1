import { axeFindings } from '../support/axe.ts';
import { inBrowser, isTooWide, tabTo } from '../support/browser.ts';
import { useDashboard } from '../support/dashboard-browser.ts';
import { ask, buildAgent } from '../support/approvals.ts';
import { buildArticle, buildSite, buildTenant } from '../support/builders.ts';

inBrowser('the shell of the dashboard', () => {
  const dashboard = useDashboard();

  test('a person with one Site is in it after the sign-in', async () => {
    const { page, tenant } = await dashboard.visit();
    await page.goto(`${dashboard.api.origin}/dashboard`);
    await page.waitForURL(`**/dashboard/${tenant.siteId}`);
    await page.locator('main h1').waitFor();
  });

  test('the heading keeps the focus when its screen has been loaded', async () => {
    const { page, tenant, open } = await dashboard.visit();
    const { id } = (
      await dashboard.api.request('POST', '/webhooks', {
        key: tenant.secretKey,
        body: { url: 'https://receiver.example/hook', events: ['article.published'] },
      })
    ).data;
    await open('/webhooks');
    let answer = (): void => {};
    const asked = new Promise<void>((resolve) => (answer = resolve));
    await page.route(`**/v1/webhooks/${id}`, async (route) => {
      await asked;
      await route.continue();
    });
    await page.getByRole('link', { name: 'https://receiver.example/hook' }).click();
    await page.locator('h1:focus', { hasText: 'Endpoint' }).waitFor();
    answer();
    await page.locator('h1:focus', { hasText: 'https://receiver.example/hook' }).waitFor();
  });

  test('what an open page asks by itself does not count as a use of the session, until somebody does something', async () => {
    const { page, open, tenant } = await dashboard.visit();
    const agent = (await buildAgent(dashboard.api, tenant)).secret;
    const unattended: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/v1/approvals?'))
        unattended.push(request.headers()['x-presswork-unattended']);
    });
    let waiting = 0;
    /** The page shows what it was answered, and waits for the time of the next request. */
    const shown = () =>
      page.getByRole('navigation', { name: 'Screens' }).getByText(`, ${waiting} waiting`).waitFor();
    const askApproval = async (): Promise<void> => {
      const { id } = await buildArticle(dashboard.api, tenant.secretKey);
      await ask(dashboard.api, agent, { method: 'DELETE', path: `/articles/${id}`, options: {} });
      waiting += 1;
    };
    await page.clock.install();
    await askApproval();
    await open('/articles');
    await shown();
    const askedAfter = async (time: string): Promise<string | undefined> => {
      await askApproval();
      await page.clock.fastForward(time);
      await shown();
      return unattended.at(-1);
    };
    expect(await askedAfter('02:00')).toBeUndefined();
    expect(await askedAfter('06:00')).toBe('1');
    await page.keyboard.press('Shift');
    expect(await askedAfter('02:00')).toBeUndefined();
  });

  test('the navigation has what the role may open', async () => {
    const links = async (role: 'owner' | 'author') => {
      const { page, open } = await dashboard.visit({ role });
      await open('');
      return page.getByRole('navigation', { name: 'Screens' }).getByRole('link').allInnerTexts();
    };
    expect(await links('owner')).toEqual(
      expect.arrayContaining(['Articles', 'Team', 'Webhooks', 'Audit log']),
    );
    const ofAuthor = await links('author');
    expect(ofAuthor).toEqual(expect.arrayContaining(['Articles', 'Media']));
    for (const name of ['Team', 'Webhooks', 'Audit log', 'Approvals']) expect(ofAuthor).not.toContain(name);
  });

  test('by keyboard: past the navigation, to another screen, whose heading gets the focus', async () => {
    const { page, open } = await dashboard.visit();
    await open('/articles');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.locator(':focus').getAttribute('id')).toBe('content');
    await page.getByRole('link', { name: 'Home' }).focus();
    await tabTo(page, 'Media');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Media' }).waitFor();
    await page.locator('h1:focus').waitFor();
    expect(await page.title()).toBe('Media · Presswork');
  });

  test('the language is changed by keyboard, kept, and said to the browser', async () => {
    const { page, open } = await dashboard.visit();
    await open('');
    await page.getByRole('button', { name: /Owner/ }).press('Enter');
    await page.getByRole('radio', { name: 'Deutsch' }).press('Space');
    await page.getByRole('link', { name: 'Schlagwörter' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.reload();
    await page.getByRole('link', { name: 'Schlagwörter' }).waitFor();
  });

  test('a chosen colour scheme wins over that of the system', async () => {
    const { page, open } = await dashboard.visit({ browser: { colorScheme: 'light' } });
    await open('');
    await page.getByRole('button', { name: /Owner/ }).click();
    await page.getByRole('radio', { name: 'Dark' }).click();
    const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
    expect(await scheme()).toBe('dark');
    await page.reload();
    await page.locator('main h1').waitFor();
    expect(await scheme()).toBe('dark');
  });

  test('at 320 px nothing is wider than the screen, and the menu opens, leads on and closes', async () => {
    const { page, open } = await dashboard.visit({ browser: { viewport: { width: 320, height: 640 } } });
    await open('/articles');
    expect(await isTooWide(page)).toBe(false);
    await page.getByRole('button', { name: 'Menu', exact: true }).press('Enter');
    const menu = page.getByRole('dialog', { name: 'Menu' });
    expect(await axeFindings(page)).toEqual([]);
    await menu.getByRole('link', { name: 'Calendar' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor();
    await menu.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Menu', exact: true }).press('Enter');
    await menu.getByRole('link', { name: 'Calendar' }).press('Enter');
    await menu.waitFor({ state: 'hidden' });
    await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor();
  });

  test('who has several Sites chooses one, and is in the last one the next time', async () => {
    const { page, tenant } = await dashboard.visit();
    const { api } = dashboard;
    await buildSite(api.db, tenant.organisationId);
    await page.goto(`${api.origin}/dashboard`);
    await page.getByRole('heading', { name: 'Choose a Site' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.locator('main li a').last().click();
    await page.getByRole('navigation', { name: 'Screens' }).waitFor();
    const chosen = page.url();
    await page.goto(`${api.origin}/dashboard`);
    await page.waitForURL(chosen);
  });

  test('a wrong address says so inside the shell', async () => {
    const { page, open } = await dashboard.visit();
    await open('/nowhere');
    expect(await page.locator('h1').innerText()).toBe('Page not found');
    expect(await page.getByRole('navigation', { name: 'Screens' }).count()).toBe(1);
  });

  test('the address of a Site that the person does not have says so, and leads back', async () => {
    const { page, tenant } = await dashboard.visit();
    const other = await buildTenant(dashboard.api.db);
    for (const id of [other.siteId, 'somewhere']) {
      await page.goto(`${dashboard.api.origin}/dashboard/${id}/articles`);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    }
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await page.waitForURL(`**/dashboard/${tenant.siteId}`);
  });

  test('a session that ends keeps the page and what is typed, and goes on after a new sign-in', async () => {
    const { page, open, email, password } = await dashboard.visit();
    await open('/articles');
    const { pool } = dashboard.api.db;
    await pool.query('delete from sessions');
    await pool.query('update api_keys set revoked_at = now() where session_id is not null');
    await page.getByRole('searchbox').fill('lighthouse');
    const notice = page.getByText('You are signed out.', { exact: true });
    await notice.waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('lighthouse');
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Sign in again' }).click(),
    ]);
    await tab.locator('input[type=email]').fill(email);
    await tab.locator('input[type=password]').fill(password);
    await tab.keyboard.press('Enter');
    await tab.locator('main h1').waitFor();
    await tab.close();
    await page.evaluate(`window.dispatchEvent(new Event('focus'))`);
    await notice.waitFor({ state: 'detached' });
    expect(await page.getByRole('searchbox').inputValue()).toBe('lighthouse');
  });

  test('signing out leads to the sign-in page, and back is not in again', async () => {
    const { page, open } = await dashboard.visit();
    await open('');
    await page.getByRole('button', { name: /Owner/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('input[type=password]').waitFor();
    await page.goBack();
    await page.locator('input[type=password]').waitFor();
  });
});
