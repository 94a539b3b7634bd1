import type { Locator } from 'playwright-core';
import { axeFindings } from '../../support/axe.ts';
import { inBrowser, isTooWide, tabTo } from '../../support/browser.ts';
import { useDashboard } from '../../support/dashboard-browser.ts';
import { buildTenant } from '../../support/builders.ts';
import { choose, clientOf, openArticle, read, saved, textOf, typeAtEnd } from './support.ts';

const hostile = [
  '<script>parent.document.title = "owned"</script>',
  '<img src="x" onerror="parent.document.title = \'owned\'">',
  '<svg onload="parent.document.title = \'owned\'"></svg>',
  '[click](javascript:parent.document.title="owned")',
  '<iframe src="javascript:parent.document.title=1"></iframe><style>body{display:none}</style>',
  'Harmless end.',
].join('\n\n');

const direction = (of: Locator): Promise<string> =>
  of.evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).direction ?? '');

inBrowser('the editor', () => {
  const dashboard = useDashboard();

  test('an article is written, scheduled and left by keyboard alone', async () => {
    const visit = await dashboard.visit();
    const { page } = visit;
    await visit.open('/articles/new');
    await page.getByRole('textbox', { name: 'Title', exact: true }).focus();
    await page.keyboard.type('Tea by keyboard');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Boil ');
    await page.keyboard.press('ControlOrMeta+b');
    await page.keyboard.type('fresh');
    await page.keyboard.press('ControlOrMeta+b');
    await page.keyboard.type(' water.');
    await page.keyboard.press('ControlOrMeta+s');
    await saved(page);
    // Tab and Escape leave the text.
    await page.keyboard.press('Escape');
    expect(await textOf(page).evaluate((text) => text.contains(text.ownerDocument.activeElement))).toBe(
      false,
    );
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByRole('dialog', { name: 'Publish this article?' }).waitFor();
    await page.getByRole('radio', { name: 'Now' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowDown');
    await tabTo(page, 'Schedule');
    await page.keyboard.press('Enter');
    await page.getByText('will be published at that time').waitFor();
    const id = page.url().split('/').at(-1) ?? '';
    expect(await read(clientOf(dashboard, visit), id)).toMatchObject({
      status: 'scheduled',
      content: 'Boil **fresh** water.',
    });
  });

  test('a draft is published by keyboard alone, and what is published cannot be published again', async () => {
    const { page, presswork, id } = await openArticle(dashboard, { title: 'Tea', content: 'One.' });
    await tabTo(page, 'Publish …');
    await page.keyboard.press('Enter');
    await page.getByRole('radio', { name: 'Now' }).and(page.locator(':focus')).waitFor();
    await tabTo(page, 'Publish now');
    await page.keyboard.press('Enter');
    await page.getByText('The article is published.').waitFor();
    expect((await read(presswork, id)).status).toBe('published');
    // The button is gone with its task.
    await page.locator('main h1:focus').waitFor();
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
  });

  test('the schedule is on the clock of the Site, shows the own one, and knows the days on which clocks change', async () => {
    const visit = await dashboard.visit({
      browser: { timezoneId: 'America/New_York', viewport: { width: 1280, height: 800 } },
    });
    const { page } = await openArticle(dashboard, { title: 'Tea', content: 'One.' }, { visit });
    await page.keyboard.press('ControlOrMeta+Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('At a time').check();
    const time = dialog.getByLabel('Date and time');
    const schedule = dialog.getByRole('button', { name: 'Schedule' });
    await time.fill('2031-06-02T09:00');
    await dialog.getByText('Mon, Jun 2, 2031, 9:00 AM GMT+2').waitFor();
    await dialog.getByText('Mon, Jun 2, 2031, 3:00 AM EDT').waitFor();
    await time.fill('2031-03-30T02:30');
    await dialog.getByText('This time does not exist').waitFor();
    expect(await schedule.isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Use 03:30' }).click();
    expect(await schedule.isEnabled()).toBe(true);
    await time.fill('2031-10-26T02:30');
    await dialog.getByText('This time exists twice').waitFor();
    await dialog.getByRole('radio').last().check();
    await schedule.click();
    await page.getByText('will be published at that time').waitFor();
    const { items } = await clientOf(dashboard, visit).articles.list({ status: ['scheduled'] });
    expect(items.map(({ scheduled_publish_at: at }) => at)).toEqual(['2031-10-26T01:30:00.000Z']);
  });

  test('a hostile article is shown, and does nothing', async () => {
    const { page } = await openArticle(dashboard, { title: 'Tea', content: hostile });
    const frame = page.frameLocator('iframe');
    await frame.getByText('Harmless end.').waitFor();
    expect(
      await frame.locator('script, svg, iframe, article style, [onerror], [href^=javascript]').count(),
    ).toBe(0);
    // By then, images have failed as well.
    await frame.locator('body').evaluate(async ({ ownerDocument: { images } }) => {
      const ended = (image: (typeof images)[number]): Promise<unknown> =>
        new Promise((done) => ['load', 'error'].forEach((type) => image.addEventListener(type, done)));
      await Promise.all([...images].filter(({ complete }) => !complete).map(ended));
    });
    expect(await page.title()).toBe('Tea · Presswork');
    expect(await page.locator('iframe').getAttribute('sandbox')).toBe('allow-same-origin');
  });

  test('the preview follows what is typed before it is saved', async () => {
    const { page } = await openArticle(dashboard, { title: 'Tea', content: 'One.' });
    await page.route('**/v1/articles/**', (route) =>
      route.request().method() === 'PATCH' ? undefined : route.continue(),
    );
    await typeAtEnd(page, '\n\n## Steeping');
    await page.frameLocator('iframe').getByRole('heading', { name: 'Steeping' }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('text from right to left stands at the right, in the editor and in the preview', async () => {
    const { page } = await openArticle(dashboard, { title: 'שלום', content: 'שלום עולם\n\nLatin' });
    const frame = page.frameLocator('iframe');
    const title = page.getByRole('textbox', { name: 'Title', exact: true });
    expect(await direction(page.locator('.cm-line').first())).toBe('rtl');
    // By each line of it, which is no direction of the field itself.
    expect(
      await title.evaluate(
        (element) => element.ownerDocument.defaultView?.getComputedStyle(element).unicodeBidi,
      ),
    ).toBe('plaintext');
    expect(await direction(frame.locator('.content p').first())).toBe('rtl');
    expect(await direction(page.locator('.cm-line').last())).toBe('ltr');
  });

  test('no image without a description, skipped heading or empty link goes unnoticed', async () => {
    const { page } = await openArticle(dashboard, {
      title: 'Tea',
      content: '## Two\n\n#### Four\n\n![](a.png) [x]()',
    });
    await page.locator('.cm-lintRange').nth(2).waitFor();
    expect(await page.locator('.cm-lintRange').count()).toBe(3);
  });

  test('axe finds nothing, whichever tab is open', async () => {
    const { page } = await openArticle(dashboard, {
      title: 'Tea',
      content: '## Water\n\nFresh [water](https://example.com).\n\n> Quoted\n\n`code`',
      faqs: [{ question: 'How long?', answer: 'Three minutes.' }],
      howto_steps: [{ name: 'Boil', text: 'Boil it.' }],
      key_takeaways: ['Fresh water.'],
      comparison: {
        title: 'Teas',
        columns: ['Black', 'Green'],
        rows: [{ label: 'Heat', values: ['95', '80'] }],
      },
    });
    await page.frameLocator('iframe').getByText('Quoted').waitFor();
    for (const tab of ['Preview', 'Details', 'Search', 'Blocks']) {
      await page.getByRole('tab', { name: tab }).click();
      expect([tab, await axeFindings(page)]).toEqual([tab, []]);
    }
  });

  test('the details say who wrote the text, and what an edit makes of that', async () => {
    const { page } = await openArticle(dashboard, { title: 'Tea', content: 'One.', origin: 'generated' });
    await page.getByRole('tab', { name: 'Details' }).click();
    await page.getByText('Written by: AI', { exact: true }).waitFor();
    await typeAtEnd(page, ' Two.');
    await page.getByText('Written by: AI and a person').waitFor();
  });

  test('axe finds nothing in the dialogs', async () => {
    const { page } = await openArticle(dashboard, { title: 'Tea', content: 'One.' });
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByLabel('At a time').check();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    for (const item of ['Earlier versions', 'Preview links', 'Keyboard', 'Delete']) {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: item }).click();
      await page.getByRole('dialog').waitFor();
      expect([item, await axeFindings(page)]).toEqual([item, []]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  });

  test('it is usable at 320 px, and in German', async () => {
    const visit = await dashboard.visit({
      browser: { viewport: { width: 320, height: 640 }, locale: 'de-DE' },
    });
    const { page, presswork, id } = await openArticle(
      dashboard,
      { title: 'Tee', content: 'Eins.' },
      { visit },
    );
    await typeAtEnd(page, ' Zwei.');
    await saved(page);
    for (const tab of ['Vorschau', 'Details', 'Suche', 'Bausteine']) {
      await page.getByRole('tab', { name: tab }).click();
      expect([tab, await isTooWide(page)]).toEqual([tab, false]);
    }
    expect((await read(presswork, id)).content).toBe('Eins. Zwei.');
  });

  test('who may only read can read and copy everything, change nothing, and send nothing', async () => {
    const tenant = await buildTenant(dashboard.api.db);
    const presswork = clientOf(dashboard, { tenant });
    const { id } = await presswork.articles.create({
      title: 'Tea',
      content: 'One.',
      excerpt: 'Short.',
      seo_keywords: ['tea'],
      key_takeaways: ['Fresh water.'],
    });
    const { page, open } = await dashboard.visit({ tenant, role: 'viewer' });
    const written: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/v1/') && request.method() !== 'GET') written.push(request.url());
    });
    await open(`/articles/${id}`);
    await page.getByText('You may read this article, but not change it.').waitFor();
    await textOf(page).click();
    for (const key of ['x', 'Enter', 'ControlOrMeta+b', 'ControlOrMeta+Shift+k', 'ControlOrMeta+s'])
      await page.keyboard.press(key);
    expect(await textOf(page).innerText()).toBe('One.');
    expect(await page.getByRole('toolbar').count()).toBe(0);
    const panels = page.getByRole('complementary', { name: 'What belongs to the article' });
    for (const [tab, shown] of [
      ['Details', 'Short.'],
      ['Search', 'tea'],
      ['Blocks', 'Fresh water.'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      await panels.getByRole('tabpanel').getByText(shown, { exact: true }).first().waitFor();
      for (const field of await page.locator('main').locator('input, textarea').all())
        if (await field.isVisible()) expect(await field.isEditable()).toBe(false);
      expect(await panels.getByRole('tabpanel').getByRole('button').count()).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
    }
    await choose(page, 'Earlier versions');
    await page.getByRole('dialog').getByText('Changed:').first().click();
    await page.getByText('The text is the same.').waitFor();
    expect(await page.getByRole('button', { name: 'Restore this version' }).count()).toBe(0);
    expect(written).toEqual([]);
  });

  test('who may not publish writes drafts and changes, and leaves what has a time alone', async () => {
    const tenant = await buildTenant(dashboard.api.db);
    const presswork = clientOf(dashboard, { tenant });
    const make = (slug: string) => presswork.articles.create({ title: slug, slug, content: 'One.' });
    const [draft, shown, timed] = [await make('draft'), await make('shown'), await make('timed')];
    await presswork.articles.publish(shown.id);
    await presswork.articles.schedule(timed.id, { scheduled_publish_at: '2099-01-01T10:00:00Z' });
    const { page, open } = await dashboard.visit({ tenant, role: 'contributor' });
    const offered = async (): Promise<string[]> => {
      await page.getByRole('button', { name: 'More actions' }).click();
      const items = await page.getByRole('menuitem').allInnerTexts();
      await page.keyboard.press('Escape');
      return items.filter((item) => /schedule|publish|Delete|Discard/i.test(item));
    };

    await open(`/articles/${draft.id}`);
    await typeAtEnd(page, ' Two.');
    await saved(page);
    expect(await page.getByRole('button', { name: 'Publish …' }).count()).toBe(0);
    expect(await offered()).toEqual(['Delete …']);

    await open(`/articles/${shown.id}`);
    await page.getByText('Readers see your changes when').waitFor();
    await typeAtEnd(page, ' Two.');
    await saved(page);
    expect((await presswork.articles.getPendingEdit(shown.id)).article.content).toBe('One. Two.');
    expect(await page.getByRole('button', { name: 'Publish changes …' }).count()).toBe(0);
    expect(await offered()).toEqual(['Discard the changes']);

    await open(`/articles/${timed.id}`);
    await page.getByText('This is scheduled. Somebody who may publish').waitFor();
    await textOf(page).click();
    await page.keyboard.press('x');
    expect(await textOf(page).innerText()).toBe('One.');
    expect(await offered()).toEqual([]);
    expect(await axeFindings(page)).toEqual([]);
  });

  test('a delete is confirmed by name, and leads back to the list', async () => {
    const { page, presswork, id } = await openArticle(dashboard, { title: 'Tea', content: 'One.' });
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page
      .getByRole('dialog', { name: 'Delete “Tea”?' })
      .getByRole('button', { name: 'Delete article' })
      .click();
    await page.waitForURL(/\/articles$/);
    await expect(read(presswork, id)).rejects.toMatchObject({ status: 404 });
  });
});
