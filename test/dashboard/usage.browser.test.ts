import { readFile } from 'node:fs/promises';
import { operator } from '../../domain/audit/record.ts';
import { newId } from '../../domain/kernel/ids.ts';
import { grantCredits } from '../../domain/usage/credits.ts';
import { chargeCredits, refundCredits } from '../../domain/billing/charge.ts';
import { buildArticle } from '../support/builders.ts';
import { inBrowser } from '../support/browser.ts';
import { useDashboard } from '../support/dashboard-browser.ts';
import type { Visit } from '../support/dashboard-browser.ts';

inBrowser('usage, in Chromium', () => {
  const dashboard = useDashboard();

  /** A grant, 30 charges of 10 and the refund of one. */
  async function spend({ tenant }: Visit): Promise<{ articleId: string; runId: string }> {
    const { id: articleId } = await buildArticle(dashboard.api, tenant.secretKey, { title: 'Tea' });
    const runId = newId();
    const now = new Date();
    await dashboard.api.db.transaction((tx) =>
      grantCredits({ tx, actor: operator, now }, tenant.organisationId, 500),
    );
    for (let stage = 0; stage < 30; stage += 1) {
      const unit = { siteId: tenant.siteId, runId, articleId, stage: `stage-${stage}`, cost: 10 };
      await dashboard.api.db.transaction((tx) => chargeCredits(tx, unit, now));
    }
    const unit = { siteId: tenant.siteId, runId, articleId, stage: 'stage-0' };
    await dashboard.api.db.transaction((tx) => refundCredits(tx, unit, now));
    return { articleId, runId };
  }

  test('balance, plan and forecast are those of the ledger', async () => {
    const visit = await dashboard.visit();
    const { page, open } = visit;
    const { articleId } = await spend(visit);
    await open('/usage');
    const credits = page.getByRole('region').or(page.locator('section')).filter({ hasText: 'Forecast' });
    // 1,000 at the start, 500 granted, 300 charged, 10 refunded.
    await credits.getByText('1,210', { exact: true }).waitFor();
    await credits.getByText('290', { exact: true }).waitFor();
    await page.getByText('At this rate the balance lasts about 4 days.').waitFor();
    await page.getByText('1 of 10,000', { exact: true }).waitFor();
    await page.getByRole('row').filter({ hasText: 'Refunded' }).getByText('+10').waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: 'Refunded' })
      .getByRole('link', { name: 'Article' })
      .click();
    await page.waitForURL(`**/articles/${articleId}`);
  });

  test('the ledger is narrowed by kind and exported as it is narrowed', async () => {
    const visit = await dashboard.visit();
    const { page, open } = visit;
    await spend(visit);
    await open('/usage');
    await page.getByLabel('Kind').selectOption({ label: 'Granted' });
    await page.waitForURL('**/usage?kind=grant');
    await page.getByRole('row').filter({ hasText: 'Charged' }).first().waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: '+500' }).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    const lines = (await readFile(await (await downloading).path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines[0]).toContain('time,kind,amount,balance,stage,article_id,run_id,scan_id,payment_id');
    expect(lines.slice(1).every((line) => line.split(',')[1] === 'grant')).toBe(true);
    expect(lines[1]?.split(',').slice(1, 3)).toEqual(['grant', '500']);
  });

  test('a Site that spent nothing is told so', async () => {
    const { page, open } = await dashboard.visit({ browser: { locale: 'de-DE' } });
    await open('/usage');
    await page.getByText('keine Credits ausgegeben').waitFor();
  });
});
