import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import pg from 'pg';
import { createDatabase } from '../../../db/database.ts';
import { operator } from '../../../domain/audit/record.ts';
import { hashPassword, setPassword } from '../../../domain/sign-in/passwords.ts';
import { findChromium } from '../../dev/chromium.ts';
import { buildDashboard } from '../../dev/dashboard.ts';
import { StartError } from '../../dev/home.ts';
import { startApi } from '../processes.ts';
import type { OnEnd } from '../run.ts';
import type { Seeded, SeedSize } from '../seed.ts';
import { scrollThrough } from './scrolling.ts';
import type { Scrolled } from './scrolling.ts';
import { typeInto } from './typing.ts';
import type { Typed } from './typing.ts';

export const dashboardSize: SeedSize = {
  smallSites: 0,
  articlesInLarge: 100_000,
  articlesInSmall: 0,
  keysInLarge: 1,
  keysInSmall: 0,
};

const LOADS = 10;
const ROWS = 10_000;
const LONG_ARTICLE = 100_000;
const PASSWORD = 'A password for the benchmark';

export interface DashboardFigures {
  /** From the navigation to the first row of the articles, in ms: with nothing cached, and with everything. */
  readonly cold: readonly number[];
  readonly warm: readonly number[];
  /** The same list, asked for by the page without anything around it. */
  readonly list: readonly number[];
  readonly scrolled: Scrolled;
  readonly typed: Typed;
}

/** Measures the dashboard in Chromium, on a Site with 100,000 articles. */
export async function measureDashboard(
  home: string,
  databaseUrl: string,
  { large }: Seeded,
  onEnd: OnEnd,
): Promise<DashboardFigures> {
  const executablePath = findChromium();
  if (executablePath === null) throw new StartError('This benchmark needs Chromium, or Chrome, or CHROMIUM.');
  const article = await prepare(databaseUrl, large.id);
  const { origin } = await startApi(
    {
      env: { DATABASE_URL: databaseUrl, DASHBOARD_FOLDER: await buildDashboard() },
      logFile: join(home, 'api.log'),
    },
    onEnd,
  );
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--js-flags=--expose-gc'] });
  onEnd(() => browser.close());
  const address = `${origin}/dashboard/${large.id}/articles`;
  const page = await signedIn(browser, origin, address);
  const cold: number[] = [];
  const warm: number[] = [];
  for (let load = 0; load < LOADS; load += 1) {
    cold.push(await withoutCache(page, () => firstRow(page, address)));
    warm.push(await firstRow(page, address));
  }
  const list = await listAlone(page, large.id);
  const scrolled = await scrollThrough(page, address, ROWS);
  const typed = await typeInto(page, `${address}/${article}`);
  return { cold, warm, list, scrolled, typed };
}

/** Gives the owner a password, and a draft a long text. @returns the draft */
async function prepare(databaseUrl: string, siteId: string): Promise<string> {
  const db = createDatabase({
    connectionString: databaseUrl,
    applicationName: 'presswork-bench',
    poolSize: 1,
  });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const members = await client.query<{ id: string }>('select id from members');
    const hash = await hashPassword(PASSWORD);
    await db.transaction((tx) =>
      setPassword({ tx, actor: operator, now: new Date() }, members.rows[0]?.id ?? '', hash),
    );
    const line = 'Bread needs **time**, [water](https://example.com/water) and a warm place to rest.\n';
    const paragraph = `## How it is done\n\n${line.repeat(8)}\n- salt\n- flour\n\n`;
    const text = paragraph.repeat(Math.ceil(LONG_ARTICLE / paragraph.length)).slice(0, LONG_ARTICLE);
    const drafts = await client.query<{ id: string }>(
      `update articles set content = $2 where id = (
         select id from articles where site_id = $1 and status = 'draft' limit 1) returning id`,
      [siteId, text],
    );
    return drafts.rows[0]?.id ?? '';
  } finally {
    await client.end();
    await db.close();
  }
}

/** A page of a person who has signed in and has seen the list once. */
async function signedIn(browser: Browser, origin: string, address: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(`${origin}/sign-in?next=/dashboard`);
  await page.getByLabel('E-mail address').fill('bench@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(({ pathname }) => pathname.startsWith('/dashboard'));
  await firstRow(page, address);
  return page;
}

/** @returns the milliseconds from the navigation until the first row can be seen */
async function firstRow(page: Page, address: string): Promise<number> {
  await page.goto('about:blank');
  const begun = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator('tbody a').first().waitFor();
  return performance.now() - begun;
}

async function withoutCache<Result>(page: Page, act: () => Promise<Result>): Promise<Result> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  try {
    return await act();
  } finally {
    await session.detach();
  }
}

/** The milliseconds of the list's own request. */
const listAlone = (page: Page, siteId: string): Promise<number[]> =>
  page.evaluate(
    async ({ path, loads }) => {
      const times: number[] = [];
      for (let load = 0; load < loads; load += 1) {
        const begun = performance.now();
        const answer = await fetch(path, { headers: { 'X-Presswork': '1' } });
        await answer.json();
        times.push(performance.now() - begun);
      }
      return times;
    },
    { path: `/dashboard/${siteId}/v1/articles?limit=50`, loads: LOADS },
  );
