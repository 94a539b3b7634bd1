import type { TestApi } from '../../../support/api.ts';
import { startDeviceSignIn, wrongCode } from '../../../support/device.ts';
import { startSignInStack } from '../../../support/sign-in.ts';

let api: TestApi;

afterAll(() => api.close());

test('the page speaks the language of the browser, errors too', async () => {
  const stack = await startSignInStack();
  ({ api } = stack);
  const { tenant, person, visitor } = await stack.nextCase();
  const german = { 'accept-language': 'de' };
  const started = await startDeviceSignIn(api, { client_name: 'Editor', scopes: ['articles:read'] });
  await visitor.signIn(person.email, person.password);
  expect((await visitor.get('', german)).title).toBe('Ein Gerät anmelden');
  const asked = await visitor.get(`?user_code=${started.user_code}`, german);
  expect([asked.title, asked.html.includes('Artikel lesen, auch Entwürfe')]).toEqual([
    'Diesem Gerät einen Schlüssel geben?',
    true,
  ]);
  const wrong = await visitor.get(`?user_code=${wrongCode()}`, german);
  expect([wrong.status, wrong.html.includes('Diesen Code gibt es nicht')]).toEqual([404, true]);
  const form = { do: 'deny', user_code: started.user_code, site_id: tenant.siteId };
  expect((await visitor.post(form, '', german)).title).toBe('Abgelehnt');
  const again = await visitor.post(form, '', german);
  expect([again.status, again.html.includes('schon entschieden')]).toEqual([409, true]);
});
