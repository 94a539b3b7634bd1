import type { Page } from 'playwright-core';
import { axeFindings } from '../support/axe.ts';
import { inBrowser, tabTo } from '../support/browser.ts';
import { comeBack, useDashboard } from '../support/dashboard-browser.ts';
import type { Visit } from '../support/dashboard-browser.ts';
import { buildTenant } from '../support/builders.ts';

inBrowser('the content plan, in Chromium', () => {
  const dashboard = useDashboard();

  async function plan({ tenant }: Pick<Visit, 'tenant'>, ...titles: string[]): Promise<string[]> {
    const ids = [];
    for (const title of titles) {
      const body = { title };
      const { data, status, text } = await dashboard.api.request('POST', '/content-plan', {
        key: tenant.secretKey,
        body,
      });
      if (status !== 201) throw new Error(text);
      ids.push(data.id);
    }
    return ids;
  }
  const stored = async ({ tenant }: Visit) =>
    (await dashboard.api.request('GET', '/content-plan', { key: tenant.secretKey })).data.items;
  const titles = async (visit: Visit): Promise<string[]> =>
    (await stored(visit)).map(({ title }: { title: string }) => title);
  const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });

  test('an idea is written down, found wrong at its field, and approved, by keyboard alone', async () => {
    const visit = await dashboard.visit();
    const { page, open } = visit;
    await open('/content-plan');
    await page.getByText('Nothing is planned yet').waitFor();
    await tabTo(page, 'New item');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'New item' });
    await panel.getByLabel('Title').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('شاي أخضر');
    await panel.getByLabel('Source').fill('somewhere');
    await page.keyboard.press('Enter');
    await panel.locator('[aria-invalid=true]:focus').waitFor();
    expect(await panel.getByLabel('Title').inputValue()).toBe('شاي أخضر');
    await panel.getByLabel('Source').fill('https://example.com/tea');
    await panel.getByLabel('More pages').fill('https://example.com/pot\nhttps://example.com/cup\n');
    await panel.getByLabel('Planned for').fill('2027-03-01');
    await page.keyboard.press('Enter');
    await page.getByText('“شاي أخضر” is in the plan.').waitFor();
    await page.getByRole('button', { name: 'Actions for شاي أخضر' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Approve' }).press('Enter');
    await page.getByText('“شاي أخضر” is approved.').waitFor();
    await row(page, 'شاي أخضر').getByText('Approved').waitFor();
    expect(await stored(visit)).toMatchObject([
      {
        title: 'شاي أخضر',
        status: 'approved',
        source_url: 'https://example.com/tea',
        source_urls: ['https://example.com/pot', 'https://example.com/cup'],
        target_date: '2027-03-01',
      },
    ]);
  });

  test('items are put in another order, and the order of a search cannot be changed', async () => {
    const visit = await dashboard.visit();
    const { page, open } = visit;
    await plan(visit, 'First', 'Second', 'Third', 'Fourth');
    await open('/content-plan');
    const move = async (title: string, name: string) => {
      await page.getByRole('button', { name: `Actions for ${title}` }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
      await page
        .getByRole('status')
        .filter({ hasText: `“${title}” is now at place` })
        .last()
        .waitFor();
    };
    await move('Third', 'Move up');
    await row(page, 'Third').and(page.locator('[data-index="1"]')).waitFor();
    await move('Fourth', 'Move to the top');
    await row(page, 'Fourth').and(page.locator('[data-index="0"]')).waitFor();
    await move('First', 'Move down');
    await row(page, 'First').and(page.locator('[data-index="2"]')).waitFor();
    expect(await titles(visit)).toEqual(['Fourth', 'Third', 'First', 'Second']);
    await page.getByRole('searchbox').fill('third');
    await row(page, 'First').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Actions for Third' }).click();
    await page.getByRole('menuitem').first().waitFor();
    expect(await page.getByRole('menuitem', { name: /Move/ }).count()).toBe(0);
  });

  test('what somebody else saved meanwhile stays, and what was typed does, too', async () => {
    const visit = await dashboard.visit();
    const { page, open, tenant } = visit;
    const [id] = await plan(visit, 'Tea');
    await open(`/content-plan?item=${id}`);
    const panel = page.getByRole('dialog', { name: 'Item of the plan' });
    await panel.getByLabel('Notes').fill('Ask Ines about the pot');
    await dashboard.api.request('PATCH', `/content-plan/${id}`, {
      key: tenant.secretKey,
      body: { title: 'Green tea' },
    });
    await panel.getByRole('button', { name: 'Save item' }).click();
    await panel.getByRole('alert').getByText('Somebody else').waitFor();
    expect(await panel.getByLabel('Title').inputValue()).toBe('Green tea');
    await panel.getByRole('button', { name: 'Save item' }).click();
    await page.getByText('The item is saved.').waitFor();
    expect(await stored(visit)).toMatchObject([{ title: 'Green tea', notes: 'Ask Ines about the pot' }]);
  });

  test('an item that is read again while somebody types is not overwritten', async () => {
    const visit = await dashboard.visit();
    const { page, open, tenant } = visit;
    const [id] = await plan(visit, 'Tea');
    await page.clock.install();
    await open(`/content-plan?item=${id}`);
    const title = page.getByRole('dialog', { name: 'Item of the plan' }).getByLabel('Title');
    await title.fill('Black tea');
    const theirs = { key: tenant.secretKey, body: { title: 'Green tea' } };
    expect((await dashboard.api.request('PATCH', `/content-plan/${id}`, theirs)).status).toBe(200);
    await comeBack(page, `/content-plan/${id}`);
    await page.getByRole('button', { name: 'Save item' }).click();
    await page.getByRole('alert').getByText('Somebody else').waitFor();
    expect(await titles(visit)).toEqual(['Green tea']);
    expect(await title.inputValue()).toBe('Black tea');
  });

  test('drafts are ordered of ideas that are selected, and none of a rejected one', async () => {
    const visit = await dashboard.visit();
    const { page, open, tenant } = visit;
    const [first, , third] = await plan(visit, 'First', 'Second', 'Third');
    await dashboard.api.request('PATCH', `/content-plan/${third}`, {
      key: tenant.secretKey,
      body: { status: 'rejected' },
    });
    await open('/content-plan');
    await page.getByRole('checkbox', { name: 'Select First' }).check();
    await page.getByRole('checkbox', { name: 'Select Third' }).check();
    await page.getByText('Some that are selected are neither').waitFor();
    expect(await page.getByRole('button', { name: 'Have drafts written' }).isEnabled()).toBe(false);
    await page.getByRole('checkbox', { name: 'Select Third' }).uncheck();
    await page.getByText('1 item selected').waitFor();
    await page.getByRole('button', { name: 'Have drafts written' }).click();
    await page.getByRole('dialog').getByText('for up to 19 credits').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Start the run' }).click();
    await page.waitForURL('**/runs/*');
    expect(await stored(visit)).toMatchObject([{ id: first, status: 'started' }, { status: 'idea' }, {}]);
    await open('/content-plan');
    await row(page, 'First').getByRole('link', { name: 'Run' }).waitFor();
  });

  test('the autopilot is switched on by keyboard, and a wrong number is said at its field', async () => {
    const visit = await dashboard.visit();
    const { page, open, tenant } = visit;
    await open('/content-plan');
    await tabTo(page, 'Autopilot: off');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Autopilot' });
    await panel.getByText('It has not started a run yet.').waitFor();
    await panel.getByRole('switch', { name: 'Start runs by itself' }).press('Space');
    await panel.getByRole('checkbox', { name: 'Friday' }).press('Space');
    await panel.getByLabel('At', { exact: true }).fill('07:30');
    await panel.getByLabel('Items at most').fill('50');
    await page.keyboard.press('Enter');
    await panel.locator('[aria-invalid=true]:focus').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await panel.getByLabel('Items at most').fill('3');
    await page.keyboard.press('Enter');
    await page.getByText('The autopilot is on.').waitFor();
    await page.getByRole('button', { name: 'Autopilot: on' }).waitFor();
    const { data } = await dashboard.api.request('GET', '/content-plan/autopilot', { key: tenant.secretKey });
    expect(data).toMatchObject({
      enabled: true,
      weekdays: ['mon', 'tue', 'wed', 'thu'],
      time: '07:30',
      items: 3,
    });
  });

  test('who may only read sees no button', async () => {
    const tenant = await buildTenant(dashboard.api.db);
    await plan({ tenant }, 'Tee');
    const { page, open } = await dashboard.visit({
      tenant,
      role: 'viewer',
      browser: { locale: 'de-DE', viewport: { width: 320, height: 800 } },
    });
    await open('/content-plan');
    await row(page, 'Tee').getByText('Idee').waitFor();
    expect(await page.getByRole('button', { name: 'Neuer Eintrag' }).count()).toBe(0);
  });
});
