import type { Page } from 'playwright-core';
import { buildArticle, buildPublished, buildTenant } from '../support/builders.ts';
import { axeFindings } from '../support/axe.ts';
import { inBrowser, isTooWide, tabTo } from '../support/browser.ts';
import { useDashboard } from '../support/dashboard-browser.ts';
import type { Visit, VisitOptions } from '../support/dashboard-browser.ts';

/** In Berlin, the clocks are set forward at 2:00 on Sunday, 25 March 2040. */
const MARCH = '/calendar?on=2040-03-20';

inBrowser('the calendar', () => {
  const dashboard = useDashboard();

  /** Somebody in New York at a Site in Berlin. */
  const visiting = (options: VisitOptions = {}): Promise<Visit> =>
    dashboard.visit({ ...options, browser: { timezoneId: 'America/New_York', ...options.browser } });

  async function send({ tenant }: Pick<Visit, 'tenant'>, method: string, path: string, body?: object) {
    const answer = await dashboard.api.request(method, path, { key: tenant.secretKey, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.data;
  }

  /** @returns the article's id */
  async function scheduled(visit: Pick<Visit, 'tenant'>, title: string, time: string): Promise<string> {
    const { id } = await buildArticle(dashboard.api, visit.tenant.secretKey, { title, content: 'Text.' });
    await send(visit, 'POST', `/articles/${id}/schedule`, { scheduled_publish_at: time });
    return id;
  }

  const timeOf = async (visit: Visit, id: string): Promise<string> =>
    (await send(visit, 'GET', `/articles/${id}`)).scheduled_publish_at;
  const day = (page: Page, date: string) => page.locator(`td[data-day="${date}"]`);
  const entry = (page: Page, title: string) => page.getByRole('main').getByRole('button', { name: title });
  const on = (page: Page, date: string, title: string) =>
    day(page, date).getByRole('button', { name: title });
  const drag = (page: Page, title: string, date: string) => entry(page, title).dragTo(day(page, date));
  const dialog = (page: Page) => page.getByRole('dialog');
  const field = (page: Page) => page.getByLabel('New time');
  const toast = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });
  /** What the API answers to every change while this is so. */
  const unavailable = { error: { code: 'INTERNAL', message: 'Down.', request_id: 'req_1' } };
  const isSchedule = (url: URL): boolean => url.pathname.endsWith('/schedule');

  test('an article that is dragged to another day keeps its time of day, also over a change of the clocks', async () => {
    const visit = await visiting();
    const { page } = visit;
    const id = await scheduled(visit, 'Tea', '2040-03-24T10:00');
    expect(await timeOf(visit, id)).toBe('2040-03-24T09:00:00.000Z');
    await visit.open(MARCH);
    await page.getByText('Times are on the clock of the Site (Europe/Berlin). It is').waitFor();
    await on(page, '2040-03-24', 'Tea').getByText('10:00 AM').waitFor();
    await drag(page, 'Tea', '2040-03-25');
    await toast(page, 'is now scheduled for Mar 25, 2040, 10:00 AM.').waitFor();
    await on(page, '2040-03-25', 'Tea').getByText('10:00 AM').waitFor();
    expect(await timeOf(visit, id)).toBe('2040-03-25T08:00:00.000Z');
    // A day of the month before, which the view shows too.
    await drag(page, 'Tea', '2040-02-29');
    await toast(page, 'Feb 29, 2040, 10:00 AM').waitFor();
    await on(page, '2040-02-29', 'Tea').waitFor();
    expect(await timeOf(visit, id)).toBe('2040-02-29T09:00:00.000Z');
  });

  test('by keyboard alone: an article is opened and moved, and the focus comes back', async () => {
    const visit = await visiting();
    const { page } = visit;
    const id = await scheduled(visit, 'Tea', '2040-03-24T10:00');
    await visit.open(MARCH);
    await entry(page, 'Tea').waitFor();
    await tabTo(page, /Tea$/);
    await page.keyboard.press('Enter');
    await field(page).and(page.locator(':focus')).waitFor();
    await dialog(page).getByRole('definition').getByText('Mar 24, 2040, 5:00 AM').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
    expect(await field(page).inputValue()).toBe('2040-03-25T10:00');
    await dialog(page).getByText('On your clock: Mar 25, 2040, 4:00 AM').waitFor();
    await page.keyboard.press('Enter');
    await dialog(page).waitFor({ state: 'detached' });
    await on(page, '2040-03-25', 'Tea').and(page.locator(':focus')).waitFor();
    expect(await timeOf(visit, id)).toBe('2040-03-25T08:00:00.000Z');
    await page.keyboard.press('Enter');
    await field(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await entry(page, 'Tea').and(page.locator(':focus')).waitFor();
  });

  test('a time that does not exist, exists twice or has passed is asked for first', async () => {
    const visit = await visiting();
    const { page } = visit;
    const id = await scheduled(visit, 'Tea', '2040-03-24T02:30');
    await visit.open(MARCH);
    await drag(page, 'Tea', '2040-03-25');
    await dialog(page).getByText('This time does not exist').waitFor();
    await dialog(page).getByText('The same moment would be Mar 25, 2040, 3:30 AM').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Move' }).click();
    expect(await timeOf(visit, id)).toBe('2040-03-24T01:30:00.000Z');
    await field(page).fill('2040-10-28T02:30');
    await dialog(page).getByText('This time occurs twice').waitFor();
    await dialog(page).getByRole('button', { name: 'Move' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    expect(await timeOf(visit, id)).toBe('2040-10-28T00:30:00.000Z');
    await entry(page, 'Tea').waitFor({ state: 'detached' });
    await visit.open('/calendar?on=2040-10-02');
    await entry(page, 'Tea').click();
    await field(page).fill('2020-01-01T10:00');
    await dialog(page).getByText('This time has passed').waitFor();
  });

  test('a drag over a move of somebody else shows both times, and the own one can still be set', async () => {
    const visit = await visiting();
    const { page } = visit;
    const id = await scheduled(visit, 'Tea', '2040-03-20T10:00');
    await visit.open(MARCH);
    await entry(page, 'Tea').waitFor();
    await send(visit, 'POST', `/articles/${id}/schedule`, { scheduled_publish_at: '2040-03-13T17:00' });
    await drag(page, 'Tea', '2040-03-22');
    await dialog(page)
      .getByRole('alert')
      .getByText(/Somebody else moved .Tea. to Mar 13, 2040, 5:00 PM/)
      .waitFor();
    expect(await field(page).inputValue()).toBe('2040-03-22T10:00');
    expect(await timeOf(visit, id)).toBe('2040-03-13T16:00:00.000Z');
    await on(page, '2040-03-13', 'Tea').waitFor();
    await send(visit, 'POST', `/articles/${id}/schedule`, { scheduled_publish_at: '2040-03-14T17:00' });
    await dialog(page).getByRole('button', { name: 'Move' }).click();
    await dialog(page).getByRole('alert').getByText('Mar 14, 2040, 5:00 PM').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Move' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await on(page, '2040-03-22', 'Tea').waitFor();
    expect(await timeOf(visit, id)).toBe('2040-03-22T09:00:00.000Z');
  });

  test('an article that somebody else withdrew is not scheduled again', async () => {
    const visit = await visiting();
    const { page } = visit;
    const id = await scheduled(visit, 'Tea', '2040-03-20T10:00');
    await visit.open(MARCH);
    await entry(page, 'Tea').waitFor();
    await send(visit, 'POST', `/articles/${id}/cancel-schedule`);
    await drag(page, 'Tea', '2040-03-22');
    await toast(page, 'Somebody else published, withdrew or deleted').waitFor();
    await entry(page, 'Tea').waitFor({ state: 'detached' });
    expect((await send(visit, 'GET', `/articles/${id}`)).status).toBe('draft');
  });

  test('a move without a connection, or that the API cannot do now, says so and is put back', async () => {
    const visit = await visiting();
    const { page } = visit;
    const id = await scheduled(visit, 'Tea', '2040-03-20T10:00');
    await visit.open(MARCH);
    await entry(page, 'Tea').waitFor();
    await page.context().setOffline(true);
    await drag(page, 'Tea', '2040-03-22');
    await toast(page, 'There is no connection to the server').waitFor();
    await on(page, '2040-03-20', 'Tea').waitFor();
    await page.context().setOffline(false);
    let answer = (): void => {};
    const isShown = new Promise<void>((resolve) => (answer = resolve));
    await page.route(isSchedule, async (route) => {
      await isShown;
      await route.fulfill({ status: 503, json: unavailable });
    });
    await drag(page, 'Tea', '2040-03-22');
    await on(page, '2040-03-22', 'Tea').waitFor();
    answer();
    await toast(page, 'Something went wrong on the server').waitFor();
    await on(page, '2040-03-20', 'Tea').waitFor();
    await page.unroute(isSchedule);
    expect(await timeOf(visit, id)).toBe('2040-03-20T09:00:00.000Z');
    await drag(page, 'Tea', '2040-03-22');
    await toast(page, 'is now scheduled').waitFor();
    expect(await timeOf(visit, id)).toBe('2040-03-22T09:00:00.000Z');
  });

  test('an answer that was lost is no second move', async () => {
    const visit = await visiting();
    const { page } = visit;
    const id = await scheduled(visit, 'Tea', '2040-03-20T10:00');
    await visit.open(MARCH);
    let lost = 0;
    await page.route(isSchedule, async (route) => {
      await route.fetch();
      lost += 1;
      await route.abort();
    });
    await drag(page, 'Tea', '2040-03-22');
    await toast(page, 'There is no connection to the server').waitFor();
    await page.unroute(isSchedule);
    await page.reload();
    await on(page, '2040-03-22', 'Tea').waitFor();
    expect(lost).toBeGreaterThan(0);
    expect(await timeOf(visit, id)).toBe('2040-03-22T09:00:00.000Z');
  });

  test('months and weeks are paged, with what was published, and the address says which', async () => {
    const visit = await visiting();
    const { page, tenant } = visit;
    const { id } = await buildPublished(dashboard.api, tenant.secretKey, { title: 'Old tea' });
    await dashboard.api.db.pool.query(
      `update articles set published_at = '2026-02-28T23:30:00Z' where id = $1`,
      [id],
    );
    await scheduled(visit, 'April tea', '2026-12-31T23:59');
    await scheduled(visit, 'New Year', '2027-01-01T00:00');
    await visit.open('/calendar?on=2026-12-15');
    await on(page, '2026-12-31', 'April tea').waitFor();
    await page.getByRole('button', { name: 'Next month' }).click();
    await page.getByRole('heading', { name: 'January 2027' }).waitFor();
    await on(page, '2027-01-01', 'New Year').waitFor();
    await page.getByRole('button', { name: 'Week' }).click();
    await page.getByRole('heading', { name: 'January 11 – 17, 2027' }).waitFor();
    await page.getByRole('button', { name: 'Previous week' }).click();
    await page.getByRole('button', { name: 'Previous week' }).click();
    await on(page, '2027-01-01', 'New Year').getByText('12:00 AM').waitFor();
    expect(new URL(page.url()).search).toBe('?view=week&on=2027-01-01');
    await page.reload();
    await on(page, '2027-01-01', 'New Year').waitFor();
    // Half past midnight in Berlin, on the day after that of London.
    await visit.open('/calendar?on=2026-03-10');
    await on(page, '2026-03-01', 'Old tea').getByText('12:30 AM').waitFor();
    expect(await on(page, '2026-03-01', 'Old tea').getAttribute('draggable')).toBe('false');
    await page.getByRole('button', { name: 'List' }).click();
    await page.getByRole('heading', { name: 'Sunday, March 1' }).waitFor();
    await page.getByRole('button', { name: 'Today' }).click();
    await page.getByText('Nothing in this time').waitFor();
  });

  test('a full day shows some, and all in its week; what is overdue is said', async () => {
    const visit = await visiting();
    const { page } = visit;
    for (let number = 1; number <= 6; number += 1)
      await scheduled(visit, `Tea ${number}`, `2040-03-20T1${number}:00`);
    const late = await scheduled(visit, 'Late tea', '2040-03-21T10:00');
    await dashboard.api.db.pool.query(
      `update articles set scheduled_publish_at = now() - interval '1 hour' where id = $1`,
      [late],
    );
    await visit.open(MARCH);
    await page.getByText('An article is overdue').waitFor();
    await page.getByRole('link', { name: 'Late tea' }).waitFor();
    expect(await day(page, '2040-03-20').getByRole('button', { name: /^\d/ }).count()).toBe(4);
    await tabTo(page, '3 more on Tuesday, March 20, 2040');
    await page.keyboard.press('Enter');
    await on(page, '2040-03-20', 'Tea 6').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('on a phone it is a list, in German, with titles from right to left', async () => {
    const visit = await visiting({ browser: { viewport: { width: 320, height: 700 }, locale: 'de-DE' } });
    const { page } = visit;
    await scheduled(visit, `مقدمة في الخط العربي ${'lang'.repeat(30)}`, '2040-03-24T02:30');
    await visit.open(MARCH);
    await page.getByRole('heading', { name: 'Samstag, 24. März' }).waitFor();
    expect([await axeFindings(page), await isTooWide(page)]).toEqual([[], false]);
    await entry(page, 'مقدمة').click();
    await page.getByLabel('Neue Zeit').fill('2040-03-25T02:30');
    await page.getByText('Diese Zeit gibt es nicht').waitFor();
    expect(await isTooWide(page)).toBe(false);
    await page.getByLabel('Neue Zeit').fill('2040-03-25T03:30');
    await page.getByRole('button', { name: 'Verschieben' }).click();
    await page.getByRole('heading', { name: 'Sonntag, 25. März' }).waitFor();
    // What is said of the move fits on the screen, too.
    expect((await toast(page, 'geplant').getByText('geplant').boundingBox())?.x).toBeGreaterThan(0);
  });

  test('a change of a published article that has a time is there for every role, on the clock of the country', async () => {
    const owner = { tenant: await buildTenant(dashboard.api.db) };
    const { id } = await buildPublished(dashboard.api, owner.tenant.secretKey, { title: 'Old tea' });
    await send(owner, 'PATCH', `/articles/${id}/pending`, { title: 'New tea' });
    await send(owner, 'POST', `/articles/${id}/pending/schedule`, { scheduled_at: '2040-03-22T21:30' });
    const { tenant } = owner;
    const { page, open } = await visiting({ tenant, role: 'author', browser: { locale: 'en-GB' } });
    await open(MARCH);
    await on(page, '2040-03-22', 'New tea').getByText('21:30').waitFor();
  });

  test.each(['viewer', 'contributor'] as const)('a %s can open an article, and move none', async (role) => {
    const tenant = await buildTenant(dashboard.api.db, { timezone: 'America/New_York' });
    await scheduled({ tenant }, 'Tea', '2040-03-24T10:00');
    const visit = await visiting({ tenant, role });
    const { page } = visit;
    await visit.open(MARCH);
    await page.getByText('Times are on the clock of the Site (America/New_York).').waitFor();
    expect(await on(page, '2040-03-24', 'Tea').getAttribute('draggable')).toBe('false');
    await entry(page, 'Tea').click();
    await dialog(page).getByRole('link', { name: 'Open in the editor' }).waitFor();
    expect(await field(page).count()).toBe(0);
  });
});
