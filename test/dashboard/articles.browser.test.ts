import { buildArticle, buildPublished, buildTerm, buildTenant } from '../support/builders.ts';
import { work } from '../support/bulk.ts';
import { axeFindings } from '../support/axe.ts';
import { inBrowser, isTooWide } from '../support/browser.ts';
import { useDashboard } from '../support/dashboard-browser.ts';
import type { Visit } from '../support/dashboard-browser.ts';
import { eventually } from '../support/eventually.ts';

inBrowser('the list of articles', () => {
  const dashboard = useDashboard();

  const draft = ({ tenant }: Pick<Visit, 'tenant'>, title: string, body: object = {}) =>
    buildArticle(dashboard.api, tenant.secretKey, { title, content: 'Text.', ...body });
  const titles = ({ page }: Visit) => page.locator('tbody td[data-main] a').allInnerTexts();
  const row = ({ page }: Visit, title: string) => page.getByRole('row').filter({ hasText: title });
  const statusOf = async (id: string): Promise<string> =>
    (await dashboard.api.db.pool.query('select status from articles where id = $1', [id])).rows[0].status;

  test('an empty Site says what to do; a search without a match can be taken back', async () => {
    const visit = await dashboard.visit();
    await visit.open('/articles');
    await visit.page.getByText('No articles yet').waitFor();
    await draft(visit, 'Tea');
    await visit.open('/articles?q=lighthouse');
    await visit.page.getByText('No article matches').waitFor();
    await visit.page.getByRole('button', { name: 'Clear filters' }).last().click();
    await row(visit, 'Tea').waitFor();
    expect(new URL(visit.page.url()).search).toBe('');
  });

  test('filters are in the address: the same address shows the same articles', async () => {
    const visit = await dashboard.visit();
    const { page, tenant } = visit;
    const category = await buildTerm(dashboard.api, tenant.secretKey, 'categories', { name: 'Drinks' });
    await draft(visit, 'Draft of tea', { category_id: category.id });
    await draft(visit, 'Draft of coffee');
    await buildPublished(dashboard.api, tenant.secretKey, { title: 'Public tea', category_id: category.id });
    await visit.open('/articles');
    await page.getByRole('button', { name: 'Draft', exact: true }).click();
    await row(visit, 'Public tea').waitFor({ state: 'detached' });
    expect((await titles(visit)).sort()).toEqual(['Draft of coffee', 'Draft of tea']);
    await page.getByRole('searchbox').fill('tea');
    await row(visit, 'Draft of coffee').waitFor({ state: 'detached' });
    await page.reload();
    await row(visit, 'Draft of tea').waitFor();
    expect(await titles(visit)).toEqual(['Draft of tea']);
    expect(await page.getByRole('searchbox').inputValue()).toBe('tea');
    await page.getByRole('button', { name: 'Draft', exact: true }).click();
    await row(visit, 'Public tea').waitFor();
    await page.getByRole('button', { name: 'Filters and order' }).click();
    await page.getByRole('combobox', { name: 'Category' }).click();
    await page.getByRole('option', { name: 'Drinks' }).click();
    await page.getByRole('searchbox').fill('');
    await page.waitForURL((url) => url.search === `?category=${category.id}`);
    await row(visit, 'Draft of coffee').waitFor({ state: 'detached' });
    expect(await axeFindings(page)).toEqual([]);
  });

  test('what AI wrote has a sign, and is found by a filter', async () => {
    const visit = await dashboard.visit();
    const { page } = visit;
    await draft(visit, 'By hand');
    await draft(visit, 'By the pipeline', { origin: 'generated' });
    await draft(visit, 'By both', { origin: 'assisted' });
    await visit.open('/articles');
    await row(visit, 'By the pipeline').getByText('AI', { exact: true }).waitFor();
    await row(visit, 'By both').getByText('AI and a person').waitFor();
    expect(
      await row(visit, 'By hand')
        .getByText(/AI|person/)
        .count(),
    ).toBe(0);
    await page.getByRole('button', { name: 'Filters and order' }).click();
    await page.getByRole('combobox', { name: 'Written by' }).click();
    await page.getByRole('option', { name: 'AI', exact: true }).click();
    await row(visit, 'By hand').waitFor({ state: 'detached' });
    expect(await titles(visit)).toEqual(['By the pipeline']);
    await page.getByRole('option', { name: 'AI and a person' }).click();
    await row(visit, 'By both').waitFor();
    await page.reload();
    await row(visit, 'By both').waitFor();
    expect((await titles(visit)).sort()).toEqual(['By both', 'By the pipeline']);
    expect(await axeFindings(page)).toEqual([]);
  });

  test('by keyboard alone: / searches, j and k move, x selects, o opens', async () => {
    const visit = await dashboard.visit();
    const { page, tenant } = visit;
    for (const title of ['First', 'Second', 'Third']) await draft(visit, title);
    await visit.open('/articles');
    await row(visit, 'Third').waitFor();
    await page.keyboard.press('/');
    expect(await page.locator(':focus').getAttribute('type')).toBe('search');
    await page.keyboard.type('jxo');
    expect(await page.getByRole('searchbox').inputValue()).toBe('jxo');
    await row(visit, 'Third').waitFor({ state: 'detached' });
    await page.getByRole('searchbox').fill('');
    await row(visit, 'Third').waitFor();
    await page.locator('h1').focus();
    const focused = () => page.locator('tr:focus td[data-main] a').innerText();
    await page.keyboard.press('j');
    expect(await focused()).toBe('Third');
    await page.keyboard.press('j');
    expect(await focused()).toBe('Second');
    await page.keyboard.press('k');
    await page.keyboard.press('x');
    await page.getByText('1 article selected').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Select Third' }).isChecked()).toBe(true);
    await page.keyboard.press('j');
    await page.keyboard.press('o');
    const { rows } = await dashboard.api.db.pool.query(
      `select id from articles where title = 'Second' and site_id = $1`,
      [tenant.siteId],
    );
    await page.waitForURL((url) => url.pathname.endsWith(`/articles/${rows[0].id}`));
  });

  test('an article is published, scheduled on the clock of the Site, and deleted from its row', async () => {
    const visit = await dashboard.visit();
    const { page } = visit;
    const tea = await draft(visit, 'Tea');
    await visit.open('/articles');
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'Actions for Tea' }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
    };
    await choose('Publish');
    await page.getByRole('status').filter({ hasText: 'Tea is published.' }).waitFor();
    expect(await statusOf(tea.id)).toBe('published');
    await row(visit, 'Tea').getByText('Published').waitFor();
    await choose('Unpublish …');
    const unpublishing = page.getByRole('dialog', { name: 'Unpublish Tea?' });
    await unpublishing.getByText('Changes to it that are not published yet are discarded.').waitFor();
    await unpublishing.getByRole('button', { name: 'Unpublish article' }).click();
    await row(visit, 'Tea').getByText('Draft').waitFor();
    await choose('Schedule …');
    const time = page.getByLabel('Publish at');
    await time.fill('2020-01-01T10:00');
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await page.locator('[aria-invalid=true]:focus').waitFor();
    expect(await time.inputValue()).toBe('2020-01-01T10:00');
    expect(await axeFindings(page)).toEqual([]);
    await time.fill('2040-07-01T10:00');
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await row(visit, 'Tea').getByText('Scheduled').waitFor();
    await choose('Delete …');
    await page.getByRole('dialog', { name: 'Delete Tea?' }).waitFor();
    await page.locator('button:focus', { hasText: 'Cancel' }).waitFor();
    await page.getByRole('button', { name: 'Delete article' }).click();
    await page.getByText('No articles yet').waitFor();
  });

  test('a job for many articles shows how far it is, and why some were refused', async () => {
    const visit = await dashboard.visit();
    const { page, tenant } = visit;
    const good = await draft(visit, 'With a text');
    const bad = await draft(visit, 'Without a text', { content: null });
    await visit.open('/articles');
    await page.getByRole('checkbox', { name: 'Select all rows that are loaded' }).check();
    await page.getByText('2 articles selected').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page
      .getByRole('region', { name: 'Actions for the selected articles' })
      .getByText('Publish', { exact: true })
      .click();
    await page.getByText('Waiting for other bulk jobs').waitFor();
    const { rows } = await dashboard.api.db.pool.query('select id from bulk_jobs where site_id = $1', [
      tenant.siteId,
    ]);
    await work(dashboard.api, tenant.siteId, rows[0].id);
    await page.getByText('Done: 1 article. Not done: 1').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Without a text' }).waitFor();
    expect([await statusOf(good.id), await statusOf(bad.id)]).toEqual(['published', 'draft']);
    await row(visit, 'With a text').getByText('Published').waitFor();
  });

  test('nothing is unpublished before a question about the changes that this discards', async () => {
    const visit = await dashboard.visit();
    const { page, tenant } = visit;
    const tea = await buildPublished(dashboard.api, tenant.secretKey, { title: 'Tea' });
    await visit.open('/articles');
    await page.getByRole('checkbox', { name: 'Select Tea' }).check();
    const jobs = async () =>
      (await dashboard.api.db.pool.query('select id from bulk_jobs where site_id = $1', [tenant.siteId]))
        .rows;
    await page.getByRole('button', { name: 'Unpublish …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Unpublish 1 article?' });
    await dialog.getByText('Changes to them that are not published yet are discarded.').waitFor();
    expect(await jobs()).toEqual([]);
    await dialog.getByRole('button', { name: 'Unpublish 1 article' }).click();
    await page.getByText('Waiting for other bulk jobs').waitFor();
    const [job] = await jobs();
    await work(dashboard.api, tenant.siteId, job.id);
    await page.getByText('Done: 1 article.').waitFor();
    expect(await statusOf(tea.id)).toBe('draft');
  });

  test('a request that fails says so, keeps what is shown, and is repeated', async () => {
    const visit = await dashboard.visit();
    const { page } = visit;
    const tea = await draft(visit, 'Tea');
    await visit.open('/articles');
    await row(visit, 'Tea').waitFor();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Actions for Tea' }).click();
    await page.getByRole('menuitem', { name: 'Publish' }).click();
    await page.getByRole('status').filter({ hasText: 'There is no connection' }).waitFor();
    expect(await titles(visit)).toEqual(['Tea']);
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Actions for Tea' }).click();
    await page.getByRole('menuitem', { name: 'Publish' }).click();
    await page.getByRole('status').filter({ hasText: 'Tea is published.' }).waitFor();
    expect(await statusOf(tea.id)).toBe('published');
  });

  test('filters are kept under a name', async () => {
    const visit = await dashboard.visit();
    const { page } = visit;
    await draft(visit, 'Tea');
    await visit.open('/articles?q=tea');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save these filters …' }).click();
    await page.getByLabel('Name of the view').fill('All about tea');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'All about tea' }).waitFor();
    await visit.open('/articles');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'All about tea' }).click();
    await page.waitForURL((url) => url.search === '?q=tea');
  });

  test('many rows are loaded page by page, and only those near the screen are in the document', async () => {
    const visit = await dashboard.visit();
    const { page, tenant } = visit;
    await dashboard.api.db.pool.query(
      `insert into articles (id, site_id, status, title, created_at, updated_at)
       select uuidv7(), $1, 'draft', 'Article ' || n, now() - n * interval '1 minute', now() - n * interval '1 minute'
       from generate_series(1, 400) n`,
      [tenant.siteId],
    );
    await visit.open('/articles');
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('cursor=')) asked.push(request.url());
    });
    const more = page.getByRole('button', { name: 'Load more' });
    for (let last = 100; last <= 400; last += 50) {
      // Twice in the same moment, which is once.
      await more.evaluate((button: any) => {
        button.click();
        button.click();
      });
      await eventually(`article ${last} is at the end`, async () => {
        await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
        return page.getByText(`Article ${last}`, { exact: true }).isVisible();
      });
    }
    expect(asked).toHaveLength(7);
    await more.waitFor({ state: 'detached' });
    expect(await page.locator('tbody tr[data-index]').count()).toBeLessThan(60);
    expect(await page.getByText('Article 1', { exact: true }).count()).toBe(0);
  });

  test('as cards at 320 px, in German, with a title from right to left', async () => {
    const visit = await dashboard.visit({
      browser: { viewport: { width: 320, height: 640 }, locale: 'de-DE' },
    });
    const { page } = visit;
    await draft(visit, 'مقدمة في الخط العربي');
    await visit.open('/articles');
    await page.getByText('Entwurf').last().waitFor();
    expect(await isTooWide(page)).toBe(false);
    expect(await axeFindings(page)).toEqual([]);
  });

  test('who may only read has no buttons that change anything', async () => {
    const owner = { tenant: await buildTenant(dashboard.api.db) };
    await draft(owner, 'Tea');
    const visit = await dashboard.visit({ tenant: owner.tenant, role: 'viewer' });
    await visit.open('/articles');
    await row(visit, 'Tea').waitFor();
    for (const name of ['New article', 'Actions for Tea']) {
      expect(await visit.page.getByRole('button', { name }).count()).toBe(0);
      expect(await visit.page.getByRole('link', { name }).count()).toBe(0);
    }
    expect(await visit.page.getByRole('checkbox').count()).toBe(0);
  });

  test('who may not publish is offered what drafts need', async () => {
    const owner = await dashboard.visit();
    await draft(owner, 'draft');
    await buildPublished(dashboard.api, owner.tenant.secretKey, { title: 'shown' });
    const { page, open } = await dashboard.visit({ tenant: owner.tenant, role: 'contributor' });
    await open('/articles');
    await page.getByRole('button', { name: 'Actions for draft' }).click();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Delete …']);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('button', { name: 'Actions for shown' }).count()).toBe(0);
    await page.getByRole('row', { name: 'draft' }).getByRole('checkbox').click();
    const bar = page.getByRole('region', { name: 'Actions for the selected articles' });
    await bar.getByRole('button', { name: 'More' }).click();
    expect(await bar.getByRole('button').allInnerTexts()).toEqual(['More', 'Clear selection']);
    expect(
      (await page.getByRole('menuitem').allInnerTexts()).some((item) => item.startsWith('Schedule')),
    ).toBe(false);
  });
});
