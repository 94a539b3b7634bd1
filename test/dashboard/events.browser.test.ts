import { inBrowser } from '../support/browser.ts';
import { startDashboard, useVisits } from '../support/dashboard-browser.ts';
import { startWebhooks } from '../support/webhooks.ts';
import type { WebhookStack } from '../support/webhooks.ts';
import { recordEvent } from '../../domain/events/events.ts';

inBrowser('events, in Chromium', () => {
  let stack: WebhookStack;
  const dashboard = useVisits(() => stack);

  beforeAll(async () => {
    stack = await startWebhooks(startDashboard);
  });
  afterAll(() => stack.close());

  const record = (data: object) =>
    stack.api.db.transaction(async (tx) =>
      recordEvent(tx, stack.tenant.siteId, 'article.updated', data, stack.clock.now()),
    );

  test('an event is found by its type and opened by keyboard, with its body and who got it', async () => {
    const { page, open } = await dashboard.visit({ tenant: stack.tenant });
    const endpoint = await stack.endpoint(`${(await stack.receiver()).url}/hook`);
    await record({ title: 'Another' });
    const [eventId] = await stack.emit();
    await stack.deliver(endpoint.id);
    await open('/events?type=article.published');
    await page.getByRole('row', { name: /Ünïcödé/ }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.keyboard.press('j');
    await page.keyboard.press('o');
    const drawer = page.getByRole('dialog');
    await drawer.getByText('“Ünïcödé” 1 🎉').waitFor();
    await drawer.getByRole('listitem').filter({ hasText: endpoint.url }).getByText('Delivered').waitFor();
    expect(new URL(page.url()).searchParams.get('event')).toBe(eventId);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?type=article.published');
  });

  test('what an event contains stays text, and long parts are shown when asked for', async () => {
    const { page, open } = await dashboard.visit({ tenant: stack.tenant });
    const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    const id = await record({
      title: hostile,
      content: `${'x'.repeat(5_000)}the end`,
      tags: Array.from({ length: 120 }, (_, n) => `tag ${n}`),
    });
    await open(`/events?event=${id}`);
    const drawer = page.getByRole('dialog');
    await drawer.getByText('onerror').waitFor();
    expect(await drawer.locator('img, script').count()).toBe(0);
    expect(await drawer.getByText('the end').count()).toBe(0);
    await drawer.getByRole('button', { name: 'Show all 5007 characters' }).click();
    await drawer.getByText('the end').waitFor();
    expect(await drawer.getByText('"tag 119"').count()).toBe(0);
    await drawer.getByText('120 items').click();
    await drawer.getByRole('button', { name: 'Show 70 more' }).click();
    await drawer.getByText('"tag 119"').waitFor();
    expect(await page.title()).toBe('Events · Presswork');
  });

  test('an event that is gone is said', async () => {
    const { page, open } = await dashboard.visit({ tenant: stack.tenant, browser: { locale: 'de-DE' } });
    await open(`/events?event=${stack.tenant.siteId}`);
    await page.getByText('Dieses Ereignis gibt es nicht').waitFor();
  });
});
