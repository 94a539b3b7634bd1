import type { BrowserContextOptions, Page } from 'playwright-core';
import { createLink } from '../../../../domain/sign-in/links.ts';
import type { TestApi } from '../../../support/api.ts';
import { axeViolations } from '../../../support/axe.ts';
import { inBrowser, isTooWide, usePages } from '../../../support/browser.ts';
import type { TestClock } from '../../../support/clock.ts';
import { DashboardVisitor } from '../../../support/dashboard.ts';
import { codeAt, enrol } from '../../../support/second-factor.ts';
import { startSignInStack } from '../../../support/sign-in.ts';
import type { Person, SignInStack } from '../../../support/sign-in.ts';

// page.test.ts, links.test.ts and second-factor.test.ts test the same by plain HTTP, on every machine.
inBrowser('in Chromium', () => {
  let stack: SignInStack;
  let api: TestApi;
  let clock: TestClock;
  let person: Person;
  let page: Page;
  const openPage = usePages();

  beforeAll(async () => {
    stack = await startSignInStack();
    ({ api, clock } = stack);
  });
  beforeEach(async () => {
    ({ person } = await stack.nextCase());
  });
  afterAll(() => api.close());

  const open = async (path: string, options: BrowserContextOptions = {}): Promise<void> => {
    page = await openPage(options);
    await page.goto(api.origin + path);
  };
  const heading = (): Promise<string> => page.locator('h1').innerText();
  const problems = async (): Promise<string[]> => {
    const found = await axeViolations(page);
    const violations = found.map(({ id, nodes }) => `${id}: ${nodes[0]?.target.join(' ')}`);
    return (await isTooWide(page)) ? [...violations, 'wider than the screen'] : violations;
  };

  /** Types into the focused field, and goes on to the next one or submits. */
  async function type(text: string, then: 'Tab' | 'Enter'): Promise<void> {
    // A page that has just arrived focuses its field a moment later.
    await page.locator('input:focus').waitFor();
    await page.keyboard.type(text);
    const arrived = then === 'Enter' ? page.waitForEvent('load') : undefined;
    await page.keyboard.press(then);
    await arrived;
  }

  const screens: [string, BrowserContextOptions][] = [
    ['light, wide, English', { viewport: { width: 1280, height: 800 }, locale: 'en' }],
    ['dark, narrow, German', { viewport: { width: 320, height: 640 }, colorScheme: 'dark', locale: 'de' }],
  ];

  test.each(screens)('axe finds nothing on the pages for signing in: %s', async (_name, options) => {
    const visitor = await new DashboardVisitor(api).signIn(person.email, person.password);
    await enrol(visitor, person.password, clock);
    const { token } = await api.db.transaction((tx) =>
      createLink(tx, person.memberId, 'password', clock.now()),
    );
    await open('/sign-in', options);
    expect(await problems()).toEqual([]);
    await type(person.email, 'Tab');
    await type('Password of someone else', 'Enter');
    expect(await page.getByRole('alert').count()).toBe(1);
    expect(await problems()).toEqual([]);
    await type(person.password, 'Enter');
    expect(page.url()).toContain('/sign-in/code');
    expect(await problems()).toEqual([]);
    for (const path of [`/reset-password/${token}`, '/reset-password/x', '/sign-in/once/x', '/dashboard']) {
      await page.goto(api.origin + path);
      expect([path, await problems()]).toEqual([path, []]);
    }
  });

  test('by keyboard alone: a new password by a link, then password and code lead to the device page', async () => {
    const visitor = await new DashboardVisitor(api).signIn(person.email, person.password);
    const { secret } = await enrol(visitor, person.password, clock);
    const { token } = await api.db.transaction((tx) =>
      createLink(tx, person.memberId, 'password', clock.now()),
    );
    await open(`/reset-password/${token}`);
    await type('A new long password', 'Tab');
    await type('A new long password', 'Enter');
    expect(await heading()).toBe('Your password is set');
    await page.goto(`${api.origin}/device`);
    expect(await heading()).toBe('Sign in');
    await type(person.email, 'Tab');
    await type('A new long password', 'Enter');
    expect(page.url()).toContain('/sign-in/code');
    await type('000000', 'Enter');
    expect(await page.getByRole('alert').innerText()).toContain('wrong');
    await type(codeAt(secret, clock.now()), 'Enter');
    expect(await heading()).toBe('Sign a device in');
    expect(page.url()).toBe(`${api.origin}/device`);
  });
});
