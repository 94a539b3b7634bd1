import { inBrowser, tabTo } from '../../support/browser.ts';
import { useDashboard } from '../../support/dashboard-browser.ts';
import {
  choose,
  openArticle,
  passTime,
  read,
  saved,
  status,
  statusOf,
  stopTime,
  textOf,
  titleOf,
  typeAtEnd,
} from './support.ts';

inBrowser('several versions of an article', () => {
  const dashboard = useDashboard();

  test('what somebody else changed elsewhere in the text is put together without a question', async () => {
    const { page, presswork, id } = await openArticle(dashboard, {
      title: 'Tea',
      content: 'One.\n\nTwo.\n\nThree.',
    });
    await presswork.articles.update(id, { content: 'Theirs. One.\n\nTwo.\n\nThree.', excerpt: 'Short.' });
    await typeAtEnd(page, ' Mine.');
    await saved(page);
    await textOf(page).getByText('Theirs. One.').waitFor();
    expect(await read(presswork, id)).toMatchObject({
      content: 'Theirs. One.\n\nTwo.\n\nThree. Mine.',
      excerpt: 'Short.',
    });
  });

  test('what two people changed in the same place is shown with both versions, and saved as it is chosen', async () => {
    const { page, presswork, id } = await openArticle(dashboard, { title: 'Tea', content: 'One.\n\nTwo.' });
    await presswork.articles.update(id, { title: 'Their tea', content: 'One.\n\nTwo. Theirs.' });
    await stopTime(page);
    await titleOf(page).fill('My tea');
    await typeAtEnd(page, ' Mine.');
    await page.clock.resume();
    const dialog = page.getByRole('dialog', { name: 'Two versions of this article' });
    await dialog.waitFor();
    expect(await read(presswork, id)).toMatchObject({ title: 'Their tea', content: 'One.\n\nTwo. Theirs.' });
    const save = dialog.getByRole('button', { name: 'Save this version' });
    expect(await save.isDisabled()).toBe(true);
    await dialog.getByRole('radiogroup', { name: 'Title' }).getByLabel('Keep mine').check();
    await dialog.getByRole('radiogroup', { name: 'Place 1' }).getByLabel('Keep both').check();
    await save.click();
    await saved(page);
    expect(await read(presswork, id)).toMatchObject({
      title: 'My tea',
      content: 'One.\n\nTwo. Theirs.\nTwo. Mine.',
    });
    await textOf(page).getByText('Two. Theirs.').waitFor();
  });

  test('the question about two versions waits until the person pauses, and takes no character', async () => {
    const { page, presswork, id } = await openArticle(dashboard, { title: 'Tea', content: 'One.' });
    await presswork.articles.update(id, { content: 'One. Theirs.' });
    await stopTime(page);
    await typeAtEnd(page, ' Mine.');
    await passTime(page, statusOf(page, /^Somebody else changed the same/));
    const rest = ' And what was written on.';
    await page.keyboard.insertText(rest);
    await page.clock.runFor(1_400);
    const dialog = page.getByRole('dialog', { name: 'Two versions of this article' });
    expect(await dialog.count()).toBe(0);
    await page.clock.resume();
    await dialog.getByText(`One. Mine.${rest}`).first().waitFor();
  });

  test('who writes on when the question opens loses no key, is asked at the next pause, and answers by keyboard', async () => {
    const { page, presswork, id } = await openArticle(dashboard, { title: 'Tea', content: 'One.' });
    await presswork.articles.update(id, { content: 'One. Theirs.' });
    await stopTime(page);
    await typeAtEnd(page, ' Mine.');
    const dialog = page.getByRole('dialog', { name: 'Two versions of this article' });
    await passTime(page, dialog.locator(':focus'));
    await page.keyboard.type(' Written on.');
    await dialog.waitFor({ state: 'detached' });
    await textOf(page).getByText('One. Mine. Written on.').waitFor();
    await page.clock.resume();
    await dialog.getByText('One. Mine. Written on.').first().waitFor();
    await dialog.locator(':focus').waitFor();
    const mine = dialog.getByLabel('Keep mine');
    await tabTo(page, mine);
    // From here on keys are for the dialog.
    await page.keyboard.press('x');
    await page.keyboard.press('Space');
    await tabTo(page, 'Save this version');
    await page.keyboard.press('Enter');
    await saved(page);
    await textOf(page).and(page.locator(':focus')).waitFor();
    expect((await read(presswork, id)).content).toBe('One. Mine. Written on.');
  });

  test('an earlier version is compared and restored', async () => {
    const { page, presswork, id } = await openArticle(dashboard, {
      title: 'Tea',
      content: 'The first text.',
    });
    await presswork.articles.update(id, { content: 'Another text.', excerpt: 'Short.' });
    await page.reload();
    await textOf(page).getByText('Another text.').waitFor();
    await choose(page, 'Earlier versions');
    const dialog = page.getByRole('dialog', { name: 'Earlier versions' });
    await dialog.getByText('Changed: Title').click();
    await dialog.getByText('Also different: Excerpt.').waitFor();
    await dialog.locator('.cm-deletedChunk').getByText('The first text.').waitFor();
    await dialog.getByRole('button', { name: 'Restore this version' }).click();
    await textOf(page).getByText('The first text.').waitFor();
    await saved(page);
    expect(await read(presswork, id)).toMatchObject({ content: 'The first text.', excerpt: null });
  });

  test('a published article is changed for its readers when the changes are published, and not before', async () => {
    const { page, presswork, id } = await openArticle(
      dashboard,
      { title: 'Tea', content: 'One.' },
      { isPublished: true },
    );
    await typeAtEnd(page, ' Two.');
    await page.getByText('Changes not published').waitFor();
    await saved(page);
    expect((await read(presswork, id)).content).toBe('One.');
    await page.getByRole('tab', { name: 'Details' }).click();
    await page.getByRole('textbox', { name: 'Address' }).first().fill('green-tea');
    await page.getByText('links to that address will lead nowhere').waitFor();
    await page.keyboard.press('ControlOrMeta+Enter');
    const dialog = page.getByRole('dialog', { name: 'Publish the changes?' });
    await dialog.getByText('Links to the old one, tea,').waitFor();
    await dialog.getByRole('button', { name: 'Publish now' }).click();
    await page.getByText('The changes are published.').waitFor();
    expect(await read(presswork, id)).toMatchObject({ content: 'One. Two.', slug: 'green-tea' });
    await page.getByText('Changes not published').waitFor({ state: 'detached' });
  });

  test('unpublishing in the editor makes of the changes that were not published the text of the draft', async () => {
    const { page, presswork, id } = await openArticle(
      dashboard,
      { title: 'Tea', content: 'One.' },
      { isPublished: true },
    );
    await typeAtEnd(page, ' Two.');
    await saved(page);
    // Somebody else goes on with the same changes, which this tab has not seen.
    await presswork.articles.updatePendingEdit(id, { excerpt: 'Short.' });
    await choose(page, 'Unpublish');
    await page.getByText('The article is a draft again.').waitFor();
    await saved(page);
    expect(await textOf(page).innerText()).toBe('One. Two.');
    expect(await read(presswork, id)).toMatchObject({
      status: 'draft',
      content: 'One. Two.',
      excerpt: 'Short.',
    });
  });

  test('unpublishing in the editor loses nothing if nothing is answered any more and the tab dies', async () => {
    const { visit, page, presswork, id } = await openArticle(
      dashboard,
      { title: 'Tea', content: 'One.' },
      { isPublished: true },
    );
    await typeAtEnd(page, ' Two.');
    await saved(page);
    await page.route('**/v1/articles/*/unpublish', async (route) => {
      await page.route(`**/v1/articles/${id}`, (other) => other.abort());
      await route.fetch();
      await route.abort('connectionreset');
    });
    await choose(page, 'Unpublish');
    await status(page, 'No connection');
    expect(await read(presswork, id)).toMatchObject({ status: 'draft', content: 'One.' });
    const again = await page.context().newPage();
    await page.close({ runBeforeUnload: false });
    await again.goto(`${dashboard.api.origin}/dashboard/${visit.tenant.siteId}/articles/${id}`);
    await textOf(again).getByText('One. Two.').waitFor();
    await saved(again);
    expect(await read(presswork, id)).toMatchObject({ status: 'draft', content: 'One. Two.' });
  });

  test('a tab in which nothing is typed writes nothing back over what others make of the article', async () => {
    const { page, presswork, id } = await openArticle(
      dashboard,
      { title: 'Tea', content: 'One.' },
      { isPublished: true },
    );
    await typeAtEnd(page, ' Two.');
    await saved(page);
    await presswork.articles.deletePendingEdit(id);
    await presswork.articles.unpublish(id);
    const written: string[] = [];
    page.on('request', (request) => {
      if (/\/v1\/articles/.test(request.url()) && request.method() !== 'GET') written.push(request.method());
    });
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.getByText('This article was unpublished elsewhere.').waitFor();
    await saved(page);
    expect(await textOf(page).innerText()).toBe('One.');
    await page.keyboard.press('ControlOrMeta+s');
    await saved(page);
    expect(written).toEqual([]);
  });

  test('who writes while somebody else unpublishes the article keeps what was not saved, and gets theirs', async () => {
    const { page, presswork, id } = await openArticle(
      dashboard,
      { title: 'Tea', content: 'One.\n\nTwo.' },
      { isPublished: true },
    );
    await titleOf(page).fill('Green tea');
    await saved(page);
    await presswork.articles.unpublish(id);
    await presswork.articles.update(id, { content: 'Theirs. One.\n\nTwo.' });
    await typeAtEnd(page, ' Mine.');
    await textOf(page).getByText('Theirs. One.').waitFor();
    await saved(page);
    expect(await read(presswork, id)).toMatchObject({
      status: 'draft',
      title: 'Tea',
      content: 'Theirs. One.\n\nTwo. Mine.',
    });
    await page.getByText('This article was unpublished elsewhere.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test.each(['Unpublish', 'Discard the changes'])(
    '“%s” waits for the answer to what others have changed in the same place',
    async (item) => {
      const { page, presswork, id } = await openArticle(
        dashboard,
        { title: 'Tea', content: 'One.' },
        { isPublished: true },
      );
      await typeAtEnd(page, ' Two.');
      await saved(page);
      await presswork.articles.updatePendingEdit(id, { content: 'One. Theirs.' });
      let goOn = (): void => {};
      const isChosen = new Promise<void>((resolve) => (goOn = resolve));
      await page.route('**/v1/articles/*/pending', async (route) => {
        await isChosen;
        await route.continue();
      });
      await typeAtEnd(page, ' Three.');
      await choose(page, item);
      goOn();
      await page.getByText('Not everything is saved yet.').waitFor();
      expect((await read(presswork, id)).status).toBe('published');
      expect((await presswork.articles.getPendingEdit(id)).article.content).toBe('One. Theirs.');
      const dialog = page.getByRole('dialog', { name: 'Two versions of this article' });
      await dialog.getByLabel('Keep mine').check();
      await dialog.getByRole('button', { name: 'Save this version' }).click();
      await saved(page);
      expect((await presswork.articles.getPendingEdit(id)).article.content).toBe('One. Two. Three.');
    },
  );

  test('a refused field holds up neither discarding, nor the end of a schedule, nor unpublishing', async () => {
    const { page, presswork, id } = await openArticle(
      dashboard,
      { title: 'Tea', content: 'One.' },
      { isPublished: true },
    );
    await page.getByRole('tab', { name: 'Details' }).click();
    const slug = page.getByRole('textbox', { name: 'Address' }).first();
    const writeWithMistake = async (): Promise<void> => {
      await slug.fill('Not a slug');
      await typeAtEnd(page, ' Two.');
      await page.getByText('must be lower-case letters').waitFor();
      await status(page, 'Not everything is saved');
    };
    await writeWithMistake();
    await presswork.articles.schedulePendingEdit(id, { scheduled_at: '2040-01-01T09:00:00.000Z' });
    await page.reload();
    await page.getByRole('tab', { name: 'Details' }).click();
    await page.getByText('must be lower-case letters').waitFor();
    await choose(page, 'Cancel the schedule');
    await page.getByText('The schedule is cancelled.').waitFor();
    expect((await presswork.articles.getPendingEdit(id)).scheduled_at).toBeNull();
    expect(await slug.inputValue()).toBe('Not a slug');
    await choose(page, 'Discard the changes');
    await page.getByText('The changes are discarded.').waitFor();
    await textOf(page).getByText('One.', { exact: true }).waitFor();
    expect(await slug.inputValue()).toBe('tea');
    await status(page, /^Saved$/);
    await writeWithMistake();
    await choose(page, 'Unpublish');
    await page.getByText('The article is a draft again.').waitFor();
    await slug.fill('a-slug');
    await saved(page);
    expect(await read(presswork, id)).toMatchObject({
      status: 'draft',
      content: 'One. Two.',
      slug: 'a-slug',
    });
  });
});
