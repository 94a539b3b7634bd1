import { createClientAddress } from '../../../../api/http/client-address.ts';
import { parseNetworks } from '../../../../runtime/networks.ts';
import type { TestApi } from '../../../support/api.ts';
import { PageVisitor } from '../../../support/page.ts';
import { startSignInStack } from '../../../support/sign-in.ts';
import type { Person, SignInStack } from '../../../support/sign-in.ts';

const WRONG = 'Password of someone else';
let stack: SignInStack;
let api: TestApi;
let person: Person;

beforeAll(async () => {
  stack = await startSignInStack({ clientAddress: createClientAddress(parseNetworks('127.0.0.1')) });
  ({ api } = stack);
});
beforeEach(async () => {
  ({ person } = await stack.nextCase());
});
afterAll(() => api.close());

/** Signs in from an address. @returns the status */
async function signIn(from: string, password = person.password, device = ''): Promise<number> {
  const browser = new PageVisitor(api, { 'x-forwarded-for': from });
  await browser.get();
  const cookie = [browser.cookie, device].filter(Boolean).join('; ');
  const page = await browser.submit('/sign-in', { do: 'sign-in', email: person.email, password }, { cookie });
  return page.status;
}

/** The cookie of a browser that has signed in. */
async function deviceOf(email: string, password: string): Promise<string> {
  const browser = new PageVisitor(api, { 'x-forwarded-for': '198.51.100.7' });
  const { headers } = await browser.signIn(email, password);
  const line = headers.getSetCookie().find((cookie) => cookie.includes('presswork_device='));
  return line?.split(';')[0] ?? '';
}

const wrong = async (times: number, from: string, device?: string): Promise<number[]> => {
  const statuses = [];
  for (let tries = 0; tries < times; tries += 1) statuses.push(await signIn(from, WRONG, device));
  return statuses;
};

test('wrong passwords from elsewhere keep nobody out', async () => {
  expect(await wrong(6, '192.0.2.1')).toEqual([422, 422, 422, 422, 422, 429]);
  expect(await signIn('192.0.2.1')).toBe(429);
  expect(await signIn('192.0.2.2')).toBe(303);
  expect(await signIn('2001:db8:1:2::1')).toBe(303);
});

test('a device that has signed in before is not kept out by strangers in its own network', async () => {
  const device = await deviceOf(person.email, person.password);
  for (let round = 0; round < 5; round += 1) await wrong(6, '192.0.2.1');
  expect(await signIn('192.0.2.1')).toBe(429);
  expect(await signIn('192.0.2.1', person.password, device)).toBe(303);
  expect(await wrong(6, '192.0.2.1', device)).toEqual([422, 422, 422, 422, 422, 429]);
});

test('a device is known for those who have signed in with it, and cannot be made up', async () => {
  const { person: other } = await stack.nextCase();
  const device = await deviceOf(other.email, other.password);
  ({ person } = await stack.nextCase());
  await wrong(6, '192.0.2.1');
  for (const cookie of [device, `${device.slice(0, -2)}AA`, 'presswork_device=x', 'presswork_device=.'])
    expect(await signIn('192.0.2.1', person.password, cookie)).toBe(429);
});

test('right passwords are not counted', async () => {
  for (let times = 0; times < 30; times += 1) expect(await signIn('192.0.2.1')).toBe(303);
  expect(await wrong(5, '192.0.2.1')).toEqual([422, 422, 422, 422, 422]);
});

test('attempts that come at once are counted before any is judged', async () => {
  const statuses = await Promise.all(Array.from({ length: 12 }, () => signIn('192.0.2.1', WRONG)));
  expect(statuses.filter((status) => status === 422)).toHaveLength(5);
});

test('sign-ins, also failed ones, are in the audit log with the address of the client', async () => {
  await signIn('192.0.2.1', WRONG);
  await signIn('2001:db8:1:2::1');
  const { rows } = await api.db.pool.query(
    `select action, details from audit_log where target_id = $1 and action like 'sign_in.%' order by id`,
    [person.memberId],
  );
  expect(rows).toEqual([
    { action: 'sign_in.fail', details: { client_address: '192.0.2.1' } },
    { action: 'sign_in.succeed', details: { client_address: '2001:db8:1:2::1' } },
  ]);
});
