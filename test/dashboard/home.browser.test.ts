import { ask, buildAgent, decideAs } from '../support/approvals.ts';
import { buildArticle, buildPublished, buildTenant } from '../support/builders.ts';
import { axeFindings } from '../support/axe.ts';
import { inBrowser, isTooWide, tabTo } from '../support/browser.ts';
import { useDashboard } from '../support/dashboard-browser.ts';
import type { Visit } from '../support/dashboard-browser.ts';

inBrowser('the home screen', () => {
  const dashboard = useDashboard();

  async function send({ tenant }: Visit, method: string, path: string, body?: object) {
    const answer = await dashboard.api.request(method, path, {
      key: tenant.secretKey,
      body,
      idempotencyKey: true,
    });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.data;
  }
  const query = (text: string, values: unknown[]) => dashboard.api.db.pool.query(text, values);
  const draft = ({ tenant }: Pick<Visit, 'tenant'>, title: string | null, body: object = {}) =>
    buildArticle(dashboard.api, tenant.secretKey, { title, content: 'Text.', ...body });
  const steps = ({ page }: Visit) => page.getByRole('region', { name: 'First steps' });
  const note = ({ page }: Visit, text: string | RegExp) =>
    page.getByRole('listitem').filter({ hasText: text });

  /** An article whose time has passed while no worker ran. */
  async function overdue(visit: Visit, title: string): Promise<void> {
    const { id } = await draft(visit, title);
    await send(visit, 'POST', `/articles/${id}/schedule`, { scheduled_publish_at: '2040-01-01T10:00' });
    await query(`update articles set scheduled_publish_at = now() - interval '1 hour' where id = $1`, [id]);
  }

  const endpoint = (visit: Visit, path: string) =>
    send(visit, 'POST', '/webhooks', {
      url: `https://receiver.example/${path}`,
      events: ['article.published'],
    });

  const endedRun = ({ tenant }: Visit, status: string, ago: string) =>
    query(
      `insert into pipeline_runs (id, site_id, status, reason, writer, stages_total, created_at, started_at, finished_at)
       values (uuidv7(), $1, $2, 'provider_unavailable', 'llm', 5, now() - $3::interval, now() - $3::interval, now() - $3::interval)`,
      [tenant.siteId, status, ago],
    );

  test('the first steps lead to the screens by keyboard alone, and tick themselves', async () => {
    const visit = await dashboard.visit();
    const { page } = visit;
    await visit.open('');
    await steps(visit).getByText('1 of 4 done').waitFor();
    await page.getByText('Nothing needs your attention.').waitFor();
    await page.getByText('No articles yet').waitFor();
    await tabTo(page, 'Write an article');
    await page.keyboard.press('Enter');
    const title = page.getByRole('textbox', { name: 'Title', exact: true });
    await title.waitFor();
    await tabTo(page, title);
    await page.keyboard.type('About tea');
    await page.getByTestId('save-status').getByText('Saved').first().waitFor();
    await page.getByRole('link', { name: 'Home' }).first().press('Enter');
    await steps(visit).getByText('2 of 4 done').waitFor();
    await page.getByRole('link', { name: 'About tea' }).waitFor();
    await tabTo(page, 'Open the calendar');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor();
    await page.goBack();
    await steps(visit).getByRole('link', { name: 'Add a webhook' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  });

  test('a step that was done once stays done, and the steps go when all are done', async () => {
    const visit = await dashboard.visit();
    const { page } = visit;
    const { id } = await draft(visit, 'Tea');
    await send(visit, 'POST', `/articles/${id}/schedule`, { scheduled_publish_at: '2040-01-01T10:00' });
    await visit.open('');
    await steps(visit).getByText('3 of 4 done').waitFor();
    await send(visit, 'POST', `/articles/${id}/cancel-schedule`);
    await page.reload();
    await steps(visit).getByText('3 of 4 done').waitFor();
    await endpoint(visit, 'all');
    await page.reload();
    await page.getByRole('link', { name: 'Tea', exact: true }).waitFor();
    await steps(visit).waitFor({ state: 'detached' });
  });

  test('the first steps are put away, and stay away', async () => {
    const visit = await dashboard.visit();
    const { page } = visit;
    await visit.open('');
    await steps(visit).getByRole('button', { name: 'Hide the first steps' }).click();
    await steps(visit).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('No articles yet').waitFor();
    expect(await steps(visit).count()).toBe(0);
  });

  test('what needs attention says so, the most urgent first, and leads there', async () => {
    const visit = await dashboard.visit();
    const { page, tenant } = visit;
    await overdue(visit, 'Late tea');
    const [failing, off, paused] = [
      await endpoint(visit, 'failing'),
      await endpoint(visit, 'off'),
      await endpoint(visit, 'paused'),
    ];
    await query('update webhook_endpoints set consecutive_failures = 3 where id = $1', [failing.id]);
    await query(
      `update webhook_endpoints set enabled = false, disabled_reason = 'failures', disabled_at = now() where id = $1`,
      [off.id],
    );
    await send(visit, 'PATCH', `/webhooks/${paused.id}`, { enabled: false });
    await endedRun(visit, 'failed', '1 hour');
    await endedRun(visit, 'failed', '9 days');
    const agent = (await buildAgent(dashboard.api, tenant)).secret;
    const { id } = await draft(visit, 'To go');
    await ask(dashboard.api, agent, { method: 'DELETE', path: `/articles/${id}`, options: {} });
    const { slug } = await buildPublished(dashboard.api, tenant.secretKey);
    await send(visit, 'PATCH', '/comments/settings', { enabled: true, moderation: 'hold_all' });
    const comment = { slug, body: 'Hello.', author_name: 'Ada', author_email: 'ada@example.com' };
    await send(visit, 'POST', '/comments', comment);

    await visit.open('');
    await note(visit, 'A comment waits for a decision.').waitFor();
    const texts = await page
      .locator('section', { hasText: 'Needs attention' })
      .getByRole('listitem')
      .allInnerTexts();
    const expected = [
      /^“.Late tea.” was due .* and is not published yet/,
      /^The webhook to https:\/\/receiver\.example\/off was switched off after too many failures/,
      /^The run of .* failed\./,
      /^The last 3 deliveries to .*failing failed/,
      /^The key .* asks for an approval: Delete an article/,
      /^A comment waits/,
      /^The webhook to .*paused is switched off\./,
    ];
    expect(texts).toHaveLength(expected.length);
    for (const [index, pattern] of expected.entries()) expect(texts[index]).toMatch(pattern);
    await tabTo(page, /^Decide: /);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Delete an article' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: /^Open the article: “.Late tea/ }).click();
    await page.waitForURL(/\/articles\//);
  });

  test('a request that waits is named even if many newer ones are decided', async () => {
    const visit = await dashboard.visit();
    const { tenant } = visit;
    const agent = (await buildAgent(dashboard.api, tenant)).secret;
    const askForKey = (name: string) =>
      ask(dashboard.api, agent, {
        method: 'POST',
        path: '/keys',
        options: { body: { name, kind: 'secret', scopes: ['articles:read'] }, idempotencyKey: true },
      });
    const { id } = await draft(visit, 'To go');
    await ask(dashboard.api, agent, { method: 'DELETE', path: `/articles/${id}`, options: {} });
    for (let newer = 0; newer < 21; newer += 1)
      await decideAs(dashboard.api, tenant.secretKey, await askForKey(`Key ${newer}`), 'deny');
    await visit.open('');
    await note(visit, 'asks for an approval: Delete an article').waitFor();
  });

  test('an endpoint that recovered and a comment that was decided need no attention any more', async () => {
    const visit = await dashboard.visit();
    const { page, tenant } = visit;
    const { slug } = await buildPublished(dashboard.api, tenant.secretKey);
    await send(visit, 'PATCH', '/comments/settings', { enabled: true, moderation: 'hold_all' });
    const comment = { slug, body: 'Hello.', author_name: 'Ada', author_email: 'ada@example.com' };
    await send(visit, 'POST', '/comments', comment);
    await visit.open('');
    await note(visit, 'A comment waits')
      .getByRole('link', { name: /^Moderate/ })
      .click();
    await page
      .getByRole('article', { name: 'Comment by Ada' })
      .getByRole('button', { name: 'Approve' })
      .click();
    await page.getByText('Approved the comment by Ada.').first().waitFor();
    await page.getByRole('link', { name: 'Home' }).first().click();
    await page.getByText('Nothing needs your attention.').waitFor();
  });

  test('the articles that changed last are where one goes on', async () => {
    const visit = await dashboard.visit();
    const { page } = visit;
    for (const title of ['First', null, 'مقدمة في الخط العربي']) await draft(visit, title);
    await visit.open('');
    await page.getByRole('link', { name: 'First' }).waitFor();
    const recent = page.locator('section', { hasText: 'Recently changed' }).getByRole('listitem');
    expect(await recent.getByRole('link').allInnerTexts()).toEqual([
      'مقدمة في الخط العربي',
      'Untitled',
      'First',
    ]);
    const direction = await page.getByText('مقدمة').evaluate((node) => {
      return node.ownerDocument.defaultView?.getComputedStyle(node).direction;
    });
    expect(direction).toBe('rtl');
    await tabTo(page, 'Untitled');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Title', exact: true }).waitFor();
  });

  test('what cannot be read is said, and read again', async () => {
    const visit = await dashboard.visit();
    const { page } = visit;
    await draft(visit, 'Tea');
    const unavailable = { error: { code: 'INTERNAL', message: 'Down.', request_id: 'req_1' } };
    const down = (url: URL): boolean => /\/v1\/(webhooks|articles)$/.test(url.pathname);
    await page.route(down, (route) => route.fulfill({ status: 503, json: unavailable }));
    await visit.open('');
    const alerts = page.getByRole('alert').filter({ hasText: 'Something went wrong on the server' });
    await alerts.nth(1).waitFor();
    expect(await page.getByText('Nothing needs your attention.').count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    await page.unroute(down);
    for (let left = await alerts.count(); left > 0; left -= 1) {
      await alerts.first().getByRole('button', { name: 'Try again' }).click();
      await alerts.nth(left - 1).waitFor({ state: 'detached' });
    }
    await page.getByRole('link', { name: 'Tea', exact: true }).waitFor();
    await page.getByText('Nothing needs your attention.').waitFor();
  });

  test('who may only read has no steps and nothing to decide', async () => {
    const owner = { tenant: await buildTenant(dashboard.api.db) };
    await draft(owner, 'Tea');
    const agent = (await buildAgent(dashboard.api, owner.tenant)).secret;
    const { id } = await draft(owner, 'To go');
    await ask(dashboard.api, agent, { method: 'DELETE', path: `/articles/${id}`, options: {} });
    const visit = await dashboard.visit({ tenant: owner.tenant, role: 'viewer' });
    const refused: string[] = [];
    visit.page.on('response', (response) => {
      if (response.status() >= 400) refused.push(response.url());
    });
    await visit.open('');
    await visit.page.getByRole('link', { name: 'Tea', exact: true }).waitFor();
    await visit.page.getByText('Nothing needs your attention.').waitFor();
    expect(await steps(visit).count()).toBe(0);
    expect(await visit.page.getByRole('link', { name: 'New article' }).count()).toBe(0);
    expect(refused).toEqual([]);
  });

  test('it reads well in German at 320 px, with long and foreign titles', async () => {
    const visit = await dashboard.visit({
      browser: { viewport: { width: 320, height: 700 }, locale: 'de-DE' },
    });
    const { page } = visit;
    await overdue(visit, `شاي ${'sehrlang'.repeat(30)}`);
    await draft(visit, 'Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrik'.repeat(2));
    await endpoint(visit, 'x'.repeat(300));
    await query('update webhook_endpoints set consecutive_failures = 1 where site_id = $1', [
      visit.tenant.siteId,
    ]);
    await visit.open('');
    await page.getByText('Die letzte Zustellung').waitFor();
    await page.getByText('Erste Schritte').waitFor({ state: 'detached' });
    await page.getByText('Zuletzt geändert').waitFor();
    expect(await isTooWide(page)).toBe(false);
  });
});
