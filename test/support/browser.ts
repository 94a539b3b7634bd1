import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  ConsoleMessage,
  Locator,
  Page,
} from 'playwright-core';
import { findChromium } from '../../tools/dev/chromium.ts';
import { atEndOfProcess } from './runner/end-of-process.ts';

const executablePath = findChromium();
if (executablePath === null) {
  // Bypasses jest, which shows no output of a skipped file.
  process.stderr.write(
    'No Chromium: tests in a browser are skipped. To run them: npx playwright-core install chromium, or name one in CHROMIUM.\n',
  );
}

/** `describe` for tests that need a browser; skipped on machines without one. */
export const inBrowser = executablePath === null ? describe.skip : describe;

let launched: Promise<Browser> | undefined;

/** One Chromium for all test files of a process. */
function browser(): Promise<Browser> {
  if (launched === undefined) {
    launched = chromium.launch({ executablePath: executablePath ?? '' });
    atEndOfProcess(async () => (await launched)?.close());
  }
  return launched;
}

/** Opens an empty page in a context of its own: without cookies, storage or cache of any other. */
export type OpenPage = (options?: BrowserContextOptions) => Promise<Page>;

/** Pages for the tests of a block. They end with their test, which fails if one of them had something to report. */
export function usePages(): OpenPage {
  const contexts: BrowserContext[] = [];
  const problems: string[] = [];
  afterEach(async () => {
    const ended = contexts.splice(0);
    if (process.env['SCREENSHOTS'] !== undefined) await keepScreenshots(process.env['SCREENSHOTS'], ended);
    await Promise.all(ended.map((context) => context.close()));
    const reported = problems.splice(0);
    if (reported.length > 0) throw new Error(`The console reported:\n${reported.join('\n')}`);
  });
  return async (options = {}) => {
    const context = await (
      await browser()
    ).newContext({ viewport: { width: 1280, height: 800 }, ...options });
    contexts.push(context);
    context.on('weberror', (error) => problems.push(String(error.error())));
    context.on('console', (message) => {
      if (isProblem(message)) problems.push(message.text());
    });
    return context.newPage();
  };
}

/**
 * Errors, warnings, what the content security policy blocked, and what nobody meant to log. Chromium itself reports
 * every answer of 400 and above as an error, which tests cause on purpose.
 */
const isProblem = (message: ConsoleMessage): boolean =>
  message.type() !== 'debug' && !message.text().startsWith('Failed to load resource');

/** How each page looked at the end of a test, for a look at the screens or at a failure. */
async function keepScreenshots(folder: string, contexts: readonly BrowserContext[]): Promise<void> {
  for (const page of contexts.flatMap((context) => context.pages()))
    await page.screenshot({ path: join(folder, `${Date.now()}.png`), fullPage: true });
}

/** Whether the page is no wider than the screen, so that nobody has to scroll in two directions. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

/** Without waiting: at first nothing has the focus, and the body stands for that. */
const nameOfFocused = `(({ activeElement: focused, body }) =>
  focused === null || focused === body ? '' : focused.getAttribute('aria-label') ?? focused.textContent.trim())(document)`;

/** Presses Tab until what has the focus is that, or has that accessible name. */
export async function tabTo(page: Page, target: string | RegExp | Locator): Promise<void> {
  const isThere = async (): Promise<boolean> => {
    if (typeof target !== 'string' && !(target instanceof RegExp)) return hasFocus(page, target);
    const label = await page.evaluate<string>(nameOfFocused);
    return typeof target === 'string' ? label === target : target.test(label);
  };
  await pressUntil(page, 'Tab', isThere, String(target));
}

/** Chooses from the menu that a key has opened, by keyboard. */
export async function pick(page: Page, name: string): Promise<void> {
  // The menu gives the focus to an empty element in it, a moment after it is there.
  await page.locator('[role=menu]:focus, [role=menu] :focus').first().waitFor({ state: 'attached' });
  const item = page.getByRole('menuitem', { name });
  await pressUntil(page, 'ArrowDown', () => hasFocus(page, item), name);
  await page.keyboard.press('Enter');
}

const hasFocus = async (page: Page, target: Locator): Promise<boolean> =>
  (await target.and(page.locator(':focus')).count()) > 0;

const MOST_PRESSES = 60;

async function pressUntil(
  page: Page,
  key: string,
  isThere: () => Promise<boolean>,
  target: string,
): Promise<void> {
  for (let presses = 0; presses <= MOST_PRESSES; presses += 1) {
    if (await isThere()) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead to ${target}`);
}
