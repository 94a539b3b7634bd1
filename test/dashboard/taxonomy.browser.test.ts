import type { Page } from 'playwright-core';
import { buildArticle, buildTerm } from '../support/builders.ts';
import { inBrowser, pick, tabTo } from '../support/browser.ts';
import { useDashboard } from '../support/dashboard-browser.ts';
import type { Visit } from '../support/dashboard-browser.ts';
import { eventually } from '../support/eventually.ts';

inBrowser('categories, tags and authors in the dashboard', () => {
  const dashboard = useDashboard();
  let visit: Visit;
  let page: Page;
  let key: string;
  beforeEach(async () => {
    visit = await dashboard.visit();
    page = visit.page;
    key = visit.tenant.secretKey;
  });

  const build = (path: 'categories' | 'tags' | 'authors', name: string, more: object = {}) =>
    buildTerm(dashboard.api, key, path, { name, ...more });
  const read = async (path: string) => (await dashboard.api.request('GET', path, { key })).data;
  const change = (path: string, body: object) => dashboard.api.request('PATCH', path, { key, body });
  const row = (name: string) => page.getByRole('row', { name });
  const dialog = () => page.getByRole('dialog');

  test('a category is created, changed and deleted by keyboard alone', async () => {
    await visit.open('/categories');
    await page.getByText('No categories yet').waitFor();
    await tabTo(page, 'New category');
    await page.keyboard.press('Enter');
    await dialog().getByLabel('Name').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Green tea');
    await page.keyboard.press('Enter');
    await row('Green tea').waitFor();
    await dialog().waitFor({ state: 'detached' });
    expect((await read('/categories')).items).toMatchObject([{ name: 'Green tea', slug: 'green-tea' }]);

    await tabTo(page, 'Green tea');
    await page.keyboard.press('Enter');
    await dialog().getByLabel('Name').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Tab');
    await dialog().getByLabel('Address').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.type('s');
    await dialog().getByText('the old one with “green-tea” is no longer found').waitFor();
    await page.keyboard.press('Enter');
    await row('green-teas').waitFor();
    await page.getByRole('link', { name: 'Green tea', exact: true }).and(page.locator(':focus')).waitFor();

    await tabTo(page, 'Actions for Green tea');
    await page.keyboard.press('Enter');
    await pick(page, 'Delete');
    await page.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Green tea is deleted.').waitFor();
    expect((await read('/categories')).items).toEqual([]);
  });

  test('a taken address and an empty name are refused at their fields, and nothing typed is lost', async () => {
    await build('tags', 'Kettles');
    await visit.open('/tags?edit=new');
    const name = dialog().getByLabel('Name');
    await name.fill('Pots');
    await dialog().getByLabel('Address').fill('kettles');
    await dialog().getByRole('button', { name: 'Create' }).click();
    const address = dialog().getByLabel('Address').and(page.locator('[aria-invalid=true]:focus'));
    await address.waitFor();
    await dialog().getByText('This address is taken.').waitFor();
    expect(await name.inputValue()).toBe('Pots');

    await name.fill('');
    await dialog().getByLabel('Address').fill('pots');
    await dialog().getByRole('button', { name: 'Create' }).click();
    await name.and(page.locator('[aria-invalid=true]:focus')).waitFor();
    await name.fill('Pots');
    await dialog().getByRole('button', { name: 'Create' }).click();
    await row('Pots').waitFor();
    expect((await read('/tags')).items.map(({ slug }: { slug: string }) => slug)).toEqual([
      'kettles',
      'pots',
    ]);
  });

  test('an author has a text and a picture, and leaving with changes asks first', async () => {
    const { id } = await build('authors', 'Grace Hopper');
    await visit.open(`/authors?edit=${id}`);
    await dialog().getByLabel('About the author').fill('Wrote compilers.');
    await dialog().getByLabel('URL of the picture').fill('no address');
    await dialog().getByRole('button', { name: 'Save changes' }).click();
    await dialog().getByLabel('URL of the picture').and(page.locator('[aria-invalid=true]:focus')).waitFor();

    const asked = page.waitForEvent('dialog').then(async (question) => {
      await question.dismiss();
      return question.message();
    });
    await page.keyboard.press('Escape');
    expect(await asked).toMatch(/lost/);
    expect(await dialog().getByLabel('About the author').inputValue()).toBe('Wrote compilers.');

    await dialog().getByLabel('URL of the picture').fill('https://elsewhere.example/grace.png');
    await dialog().getByText('written by AI').click();
    await dialog().getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Your changes are saved.').waitFor();
    await row('Grace Hopper').getByText('AI', { exact: true }).waitFor();
    expect(await read(`/authors/${id}`)).toMatchObject({
      bio: 'Wrote compilers.',
      avatar_url: 'https://elsewhere.example/grace.png',
      is_ai_generated: true,
    });
    // Pictures of other hosts are not loaded; the console would report it.
    expect(await page.locator('main img').count()).toBe(0);
  });

  test('of two people who save the same category, the second chooses what is kept', async () => {
    const { id } = await build('categories', 'Tea');
    await visit.open(`/categories?edit=${id}`);
    await dialog().getByLabel('Name').fill('My tea');
    expect((await change(`/categories/${id}`, { name: 'Their tea' })).status).toBe(200);
    await dialog().getByRole('button', { name: 'Save changes' }).click();
    await dialog().getByText('Saved by them: Their tea').waitFor();
    expect((await read(`/categories/${id}`)).name).toBe('Their tea');
    await dialog().getByRole('button', { name: 'Save yours' }).click();
    await row('My tea').waitFor();
    expect((await read(`/categories/${id}`)).name).toBe('My tea');

    await row('My tea').getByRole('link', { name: 'My tea', exact: true }).click();
    await dialog().getByLabel('Name').fill('Mine again');
    await change(`/categories/${id}`, { name: 'Theirs again' });
    await dialog().getByRole('button', { name: 'Save changes' }).click();
    await dialog().getByRole('button', { name: 'Use theirs' }).click();
    await eventually(
      'the field has their name',
      async () => (await dialog().getByLabel('Name').inputValue()) === 'Theirs again',
    );
    expect((await read(`/categories/${id}`)).name).toBe('Theirs again');
  });

  test('what was just saved stands in the form that is opened again, before it has been read again', async () => {
    const { id } = await build('categories', 'Tea');
    await visit.open(`/categories?edit=${id}`);
    await dialog().getByLabel('Name').fill('Green tea');
    await page.route(`**/categories/${id}`, (route) =>
      route.request().method() === 'GET' ? undefined : route.continue(),
    );
    await dialog().getByRole('button', { name: 'Save changes' }).click();
    await row('Green tea').getByRole('link', { name: 'Green tea', exact: true }).click();
    await dialog().getByLabel('Name').waitFor();
    expect(await dialog().getByLabel('Name').inputValue()).toBe('Green tea');
  });

  test('another name after a lost answer is another category', async () => {
    await visit.open('/categories?edit=new');
    await dialog().getByLabel('Name').fill('Tea');
    await page.route('**/v1/categories', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      await route.abort();
    });
    await dialog().getByRole('button', { name: 'Create' }).click();
    await dialog().getByText('There is no connection').waitFor();
    await page.unroute('**/v1/categories');
    await dialog().getByLabel('Name').fill('Green tea');
    await dialog().getByRole('button', { name: 'Create' }).click();
    await row('Green tea').waitFor();
    expect((await read('/categories')).items).toHaveLength(2);
  });

  test('deleting says how many articles it touches, and they stay', async () => {
    const tag = await build('tags', 'Kettles');
    const article = await buildArticle(dashboard.api, key, { title: 'On kettles', tag_ids: [tag.id] });
    await visit.open('/tags');
    await row('Kettles').getByRole('link', { name: '1 article of Kettles' }).click();
    await page.getByRole('link', { name: 'On kettles' }).waitFor();
    expect(page.url()).toContain(`tag=${tag.id}`);
    await page.goBack();
    await page.getByRole('button', { name: 'Actions for Kettles' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog().getByText('Articles with it: 1. They stay, without this tag.').waitFor();
    await dialog().getByRole('button', { name: 'Delete tag' }).click();
    await page.getByText('No tags yet').waitFor();
    expect((await read(`/articles/${article.id}`)).tag_ids).toEqual([]);
  });

  test('one of thousands is found by the beginning of its name, and the page stays small', async () => {
    const { siteId } = visit.tenant;
    await dashboard.api.db.pool.query(
      `insert into tags (id, site_id, name, slug, created_at, updated_at)
       select gen_random_uuid(), $1, 'Tag ' || to_char(n, 'FM0000'), 'tag-' || n, now(), now()
       from generate_series(1, 3000) n`,
      [siteId],
    );
    await visit.open('/tags');
    await row('Tag 0001').waitFor();
    for (const last of ['0100', '0150', '0200']) {
      await page.getByRole('button', { name: 'Load more' }).click();
      await eventually(`Tag ${last} is at the end`, async () => {
        await page.keyboard.press('End');
        return row(`Tag ${last}`).isVisible();
      });
    }
    await eventually('most rows are not on the page', async () => (await page.getByRole('row').count()) < 80);
    await page.keyboard.press('/');
    await page.getByRole('searchbox').and(page.locator(':focus')).waitFor();
    await page.getByRole('searchbox').fill('tag 2999');
    await row('Tag 2999').waitFor();
    await row('Tag 0001').waitFor({ state: 'detached' });
    expect(page.url()).toContain('q=tag');
  });

  test('who may not change them only reads', async () => {
    await build('categories', 'Tea');
    const reader = await dashboard.visit({ tenant: visit.tenant, role: 'viewer' });
    await reader.open('/categories?edit=new');
    await reader.page.getByRole('row', { name: 'Tea' }).waitFor();
    expect(await reader.page.getByRole('button', { name: /New|Actions/ }).count()).toBe(0);
    expect(await reader.page.getByRole('dialog').count()).toBe(0);
  });
});
