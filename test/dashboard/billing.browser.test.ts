import type { Page } from 'playwright-core';
import { axeFindings } from '../support/axe.ts';
import { inBrowser, isTooWide, tabTo } from '../support/browser.ts';
import { startDashboard, useDashboard, useVisits } from '../support/dashboard-browser.ts';
import { buildCustomer, startBilling } from '../support/stripe/billing-stack.ts';
import type { BillingStack } from '../support/stripe/billing-stack.ts';

inBrowser('billing, in Chromium', () => {
  let stack: BillingStack;
  const dashboard = useVisits(() => stack);

  beforeAll(async () => {
    stack = await startBilling(undefined, undefined, startDashboard);
  });
  afterAll(() => stack.close());

  /** What the payment provider shows; its addresses lead nowhere. */
  const atProvider = (page: Page) =>
    page.route(/stripe\.test/, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Pay</title><h1>Pay</h1>' }),
    );

  test('a pack is chosen by keyboard, paid at the provider, and its credits are there', async () => {
    const tenant = await buildCustomer(stack, 7);
    const { page, open } = await dashboard.visit({ tenant });
    await atProvider(page);
    await open('/billing');
    await page.getByText('Balance: 7').waitFor();
    await page.getByText('100 credits for $10.00').waitFor();
    await tabTo(page, 'Buy starter');
    await page.keyboard.press('Enter');
    await page.waitForURL('https://checkout.stripe.test/pay');
    const session = [...stack.stripe.account.sessions.values()].at(-1);
    expect(session?.['success_url']).toBe(`${dashboard.api.origin}/dashboard/${tenant.siteId}/billing`);
    stack.stripe.account.pay(session?.['id'] as string);
    await stack.deliverAll();
    await open('/billing');
    await page.getByText('Balance: 107').waitFor();
  });

  test('a plan and the portal are pages of the provider', async () => {
    const { page, open } = await dashboard.visit({ tenant: await buildCustomer(stack) });
    await atProvider(page);
    await open('/billing');
    await page.getByText('There is no subscription.').waitFor();
    await page.getByRole('button', { name: 'Subscribe to pro for $29.00' }).click();
    await page.waitForURL('https://checkout.stripe.test/pay');
    await open('/billing');
    await page.getByRole('button', { name: 'Cards, subscription and receipts' }).click();
    await page.waitForURL('https://billing.stripe.test/**');
  });

  test('automatic purchases need a card, say what is missing, and are switched on', async () => {
    const tenant = await buildCustomer(stack, 500);
    const { page, open } = await dashboard.visit({ tenant });
    await open('/billing');
    const form = page.getByRole('region', { name: 'Automatic purchases' });
    await form.getByRole('switch', { name: 'Buy credits automatically' }).press('Space');
    await form.getByLabel('When fewer are left than').fill('50');
    await form.getByLabel('Pack', { exact: true }).selectOption('starter');
    await form.getByRole('button', { name: 'Save changes' }).click();
    await form.getByText('There is no saved card yet.').waitFor();
    expect(await form.getByLabel('When fewer are left than').inputValue()).toBe('50');
    await stack.buy(tenant);
    await stack.deliverAll();
    await form.getByRole('button', { name: 'Save changes' }).click();
    await form.locator('[aria-invalid=true]:focus').waitFor();
    await page.keyboard.type('2');
    await page.keyboard.press('Enter');
    await page.getByText('Automatic purchases are on.').waitFor();
    const { data } = await dashboard.api.request('GET', '/billing', { key: tenant.secretKey });
    expect(data.auto_top_up).toEqual({ enabled: true, below: 50, pack: 'starter', monthly_limit: 2 });
  });

  test('a balance below zero is said, and axe finds nothing in German at 320 px', async () => {
    const tenant = await buildCustomer(stack);
    const { organisationId } = tenant;
    await dashboard.api.db.pool.query('update organisations set credit_balance = -5 where id = $1', [
      organisationId,
    ]);
    const { page, open } = await dashboard.visit({
      tenant,
      browser: { locale: 'de-DE', viewport: { width: 320, height: 800 } },
    });
    await open('/billing');
    await page.getByRole('alert').getByText('unter null').waitFor();
    await page.getByText('100 Credits für').waitFor();
    await page.getByRole('button', { name: /29,00/ }).waitFor();
    // What a button costs is not cut off.
    const cut = page
      .locator('main button span')
      .evaluateAll((spans) =>
        spans.filter((span) => span.scrollWidth > span.clientWidth + 1).map(({ textContent }) => textContent),
      );
    expect(await cut).toEqual([]);
    expect([await axeFindings(page), await isTooWide(page)]).toEqual([[], false]);
  });
});

inBrowser('billing without a payment provider, in Chromium', () => {
  const dashboard = useDashboard({ payments: null });

  test('nothing can be bought, and who decides is said', async () => {
    const { page, open } = await dashboard.visit();
    await open('/billing');
    await page.getByText('Nothing can be bought here').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });
});
