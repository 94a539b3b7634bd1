import { inBrowser } from '../../support/browser.ts';
import { useDashboard } from '../../support/dashboard-browser.ts';
import { eventually } from '../../support/eventually.ts';
import { clientOf, openArticle, read, saved, status, textOf, titleOf, typeAtEnd } from './support.ts';

/** Whether a copy of an article on the device has a text. */
const isKept = (text: string): string => `new Promise((resolve, reject) => {
  const opening = indexedDB.open('presswork');
  opening.onerror = reject;
  opening.onsuccess = () => {
    const reading = opening.result.transaction('drafts').objectStore('drafts').getAll();
    reading.onerror = reject;
    reading.onsuccess = () => {
      opening.result.close();
      resolve(reading.result.some(({ kept }) => kept.mine.content?.includes(${JSON.stringify(text)})));
    };
  };
})`;

const isArticles = (url: string | URL): boolean => String(url).endsWith('/v1/articles');

inBrowser('the editor, while things fail', () => {
  const dashboard = useDashboard();

  test('a new article is saved by itself, gets its address while one types, and is there after a reload', async () => {
    const visit = await dashboard.visit();
    const { page } = visit;
    await visit.open('/articles/new');
    await titleOf(page).fill('How to brew tea');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Boil the water.');
    await page.waitForURL(/articles\/[0-9a-f-]{36}$/);
    // The focus has stayed where it was.
    await page.keyboard.type(' Wait.');
    await saved(page);
    const id = page.url().split('/').at(-1) ?? '';
    const stored = await read(clientOf(dashboard, visit), id);
    expect(stored).toMatchObject({
      title: 'How to brew tea',
      slug: 'how-to-brew-tea',
      content: 'Boil the water. Wait.',
    });
    await page.reload();
    await textOf(page).getByText('Boil the water. Wait.').waitFor();
  });

  test('an address typed while a new article is on its way is no change of somebody else', async () => {
    const visit = await dashboard.visit();
    const { page } = visit;
    await visit.open('/articles/new');
    await page.getByRole('tab', { name: 'Details' }).click();
    let answer = (): void => {};
    const asked = new Promise<void>((resolve) => (answer = resolve));
    const sent = page.waitForRequest((request) => request.method() === 'POST' && isArticles(request.url()));
    await page.route(isArticles, async (route) => {
      await asked;
      await route.continue();
    });
    await titleOf(page).fill('How to brew tea');
    await sent;
    await page.getByRole('textbox', { name: 'Address' }).first().fill('tea');
    answer();
    await page.waitForURL(/articles\/[0-9a-f-]{36}$/);
    await saved(page);
    const id = page.url().split('/').at(-1) ?? '';
    expect((await read(clientOf(dashboard, visit), id)).slug).toBe('tea');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('text that was typed a moment before the tab died is there again', async () => {
    const { visit, page, presswork, id } = await openArticle(dashboard, { title: 'Tea', content: 'One.' });
    await page
      .context()
      .route('**/v1/articles/**', (route) =>
        route.request().method() === 'PATCH' ? route.abort() : route.continue(),
      );
    await typeAtEnd(page, ' Two.');
    await eventually('the text is on the device', () => page.evaluate<boolean>(isKept(' Two.')));
    const again = await page.context().newPage();
    await page.close({ runBeforeUnload: false });
    await page.context().unroute('**/v1/articles/**');
    await again.goto(`${dashboard.api.origin}/dashboard/${visit.tenant.siteId}/articles/${id}`);
    await textOf(again).getByText('One. Two.').waitFor();
    await again.getByText('found on this device').waitFor();
    await saved(again);
    expect((await read(presswork, id)).content).toBe('One. Two.');
  });

  test('nothing typed while there is no connection is lost, and it is saved when there is one', async () => {
    const { page, presswork, id } = await openArticle(dashboard, { title: 'Tea', content: 'One.' });
    await page.context().setOffline(true);
    await typeAtEnd(page, ' Two.');
    await status(page, 'No connection');
    await page.keyboard.type(' Three.');
    await page.context().setOffline(false);
    await saved(page);
    expect((await read(presswork, id)).content).toBe('One. Two. Three.');
  });

  test.each(['PATCH', 'POST'])(
    'an API that dies between the commit and the answer to a %s saves once',
    async (method) => {
      const visit = await dashboard.visit();
      const { page } = visit;
      const presswork = clientOf(dashboard, visit);
      const id =
        method === 'PATCH' ? (await presswork.articles.create({ title: 'Tea', content: 'One.' })).id : 'new';
      await visit.open(`/articles/${id}`);
      let lost = 0;
      await page.route(/\/v1\/articles(\/[0-9a-f-]+)?$/, async (route) => {
        if (route.request().method() !== method || lost >= 2) return route.continue();
        lost += 1;
        await route.fetch();
        await route.abort('connectionreset');
      });
      const broken = page.waitForEvent('requestfailed', (request) => request.method() === method);
      await typeAtEnd(page, ' Two.');
      await broken;
      await page.keyboard.type(' Three.');
      await saved(page);
      const { items } = await presswork.articles.list({ fields: ['content'] });
      expect(items).toHaveLength(1);
      expect(items[0]?.content).toBe(method === 'PATCH' ? 'One. Two. Three.' : ' Two. Three.');
      expect(await page.getByRole('dialog').count()).toBe(0);
    },
  );

  test('two tabs of one article put together what is typed in both', async () => {
    const { page, presswork, id } = await openArticle(dashboard, {
      title: 'Tea',
      content: 'One.\n\nTwo.',
    });
    const other = await page.context().newPage();
    await other.goto(page.url());
    await textOf(other).getByText('Two.').waitFor();
    await typeAtEnd(other, ' At the end.');
    await textOf(page).click();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.type('At the beginning. ');
    for (const tab of [page, other]) {
      await textOf(tab).getByText('At the beginning. One.').waitFor();
      await textOf(tab).getByText('Two. At the end.').waitFor();
      await saved(tab);
    }
    expect((await read(presswork, id)).content).toBe('At the beginning. One.\n\nTwo. At the end.');
  });

  test('a refused field says why, keeps what was typed, and does not hold up the rest', async () => {
    const { page, presswork, id } = await openArticle(dashboard, { title: 'Tea', content: 'One.' });
    await page.getByRole('tab', { name: 'Details' }).click();
    const slug = page.getByRole('textbox', { name: 'Address' }).first();
    await slug.fill('Not a slug');
    await typeAtEnd(page, ' Two.');
    await page.getByText('must be lower-case letters').waitFor();
    await status(page, 'Not everything is saved');
    expect(await slug.inputValue()).toBe('Not a slug');
    expect(await read(presswork, id)).toMatchObject({ slug: 'tea', content: 'One. Two.' });
    await slug.fill('a-slug');
    await saved(page);
    expect((await read(presswork, id)).slug).toBe('a-slug');
  });

  test('a session that ended keeps the text, and saves it after signing in again', async () => {
    const { visit, page, presswork, id } = await openArticle(dashboard, { title: 'Tea', content: 'One.' });
    await page.evaluate(
      `fetch('/dashboard/api/sign-out', { method: 'POST', headers: { 'x-presswork': '1' } })`,
    );
    await typeAtEnd(page, ' Two.');
    await status(page, 'You are signed out');
    const other = await page.context().newPage();
    await other.goto(`${dashboard.api.origin}/dashboard/${visit.tenant.siteId}`);
    await other.locator('input[type=email]').fill(visit.email);
    await other.locator('input[type=password]').fill(visit.password);
    await other.keyboard.press('Enter');
    await other.locator('main h1').waitFor();
    await other.close();
    await page.bringToFront();
    await page.evaluate(`window.dispatchEvent(new Event('focus'))`);
    await saved(page);
    expect((await read(presswork, id)).content).toBe('One. Two.');
  });
});
