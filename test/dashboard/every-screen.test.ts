import type { Page } from 'playwright-core';
import { connection, edited, endpoint, planItem, scheduled } from '../support/home.ts';
import type { Home } from '../support/home.ts';
import { buildArticle, buildTerm } from '../support/builders.ts';
import { inBrowser, isTooWide, startDashboard } from '../support/dashboard-browser.ts';
import type { DashboardBrowser } from '../support/dashboard-browser.ts';

/** A name that nothing breaks by itself. */
const LONG = 'Donaudampfschifffahrtsgesellschaft'.repeat(5);

const screens = [
  '/articles',
  '/articles/new',
  '/calendar',
  '/content-plan',
  '/media',
  '/categories',
  '/tags',
  '/authors',
  '/comments',
  '/runs',
  '/runs/new',
  '/seo',
  '/seo/scans',
  '/seo/backlinks',
  '/formats-and-prompts',
  '/approvals',
  '/delivery',
  '/webhooks',
  '/events',
  '/team',
  '/keys',
  '/usage',
  '/billing',
  '/bulk',
  '/audit-log',
  '/settings',
  '/account',
  '',
];

/** As a link does: without loading the page again. The screen, or its heading if it has one yet, gets the focus. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`document.activeElement.blur(); history.pushState({}, '', ${JSON.stringify(path)})`);
  await page.locator('main:focus, main h1:focus').waitFor();
  await page.locator('main h1').waitFor();
  await page.getByText('Loading …', { exact: true }).first().waitFor({ state: 'detached' });
  await page.getByRole('status', { name: 'Loading …' }).first().waitFor({ state: 'detached' });
}

inBrowser('every screen', () => {
  let dashboard: DashboardBrowser;
  beforeAll(async () => {
    dashboard = await startDashboard();
  });
  afterEach(() => dashboard.endVisits());
  afterAll(() => dashboard.close());

  test('asks for nothing that is refused, and is as wide as the window: at 320 px, at 200 %, and with long names', async () => {
    const { api } = dashboard;
    const { page, tenant } = await dashboard.visit();
    const home: Home = {
      api,
      tenant,
      send: async (method, path, body) =>
        (await api.request(method, path, { key: tenant.secretKey, body, idempotencyKey: true })).data,
    };
    const category = await buildTerm(api, tenant.secretKey, 'categories', { name: LONG.slice(0, 100) });
    await buildArticle(api, tenant.secretKey, { title: LONG, category_id: category.id });
    await scheduled(home);
    await endpoint(home);
    await planItem(home, { title: LONG });
    const { id: connectionId } = await connection(home);
    await api.db.pool.query('update cms_connections set last_error = $2 where id = $1', [
      connectionId,
      'The repository could not be reached: dns (the name has no address).',
    ]);
    const published = await edited(home);
    const unedited = await buildArticle(api, tenant.secretKey, { title: 'Live', content: 'Text.' });
    await home.send('POST', `/articles/${unedited.id}/publish`);
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
    });
    const tooWide: string[] = [];
    for (const path of [...screens, `/articles/${published.id}`, `/articles/${unedited.id}`]) {
      await page.setViewportSize({ width: 320, height: 640 });
      await goTo(page, `/dashboard/${tenant.siteId}${path}`);
      for (const width of [320, 640, 1400]) {
        await page.setViewportSize({ width, height: 640 });
        if (await isTooWide(page)) tooWide.push(`${path} at ${width}`);
      }
    }
    expect([refused, tooWide]).toEqual([[], []]);
  });
});
