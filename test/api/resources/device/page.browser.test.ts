import type { Page } from 'playwright-core';
import { startApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';
import { inBrowser, tabTo, usePages } from '../../../support/browser.ts';
import { buildPerson, buildSite, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { poll, startDeviceSignIn } from '../../../support/device.ts';

// page.test.ts and sessions.test.ts test the same by plain HTTP, on every machine.
inBrowser('in Chromium, by keyboard alone', () => {
  let api: TestApi;
  let page: Page;
  let tenant: Tenant;
  let person: Awaited<ReturnType<typeof buildPerson>>;
  const open = usePages();

  beforeAll(async () => {
    api = await startApi();
  });
  beforeEach(async () => {
    tenant = await buildTenant(api.db);
    person = await buildPerson(api.db, tenant.organisationId);
    page = await open();
  });
  afterAll(() => api.close());

  const heading = (): Promise<string> => page.locator('h1').innerText();
  const press = (key: string): Promise<void> => page.keyboard.press(key);

  /** Submits the form of the focused field or button, and waits for the next page. */
  async function enter(): Promise<void> {
    const arrived = page.waitForEvent('load');
    await press('Enter');
    await arrived;
  }

  /** Types into the field with that label, which must have the focus. */
  async function type(label: string, text: string): Promise<void> {
    await page.getByLabel(label).and(page.locator(':focus')).waitFor();
    await page.keyboard.type(text);
  }

  async function signIn(): Promise<void> {
    await type('E-mail address', person.email);
    await press('Tab');
    await type('Password', person.password);
    await enter();
  }

  test('from the device’s address to its key', async () => {
    const started = await startDeviceSignIn(api, { client_name: 'Editor <i>', scopes: ['articles:read'] });
    await page.goto(started.verification_uri_complete);
    expect(await heading()).toBe('Sign in');
    await signIn();
    expect(await heading()).toBe('Give this device a key?');
    expect(page.url()).toBe(started.verification_uri_complete);
    for (const text of ['Editor <i>', started.user_code, 'articles:read']) {
      expect(await page.getByText(text, { exact: true }).count()).toBe(1);
    }
    await tabTo(page, 'Approve');
    await enter();
    expect(await heading()).toBe('Approved');
    const { data } = await poll(api, started);
    expect([data.status, data.key.name]).toEqual(['approved', 'Editor <i>']);
  });

  test('a wrong password and a wrong code are reported, with the focus on the field', async () => {
    const started = await startDeviceSignIn(api);
    await page.goto(started.verification_uri);
    await type('E-mail address', person.email);
    await press('Tab');
    await type('Password', 'Password of someone else');
    await enter();
    expect(await page.getByRole('alert').innerText()).toContain('wrong');
    await type('Password', person.password);
    await enter();
    expect(await heading()).toBe('Sign a device in');
    await type('Code', 'bcdf ghjk');
    await enter();
    expect(await page.getByRole('alert').innerText()).toContain('does not exist');
    await type('Code', '');
    await press('ControlOrMeta+a');
    await type('Code', started.user_code.toLowerCase());
    await enter();
    expect(await heading()).toBe('Give this device a key?');
    await tabTo(page, 'Deny');
    await enter();
    expect(await heading()).toBe('Denied');
    expect((await poll(api, started)).data.status).toBe('access_denied');
  });

  test('one of several Sites is chosen with the arrow keys; without a choice nothing is sent', async () => {
    const second = await buildSite(api.db, tenant.organisationId);
    const started = await startDeviceSignIn(api, { client_name: 'Chooser' });
    await page.goto(started.verification_uri_complete);
    await signIn();
    await tabTo(page, 'Approve');
    await press('Enter');
    expect(await heading()).toBe('Give this device a key?');
    expect(await page.locator('input:invalid').count()).toBe(2);
    const last = page.getByRole('radio').last();
    await page.getByRole('radio').first().focus();
    await press('ArrowDown');
    const chosen = await last.getAttribute('value');
    expect(await last.isChecked()).toBe(true);
    await tabTo(page, 'Approve');
    await enter();
    expect(await heading()).toBe('Approved');
    await poll(api, started);
    const { rows } = await api.db.pool.query(`select site_id from api_keys where name = 'Chooser'`);
    expect([tenant.siteId, second]).toContain(chosen);
    expect(rows).toEqual([{ site_id: chosen }]);
  });

  test('signing out ends it', async () => {
    await page.goto(`${api.origin}/device`);
    await signIn();
    expect(await heading()).toBe('Sign a device in');
    await tabTo(page, 'Sign out');
    await enter();
    expect(await heading()).toBe('Sign in');
    await page.goto(`${api.origin}/device`);
    expect(await heading()).toBe('Sign in');
  });

  test('a page elsewhere cannot make the browser decide', async () => {
    const started = await startDeviceSignIn(api);
    await page.goto(started.verification_uri_complete);
    await signIn();
    const forged = `<form method="post" action="${started.verification_uri}">
      <input name="do" value="approve"><input name="user_code" value="${started.user_code}">
      <input name="site_id" value="${tenant.siteId}"><input name="form_token" value="x"><button autofocus>Win</button></form>`;
    await page.route('http://elsewhere.localhost/', (route) =>
      route.fulfill({ contentType: 'text/html', body: forged }),
    );
    await page.goto('http://elsewhere.localhost/');
    await tabTo(page, 'Win');
    await enter();
    expect(await heading()).toBe('That did not work');
    expect((await poll(api, started)).data.status).toBe('authorization_pending');
  });
});
