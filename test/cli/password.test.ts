import { useApi } from '../support/api.ts';
import { buildMember, buildOrganisation } from '../support/builders.ts';
import { PageVisitor } from '../support/page.ts';
import { runAdmin } from './administrator.ts';
import type { Run } from './administrator.ts';

const api = await useApi();
let member: string;
let email: string;

beforeEach(async () => {
  member = await buildMember(api.db, await buildOrganisation(api.db));
  email = (await api.db.pool.query('select email from members where id = $1', [member])).rows[0].email;
});

const admin = (args: readonly string[], input = ''): Promise<Run> =>
  runAdmin(args, { DATABASE_URL: api.url }, input);

const setPassword = (input: string, id = member) => admin(['member', 'password', '--id', id], input);
const canSignIn = async (password: string): Promise<boolean> =>
  (await new PageVisitor(api).signIn(email, password)).status === 303;
const actions = async () =>
  (
    await api.db.pool.query(
      'select action, actor_kind, details from audit_log where target_id = $1 and action like $2 order by id',
      [member, 'member.%'],
    )
  ).rows.map(({ action, actor_kind, details }) => [action, actor_kind, details]);

test('member password reads it from standard input, without the line end, and never shows it', async () => {
  const { code, stdout, stderr } = await setPassword('one that is long enough\n');
  expect([code, JSON.parse(stdout), stderr]).toEqual([0, { id: member }, '']);
  expect(await canSignIn('one that is long enough')).toBe(true);
  expect((await actions()).slice(1)).toEqual([['member.password', 'system', {}]]);
  expect((await setPassword('another that is long enough')).code).toBe(0);
  expect(await canSignIn('one that is long enough')).toBe(false);
  expect(await canSignIn('another that is long enough')).toBe(true);
});

test.each([
  ['none', '', /at least 12 characters/],
  ['one of 11 characters', '🗞'.repeat(11), /at least 12 characters/],
  ['one that is far too long', 'x'.repeat(1_001), /at most 1000 characters/],
  ['one known from a leak', 'PasswordPassword\n', /known from leaked passwords; choose another one/],
  [
    'one known from a leak, in other forms of its letters',
    'ｐａｓｓｗｏｒｄ1234',
    /known from leaked passwords/,
  ],
])('%s is refused, and changes nothing', async (_name, input, message) => {
  const { code, stdout, stderr } = await setPassword(input);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(message);
  expect(await actions()).toHaveLength(1);
});

test('there is no flag for it, and only members can have one', async () => {
  const flag = await admin(['member', 'password', '--id', member, '--password', 'one that is long enough']);
  expect(flag.code).toBe(2);
  const unknown = await setPassword('one that is long enough', '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11');
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('no such member')]);
  await admin(['member', 'remove', '--id', member]);
  expect((await setPassword('one that is long enough')).code).toBe(1);
});

test('member sign-out ends the member’s sessions', async () => {
  await setPassword('one that is long enough');
  const visitor = new PageVisitor(api);
  await visitor.signIn(email, 'one that is long enough');
  expect((await visitor.get()).title).toBe('Sign a device in');
  const { code, stdout } = await admin(['member', 'sign-out', '--id', member]);
  expect([code, JSON.parse(stdout)]).toEqual([0, { id: member, sessions: 1 }]);
  expect((await visitor.get()).title).toBe('Sign in');
  expect((await actions()).at(-1)).toEqual(['member.sign_out', 'system', {}]);
});
