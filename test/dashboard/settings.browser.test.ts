import { chosenGates, defaultGates, gatedOperations } from '../../domain/approvals/gated-operations.ts';
import type { Page } from 'playwright-core';
import { inBrowser, tabTo } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { comeBack, useDashboard } from '../support/dashboard-browser.ts';
import type { Visit } from '../support/dashboard-browser.ts';

inBrowser('settings, in Chromium', () => {
  const dashboard = useDashboard();

  const read = async ({ tenant }: Visit, path: string) =>
    (await dashboard.api.request('GET', path, { key: tenant.secretKey })).data;
  const change = async ({ tenant }: Visit, path: string, body: object): Promise<void> => {
    const { status, text } = await dashboard.api.request('PATCH', path, { key: tenant.secretKey, body });
    if (status !== 200) throw new Error(text);
  };
  const organisation = (page: Page) => page.getByRole('region', { name: 'Organisation' });

  test('comments are opened by keyboard alone, and a wrong number is said at its field', async () => {
    const visit = await dashboard.visit();
    const { page, open } = visit;
    await open('/settings');
    const days = page.getByRole('textbox', { name: 'Days after publication' });
    const focus = async (role: 'switch' | 'checkbox', name: string): Promise<void> => {
      const target = page.getByRole(role, { name });
      await target.waitFor();
      await tabTo(page, target);
    };
    await focus('switch', 'Readers can comment');
    await page.keyboard.press('Space');
    await focus('checkbox', 'Close comments');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('4000');
    await page.keyboard.press('Enter');
    await page.locator('[aria-invalid=true]:focus').waitFor();
    expect(await days.inputValue()).toBe('4000');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('90');
    await page.keyboard.press('Enter');
    await page.getByText('The settings are saved.').waitFor();
    expect(await read(visit, '/comments/settings')).toMatchObject({ enabled: true, close_after_days: 90 });
  });

  test('what agents ask before is set, and what somebody else has saved meanwhile is not lost', async () => {
    const visit = await dashboard.visit();
    const { page, open } = visit;
    await open('/settings');
    const form = organisation(page);
    await form.getByRole('checkbox', { name: 'start a run' }).click();
    await change(visit, '/organisation', {
      name: 'Renamed meanwhile',
      approval_operations: gatedOperations.filter((each) => each !== 'key.create'),
    });
    await tabTo(page, 'Save changes');
    await form.getByRole('button', { name: 'Save changes' }).click();
    await form.getByRole('alert').getByText('Somebody else').waitFor();
    expect(await form.getByRole('checkbox', { name: 'start a run' }).isChecked()).toBe(false);
    expect(await form.getByRole('checkbox', { name: 'create a key' }).isChecked()).toBe(false);
    expect(await form.getByRole('textbox').inputValue()).toBe('Renamed meanwhile');
    await form.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The settings are saved.').waitFor();
    const saved = await read(visit, '/organisation');
    expect(saved.name).toBe('Renamed meanwhile');
    const without = ['pipeline.run', 'key.create'];
    expect(saved.approval_operations).toEqual(gatedOperations.filter((each) => !without.includes(each)));
  });

  test('one switch makes agents ask a person before all that changes what readers see', async () => {
    const visit = await dashboard.visit();
    const { page, open } = visit;
    const inForce = async () => (await read(visit, '/organisation')).approval_operations;
    await open('/settings');
    const readers = page.getByRole('switch', { name: 'What readers see needs a person' });
    expect(await readers.isChecked()).toBe(false);
    await tabTo(page, readers);
    await page.keyboard.press('Space');
    await organisation(page).getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The settings are saved.').waitFor();
    expect(await inForce()).toEqual([...chosenGates, ...defaultGates]);
    await readers.click();
    await organisation(page).getByRole('button', { name: 'Save changes' }).click();
    await eventually('the switch is off', async () => (await inForce()).length === defaultGates.length);
  });

  test('what AI wrote is marked once the Site says so', async () => {
    const visit = await dashboard.visit();
    const { page, open } = visit;
    await open('/settings');
    const form = page.getByRole('region', { name: 'Site', exact: true });
    await form.getByLabel('Texts that AI wrote').selectOption('Are marked');
    await form.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The settings are saved.').waitFor();
    expect((await read(visit, '/site')).ai_disclosure).toBe('mark');
  });

  test('the Site is changed, a wrong address is said at its field, and what somebody else saved stays', async () => {
    const visit = await dashboard.visit();
    const { page, open } = visit;
    await open('/settings');
    const form = page.getByRole('region', { name: 'Site', exact: true });
    const save = form.getByRole('button', { name: 'Save changes' });
    await form.getByLabel('Articles').fill('/blog/');
    await save.click();
    await form.getByText('must contain {slug} once').waitFor();
    expect(await page.locator(':focus').inputValue()).toBe('/blog/');
    await page.keyboard.type('{slug}');
    await form.getByLabel('Time zone').fill('America/New_York');
    const { url_paths: paths } = await read(visit, '/site');
    const theirs = { name: 'Renamed meanwhile', url_paths: { ...paths, author: '/people/{slug}' } };
    await change(visit, '/site', theirs);
    await page.keyboard.press('Enter');
    await form.getByRole('alert').getByText('Somebody else').waitFor();
    expect(await form.getByLabel('Name').inputValue()).toBe('Renamed meanwhile');
    expect(await form.getByLabel('Authors').inputValue()).toBe('/people/{slug}');
    await save.click();
    await page.getByText('The settings are saved.').waitFor();
    expect(await read(visit, '/site')).toMatchObject({
      name: 'Renamed meanwhile',
      timezone: 'America/New_York',
      url_paths: { article: '/blog/{slug}', tag: '/tag/{slug}', author: '/people/{slug}' },
    });
  });

  test.each([
    { region: 'Site', path: '/site' },
    { region: 'Organisation', path: '/organisation' },
  ])('what is read again while somebody types in $region is not overwritten', async ({ region, path }) => {
    const visit = await dashboard.visit();
    const { page, open } = visit;
    await page.clock.install();
    await open('/settings');
    const form = page.getByRole('region', { name: region, exact: true });
    const name = form.getByLabel(/^Name/);
    await name.fill('Mine');
    await change(visit, path, { name: 'Theirs' });
    await comeBack(page, `/v1${path}`);
    await form.getByRole('button', { name: 'Save changes' }).click();
    await form.getByRole('alert').getByText('Somebody else').waitFor();
    expect((await read(visit, path)).name).toBe('Theirs');
    expect(await name.inputValue()).toBe('Mine');
    await form.getByRole('button', { name: 'Discard changes' }).click();
    expect(await name.inputValue()).toBe('Theirs');
  });

  test('an editor sees the Site and the comments, and nothing of the organisation', async () => {
    const { page, open } = await dashboard.visit({ role: 'editor' });
    await open('/settings');
    await page.getByRole('switch', { name: 'Readers can comment' }).waitFor();
    await page.getByText('Europe/Berlin').waitFor();
    expect(await organisation(page).count()).toBe(0);
  });
});
