import type { Page } from 'playwright-core';
import { inBrowser, tabTo } from '../support/browser.ts';
import { startDashboard, useVisits } from '../support/dashboard-browser.ts';
import { startWebhooks } from '../support/webhooks.ts';
import type { WebhookStack } from '../support/webhooks.ts';

inBrowser('webhooks, in Chromium', () => {
  let stack: WebhookStack;
  const dashboard = useVisits(() => stack);

  beforeAll(async () => {
    stack = await startWebhooks(startDashboard);
  });
  afterAll(() => stack.close());

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const visit = (browser = {}) => dashboard.visit({ tenant: stack.tenant, browser });

  test('an endpoint is added by keyboard alone, and its secret is shown once', async () => {
    const { page, open } = await visit();
    const { url } = await stack.receiver();
    await open('/webhooks');
    await tabTo(page, 'Add an endpoint');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'URL' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('http://10.0.0.1/hook');
    await page.keyboard.press('Enter');
    await page.locator('input[aria-invalid=true]:focus').waitFor();
    expect(await page.getByRole('textbox', { name: 'URL' }).inputValue()).toBe('http://10.0.0.1/hook');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(`${url}/hook`);
    await tabTo(page, page.getByRole('checkbox', { name: 'article.*', exact: true }));
    await page.keyboard.press('Space');
    await tabTo(page, page.getByRole('checkbox', { name: 'comment.created', exact: true }));
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    const secret = page.getByRole('textbox', { name: 'Signing secret' });
    expect(await secret.inputValue()).toMatch(/^whsec_[\w-]{43}$/);
    await tabTo(page, 'I have copied it');
    await page.keyboard.press('Enter');
    await secret.waitFor({ state: 'detached' });
    const row = page.getByRole('row', { name: `${url}/hook` });
    expect(await row.innerText()).toMatch(/Active[\s\S]*article\.\*\s*comment\.created/);
  });

  test('a test event shows what the server answered', async () => {
    const { page, open } = await visit();
    const good = await stack.endpoint(`${(await stack.receiver(204)).url}/a`);
    await open(`/webhooks/${good.id}`);
    await button(page, 'Send a test event').click();
    await page.getByText('The test event is on its way').waitFor();
    await stack.deliver(good.id);
    await page.getByText(/Your server answered 204 after \d+ ms/).waitFor();
  });

  test('a failed delivery says why and what comes next, and is sent again', async () => {
    const { page, open } = await visit();
    let status = 500;
    const receiver = await stack.receiver((_, response) => void response.writeHead(status).end('<b>no</b>'));
    const endpoint = await stack.endpoint(`${receiver.url}/b`);
    const [eventId] = await stack.emit();
    await stack.deliver(endpoint.id);
    await open(`/webhooks/${endpoint.id}`);
    await page.getByText('Failing: the last try failed').waitFor();
    const table = page.getByRole('table', { name: 'Deliveries' });
    await table.getByRole('link', { name: 'Failed' }).press('Enter');
    const drawer = page.getByRole('dialog');
    await drawer.getByText('Answered 500, which is no success').waitFor();
    await drawer.getByText('Next attempt').waitFor();
    await drawer.getByText(`webhook-id: ${eventId}`).waitFor();
    await drawer.getByText('“Ünïcödé” 1 🎉').waitFor();
    expect(new URL(page.url()).searchParams.get('event')).toBe(eventId);
    status = 200;
    await drawer.getByRole('button', { name: 'Send again' }).press('Enter');
    await page.getByText('The event is being sent again.').waitFor();
    await stack.deliver(endpoint.id);
    await drawer.getByText('Answered 200').waitFor();
    await drawer.getByText('sent again').waitFor();
    expect(receiver.seen).toHaveLength(2);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await table.getByText('Delivered').waitFor();
    expect(await table.getByRole('row').count()).toBe(2);
    await page.getByText('Active', { exact: true }).waitFor();
  });

  test('a delivery is found, sent again and left by keyboard alone', async () => {
    const { page, open } = await visit();
    const receiver = await stack.receiver();
    const endpoint = await stack.endpoint(`${receiver.url}/h`);
    await stack.emit();
    await stack.deliver(endpoint.id);
    await open(`/webhooks/${endpoint.id}`);
    await page.getByRole('table', { name: 'Deliveries' }).getByText('Delivered').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('o');
    const drawer = page.getByRole('dialog');
    await drawer.getByText('Answered 200').waitFor();
    await tabTo(page, 'Send again');
    await page.keyboard.press('Enter');
    await page.getByText('The event is being sent again.').waitFor();
    await stack.deliver(endpoint.id);
    await drawer.getByText('sent again').waitFor();
    expect(receiver.seen).toHaveLength(2);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await page.locator('tr:focus').waitFor();
  });

  test('what is selected in the log is sent again, after it was said what', async () => {
    const { page, open } = await visit();
    const receiver = await stack.receiver();
    const endpoint = await stack.endpoint(`${receiver.url}/c`);
    await stack.emit(3);
    await stack.deliver(endpoint.id);
    await open(`/webhooks/${endpoint.id}?status=succeeded`);
    const boxes = page.getByRole('checkbox', { name: /^Select article\.published/ });
    await boxes.nth(0).check();
    await boxes.nth(2).check();
    await button(page, 'Send again').click();
    await page.getByRole('dialog', { name: 'Send these 2 events again?' }).waitFor();
    await button(page, 'Send 2 events again').click();
    await page.getByText('2 events are being sent again.').waitFor();
    await stack.deliver(endpoint.id);
    expect(receiver.seen).toHaveLength(5);
    await open(`/webhooks/${endpoint.id}?status=failed&period=hour`);
    await page.getByText('No delivery matches').waitFor();
  });

  test('an endpoint is paused, turned on again, and gets what it missed', async () => {
    const { page, open } = await visit();
    const receiver = await stack.receiver();
    const endpoint = await stack.endpoint(`${receiver.url}/d`, { events: ['article.published'] });
    await stack.api.db.pool.query('delete from events');
    await open(`/webhooks/${endpoint.id}`);
    await button(page, 'Pause').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Somebody paused it. Nothing is sent to it.').waitFor();
    await stack.emit(2);
    await button(page, 'Turn on again').click();
    await button(page, 'Replay missed events …').click();
    await page.getByText('oldest first: article.published').waitFor();
    await button(page, 'Replay').click();
    await page.getByText('2 events are being sent.').waitFor();
    await stack.deliver(endpoint.id);
    stack.clock.advance(1_000);
    await stack.deliver(endpoint.id);
    expect(receiver.seen).toHaveLength(2);
  });

  test('a change of somebody else is shown, and what was typed stays', async () => {
    const { page, open } = await visit();
    const { url } = await stack.receiver();
    const endpoint = await stack.endpoint(`${url}/e`);
    await open(`/webhooks/${endpoint.id}`);
    await button(page, 'Edit').click();
    const field = page.getByRole('textbox', { name: 'URL' });
    await field.fill(`${url}/mine`);
    await stack.request('PATCH', `/webhooks/${endpoint.id}`, { url: `${url}/theirs` });
    await button(page, 'Save changes').click();
    await page.getByRole('alert').getByText(`${url}/theirs`).waitFor();
    expect(await field.inputValue()).toBe(`${url}/mine`);
    await button(page, 'Save changes').click();
    await page.getByRole('heading', { name: `${url}/mine` }).waitFor();
  });

  test('a secret is rotated and an endpoint deleted, by keyboard alone', async () => {
    const { page, open } = await visit();
    const { url } = await stack.receiver();
    const endpoint = await stack.endpoint(`${url}/f`);
    await open(`/webhooks/${endpoint.id}`);
    await tabTo(page, 'Rotate the secret');
    await page.keyboard.press('Enter');
    await button(page, 'Cancel').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const secret = await page.getByRole('textbox', { name: 'Signing secret' }).inputValue();
    expect(secret).toMatch(/^whsec_/);
    expect(secret).not.toBe(endpoint.secret);
    await tabTo(page, 'I have copied it');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').last().waitFor({ state: 'detached' });
    await tabTo(page, 'Delete');
    await page.keyboard.press('Enter');
    await button(page, 'Cancel').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await page.getByRole('row', { name: `${url}/f` }).waitFor({ state: 'detached' });
  });
});
