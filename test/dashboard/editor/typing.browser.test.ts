import { inBrowser } from '../../support/browser.ts';
import { useDashboard } from '../../support/dashboard-browser.ts';
import { openArticle, read, saved, stopTime, textOf } from './support.ts';

const paragraph =
  'Water, time and temperature decide how a tea tastes; the [pot](https://example.com) does **not**.';
const content = Array.from({ length: 1_000 }, (_, index) => `## Part ${index}\n\n${paragraph}`).join('\n\n');

/** Counts the elements that a stroke takes out of the page, or puts into it. */
const watch = `
  window.changed = [];
  let now = 0;
  new MutationObserver((records) => {
    for (const { addedNodes, removedNodes } of records) now += addedNodes.length + removedNodes.length;
  }).observe(document.body, { childList: true, subtree: true });
  document.querySelector('.cm-content').addEventListener('input', () => {
    queueMicrotask(() => { window.changed.push(now); now = 0; });
  });
`;

inBrowser('in an article of 100 KB', () => {
  const dashboard = useDashboard();

  // How long a keystroke takes is measured by `npm run bench -- dashboard`.
  test('a keystroke changes its line and little else, and nothing is saved before a pause', async () => {
    const { page, presswork, id } = await openArticle(dashboard, { title: 'Tea', content });
    await textOf(page).getByText('Part 0').waitFor();
    await stopTime(page);
    await textOf(page).click({ position: { x: 5, y: 5 } });
    await page.keyboard.press('ControlOrMeta+Home');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.evaluate(watch);
    const text = 'Tea is water with leaves in it. '.repeat(6);
    await page.keyboard.type(text);
    const changed = await page.evaluate<number[]>('window.changed');
    expect(changed).toHaveLength(text.length);
    expect(Math.max(...changed)).toBeLessThan(10);
    expect(await page.locator('.cm-line').count()).toBeLessThan(200);
    expect(sent).toEqual([]);
    await page.clock.resume();
    await saved(page);
    expect((await read(presswork, id)).content?.length).toBe(content.length + text.length);
  });
});
