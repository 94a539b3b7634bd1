import type { Page } from 'playwright-core';
import { Presswork } from '../../../sdk/src/index.ts';
import type { Article } from '../../../sdk/src/index.ts';
import { axeFindings } from '../../support/dashboard-browser.ts';
import type { DashboardBrowser, Visit } from '../../support/dashboard-browser.ts';

/** An article that is open in the editor, and the same article over the API. */
export interface OpenArticle {
  readonly visit: Visit;
  readonly page: Page;
  readonly presswork: Presswork;
  readonly id: string;
}

export const clientOf = ({ api }: DashboardBrowser, { tenant }: Visit): Presswork =>
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

export const saved = (page: Page): Promise<void> => status(page, /^(Saved|Gespeichert)$/);

/** Waits until the status of saving says so. */
export const status = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByTestId('save-status').getByText(text).first().waitFor({ timeout: 30_000 });

export const read = (presswork: Presswork, id: string): Promise<Article> =>
  presswork.articles.get(id) as Promise<Article>;

/** Without the frame of the preview, in which axe cannot run, as nothing can. */
export async function findings(page: Page): Promise<string[]> {
  await page.locator('iframe').evaluateAll((frames) => frames.forEach((frame) => frame.remove()));
  return axeFindings(page);
}
