import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { readDashboard } from '../../api/dashboard/files.ts';
import type { Ports } from '../../api/ports.ts';
import type { Role } from '../../domain/access/permissions.ts';
import { buildDashboard } from '../../tools/dev/dashboard.ts';
import { SIGN_IN_LINKS } from '../../domain/sign-in/link-paths.ts';
import { createLink } from '../../domain/sign-in/links.ts';
import { startApi } from './api.ts';
import type { TestApi } from './api.ts';
import { axeViolations } from './axe.ts';
import { buildPerson, buildTenant } from './builders.ts';
import type { Tenant } from './builders.ts';
import { findChromium } from '../../tools/dev/chromium.ts';

const executablePath = findChromium();
if (executablePath === null) {
  // Bypasses jest, which shows no output of a skipped file.
  process.stderr.write(
    'No Chromium: tests of the dashboard are skipped. To run them: npx playwright-core install chromium, or name one in CHROMIUM.\n',
  );
}

/** `describe` for tests that need a browser; skipped on machines without one. */
export const inBrowser = executablePath === null ? describe.skip : describe;

/** Somebody who is signed in, in a browser of their own. */
export interface Visit {
  readonly tenant: Tenant;
  readonly email: string;
  readonly password: string;
  readonly page: Page;
  /** What the console reported since the last look: errors, warnings, and what the content security policy blocked. */
  readonly problems: string[];
  /** Opens a screen of the Site, such as `/articles?status=%5B%22draft%22%5D`, and waits for its heading. */
  open(path: string): Promise<void>;
}

export interface VisitOptions {
  readonly role?: Role;
  /** Of an earlier visit, for a second tab or another person of the same Site. */
  readonly tenant?: Tenant;
  readonly browser?: BrowserContextOptions;
}

export interface DashboardBrowser {
  readonly api: TestApi;
  /** Signs a new person in by a link that works once, which takes less time than a password. */
  visit(options?: VisitOptions): Promise<Visit>;
  /** For afterEach. @throws Error if a console had something to report */
  endVisits(): Promise<void>;
  close(): Promise<void>;
}

/** An API that serves the dashboard, and one Chromium. */
export async function startDashboard(ports: Partial<Ports> = {}): Promise<DashboardBrowser> {
  const api = await startApi({ dashboard: readDashboard(await buildDashboard()), ...ports });
  const browser = await chromium.launch({ executablePath: executablePath ?? '' });
  const visits: Visit[] = [];
  return {
    api,
    async visit(options = {}) {
      const visit = await signIn(api, browser, options, ports.clock?.now() ?? new Date());
      visits.push(visit);
      return visit;
    },
    async endVisits() {
      const ended = visits.splice(0);
      if (process.env['SCREENSHOTS'] !== undefined) await keepScreenshots(process.env['SCREENSHOTS'], ended);
      await Promise.all(ended.map(({ page }) => page.context().close()));
      const problems = ended.flatMap(({ problems }) => problems);
      if (problems.length > 0) throw new Error(`The console reported:\n${problems.join('\n')}`);
    },
    async close() {
      await browser.close();
      await api.close();
    },
  };
}

/** How each page looked at the end of a test, for a look at the screens or at a failure. */
async function keepScreenshots(folder: string, visits: readonly Visit[]): Promise<void> {
  for (const { page } of visits.filter(({ page }) => !page.isClosed()))
    await page.screenshot({ path: join(folder, `${Date.now()}.png`), fullPage: true });
}

async function signIn(api: TestApi, browser: Browser, options: VisitOptions, now: Date): Promise<Visit> {
  const tenant = options.tenant ?? (await buildTenant(api.db));
  const { role = 'owner' } = options;
  const { memberId, email, password } = await buildPerson(api.db, tenant.organisationId, { role });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options.browser });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (isProblem(message.type(), message.text())) problems.push(message.text());
  });
  const open = async (path: string): Promise<void> => {
    await page.goto(`${api.origin}/dashboard/${tenant.siteId}${path}`);
    await page.locator('main h1').waitFor();
  };
  const { token } = await api.db.transaction((tx) => createLink(tx, memberId, 'sign_in', now));
  await context.request.get(api.origin + SIGN_IN_LINKS + token, { maxRedirects: 0 });
  await open('');
  return { tenant, email, password, page, problems, open };
}

/** Chromium itself reports every answer of 400 and above as an error, which tests cause on purpose. */
const isProblem = (type: string, text: string): boolean =>
  (type === 'error' || type === 'warning') && !text.startsWith('Failed to load resource');

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What depends on the colours. */
const colourRules = ['color-contrast', 'link-in-text-block'];

const colorSchemes = ['light', 'dark'] as const;
export type ColorScheme = (typeof colorSchemes)[number];

/** What axe finds on the page as it is now: everything in the first colour scheme, and in another what depends on it. */
export async function axeFindings(
  page: Page,
  schemes: readonly ColorScheme[] = colorSchemes,
): Promise<string[]> {
  const found: string[] = [];
  for (const [index, colorScheme] of schemes.entries()) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // The colours change with the next frame.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    for (const { id, nodes } of await axeViolations(page, index === 0 ? tags : colourRules))
      found.push(
        ...nodes.map(({ html, failureSummary }) => `${colorScheme}: ${id}: ${html}: ${failureSummary}`),
      );
  }
  return found;
}

/** Lets a person come back to the page after a while, so that it reads again what it shows; `page.clock` is installed. */
export async function comeBack(page: Page, reads: string): Promise<void> {
  await page.clock.fastForward('05:00');
  const read = page.waitForResponse((answer) => answer.url().endsWith(reads) && answer.ok());
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
  await (await read).finished();
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

/** Whether the page is no wider than the screen, so that nobody has to scroll in two directions. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

/** Without waiting: at first nothing has the focus, and the body stands for that. */
const nameOfFocused = `(({ activeElement: focused, body }) =>
  focused === null || focused === body ? '' : focused.getAttribute('aria-label') ?? focused.textContent.trim())(document)`;

/** Presses Tab until what has the focus has that accessible name. */
export async function tabTo(page: Page, name: string | RegExp, most = 60): Promise<void> {
  for (let presses = 0; presses <= most; presses += 1) {
    const label = await page.evaluate<string>(nameOfFocused);
    if (typeof name === 'string' ? label === name : name.test(label)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${name}`);
}
