import type { TestApi } from '../../../support/api.ts';
import { poll, startDeviceSignIn } from '../../../support/device.ts';
import { startSignInStack } from '../../../support/sign-in.ts';

let api: TestApi;
let stack: Awaited<ReturnType<typeof startSignInStack>>;

beforeAll(async () => {
  stack = await startSignInStack();
  ({ api } = stack);
});
afterAll(() => api.close());

const isOffered = (html: string) => html.includes('name="drafts_only" value="true"');
const isChecked = (html: string) => html.includes('name="drafts_only" value="true" checked');

async function collected(asks: object, fields: Record<string, string>) {
  const { tenant, person, visitor } = await stack.nextCase();
  const started = await startDeviceSignIn(api, asks);
  await visitor.signIn(person.email, person.password);
  const { html } = await visitor.get(`?user_code=${started.user_code}`);
  await visitor.post({ do: 'approve', user_code: started.user_code, site_id: tenant.siteId, ...fields });
  return { html, isForDrafts: (await poll(api, started)).data.key.drafts_only };
}

test.each([
  ['an agent, at first', { held_by_agent: true }, { drafts_only: 'true' }, true],
  ['an agent that the person trusts', { held_by_agent: true }, {}, false],
  ['an agent that asked for it itself', { held_by_agent: true, drafts_only: true }, {}, true],
  ['a device that asked for it', { drafts_only: true }, {}, true],
  ['another device', {}, {}, false],
])('drafts only is decided for %s', async (_who, asks, fields, expected) => {
  const { html, isForDrafts } = await collected(asks, fields as Record<string, string>);
  expect(isForDrafts).toBe(expected);
  const decides = 'held_by_agent' in asks && !('drafts_only' in asks);
  expect([isOffered(html), isChecked(html)]).toEqual([decides, decides]);
  expect(html.includes('Drafts only')).toBe(decides || 'drafts_only' in asks);
});
