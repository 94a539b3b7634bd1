import type { Page } from 'playwright-core';
import { buildPublished } from '../support/builders.ts';
import { axeFindings } from '../support/axe.ts';
import { inBrowser, isTooWide, tabTo } from '../support/browser.ts';
import { useDashboard } from '../support/dashboard-browser.ts';
import type { Visit } from '../support/dashboard-browser.ts';
import { eventually } from '../support/eventually.ts';

inBrowser('the comments in the dashboard', () => {
  const dashboard = useDashboard();
  let visit: Visit;
  let page: Page;
  let slug: string;
  beforeEach(async () => {
    visit = await dashboard.visit();
    page = visit.page;
    ({ slug } = await buildPublished(dashboard.api, visit.tenant.secretKey, { title: 'How to brew tea' }));
    await send('PATCH', '/comments/settings', { enabled: true, moderation: 'hold_all' });
  });

  async function send(method: string, path: string, body?: object) {
    const answer = await dashboard.api.request(method, path, { key: visit.tenant.secretKey, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.data;
  }

  const newest = async () => (await send('GET', '/comments?limit=1')).items[0];

  /** @returns the comment, which waits */
  async function say(author: string, body = `Written by ${author}.`, more: object = {}) {
    const address = `${author.toLowerCase().replaceAll(/[^a-z]/g, '') || 'somebody'}@example.com`;
    await send('POST', '/comments', { slug, body, author_name: author, author_email: address, ...more });
    return newest();
  }

  const statusOf = async (id: string): Promise<string | undefined> =>
    (await send('GET', '/comments')).items.find((comment: { id: string }) => comment.id === id)?.status;

  const card = (author: string) => page.getByRole('article', { name: `Comment by ${author}` });
  const focused = (author: string) => card(author).and(page.locator(':focus'));
  const said = (text: string) => page.getByRole('main').getByRole('status').filter({ hasText: text });
  const filter = (name: string) =>
    page.getByRole('navigation', { name: 'Comments by status' }).getByRole('link', { name });

  test('single keys decide, and the next comment is current by itself', async () => {
    const [ada, bob, cyd] = [await say('Ada'), await say('Bob'), await say('Cyd')];
    await visit.open('/comments');
    await filter('Waiting 3').waitFor();

    await page.keyboard.press('j');
    await focused('Cyd').waitFor();
    await page.keyboard.press('a');
    await focused('Bob').waitFor();
    await said('Approved the comment by Cyd.').waitFor();
    await page.keyboard.press('s');
    await focused('Ada').waitFor();
    await filter('Waiting 1').waitFor();
    await filter('Spam 1').waitFor();
    await page.keyboard.press('d');
    await page.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
    // Letters belong to the dialog now.
    await page.keyboard.press('a');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing is waiting').waitFor();

    await eventually('the comment is deleted', async () => (await statusOf(ada.id)) === undefined);
    await eventually('the second is spam', async () => (await statusOf(bob.id)) === 'spam');
    await eventually('the first is approved', async () => (await statusOf(cyd.id)) === 'approved');
  });

  test('what was decided is taken back by z', async () => {
    const ada = await say('Ada');
    await say('Bob');
    await visit.open('/comments');
    await card('Bob').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await focused('Ada').waitFor();
    await page.keyboard.press('s');
    await focused('Bob').waitFor();
    await eventually('the comment is spam', async () => (await statusOf(ada.id)) === 'spam');
    await page.keyboard.press('z');
    await focused('Ada').waitFor();
    await eventually('the comment is pending', async () => (await statusOf(ada.id)) === 'pending');
  });

  test('what is taken back before the decision is answered stays taken back', async () => {
    const ada = await say('Ada');
    await visit.open('/comments');
    await card('Ada').waitFor();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/approve', async (route) => {
      await released;
      await route.continue();
    });
    const [approved, held] = ['approve', 'hold'].map((verb) =>
      page.waitForResponse((answer) => answer.url().endsWith(`/${ada.id}/${verb}`)),
    );
    await page.keyboard.press('a');
    await said('Approved the comment by Ada.').waitFor();
    await page.keyboard.press('z');
    await focused('Ada').waitFor();
    release();
    await Promise.all([approved, held]);
    expect(await statusOf(ada.id)).toBe('pending');
    await card('Ada').waitFor();
  });

  test('a refused decision puts the comment back, and says why', async () => {
    const ada = await say('Ada');
    await visit.open('/comments');
    await card('Ada').waitFor();
    const refusal = { error: { code: 'CONFLICT', message: 'The comment is being moved.' }, request_id: 'x' };
    await page.route('**/approve', (route) => route.fulfill({ status: 409, json: refusal }));
    await card('Ada').getByRole('button', { name: 'Approve' }).click();
    await page.getByText('The comment is being moved.').waitFor();
    await card('Ada').waitFor();
    await filter('Waiting 1').waitFor();
    expect(await statusOf(ada.id)).toBe('pending');
  });

  test('a comment that was deleted in another tab leaves the queue, and the person is told', async () => {
    const ada = await say('Ada');
    await say('Bob');
    await visit.open('/comments');
    await card('Ada').waitFor();
    await send('DELETE', `/comments/${ada.id}`);
    await card('Ada').getByRole('button', { name: 'Approve' }).click();
    await page.getByText('This does not exist, or it was deleted.').waitFor();
    await card('Ada').waitFor({ state: 'detached' });
    await card('Bob').waitFor();
  });

  test('the Site replies to a comment that waits, which approves it', async () => {
    const ada = await say('Ada');
    await visit.open('/comments');
    await card('Ada').waitFor();
    await page.keyboard.press('r');
    await page.getByLabel('Your reply').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Thank you, Ada.');
    await tabTo(page, 'Approve and reply');
    await page.keyboard.press('Enter');
    await page.getByText('Your reply is visible to readers.').waitFor();
    expect(await newest()).toMatchObject({
      body: 'Thank you, Ada.',
      parent_id: ada.id,
      is_reply_by_site: true,
      status: 'approved',
    });
    expect(await statusOf(ada.id)).toBe('approved');
  });

  test('an empty reply is refused at its field, and what was typed stays after a failure', async () => {
    await say('Ada');
    await visit.open('/comments');
    await card('Ada').getByRole('button', { name: 'Reply' }).click();
    const reply = page.getByLabel('Your reply');
    await reply.fill('  ');
    await page.getByRole('button', { name: 'Approve and reply' }).click();
    await page.getByText('must not be empty').waitFor();
    await reply.and(page.locator(':focus')).waitFor();
    await reply.fill('Thank you.');
    await page.route('**/reply', (route) => route.abort());
    await page.getByRole('button', { name: 'Approve and reply' }).click();
    await page.getByText('There is no connection to the server').waitFor();
    expect(await reply.inputValue()).toBe('Thank you.');
    page.once('dialog', (question) => void question.dismiss());
    await page.keyboard.press('Escape');
    expect(await reply.inputValue()).toBe('Thank you.');
  });

  test('a reply is shown with its article and the comment that it answers', async () => {
    const ada = await say('Ada', 'Three minutes are too long.');
    await send('POST', `/comments/${ada.id}/approve`);
    await say('Bob', 'No, they are not.', { parent_id: ada.id });
    await visit.open('/comments');
    const thread = page.getByRole('complementary', { name: 'The thread' });
    await thread.getByText('How to brew tea').waitFor();
    await thread.getByText('Three minutes are too long.').waitFor();
    await thread.getByRole('link', { name: 'All comments on it' }).click();
    await page.waitForURL(/status=all/);
    await card('Ada').waitFor();
    await card('Bob').waitFor();
  });

  test('everything of an address is erased once it was typed twice', async () => {
    await say('Ada', 'One.');
    await say('Ada', 'Two.');
    await say('Bob');
    await visit.open('/comments');
    await page.getByRole('button', { name: 'Actions for Ada' }).first().click();
    await page.getByRole('menuitem', { name: 'Erase everything of this address' }).click();
    const again = page.getByLabel('Type the address again to confirm');
    await again.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('bob@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('This is not the same address.').waitFor();
    expect((await send('GET', '/comments')).items).toHaveLength(3);
    await again.fill('Ada@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('2 comments were deleted.').waitFor();
    await card('Ada').first().waitFor({ state: 'detached' });
    expect((await send('GET', '/comments')).items).toHaveLength(1);
  });

  test('what readers wrote is text and nothing else, however long, in every direction', async () => {
    const hostile =
      '<img src=x onerror="document.title=1"><script>document.title=2</script>[a](javascript:x)';
    const arabic = 'مقال رائع عن الشاي';
    await say('<b>Mallory</b>', hostile);
    await say('Somebody', `${'long'.repeat(300)}\n${'A line.\n'.repeat(40)}`);
    await say('ليلى', arabic);
    await visit.open('/comments');
    await page.getByText(hostile).first().waitFor();
    expect(await page.locator('main script, main img, main b, main [href^="javascript"]').count()).toBe(0);
    await page.locator('article p:dir(rtl)', { hasText: arabic }).waitFor();
    for (const width of [1_280, 768, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect({ width, isTooWide: await isTooWide(page) }).toEqual({ width, isTooWide: false });
    }
    await page.getByRole('button', { name: 'Show the whole text' }).click();
    await page.getByRole('button', { name: 'Show less' }).waitFor();
  });

  test('people and machines can read the thread of a comment, in German at 320 px', async () => {
    await say('Ada');
    const german = await dashboard.visit({
      tenant: visit.tenant,
      browser: { locale: 'de-DE', viewport: { width: 320, height: 700 } },
    });
    await german.open('/comments');
    await german.page.getByRole('button', { name: 'Freigeben' }).waitFor();
    await german.page.getByRole('button', { name: 'Gespräch zeigen' }).click();
    await german.page.getByText('How to brew tea', { exact: true }).waitFor();
    expect(await isTooWide(german.page)).toBe(false);
    expect(await axeFindings(german.page)).toEqual([]);
  });
});
