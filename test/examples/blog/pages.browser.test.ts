import type { Page } from 'playwright-core';
import { logOfErrors, startBlog } from '../../support/blog.ts';
import type { TestBlog } from '../../support/blog.ts';
import { buildArticle, buildPublished, buildTerm } from '../../support/builders.ts';
import { axeFindings } from '../../support/axe.ts';
import { inBrowser, isTooWide, tabTo, usePages } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { noise } from '../../support/images.ts';
import { registerUpload, uploadBytes } from '../../support/uploads.ts';
import { startWebhooks } from '../../support/webhooks.ts';
import type { WebhookStack } from '../../support/webhooks.ts';

inBrowser('the example blog, in Chromium', () => {
  let stack: WebhookStack;
  let blog: TestBlog;
  let page: Page;
  const open = usePages();

  beforeAll(async () => {
    stack = await startWebhooks();
    blog = await startBlog(stack);
  });
  beforeEach(async () => {
    page = await open();
  });
  afterAll(async () => {
    await blog.close();
    await stack.close();
  });

  const publish = async (values: object) => {
    const article = await buildPublished(stack.api, stack.tenant.secretKey, values);
    await blog.deliver();
    return article;
  };
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await stack.request(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.data;
  };
  const see = async (path: string) => (await page.goto(blog.url + path))?.status();
  const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });

  test('a reader goes from the first page to an article, its author and its tag, by keyboard', async () => {
    const { secretKey: key } = stack.tenant;
    const author = await buildTerm(stack.api, key, 'authors', { name: 'Ines Falk', bio: 'She bakes.' });
    const tag = await buildTerm(stack.api, key, 'tags', { name: 'Sourdough' });
    await publish({
      title: 'Bread that waits',
      excerpt: 'Mixed at night.',
      content: 'The *crumb*.',
      author_id: author.id,
      tag_ids: [tag.id],
    });
    await see('/');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('main:focus').waitFor();
    await tabTo(page, 'Bread that waits');
    await page.keyboard.press('Enter');
    await title('Bread that waits').waitFor();
    await page.locator('em', { hasText: 'crumb' }).waitFor();
    await tabTo(page, 'Sourdough');
    await page.keyboard.press('Enter');
    await title('Sourdough').waitFor();
    await page.getByRole('link', { name: 'Bread that waits' }).click();
    await page.getByRole('link', { name: 'Ines Falk' }).first().click();
    await title('Ines Falk').waitFor();
    await page.getByText('She bakes.').waitFor();
  });

  test('lists go on page by page, and a search finds words', async () => {
    for (let number = 1; number <= 11; number += 1) await publish({ title: `Of many, ${number}` });
    await publish({ title: 'A needle', content: 'Heuhaufen' });
    await see('/');
    await page.getByRole('link', { name: 'Older articles' }).click();
    await page.getByRole('link', { name: 'Of many, 1', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Newest articles' }).click();
    await page.getByRole('searchbox', { name: 'Search' }).fill('heuhaufen');
    await page.keyboard.press('Enter');
    await title('heuhaufen').waitFor();
    expect(await page.getByRole('article').allInnerTexts()).toEqual([expect.stringContaining('A needle')]);
  });

  test('a comment is held, and can be seen once it is approved', async () => {
    await send('PATCH', '/comments/settings', { enabled: true, moderation: 'hold_all' });
    const { slug } = await publish({ title: 'Discussed' });
    await see(`/${slug}`);
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Comment', { exact: true }).fill('First line\n<b>second</b> line');
    await tabTo(page, 'Send');
    await page.keyboard.press('Enter');
    await page.getByText('Your comment appears once it has been read.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const [{ id }] = (await send('GET', '/comments')).items;
    await send('POST', `/comments/${id}/approve`);
    // Approvals have no event: a blog that asks again soon sees them.
    const asking = await startBlog(stack, { freshMs: 1 });
    await page.goto(`${asking.url}/${slug}`);
    expect(await page.locator('.said').innerText()).toBe('First line\n<b>second</b> line');
    await send('POST', `/comments/${id}/reply`, { body: 'Thank you, Ada.' });
    await page.reload();
    await page.locator('li li', { hasText: 'Thank you, Ada.' }).waitFor();
    await asking.close();
  });

  test('a comment that breaks a rule comes back with what is wrong with it', async () => {
    await send('PATCH', '/comments/settings', { enabled: true, moderation: 'none', require_email: true });
    const { slug } = await publish({ title: 'Strict' });
    await see(`/${slug}`);
    // Without the checks of the browser, as programs send it.
    await page.evaluate('document.forms.write.noValidate = true');
    await page.getByLabel('Name').fill('Grace');
    await page.getByLabel('E-mail').fill('not an address');
    await page.getByLabel('Comment', { exact: true }).fill('Hello');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Please check what is marked.').waitFor();
    expect(await page.getByLabel('Comment', { exact: true }).inputValue()).toBe('Hello');
    expect(await page.locator('[aria-invalid]').getAttribute('name')).toBe('author_email');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByLabel('E-mail').fill('grace@example.com');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Your comment is published.').waitFor();
    await page.locator('.said', { hasText: 'Hello' }).waitFor();
  });

  test('a preview shows what is not published, to those who have its address', async () => {
    const { id } = await buildArticle(stack.api, stack.tenant.secretKey, {
      title: 'Not yet',
      content: 'A *draft*.',
    });
    const { url, id: link } = await send('POST', `/articles/${id}/preview-links`, {});
    const path = new URL(url).pathname;
    const answer = await page.goto(blog.url + path);
    expect(answer?.headers()).toMatchObject({ 'cache-control': 'no-store' });
    await title('Not yet').waitFor();
    await page.getByText('This is a preview.').waitFor();
    expect(await page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex');
    await send('DELETE', `/articles/${id}/preview-links/${link}`);
    expect(await see(path)).toBe(404);
  });

  test('an article that is unpublished is gone as soon as the blog is told, and one that changed is true', async () => {
    const { id, slug } = await publish({ title: 'For a while' });
    await see('/');
    expect(await see(`/${slug}`)).toBe(200);
    await send('PATCH', `/articles/${id}`, { title: 'For longer' });
    expect(await see(`/${slug}`)).toBe(200);
    await title('For a while').waitFor();
    await blog.deliver();
    await page.reload();
    await title('For longer').waitFor();
    await send('POST', `/articles/${id}/unpublish`);
    await blog.deliver();
    expect(await see(`/${slug}`)).toBe(404);
    await title('There is nothing here').waitFor();
    await see('/');
    expect(await page.getByRole('link', { name: 'For longer' }).count()).toBe(0);
  });

  test('readers see what is kept while the API is away, and are told if nothing is', async () => {
    const { slug } = await publish({ title: 'Kept' });
    await see('/');
    await see(`/${slug}`);
    await publish({ title: 'Newer' });
    blog.cut();
    expect(await see(`/${slug}`)).toBe(200);
    await title('Kept').waitFor();
    const logged = logOfErrors();
    expect(await see('/never-seen')).toBe(503);
    logged.restore();
    expect(logged.lines).toEqual([expect.stringContaining('CONNECTION_FAILED')]);
    await title('We will be right back').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    blog.mend();
    await eventually('it shows what is new', async () => {
      await see('/');
      return page.getByRole('link', { name: 'Newer' }).isVisible();
    });
  });

  test('people and machines can read it, light and dark, wide and narrow, in German too', async () => {
    const { secretKey: key } = stack.tenant;
    const upload = await uploadBytes(stack.api, key, await noise(1_400, 900).jpeg().toBuffer());
    const image = (await registerUpload(stack.api, key, upload)).data.url;
    const category = await buildTerm(stack.api, key, 'categories', { name: 'Brot & Käse' });
    const { slug } = await publish({
      title: 'Alles, was ein Artikel haben kann, <sagt> ein Donaudampfschifffahrtsgesellschaftskapitän',
      excerpt: 'Mit "allem".',
      content: `## Teig\n\nText\n\n> Zitat\n\n\`\`\`\n${'lang '.repeat(60)}\n\`\`\`\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n![Brot](${image})`,
      featured_image_url: image,
      category_id: category.id,
      key_takeaways: ['Zeit', 'Salz'],
      faqs: [{ question: 'Warum?', answer: 'Darum.' }],
      howto_steps: [{ name: 'Mischen', text: 'Alles.', image_url: image }],
      comparison: { columns: ['Preis'], rows: [{ label: 'Weizen', values: ['1 €'] }] },
    });
    await send('PATCH', '/comments/settings', { enabled: true, moderation: 'none', require_email: false });
    await send('PATCH', '/site', { locale: 'de' });
    await publish({ title: 'Rindfleischetikettierungsüberwachung', featured_image_url: image });
    for (const path of ['/', `/${slug}`, '/category/brot-kaese', '/nirgends']) {
      await see(path);
      expect(await axeFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 320, height: 800 });
      expect({ path, isTooWide: await isTooWide(page) }).toEqual({ path, isTooWide: false });
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    await title('Hier ist nichts').waitFor();
    await see(`/${slug}`);
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.getByRole('heading', { name: 'Kommentar schreiben' }).waitFor();
    await page.waitForFunction('document.images[0].naturalWidth > 0');
    expect(await page.locator('.article > img').getAttribute('srcset')).toContain('width=640');
    const data = await page.locator('script[type="application/ld+json"]').allTextContents();
    expect(data.map((each) => JSON.parse(each)['@type'])).toEqual(expect.arrayContaining(['FAQPage']));
    await send('PATCH', '/site', { locale: 'en' });
  });
});
