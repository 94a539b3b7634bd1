import type { Locator, Page } from 'playwright-core';
import { Presswork } from '../../../sdk/src/index.ts';
import type { Article } from '../../../sdk/src/index.ts';
import type { DashboardBrowser, Visit } from '../../support/dashboard-browser.ts';
import { eventually } from '../../support/eventually.ts';

/** An article that is open in the editor, and the same article over the API. */
export interface OpenArticle {
  readonly visit: Visit;
  readonly page: Page;
  readonly presswork: Presswork;
  readonly id: string;
}

export const clientOf = ({ api }: DashboardBrowser, { tenant }: Pick<Visit, 'tenant'>): Presswork =>
  new Presswork({ apiKey: tenant.secretKey, baseUrl: `${api.origin}/v1` });

/** Creates an article and opens it. */
export async function openArticle(
  dashboard: DashboardBrowser,
  article: Parameters<Presswork['articles']['create']>[0],
  { isPublished = false, visit: known }: { isPublished?: boolean; visit?: Visit } = {},
): Promise<OpenArticle> {
  const visit = known ?? (await dashboard.visit());
  const presswork = clientOf(dashboard, visit);
  const { id } = await presswork.articles.create(article);
  if (isPublished) await presswork.articles.publish(id);
  await visit.open(`/articles/${id}`);
  return { visit, page: visit.page, presswork, id };
}

export const textOf = (page: Page) => page.locator('.cm-content').first();
export const titleOf = (page: Page) => page.getByRole('textbox', { name: 'Title', exact: true });

/** Chooses from the menu of the editor. */
export async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Types at the end of the text. */
export async function typeAtEnd(page: Page, text: string): Promise<void> {
  await textOf(page).click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type(text);
}

/** From now on no pause is long enough for anything to be saved or asked, however busy the machine is. */
export async function stopTime(page: Page): Promise<void> {
  // The preview, in which no script runs, would report that of the clock.
  await page.getByRole('tab', { name: 'Details' }).click();
  await page.locator('iframe').waitFor({ state: 'detached' });
  await page.getByRole('textbox', { name: 'Excerpt' }).waitFor();
  await page.clock.install();
  await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1_000);
}

const STEP_MS = 100;

/** Lets the time of a stopped clock pass in steps that are too short to be a pause, until something is there. */
export async function passTime(page: Page, until: Locator): Promise<void> {
  const step = async (): Promise<boolean> => {
    if (await until.isVisible()) return true;
    await page.clock.runFor(STEP_MS);
    return false;
  };
  await eventually(`${until} is there`, step, STEP_MS);
}

export const saved = (page: Page): Promise<void> => status(page, /^(Saved|Gespeichert)$/);

/** Waits until the status of saving says so. */
export const status = (page: Page, text: string | RegExp): Promise<void> => statusOf(page, text).waitFor();

export const statusOf = (page: Page, text: string | RegExp): Locator =>
  page.getByTestId('save-status').getByText(text).first();

export const read = (presswork: Presswork, id: string): Promise<Article> =>
  presswork.articles.get(id) as Promise<Article>;
