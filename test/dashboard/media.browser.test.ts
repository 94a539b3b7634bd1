import type { Page } from 'playwright-core';
import { axeFindings } from '../support/axe.ts';
import { inBrowser, isTooWide, tabTo } from '../support/browser.ts';
import { comeBack, useDashboard } from '../support/dashboard-browser.ts';
import type { Visit } from '../support/dashboard-browser.ts';
import { eventually } from '../support/eventually.ts';
import { flat } from '../support/images.ts';
import { allowBrowsersToUpload } from '../support/objects.ts';
import { registerUpload, uploadBytes } from '../support/uploads.ts';

inBrowser('media, in Chromium', () => {
  const dashboard = useDashboard();
  let picture: Buffer;

  beforeAll(async () => {
    await allowBrowsersToUpload();
    picture = await flat(60, 40).png().toBuffer();
  });

  const file = (name: string, buffer = picture, mimeType = 'image/png') => ({ name, mimeType, buffer });
  const isStorage = ({ pathname }: URL): boolean => pathname.includes('/uploads/');
  const panel = (page: Page) => page.getByRole('region', { name: 'Uploads' });
  const card = (page: Page, name: string) =>
    page.getByRole('list', { name: 'Images' }).getByRole('listitem').filter({ hasText: name });
  const choose = (page: Page, files: ReturnType<typeof file>[]) =>
    page.locator('input[type=file][accept]').setInputFiles(files);

  async function addImage({ tenant }: Visit, name: string, alt?: string): Promise<string> {
    const id = await uploadBytes(dashboard.api, tenant.secretKey, picture, {
      file_name: name,
      content_type: 'image/png',
    });
    const { data } = await registerUpload(dashboard.api, tenant.secretKey, id, alt ? { alt_text: alt } : {});
    return data.id;
  }

  async function library({ tenant }: Visit): Promise<{ file_name: string; alt_text: string | null }[]> {
    const found = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const path = `/media?limit=100${cursor && `&cursor=${cursor}`}`;
      const { data } = await dashboard.api.request('GET', path, { key: tenant.secretKey });
      found.push(...data.items);
      cursor = data.next_cursor;
    }
    return found;
  }

  test('of 50 images every tenth fails once, is tried again, and all are there once', async () => {
    const visit = await dashboard.visit();
    const { page, open } = visit;
    await open('/media');
    let sent = 0;
    let atOnce = 0;
    let most = 0;
    await page.route(isStorage, async (route) => {
      if (route.request().method() !== 'PUT') return route.fallback();
      sent += 1;
      most = Math.max(most, (atOnce += 1));
      const refused = { status: 403, headers: { 'access-control-allow-origin': '*' } };
      await (sent <= 50 && sent % 10 === 0 ? route.fulfill(refused) : route.continue());
      atOnce -= 1;
    });
    const names = Array.from({ length: 50 }, (_, index) => `photo-${index}.png`);
    await choose(
      page,
      names.map((name) => file(name)),
    );
    await panel(page).getByText('45 of 50 uploaded · 5 failed').waitFor();
    expect(await panel(page).getByText('Storage did not take the file.').count()).toBe(5);
    await panel(page)
      .getByRole('button', { name: /^Try again: photo-/ })
      .first()
      .click();
    await panel(page).getByText('46 of 50 uploaded · 4 failed').waitFor();
    await panel(page).getByRole('button', { name: 'Try all failed again' }).click();
    await panel(page).getByText('50 of 50 uploaded').waitFor();
    expect(most).toBeLessThanOrEqual(3);
    const stored = await library(visit);
    expect(stored.map(({ file_name: name }) => name).sort()).toEqual(names.sort());
  });

  test('what is too large or no image is refused before anything is sent', async () => {
    const { page, open } = await dashboard.visit();
    await open('/media');
    let reservations = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/media/upload-url')) reservations += 1;
    });
    await choose(page, [
      file('huge.png', Buffer.alloc(10_000_001)),
      file('notes.txt', Buffer.from('text'), 'text/plain'),
      file('empty.png', Buffer.alloc(0)),
    ]);
    await panel(page).getByText('3 not accepted').waitFor();
    for (const said of ['larger than 10 MB', 'only WebP, PNG', 'the file is empty'])
      await panel(page).getByText(said).waitFor();
    expect(reservations).toBe(0);
    // What only the API can see is said, too.
    await choose(page, [file('broken.png', picture.subarray(0, 60))]);
    await panel(page).getByText('1 failed').waitFor();
    await panel(page).getByRole('listitem').filter({ hasText: 'broken.png' }).getByText(/image/).waitFor();
  });

  test('an image is chosen, described, shown large and deleted, by keyboard alone', async () => {
    const visit = await dashboard.visit();
    await addImage(visit, 'older.png', 'An older one');
    const { page, open } = visit;
    await open('/media');
    const choosing = page.waitForEvent('filechooser');
    await tabTo(page, 'Upload images');
    await page.keyboard.press('Enter');
    await (await choosing).setFiles(file('pot.png'));
    await card(page, 'pot.png').getByText('No alternative text').waitFor();

    await tabTo(page, 'Add an alternative text to pot.png');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Alternative text' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('A pot of tea');
    await page.keyboard.press('Enter');
    await card(page, 'pot.png').getByText('A pot of tea').waitFor();
    // The screen shows it before the answer is there.
    await eventually('it is stored', async () => (await library(visit))[0]?.alt_text === 'A pot of tea');
    await page
      .getByRole('button', { name: 'Edit the alternative text of pot.png' })
      .and(page.locator(':focus'))
      .waitFor();

    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'pot.png' });
    await dialog.getByRole('img', { name: 'A pot of tea' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('dialog', { name: 'older.png' }).getByText('60 × 40 px').waitFor();
    expect(await page.getByRole('textbox', { name: 'Markdown' }).inputValue()).toMatch(
      /^!\[An older one\]\(http.+\.png\)$/,
    );
    await page.keyboard.press('ArrowLeft');
    await dialog.locator('img').waitFor();
    await tabTo(page, 'Delete image …');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Delete pot.png?' }).getByText('show a gap instead').waitFor();
    await tabTo(page, 'Delete image');
    await page.keyboard.press('Enter');
    await card(page, 'pot.png').waitFor({ state: 'detached' });
    expect(await library(visit)).toHaveLength(1);
    expect(new URL(page.url()).search).toBe('');
  });

  test('an alternative text that somebody else has changed is shown, and the own one is not lost', async () => {
    const visit = await dashboard.visit();
    const id = await addImage(visit, 'pot.png', 'A pot');
    const { page, open, tenant } = visit;
    await open('/media');
    await page.getByRole('button', { name: 'Edit the alternative text of pot.png' }).click();
    const text = page.getByRole('textbox', { name: 'Alternative text' });
    await text.fill('A green pot');
    await dashboard.api.request('PATCH', `/media/${id}`, {
      key: tenant.secretKey,
      body: { alt_text: 'A red pot' },
    });
    await page.keyboard.press('Enter');
    await page.getByText('Somebody else has just saved: “A red pot”').waitFor();
    expect(await text.inputValue()).toBe('A green pot');
    await page.keyboard.press('Enter');
    await page.getByText('The alternative text is saved.').waitFor();
    expect((await library(visit))[0]?.alt_text).toBe('A green pot');
  });

  test('an alternative text that is read again while somebody types is not overwritten', async () => {
    const visit = await dashboard.visit();
    const id = await addImage(visit, 'pot.png', 'A pot');
    const { page, open, tenant } = visit;
    await page.clock.install();
    await open('/media');
    await page.getByRole('button', { name: 'Edit the alternative text of pot.png' }).click();
    const text = page.getByRole('textbox', { name: 'Alternative text' });
    await text.fill('A green pot');
    const theirs = { key: tenant.secretKey, body: { alt_text: 'A red pot' } };
    expect((await dashboard.api.request('PATCH', `/media/${id}`, theirs)).status).toBe(200);
    await comeBack(page, `/media/${id}`);
    await text.press('Enter');
    await page.getByText('Somebody else has just saved: “A red pot”').waitFor();
    expect((await library(visit))[0]?.alt_text).toBe('A red pot');
    expect(await text.inputValue()).toBe('A green pot');
  });

  test('images can be pasted and dropped; uploads outlast a lost connection, and leaving asks', async () => {
    const visit = await dashboard.visit();
    const { page, open } = visit;
    await open('/media');
    await page.getByLabel('Drop the images to upload them').waitFor({ state: 'attached' });
    await page.context().setOffline(true);
    const transfer = `(() => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob('${picture.toString('base64')}'), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], 'NAME', { type: 'image/png' }));
      return transfer;
    })()`;
    await page.evaluate(
      `document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: ${transfer.replace('NAME', 'pasted.png')} }))`,
    );
    await panel(page).getByText('No connection.').waitFor();
    const dropped = await page.evaluateHandle(transfer.replace('NAME', 'dropped.png'));
    await page.dispatchEvent('body', 'dragenter', { dataTransfer: dropped });
    const dropArea = page.getByLabel('Drop the images to upload them');
    await dropArea.waitFor();
    await dropArea.dispatchEvent('drop', { dataTransfer: dropped });
    await panel(page).getByText('0 of 2 uploaded').waitFor();
    const asking = page.waitForEvent('dialog');
    await page.getByRole('heading', { name: 'Uploads' }).click();
    await page.close({ runBeforeUnload: true });
    const question = await asking;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await page.context().setOffline(false);
    await panel(page).getByText('2 of 2 uploaded').waitFor();
    expect((await library(visit)).map(({ file_name: name }) => name).sort()).toEqual([
      'dropped.png',
      'pasted.png',
    ]);
  });

  test('the queue waits when the API wants it to, and goes on by itself', async () => {
    const visit = await dashboard.visit();
    const { page, open } = visit;
    await page.clock.install();
    await open('/media');
    let refused = 0;
    await page.route('**/media/upload-url', async (route) => {
      if ((refused += 1) > 3) return route.continue();
      const error = { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many requests.' };
      // Longer than the client waits by itself.
      await route.fulfill({ status: 429, headers: { 'retry-after': '16' }, json: { error } });
    });
    await choose(page, [file('a.png'), file('b.png'), file('c.png'), file('d.png')]);
    await panel(page)
      .getByText(/The others follow in 1\d s/)
      .waitFor();
    expect(await panel(page).getByText('4 waiting').count()).toBe(1);
    await page.clock.fastForward('00:20');
    await panel(page).getByText('4 of 4 uploaded').waitFor();
    expect(await library(visit)).toHaveLength(4);
  });

  test('images are found by words and kind, and the address says so', async () => {
    const visit = await dashboard.visit();
    await addImage(visit, 'pot.png', 'A pot of tea');
    await addImage(visit, 'cup.png', 'A cup');
    const { page, open } = visit;
    await open('/media?q=tea');
    await card(page, 'pot.png').waitFor();
    expect(await card(page, 'cup.png').count()).toBe(0);
    await page.keyboard.press('/');
    await page.getByRole('searchbox').and(page.locator(':focus')).waitFor();
    await page.getByRole('searchbox').fill('nothing of this');
    await page.getByText('No image matches').waitFor();
    expect(page.url()).toContain('q=nothing');
    await page.getByRole('button', { name: 'Show all images' }).click();
    await card(page, 'cup.png').waitFor();
  });

  test('axe finds nothing in refused uploads, in German and at 320 px', async () => {
    const visit = await dashboard.visit({
      browser: { locale: 'de-DE', viewport: { width: 320, height: 800 } },
    });
    await addImage(visit, 'pot.png');
    const { page, open } = visit;
    await open('/media');
    await choose(page, [file('notes.txt', Buffer.from('text'), 'text/plain')]);
    await page.getByText('Kein Alternativtext').waitFor();
    expect([await axeFindings(page), await isTooWide(page)]).toEqual([[], false]);
  });
});
