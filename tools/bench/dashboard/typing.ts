import type { Page } from 'playwright-core';

/** How long the page worked for a keystroke, in ms: its handlers, and the frame that shows it. */
export interface Typed {
  readonly strokes: number;
  readonly p50: number;
  readonly p95: number;
  readonly longest: number;
}

const STROKES = 400;
const WARM_UP = 40;
/** A fast typist. */
const BETWEEN_MS = 40;

/** Types into the middle of an article. */
export async function typeInto(page: Page, address: string): Promise<Typed> {
  await page.goto(address);
  const editor = page.locator('.cm-content');
  await editor.click();
  for (let screen = 0; screen < 20; screen += 1) await page.keyboard.press('PageDown');
  await page.evaluate(observe);
  await page.keyboard.type('word '.repeat(WARM_UP / 5), { delay: BETWEEN_MS });
  await page.evaluate('window.strokes.length = 0');
  await page.keyboard.type('word '.repeat(STROKES / 5), { delay: BETWEEN_MS });
  const strokes = (await page.evaluate<number[]>('window.strokes')).toSorted((a, b) => a - b);
  if (strokes.length < STROKES * 0.9) throw new Error(`Only ${strokes.length} keystrokes were seen`);
  const at = (share: number): number => strokes[Math.floor((strokes.length - 1) * share)] ?? 0;
  return { strokes: strokes.length, p50: at(0.5), p95: at(0.95), longest: at(1) };
}

/** Adds up the work from a key to the end of the frame after it, without the wait for the frame. */
const observe = `{
  window.strokes = [];
  let begun = 0;
  addEventListener('keydown', () => (begun = performance.now()), { capture: true });
  addEventListener('input', () => {
    const handled = performance.now() - begun;
    requestAnimationFrame(() => {
      const framed = performance.now();
      const { port1, port2 } = new MessageChannel();
      // Delivered when styles, layout and painting are done.
      port1.onmessage = () => window.strokes.push(handled + performance.now() - framed);
      port2.postMessage(null);
    });
  });
}`;
