import { inBrowser, startDashboard } from '../../support/dashboard-browser.ts';
import type { DashboardBrowser } from '../../support/dashboard-browser.ts';
import { openArticle, read, saved, textOf } from './support.ts';

const paragraph =
  'Water, time and temperature decide how a tea tastes; the [pot](https://example.com) does **not**.';
const content = Array.from({ length: 1_000 }, (_, index) => `## Part ${index}\n\n${paragraph}`).join('\n\n');

inBrowser('in an article of 100 KB', () => {
  let dashboard: DashboardBrowser;
  beforeAll(async () => {
    dashboard = await startDashboard();
  });
  afterEach(() => dashboard.endVisits());
  afterAll(() => dashboard.close());

  test('a keystroke is on the screen within a frame', async () => {
    const { page, presswork, id } = await openArticle(dashboard, { title: 'Tea', content });
    await textOf(page).getByText('Part 0').waitFor();
    await textOf(page).click({ position: { x: 5, y: 5 } });
    await page.keyboard.press('ControlOrMeta+Home');
    // From the key to the end of the work that it causes, which is when the browser can paint.
    await page.evaluate(`
      window.taken = [];
      const text = document.querySelector('.cm-content');
      let pressed = 0;
      text.addEventListener('beforeinput', () => { pressed = performance.now(); }, true);
      text.addEventListener('keydown', () => { pressed = performance.now(); }, true);
      text.addEventListener('input', () => {
        const from = pressed;
        queueMicrotask(() => { setTimeout(() => window.taken.push(performance.now() - from)); });
      });
    `);
    await page.keyboard.type('Tea is water with leaves in it. '.repeat(6), { delay: 25 });
    const taken = ((await page.evaluate('window.taken')) as number[]).toSorted((a, b) => a - b);
    const p95 = taken[Math.floor(taken.length * 0.95)] ?? Infinity;
    process.stderr.write(
      `typing in 100 KB: median ${taken[taken.length >> 1]?.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms\n`,
    );
    expect(taken.length).toBeGreaterThan(100);
    await saved(page);
    expect((await read(presswork, id)).content?.length).toBe(content.length + 6 * 32);
    // Three times what is aimed at, because other programs share the machine.
    expect(p95).toBeLessThan(48);
  });
});
