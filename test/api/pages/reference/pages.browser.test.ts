import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { startApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';
import { axeFindings } from '../../../support/axe.ts';
import { inBrowser, isTooWide, usePages } from '../../../support/browser.ts';
import { buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

/** The form of an operation, unfolded and with a key. */
async function formOf(page: Page, operation: string, key: string): Promise<Locator> {
  const form = page.locator(`#${operation} .try`);
  await form.locator('summary').first().click();
  await form.getByLabel('API key').fill(key);
  return form;
}

inBrowser('the reference, in Chromium', () => {
  let api: TestApi;
  let tenant: Tenant;
  const openPage = usePages();
  const elsewhere: string[] = [];

  beforeAll(async () => {
    api = await startApi();
    tenant = await buildTenant(api.db);
  });
  afterAll(() => api.close());
  afterEach(() => {
    expect(elsewhere.splice(0)).toEqual([]);
  });

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await openPage({ viewport: desktop, ...options });
    page.on('request', (request) => {
      if (!request.url().startsWith(api.origin)) elsewhere.push(request.url());
    });
    await page.goto(api.origin + path);
    return page;
  }

  const kinds = [
    ['the start', '/docs'],
    ['the guide', '/docs/guide/webhooks'],
    ['a resource', '/docs/api/api-keys'],
  ] as const;
  const sizes = [
    ['desktop', { viewport: desktop }],
    ['phone', { viewport: phone, hasTouch: true }],
  ] as const;

  test.each(kinds.flatMap(([kind, path]) => sizes.map((size) => [kind, path, ...size] as const)))(
    'axe finds nothing on the page of %s (%s) on a %s, light and dark, and it is not wider than the screen',
    async (kind, path, size, options) => {
      const page = await open(path, options);
      await page.locator('[role=tab]').first().waitFor();
      if (size === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
      else await page.getByRole('searchbox').fill('webhook');
      expect(await axeFindings(page)).toEqual([]);
      if (size === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
      else await page.keyboard.press('Escape');
      if (kind === 'a resource') {
        const form = await formOf(page, 'createKey', tenant.secretKey);
        await form.getByRole('button', { name: 'Send' }).click();
        expect(await axeFindings(page)).toEqual([]);
      }
      expect(await isTooWide(page)).toBe(false);
    },
  );

  test('no page is wider than a phone, with everything unfolded', async () => {
    const page = await open('/docs', { viewport: phone });
    const addresses = await page.$$eval('nav a', (links) =>
      links.map((link) => link.getAttribute('href') ?? ''),
    );
    const paths = new Set(addresses.map((address) => address.replace(/#.*/, '')));
    expect(paths.size).toBeGreaterThan(20);
    const wide: string[] = [];
    for (const path of paths) {
      await page.goto(api.origin + path);
      await page.$$eval('details', (all) => all.forEach((details) => details.setAttribute('open', '')));
      if (Number(await page.evaluate('document.documentElement.scrollWidth')) > phone.width) wide.push(path);
    }
    expect(wide).toEqual([]);
  });

  test('a read is sent with the key, and its answer is shown', async () => {
    const page = await open('/docs/api/meta');
    const form = await formOf(page, 'getSite', tenant.secretKey);
    const sent = page.waitForRequest('**/v1/site');
    await form.getByRole('button', { name: 'Send' }).click();
    const answer = await (await sent).response();
    await form.locator('.result strong').waitFor();
    expect(await form.locator('.result').innerText()).toMatch(/^200/);
    // Folded.
    expect(await form.locator('.outcome details').textContent()).toContain(answer?.headers()['request-id']);
    expect(JSON.parse(await form.locator('.outcome > pre').innerText()).data.name).toMatch(/^Site \d+$/);
    expect(await axeFindings(page)).toEqual([]);
  });

  test('a write is confirmed first, carries an Idempotency-Key and is done once', async () => {
    const page = await open('/docs/api/categories');
    const form = await formOf(page, 'createCategory', tenant.secretKey);
    await form.getByLabel('Body').fill('{"name": "Tried in the page"}');
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.headers()['idempotency-key'] ?? ''));
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await form.getByRole('button', { name: 'Cancel' }).click();
    expect(requests).toEqual([]);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await form.locator('.result strong').waitFor();
    expect(await form.locator('.result').innerText()).toMatch(/^201/);
    expect(requests).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    const { data } = await api.request('GET', '/categories', { key: tenant.secretKey });
    expect(data.items.map(({ name }: { name: string }) => name)).toEqual(['Tried in the page']);
  });

  test('a write without an answer is not repeated, and its Idempotency-Key is shown for the next try', async () => {
    const page = await open('/docs/api/tags');
    const form = await formOf(page, 'createTag', tenant.secretKey);
    await form.getByLabel('Body').fill('{"name": "Lost"}');
    const requests: string[] = [];
    await page.route('**/v1/tags', async (route) => {
      requests.push(route.request().headers()['idempotency-key'] ?? '');
      // Done, but nothing comes back.
      await route.fetch();
      await route.abort();
    });
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await form.getByRole('button', { name: 'Send POST' }).click();
    await form.getByText('It may have been done.').waitFor();
    expect(requests).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(await form.locator('.outcome').innerText()).toContain(requests[0]);
    await page.unroute('**/v1/tags');
    await form.getByLabel('Idempotency-Key').fill(requests[0] ?? '');
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await form.getByRole('button', { name: 'Send POST' }).click();
    await form.locator('.result strong').waitFor();
    expect(await form.locator('.result').innerText()).toMatch(/^201/);
    const { data } = await api.request('GET', '/tags', { key: tenant.secretKey });
    expect(data.items.map(({ name }: { name: string }) => name)).toEqual(['Lost']);
  });

  test('a refusal is shown as it is, with values in path and query', async () => {
    const page = await open('/docs/api/articles');
    const list = await formOf(page, 'listArticles', tenant.secretKey);
    await list.getByLabel('status').fill('draft, published');
    await list.getByLabel('limit').fill('x&y');
    const sent = page.waitForRequest('**/v1/articles?*');
    await list.getByRole('button', { name: 'Send' }).click();
    expect(new URL((await sent).url()).search).toBe('?limit=x%26y&status=draft&status=published');
    await list.locator('.result strong').waitFor();
    expect(await list.locator('.outcome').innerText()).toContain('INVALID_REQUEST');
    const one = page.locator('#getArticle .try');
    await one.locator('summary').first().click();
    await one.locator('[data-in=path]').fill('../keys?');
    const other = page.waitForRequest('**/v1/articles/*');
    await one.getByRole('button', { name: 'Send' }).click();
    expect(new URL((await other).url()).pathname).toBe('/v1/articles/..%2Fkeys%3F');
  });

  test('the key is kept nowhere: not in storage, cookies or addresses, and not after a reload', async () => {
    const page = await open('/docs/api/meta');
    const key = tenant.secretKey;
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    const form = await formOf(page, 'ping', key);
    await form.getByLabel('API key').press('Enter');
    await form.locator('.result strong').waitFor();
    expect(await page.locator('#getSite [data-in=key]').inputValue()).toBe(key);
    const stored = async (): Promise<unknown> => ({
      state: await page.context().storageState({ indexedDB: true }),
      session: await page.evaluate('JSON.stringify({ ...sessionStorage })'),
      history: await page.evaluate('JSON.stringify(history.state)'),
      caches: await page.evaluate('caches.keys()'),
      address: page.url(),
    });
    const nothing = {
      state: { cookies: [], origins: [] },
      session: '{}',
      history: 'null',
      caches: [],
      address: `${api.origin}/docs/api/meta`,
    };
    expect(await stored()).toEqual(nothing);
    await page.reload();
    expect(await page.locator('#ping [data-in=key]').inputValue()).toBe('');
    await page.goto(`${api.origin}/docs`);
    await page.goBack();
    expect(await page.locator('#ping [data-in=key]').inputValue()).toBe('');
    expect(await stored()).toEqual(nothing);
    expect(addresses.filter((address) => address.includes(key))).toEqual([]);
  });

  test('the search finds operations, pages, events and codes, by keyboard alone', async () => {
    const page = await open('/docs');
    await page.keyboard.press('/');
    const first = page.locator('.results a').first();
    for (const [typed, found] of [
      ['publish article', '/docs/api/articles#publishArticle'],
      ['redeliver', '/docs/api/webhooks#redeliverWebhook'],
      ['SLUG_CONF', '/docs/guide/errors#SLUG_CONFLICT'],
      ['rotateKey', '/docs/api/api-keys#rotateKey'],
      ['comment.created', '/docs/api/webhooks#comment.created'],
    ]) {
      await page.getByRole('searchbox').fill(typed ?? '');
      await page.locator(`.results a[href="${found}"]`).waitFor();
      expect(await first.getAttribute('href')).toBe(found);
    }
    await page.getByRole('searchbox').fill('no such thing at all');
    await page.getByText('Nothing found').waitFor();
    await page.getByRole('searchbox').fill('<img src=x onerror=alert(1)>');
    await page.getByText('Nothing found').waitFor();
    await page.getByRole('searchbox').fill('verify');
    await first.waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/guide/webhooks#verify');
  });

  test('a language is chosen by keyboard, for all examples of the page', async () => {
    const page = await open('/docs/api/tags');
    const tab = page.locator('#listTags').getByRole('tab', { name: 'curl' });
    await tab.focus();
    await page.keyboard.press('ArrowRight');
    for (const id of ['listTags', 'createTag']) {
      const section = page.locator(`#${id}`);
      await section.getByText("from '@presswork/sdk'").waitFor();
      await section.getByText('curl', { exact: false }).first().waitFor();
      await section.getByText('Authorization: Bearer').waitFor({ state: 'hidden' });
    }
  });

  test('the menu of a phone opens and closes by keyboard, and leads to a page', async () => {
    const page = await open('/docs', { viewport: phone });
    const menu = page.getByRole('button', { name: 'Menu' });
    const link = page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).first();
    await menu.focus();
    await page.keyboard.press('Enter');
    await link.waitFor();
    await page.keyboard.press('Escape');
    await link.waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    await link.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/guide/webhooks');
  });

  test('without scripts everything but search, tabs and forms is there', async () => {
    const page = await open('/docs/api/tags', { javaScriptEnabled: false, viewport: phone });
    expect(await page.getByText("from '@presswork/sdk'").first().isVisible()).toBe(true);
    expect(await page.getByRole('link', { name: 'Webhooks' }).first().isVisible()).toBe(true);
    expect(await page.locator('.try').first().isVisible()).toBe(false);
  });
});
