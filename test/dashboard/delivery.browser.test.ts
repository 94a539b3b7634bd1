import type { Page } from 'playwright-core';
import { closeReceivers, httpReceiver } from '../support/receivers.ts';
import { axeFindings } from '../support/axe.ts';
import { inBrowser, isTooWide, tabTo } from '../support/browser.ts';
import { startDashboard, useVisits } from '../support/dashboard-browser.ts';
import { startPushes } from '../support/pushes.ts';
import type { PushStack } from '../support/pushes.ts';

const secret = `whsec_${'a'.repeat(43)}`;

inBrowser('delivery, in Chromium', () => {
  let stack: PushStack;
  const dashboard = useVisits(() => stack);

  beforeAll(async () => {
    stack = await startPushes({}, startDashboard);
  });
  afterAll(async () => {
    await stack.close();
    await closeReceivers();
  });

  const visit = (options = {}) => dashboard.visit({ tenant: stack.tenant, ...options });
  const dialog = (page: Page) => page.getByRole('dialog');
  const row = (page: Page, name: string) =>
    page.getByRole('table', { name: 'Connections' }).getByRole('row').filter({ hasText: name });

  /** A server that answers with a status, which can be changed. */
  async function server() {
    const state = { status: 204 };
    const { url } = await httpReceiver((_, response) => void response.writeHead(state.status).end());
    stack.allowedHosts.add(new URL(url).host);
    return { state, url: `${url}/articles` };
  }

  async function connectedServer(name: string) {
    const { state, url } = await server();
    return { state, url, ...(await stack.connect({ kind: 'http', name, config: { url }, secret })) };
  }

  async function choose(page: Page, connection: string, action: string): Promise<void> {
    await page.getByRole('button', { name: `Actions for “${connection}”` }).click();
    await page.getByRole('menuitem', { name: action }).click();
  }

  test('a connection is added by keyboard alone, refused fields are named, and it is tested at once', async () => {
    const { page, open } = await visit();
    const { state, url } = await server();
    await open('/delivery');
    await page.getByText('No connection yet').waitFor();
    await tabTo(page, 'Add a connection');
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('radio', { name: 'Git repository' }).and(page.locator(':focus')).waitFor();
    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.type('My server');
    await page.keyboard.press('Tab');
    await page.keyboard.type('http://10.0.0.1/');
    await page.keyboard.press('Tab');
    await page.keyboard.type('not a secret');
    await page.keyboard.press('Enter');
    await page.locator('input[name="config.url"][aria-invalid=true]:focus').waitFor();
    await dialog(page).getByText('must be a signing secret').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(url);
    await page.keyboard.press('Tab');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(secret);
    state.status = 500;
    await page.keyboard.press('Enter');
    await dialog(page).getByText('It does not work yet').waitFor();
    state.status = 204;
    await tabTo(page, 'Test again');
    await page.keyboard.press('Enter');
    await dialog(page).getByText('It works').waitFor();
    await tabTo(page, 'Close');
    await page.keyboard.press('Enter');
    await row(page, 'My server').getByText('Enabled').waitFor();
    await row(page, url).getByText('By itself').waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  test('a connection is edited without its secret, disabled, enabled and deleted', async () => {
    const { page, open } = await visit();
    const { id } = await connectedServer('Old name');
    await open('/delivery');
    await choose(page, 'Old name', 'Edit');
    expect(await dialog(page).getByLabel('Signing secret').inputValue()).toBe('');
    await dialog(page).getByText('One is stored').waitFor();
    await dialog(page).getByLabel('Name').fill('New name');
    await stack.request('PATCH', `/delivery/connections/${id}`, { auto: true });
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await dialog(page).getByText('Somebody else has changed this connection').waitFor();
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await row(page, 'New name').waitFor();
    const { data } = await stack.request('GET', `/delivery/connections/${id}`);
    expect(data).toMatchObject({ name: 'New name', secret_set: true });
    await choose(page, 'New name', 'Edit');
    expect(await dialog(page).getByLabel('Name').inputValue()).toBe('New name');
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await choose(page, 'New name', 'Disable');
    await row(page, 'New name').getByText('Disabled').waitFor();
    await choose(page, 'New name', 'Enable');
    await row(page, 'New name').getByText('Enabled').waitFor();
    await choose(page, 'New name', 'Delete');
    await dialog(page).getByText('What is there stays').waitFor();
    await dialog(page).getByRole('button', { name: 'Delete the connection' }).click();
    await row(page, 'New name').waitFor({ state: 'detached' });
  });

  test('selected articles are pushed; a failure says why, and is pushed again', async () => {
    const { page, open } = await visit();
    const { id, state } = await connectedServer('Front end');
    const titles = ['Green tea', 'Black tea'];
    for (const title of titles) await stack.publish({ title });
    await open('/articles');
    for (const title of titles) await page.getByLabel(`Select ${title}`).check();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Push to another system' }).click();
    await dialog(page).getByLabel('Connection').selectOption({ label: 'Front end' });
    await dialog(page).getByRole('button', { name: 'Push 2 articles' }).click();
    const panel = page.getByRole('dialog', { name: 'Push' });
    await panel.getByText('Waiting').first().waitFor();
    state.status = 401;
    await stack.work(id);
    await panel.getByText('401').first().waitFor();
    state.status = 204;
    stack.clock.advance(60_000);
    await stack.work(id);
    await panel.getByText('Pushed').nth(1).waitFor();
    for (const title of titles) await panel.getByRole('link', { name: title }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('table', { name: 'Pushes' }).getByText('to Front end').waitFor();
  });

  test('what was changed there is overwritten only after a question', async () => {
    const { page, open } = await visit();
    const { id } = await connectedServer('Company blog');
    const { id: articleId } = await stack.publish({ title: 'White tea' });
    const push = await stack.push(id, [articleId]);
    await stack.work(id);
    await stack.api.db.pool.query(
      "update cms_push_items set status = 'diverged', error = 'The post was changed there.' where push_id = $1",
      [push.id],
    );
    await open(`/delivery?push=${push.id}`);
    const panel = page.getByRole('dialog', { name: 'Push' });
    await panel.getByText('The post was changed there.').waitFor();
    await panel.getByRole('button', { name: 'Overwrite 1 article there' }).click();
    const question = page.getByRole('dialog', { name: 'Overwrite what was changed there?' });
    const answered = page.waitForResponse((response) => response.url().endsWith('/delivery/cms/push'));
    await question.getByRole('button', { name: 'Overwrite 1 article there' }).click();
    expect((await answered).request().postDataJSON()).toEqual({
      connection_id: id,
      article_ids: [articleId],
      force: true,
    });
    await stack.work(id);
    await panel.getByText('Pushed').waitFor();
  });

  test('at 320 pixels, in German and in the dark it is complete; who may not manage sees no buttons', async () => {
    await connectedServer('שלום <b>blog</b>');
    const narrow = { viewport: { width: 320, height: 800 }, locale: 'de-DE', colorScheme: 'dark' };
    const { page, open } = await visit({ browser: narrow });
    await open('/delivery');
    await page.getByRole('button', { name: 'Verbindung hinzufügen' }).waitFor();
    expect(await isTooWide(page)).toBe(false);
    await page.getByRole('button', { name: 'Verbindung hinzufügen' }).click();
    await dialog(page).getByText('Passwort oder Zugriffstoken').waitFor();
    await dialog(page).getByRole('textbox', { name: 'Repository' }).fill('git@git.example.com:acme/blog.git');
    await dialog(page).getByLabel('Privater Schlüssel').waitFor();
    expect(await isTooWide(page)).toBe(false);
    const { page: other, open: openOther } = await visit({ role: 'editor' });
    await openOther('/delivery');
    await row(other, 'blog').first().waitFor();
    expect(await other.getByRole('button', { name: /Add a connection|Actions for/ }).count()).toBe(0);
  });
});
