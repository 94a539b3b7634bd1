import type { Page } from 'playwright-core';
import { axeFindings } from '../../support/axe.ts';
import { inBrowser, tabTo } from '../../support/browser.ts';
import { useDashboard } from '../../support/dashboard-browser.ts';
import { eventually } from '../../support/eventually.ts';
import { flat } from '../../support/images.ts';
import { allowBrowsersToUpload } from '../../support/objects.ts';
import { openArticle, read, saved, textOf, typeAtEnd } from './support.ts';

inBrowser('images in the editor', () => {
  const dashboard = useDashboard();
  let picture: Buffer;
  beforeAll(async () => {
    await allowBrowsersToUpload();
    picture = await flat(60, 40).png().toBuffer();
  });

  const isStorage = ({ pathname }: URL): boolean => pathname.includes('/uploads/');
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Add an image' });

  /** Gives files to the text as a browser does, with a text beside them if there is one. */
  const give = (page: Page, how: 'paste' | 'drop', names: readonly string[], beside?: string) =>
    textOf(page).evaluate(
      (element, given) => {
        const view = element.ownerDocument.defaultView as any;
        const bytes = Uint8Array.from(view.atob(given.bytes), (letter: string) => letter.charCodeAt(0));
        const data = new view.DataTransfer();
        for (const name of given.names) data.items.add(new view.File([bytes], name, { type: 'image/png' }));
        if (given.beside !== undefined) data.setData('text/plain', given.beside);
        const { left, top } = element.getBoundingClientRect();
        const at = { bubbles: true, cancelable: true, clientX: left + 2, clientY: top + 8 };
        element.dispatchEvent(
          given.how === 'paste'
            ? new view.ClipboardEvent('paste', { ...at, clipboardData: data })
            : new view.DragEvent('drop', { ...at, dataTransfer: data }),
        );
      },
      { how, names, beside, bytes: picture.toString('base64') },
    );

  test('a pasted image is described and inserted by keyboard; the text gets it, and the library its description', async () => {
    const { page, presswork, id } = await openArticle(dashboard, { title: 'Tea', content: 'Before. ' });
    await typeAtEnd(page, '\n\n');
    await give(page, 'paste', ['pot.png']);
    await dialog(page).getByLabel('Description').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('A pot [green]');
    expect(await axeFindings(page)).toEqual([]);
    await tabTo(page, 'Insert image');
    await page.keyboard.press('Enter');
    await dialog(page).waitFor({ state: 'hidden' });
    await page.keyboard.type(' After.');
    await saved(page);
    const [asset] = (await presswork.media.list()).items;
    expect(asset).toMatchObject({ file_name: 'pot.png', alt_text: 'A pot [green]' });
    expect((await read(presswork, id)).content).toBe(
      `Before. \n\n![A pot \\[green\\]](${asset?.url}) After.`,
    );
  });

  test('dropped images are asked for one after the other, and one can be left out', async () => {
    const { page, presswork, id } = await openArticle(dashboard, { title: 'Tea', content: 'Text.' });
    await give(page, 'drop', ['one.png', 'two.png', 'three.png']);
    const shown = () => dialog(page).locator('img').getAttribute('src');
    await dialog(page).getByLabel('Description').fill('One');
    const first = await shown();
    await dialog(page).getByRole('button', { name: 'Insert image' }).click();
    await eventually('the next image is shown', async () => (await shown()) !== first);
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await dialog(page).getByLabel('Description').fill('Three');
    await dialog(page).getByRole('button', { name: 'Insert image' }).click();
    await dialog(page).waitFor({ state: 'hidden' });
    await saved(page);
    expect((await read(presswork, id)).content?.replaceAll(/\(http[^)]*\)/g, '()')).toBe(
      '![One]()![Three]()Text.',
    );
  });

  test('an upload that fails says so, keeps the description, and goes on when it is tried again', async () => {
    const { page, presswork, id } = await openArticle(dashboard, { title: 'Tea', content: '' });
    await page.route(isStorage, (route) => route.fulfill({ status: 403, body: 'no' }));
    await textOf(page).click();
    await give(page, 'paste', ['pot.png']);
    await dialog(page).getByLabel('Description').fill('A pot');
    await dialog(page).getByRole('button', { name: 'Insert image' }).click();
    await dialog(page).getByRole('alert').waitFor();
    await page.unroute(isStorage);
    await dialog(page).getByRole('button', { name: 'Try again' }).click();
    await dialog(page).waitFor({ state: 'hidden' });
    await saved(page);
    expect((await read(presswork, id)).content).toMatch(/^!\[A pot\]\(http/);
  });

  test('cells of a spreadsheet, which come as text and as an image, are pasted as text', async () => {
    const { page, presswork, id } = await openArticle(dashboard, { title: 'Tea', content: '' });
    await textOf(page).click();
    await give(page, 'paste', ['cells.png'], 'a\tb');
    await saved(page);
    expect(await dialog(page).count()).toBe(0);
    expect((await read(presswork, id)).content).toBe('a\tb');
  });

  test('the featured image is uploaded in the details', async () => {
    const { page, presswork, id } = await openArticle(dashboard, { title: 'Tea', content: 'Text.' });
    await page.getByRole('tab', { name: 'Details' }).click();
    await page
      .locator('label')
      .filter({ hasText: 'Upload an image' })
      .locator('input')
      .setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer: picture });
    await dialog(page).getByLabel('Description').fill('The cover');
    await dialog(page).getByRole('button', { name: 'Insert image' }).click();
    await saved(page);
    const { featured_image_url: url } = await read(presswork, id);
    expect((await presswork.media.list()).items[0]?.url).toBe(url);
    await page.getByRole('tab', { name: 'Search' }).click();
    const card = page.getByRole('region', { name: 'When it is shared' });
    const shown = card.locator('img');
    expect(await shown.getAttribute('src')).toBe(url);
    await eventually('the image is loaded', () => shown.evaluate((image: any) => image.naturalWidth === 60));
    await presswork.articles.update(id, { featured_image_url: 'https://elsewhere.example.com/a.png' });
    await page.reload();
    await page.getByRole('tab', { name: 'Search' }).click();
    await card.getByText('not from the media of this Site').waitFor();
    expect((await card.boundingBox())?.height).toBeGreaterThan(120);
  });
});
