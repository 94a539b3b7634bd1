import type { BrowserContextOptions, Page } from 'playwright-core';
import { readDashboard } from '../../api/pages/dashboard/files.ts';
import type { Ports } from '../../api/framework/ports.ts';
import type { Role } from '../../domain/access/permissions.ts';
import { systemClock } from '../../domain/kernel/clock.ts';
import type { Clock } from '../../domain/kernel/clock.ts';
import { buildDashboard } from '../../tools/dev/dashboard.ts';
import { SIGN_IN_LINKS } from '../../domain/sign-in/link-paths.ts';
import { createLink } from '../../domain/sign-in/links.ts';
import { startApi } from './api.ts';
import type { TestApi } from './api.ts';
import { usePages } from './browser.ts';
import { buildPerson, buildTenant } from './builders.ts';
import type { Tenant } from './builders.ts';

/** Somebody who is signed in, in a browser of their own. */
export interface Visit {
  readonly tenant: Tenant;
  readonly email: string;
  readonly password: string;
  /** Empty at first. */
  readonly page: Page;
  /** Opens a screen of the Site, such as `/articles?status=%5B%22draft%22%5D`, and waits for its heading. */
  open(path: string): Promise<void>;
}

export interface VisitOptions {
  readonly role?: Role;
  /** Of an earlier visit, for a second tab or another person of the same Site. */
  readonly tenant?: Tenant;
  readonly browser?: BrowserContextOptions;
}

/** The dashboard, and people who visit it. */
export interface DashboardBrowser {
  readonly api: TestApi;
  /** Signs a new person in by a link that works once, which takes less time than a password. */
  visit(options?: VisitOptions): Promise<Visit>;
}

/** Of all visitors, so that it is hashed once. */
const password = 'A password of a visitor';

/** An API that serves the dashboard. */
export const startDashboard = async (ports: Partial<Ports> = {}): Promise<TestApi> =>
  startApi({ dashboard: readDashboard(await buildDashboard()), ...ports });

/** The dashboard, for the tests of a block. */
export function useDashboard(ports: Partial<Ports> = {}): DashboardBrowser {
  let api: TestApi;
  beforeAll(async () => {
    api = await startDashboard(ports);
  });
  afterAll(() => api.close());
  return useVisits(() => ({ api, ...ports }));
}

/** Visits of a dashboard that the block has started itself. @param started when a visit asks for it */
export function useVisits(
  started: () => { readonly api: TestApi; readonly clock?: Clock },
): DashboardBrowser {
  const openPage = usePages();
  return {
    get api() {
      return started().api;
    },
    async visit({ role = 'owner', tenant: known, browser } = {}) {
      const { api, clock = systemClock } = started();
      const tenant = known ?? (await buildTenant(api.db));
      const { memberId, email } = await buildPerson(api.db, tenant.organisationId, { role, password });
      const { token } = await api.db.transaction((tx) => createLink(tx, memberId, 'sign_in', clock.now()));
      const page = await openPage(browser);
      await page.context().request.get(api.origin + SIGN_IN_LINKS + token, { maxRedirects: 0 });
      const open = async (path: string): Promise<void> => {
        await page.goto(`${api.origin}/dashboard/${tenant.siteId}${path}`);
        await page.locator('main h1').waitFor();
      };
      return { tenant, email, password, page, open };
    },
  };
}

/** Lets a person come back to the page after a while, so that it reads again what it shows; `page.clock` is installed. */
export async function comeBack(page: Page, reads: string): Promise<void> {
  // The time that passes may be enough for it to be read.
  const read = page.waitForResponse((answer) => answer.url().endsWith(reads) && answer.ok());
  await page.clock.fastForward('05:00');
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
  await (await read).finished();
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}
