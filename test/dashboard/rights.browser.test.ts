import sharp from 'sharp';
import { chosenGates } from '../../domain/approvals/gated-operations.ts';
import { buildArticle, buildKey } from '../support/builders.ts';
import { inBrowser } from '../support/browser.ts';
import { useDashboard } from '../support/dashboard-browser.ts';
import type { Visit } from '../support/dashboard-browser.ts';
import { eventually } from '../support/eventually.ts';
import { allowBrowsersToUpload } from '../support/objects.ts';

inBrowser('rights, in Chromium', () => {
  const dashboard = useDashboard();
  const read = async ({ tenant }: Visit, path: string) =>
    (await dashboard.api.request('GET', path, { key: tenant.secretKey })).data;

  test('one switch has everything that readers see wait for a person', async () => {
    const visit = await dashboard.visit();
    const { page, open } = visit;
    await open('/settings');
    const form = page.getByRole('region', { name: 'Organisation' });
    for (const isChosen of [true, false]) {
      await form.getByRole('switch', { name: 'What readers see needs a person' }).click();
      await form.getByRole('button', { name: 'Save changes' }).click();
      await page.getByText('The settings are saved.').first().waitFor();
      await form.getByRole('button', { name: 'Discard changes' }).waitFor({ state: 'detached' });
      const { approval_operations: saved } = await read(visit, '/organisation');
      expect(chosenGates.map((gate) => saved.includes(gate))).toEqual(chosenGates.map(() => isChosen));
      expect(saved).toContain('connection.create');
    }
  });

  test('schedules of a key are listed before it is revoked, and cancelled with it', async () => {
    const visit = await dashboard.visit();
    const { page, open, tenant } = visit;
    const key = await buildKey(dashboard.api.db, tenant.siteId, tenant.memberId);
    const { id } = await buildArticle(dashboard.api, key.secret, { title: 'Tea in winter', content: 'Text' });
    await dashboard.api.request('POST', `/articles/${id}/schedule`, {
      key: key.secret,
      body: { scheduled_publish_at: '2099-01-01T00:00:00Z' },
    });
    const { items } = await read(visit, '/keys');
    const { name } = items.find((one: { id: string }) => one.id === key.id);
    await open('/keys');
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    const dialog = page.getByRole('dialog', { name: `Revoke ${name}?` });
    await dialog.getByText('Tea in winter').waitFor();
    await dialog.getByRole('checkbox', { name: 'Cancel these schedules' }).click();
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText(`${name} is revoked.`).waitFor();
    expect((await read(visit, `/articles/${id}`)).status).toBe('draft');
  });

  test('a key takes the password again once the sign-in is a while ago, and what was typed is not lost', async () => {
    const visit = await dashboard.visit();
    const { page, open } = visit;
    await open('/keys');
    await dashboard.api.db.pool.query(
      `update sessions set created_at = created_at - interval '11 minutes' where token_hash in (
         select token_hash from session_members sm join members m on m.id = sm.member_id where m.email = $1)`,
      [visit.email],
    );
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Shop');
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: false }).last().click();
    const proof = page.getByRole('dialog', { name: 'Is it still you?' });
    await proof.getByLabel('Your password').fill('Password of someone else');
    await proof.getByRole('button', { name: 'Go on' }).click();
    await proof.getByText('is wrong').waitFor();
    await proof.getByLabel('Your password').fill(visit.password);
    await proof.getByRole('button', { name: 'Go on' }).click();
    await proof.waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'Secret' }).inputValue()).toMatch(/^svc_sk_/);
  });

  test('the place of a photograph is removed before the upload, if the person wants that', async () => {
    await allowBrowsersToUpload();
    const buffer = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#3a7' } })
      .withExif({ IFD3: { GPSDateStamp: '2026:11:28', GPSLatitudeRef: 'N' } })
      .jpeg()
      .toBuffer();
    const visit = await dashboard.visit();
    const { page, open } = visit;
    await open('/media');
    const file = { name: 'holiday.jpg', mimeType: 'image/jpeg', buffer };
    await page.locator('input[type=file][accept]').setInputFiles([file]);
    const question = page.getByRole('dialog', { name: 'This photograph says where it was taken' });
    await question.getByRole('button', { name: 'Remove the place' }).click();
    let items: { url: string }[] = [];
    await eventually('the photograph is in the library', async () => {
      ({ items } = await read(visit, '/media'));
      return items.length > 0;
    });
    const stored = Buffer.from(await (await fetch(items[0]?.url ?? '')).arrayBuffer());
    expect((await sharp(stored).metadata()).width).toBe(60);
    expect(stored.toString('latin1')).not.toContain('2026:11:28');
  });
});
