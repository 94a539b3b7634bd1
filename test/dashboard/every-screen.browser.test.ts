import type { Page } from 'playwright-core';
import { axeFindings } from '../support/axe.ts';
import type { ColorScheme } from '../support/axe.ts';
import { inBrowser, isTooWide } from '../support/browser.ts';
import { useDashboard } from '../support/dashboard-browser.ts';
import { buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { RIGHT_TO_LEFT, furnishSite } from '../support/used-site.ts';
import type { UsedSite } from '../support/used-site.ts';

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
  '/formats-and-prompts?show=prompts',
  '/delivery',
  '/formats-and-prompts?show=voice',
  '/webhooks',
  '/events',
  '/team',
  '/keys',
  '/usage',
  '/billing',
  '/bulk',
  '/audit-log',
  '/notifications',
  '/settings',
  '/account',
  '',
];

/** Where nothing is: each says so, and leads on. */
const NOTHING = '00000000-0000-7000-8000-000000000000';
const missing = ['/articles', '/webhooks', '/nowhere'].map((path) => `${path}/${NOTHING}`);

/** A dialog, and the button that opens it. */
const dialogsOf = ({ calendar }: UsedSite) =>
  [
    ['/articles', /^Actions for/, 'Delete …'],
    [calendar, /Made \d+/],
    ['/articles?q=tea', 'Views', 'Save these filters …'],
    ['/content-plan', 'New item'],
    ['/content-plan', /^Autopilot/],
    ['/content-plan', /^Actions for/, 'Delete'],
    ['/categories', 'New category'],
    ['/categories', /^Actions for/, 'Delete'],
    ['/authors', 'New author'],
    ['/comments', 'Erase a person’s comments'],
    ['/seo', 'Start a scan'],
    ['/formats-and-prompts', 'New format'],
    ['/settings', 'Add a channel'],
    ['/delivery', 'Add a connection'],
    ['/webhooks', 'Add an endpoint'],
    ['/team', 'Add a member'],
    ['/keys', 'Create a key'],
    ['/keys', /^Actions for/, 'Revoke …'],
    ['/account', 'Turn on'],
  ] as const;

/** What looks otherwise as long as nothing is there. */
const emptyAtFirst = ['/articles', '/runs', '/usage', ''];

/** Chromium shows a page at 200 % as it shows it in a window of half the width. */
const widths = [320, 768, 1400, 1400 / 2];

/** Text from right to left that is shown as if it went from left to right. One letter has no direction to lose. */
const wronglyDirected = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { data, parentElement: parent } = walker.currentNode;
    const isIsolated = /\\u2068[^\\u2069]*[\\u0600-\\u06ff]/.test(data) || parent.closest('option, title, textarea') !== null;
    if (!/[\\u0600-\\u06ff]{2}/.test(data) || isIsolated) continue;
    if (getComputedStyle(parent).direction !== 'rtl') found.push(parent.outerHTML);
  }
  return found;
})()`;

/** As a link does: without loading the page again. The screen, or its heading if it has one yet, gets the focus. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`document.activeElement.blur(); history.pushState({}, '', ${JSON.stringify(path)})`);
  const focused = page.locator('main:focus, main h1:focus, [role=dialog] :focus').first();
  await focused.waitFor().catch(async (error: unknown) => {
    const focus = await page.evaluate<string>('document.activeElement.outerHTML.slice(0, 300)');
    throw new Error(`${path} has no focus: ${focus}`, { cause: error });
  });
  await settled(page);
}

async function settled(page: Page): Promise<void> {
  await page.locator('main h1').waitFor();
  await page
    .getByText(/^(Loading …|Wird geladen …)$/)
    .first()
    .waitFor({ state: 'detached' });
  await page
    .getByRole('status', { name: /^(Loading …|Wird geladen …)$/ })
    .first()
    .waitFor({ state: 'detached' });
}

inBrowser('every screen', () => {
  const dashboard = useDashboard();
  let tenant: Tenant;
  let used: UsedSite;
  beforeAll(async () => {
    tenant = await buildTenant(dashboard.api.db);
    used = await furnishSite(dashboard.api, tenant);
  });

  /** Of the furnished Site, if no other is given. */
  const visit = async (
    locale = 'en-GB',
    colorScheme: ColorScheme = 'light',
    of: Tenant = tenant,
  ): Promise<Page> => {
    const { page, open } = await dashboard.visit({ tenant: of, browser: { locale, colorScheme } });
    await open('');
    return page;
  };
  const address = (path: string): string => `/dashboard/${tenant.siteId}${path}`;
  /** An open menu hangs at the end of the page, beside the landmarks, and Mantine gives the focus to an empty element in it first. */
  const ofMenu = (found: readonly string[]): string[] =>
    found.filter((finding) => !/^\w+: (region|aria-required-children)/.test(finding));

  test.each([
    ['en-GB', 'light'],
    ['de-DE', 'dark'],
  ] as const)(
    'asks for nothing that is refused, is as wide as the window, also at 200 %, shows text in its own direction, and axe finds nothing, in %s and the %s colours',
    async (locale, scheme) => {
      const page = await visit(locale, scheme);
      const refused: string[] = [];
      page.on('response', (response) => {
        if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
      });
      const found: string[] = [];
      let seen = 0;
      for (const path of [...screens, ...Object.values(used)]) {
        await page.setViewportSize({ width: 320, height: 640 });
        await goTo(page, address(path));
        for (const width of widths) {
          await page.setViewportSize({ width, height: 640 });
          if (await isTooWide(page)) found.push(`${path}: too wide at ${width}`);
        }
        found.push(...(await page.evaluate<string[]>(wronglyDirected)).map((html) => `${path}: ${html}`));
        seen += await page.getByText(RIGHT_TO_LEFT).count();
        await page.setViewportSize({ width: 1280, height: 800 });
        found.push(...(await axeFindings(page, [scheme])).map((finding) => `${path}: ${finding}`));
      }
      expect([refused, found]).toEqual([[], []]);
      expect(seen).toBeGreaterThan(10);
    },
  );

  test('names among the options of a field are shown whole, and in their own direction', async () => {
    const page = await visit();
    await goTo(page, address('/runs/new'));
    await page.getByRole('combobox', { name: 'Category' }).click();
    await page.getByRole('option', { name: RIGHT_TO_LEFT }).first().waitFor();
    const tooWide =
      '[...document.querySelectorAll("[role=listbox] *")].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.outerHTML)';
    expect(await page.evaluate<string[]>(tooWide)).toEqual([]);
    expect(await page.evaluate<string[]>(wronglyDirected)).toEqual([]);
  });

  test.each([
    ['en-GB', 'light'],
    ['de-DE', 'dark'],
  ] as const)('axe finds nothing where nothing is, in %s and the %s colours', async (locale, scheme) => {
    const fresh = await buildTenant(dashboard.api.db);
    const page = await visit(locale, scheme, fresh);
    await page.setViewportSize({ width: 320, height: 640 });
    const found: string[] = [];
    for (const path of [...missing, ...emptyAtFirst]) {
      await goTo(page, `/dashboard/${fresh.siteId}${path}`);
      found.push(...(await axeFindings(page, [scheme])).map((finding) => `${path}: ${finding}`));
      if (await isTooWide(page)) found.push(`${path}: too wide`);
    }
    expect(found).toEqual([]);
  });

  test('dialogs are as readable, and fit a window of 320 px', async () => {
    const page = await visit();
    await page.setViewportSize({ width: 320, height: 640 });
    const found: string[] = [];
    let at = '';
    for (const [path, button, item] of dialogsOf(used)) {
      if (path !== at) await goTo(page, address((at = path)));
      const main = page.getByRole('main');
      await main
        .getByRole('button', { name: button })
        .or(main.getByRole('link', { name: button }))
        .first()
        .click();
      if (item !== undefined) {
        await page.getByRole('menu').waitFor();
        found.push(...ofMenu(await axeFindings(page)).map((finding) => `${path}, menu: ${finding}`));
        await page.getByRole('menuitem', { name: item }).click();
      }
      await page.getByRole('dialog').waitFor();
      found.push(...(await axeFindings(page)).map((finding) => `${path}, ${button}: ${finding}`));
      if (await isTooWide(page)) found.push(`${path}, ${button}: too wide`);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    expect(found).toEqual([]);
  });
});
