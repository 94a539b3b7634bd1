import type { Page } from 'playwright-core';
import type { TestApi } from '../../../support/api.ts';
import { inBrowser, usePages } from '../../../support/browser.ts';
import { authorizePath, CALLBACK, pkce, send, startOAuthStack } from '../../../support/oauth.ts';
import type { OAuthStack } from '../../../support/oauth.ts';
import type { SignInCase } from '../../../support/sign-in.ts';

/** What is beyond the card of the page, or cut off. */
const STICKS_OUT = `(() => {
  const card = document.querySelector('main').getBoundingClientRect();
  return [...document.querySelectorAll('main *:not([type=hidden])')]
    .filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      const isCut = element.scrollWidth > element.clientWidth && element.clientWidth > 0;
      return left < card.left || right > card.right || isCut;
    })
    .map(({ outerHTML }) => outerHTML.slice(0, 80));
})()`;

// consent.test.ts and flow.test.ts test the same by plain HTTP, on every machine.
inBrowser('the consent page in Chromium', () => {
  let stack: OAuthStack;
  let api: TestApi;
  let page: Page;
  let next: SignInCase;
  const open = usePages();

  beforeAll(async () => {
    stack = await startOAuthStack();
    ({ api } = stack);
  });
  beforeEach(async () => {
    next = await stack.nextCase();
  });
  afterAll(() => stack.close());

  /** The query with which the browser calls the client back after `work`. No client runs, so it gets no answer. */
  async function sentBack(work: () => Promise<void>): Promise<URLSearchParams> {
    const asked = page.waitForRequest(`${CALLBACK}?**`);
    await work();
    return new URL((await asked).url()).searchParams;
  }

  /** Signs in on the way to the consent page. */
  async function arrive(clientId: string, challenge: string): Promise<void> {
    page = await open();
    await page.goto(api.origin + authorizePath(api, clientId, challenge));
    await page.getByLabel('E-mail address').fill(next.person.email);
    await page.getByLabel('Password').fill(next.person.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Give this program access?' }).waitFor();
  }

  test('from the client to the sign-in, the consent and back, by keyboard', async () => {
    const { verifier, challenge } = pkce();
    const clientId = stack.host.client({ client_name: 'Chat <b>\u202Etxt' });
    await arrive(clientId, challenge);
    for (const text of ['Chat <b> txt', new URL(clientId).host, 'articles:write', 'client.example'])
      expect(await page.getByText(text, { exact: true }).count()).toBe(1);
    await page.getByRole('button', { name: 'Approve' }).focus();
    const sent = await sentBack(() => page.keyboard.press('Enter'));
    const code = sent.get('code') ?? '';
    const answer = await send(api, '/oauth/token', {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      redirect_uri: CALLBACK,
      code_verifier: verifier,
    });
    expect([answer.status, sent.get('iss')]).toEqual([200, api.origin]);
  });

  test('nothing sticks out of a narrow page, in German either', async () => {
    page = await open({ viewport: { width: 320, height: 800 }, locale: 'de-DE', colorScheme: 'dark' });
    await page.goto(api.origin + authorizePath(api, stack.host.client(), pkce().challenge));
    await page.locator('input[type=email]').fill(next.person.email);
    await page.locator('input[type=password]').fill(next.person.password);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Genehmigen' }).waitFor();
    const outside = await page.evaluate(STICKS_OUT);
    expect(outside).toEqual([]);
  });

  test('denied, the browser goes back too', async () => {
    await arrive(stack.host.client(), pkce().challenge);
    const sent = await sentBack(() =>
      page.getByRole('button', { name: 'Deny' }).click({ noWaitAfter: true }),
    );
    expect(sent.get('error')).toBe('access_denied');
  });
});
