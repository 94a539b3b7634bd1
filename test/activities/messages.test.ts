import { MockActivityEnvironment } from '@temporalio/testing';
import { createMessagesActivities } from '../../activities/messages.ts';
import { createMailer } from '../../adapters/mail/smtp.ts';
import { sql } from '../../db/sql.ts';
import { createSecretBox } from '../../domain/kernel/secret-box.ts';
import { notify } from '../../domain/notifications/notify.ts';
import { defaultRetryDelays } from '../../domain/webhooks/retry-schedule.ts';
import { readSettings } from '../../runtime/settings.ts';
import { startMailServer } from '../support/mail-server.ts';
import type { MailServer, ReceivedMail } from '../support/mail-server.ts';
import { useApi } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { buildKey, buildPerson, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { TestClock } from '../support/clock.ts';
import { silent } from '../support/temporal.ts';

const HOUR = 60 * 60_000;
const clock = new TestClock();
const box = createSecretBox(Buffer.alloc(32, 7));
const api = await useApi({ clock, box, mails: true });
let server: MailServer;
let tenant: Tenant;
let person: { memberId: string; email: string };
let key: string;

beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  clock.advance(HOUR);
  server.received.length = 0;
  server.treat = 'accept';
  tenant = await buildTenant(api.db);
  person = await buildPerson(api.db, tenant.organisationId, { role: 'editor' });
  key = (await buildKey(api.db, tenant.siteId, person.memberId)).secret;
});

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  api.request(method, path, { key, body });
const settings = (body: object): Promise<Answer> => call('PATCH', '/notifications/settings', body);

/** Tells the person that a publication failed. */
const tell = (title = 'Tea', now = clock.now()): Promise<void> =>
  api.db.transaction((tx) => {
    const to = sql.fragment`select ${person.memberId}::uuid`;
    const target = { type: 'article', id: '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11' };
    const { siteId } = tenant;
    notify(tx, { kind: 'publication.failed', siteId, to, actor: null, target, named: { title } }, now);
    return Promise.resolve();
  });
const send = async (withServer = true, memberId = person.memberId): Promise<string | null> => {
  const env = { SMTP_URL: server.url, MAIL_FROM: 'Presswork <presswork@example.com>' };
  const mailer = withServer ? await createMailer(readSettings(env)) : null;
  const ports = { db: api.db, clock, log: silent, box, retryDelays: defaultRetryDelays, mailer };
  const { sendMessages } = createMessagesActivities({ ...ports, publicUrl: api.origin });
  return new MockActivityEnvironment().run(sendMessages, memberId) as Promise<string | null>;
};
const linkOf = (mail: ReceivedMail | undefined): string =>
  /<(.*)>/.exec(mail?.header('list-unsubscribe') ?? '')?.[1] as string;
const rows = async (): Promise<any[]> => {
  const text = 'select * from notifications where member_id = $1 order by created_at, id';
  return (await api.db.pool.query(text, [person.memberId])).rows;
};

test('what is due at once is mailed, in plain text and HTML, and only once', async () => {
  await tell('Tea & <b>Cake</b>');
  expect(await send()).toBeNull();
  expect(await send()).toBeNull();
  const [mail, ...others] = server.received;
  expect(others).toEqual([]);
  const [row] = await rows();
  expect(row).toMatchObject({
    mail_id: row.id,
    mail_due_at: null,
    mailed_at: expect.any(Date),
    mail_error: null,
  });
  expect(mail?.to).toEqual([person.email]);
  expect(mail?.header('message-id')).toBe(`<${row.id}@example.com>`);
  expect(mail?.header('from')).toContain('presswork@example.com');
  expect(mail?.header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  const address = `${api.origin}/dashboard/${tenant.siteId}/articles/${row.target_id}`;
  expect(mail?.raw).toContain(address);
  expect(mail?.raw).toContain('“Tea & <b>Cake</b>” was not published');
  expect(mail?.raw).toContain('“Tea &amp; &lt;b&gt;Cake&lt;/b&gt;” was not published');
});

test('a title with line breaks makes no header, and one in German is German', async () => {
  await api.db.pool.query(`update members set language = 'de' where id = $1`, [person.memberId]);
  await tell('Tea\r\nBcc: other@example.com\u202E');
  await send();
  const [mail] = server.received;
  expect(mail?.header('bcc')).toBeUndefined();
  expect(mail?.to).toEqual([person.email]);
  expect(mail?.raw).toContain('„Tea Bcc: other@example.com “ wurde nicht wie geplant');
});

test('a refusal for now is tried again as webhooks are, six times; one for good is not', async () => {
  await tell();
  server.treat = { status: 451 };
  for (const delay of defaultRetryDelays) {
    const next = Date.parse((await send()) as string);
    expect(next).toBeGreaterThanOrEqual(clock.now().getTime() + delay);
    expect(next).toBeLessThanOrEqual(clock.now().getTime() + delay * 1.25 + 1);
    clock.advance(next - clock.now().getTime());
  }
  const id = (await rows())[0].mail_id;
  expect(await send()).toBeNull();
  expect((await rows())[0]).toMatchObject({
    mail_id: id,
    mail_attempts: 6,
    mail_due_at: null,
    mailed_at: null,
  });

  await tell();
  server.treat = { status: 550 };
  expect(await send()).toBeNull();
  const [, refused] = await rows();
  expect(refused).toMatchObject({
    mail_attempts: 1,
    mail_due_at: null,
    mail_error: expect.stringMatching(/550/),
  });
  expect(server.received).toEqual([]);
});

test('a connection that is dropped is tried again, with the same Message-ID', async () => {
  await tell();
  server.treat = 'drop';
  const next = await send();
  expect(next).not.toBeNull();
  await tell('Later');
  server.treat = 'accept';
  clock.advance(20_000);
  expect(await send()).toBeNull();
  const ids = (await rows()).map(({ id }) => `<${id}@example.com>`);
  expect(server.received.map((mail) => mail.header('message-id')).toSorted()).toEqual(ids.toSorted());
});

test('without a mail server nothing is sent, then or later', async () => {
  await tell();
  expect(await send(false)).toBeNull();
  expect(await send()).toBeNull();
  expect(server.received).toEqual([]);
});

test('a digest is one mail at the full hour, or at eight of the Site', async () => {
  await settings({ digest: 'hourly' });
  await tell('One');
  await tell('Two');
  const hour = new Date(Math.floor(clock.now().getTime() / HOUR) * HOUR + HOUR);
  expect(await send()).toBe(hour.toISOString());
  expect(server.received).toEqual([]);
  clock.advance(hour.getTime() - clock.now().getTime());
  expect(await send()).toBeNull();
  const [mail, ...others] = server.received;
  expect(others).toEqual([]);
  expect(mail?.header('subject')).toBe('2 notifications');
  expect(mail?.raw).toMatch(/“One”[^]*“Two”/);
  await settings({ digest: 'daily' });
  await tell('Three');
  const next = new Date((await send()) as string);
  const inBerlin = next.toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin', timeStyle: 'short' });
  expect(inBerlin).toBe('08:00');
  expect(next.getTime() - clock.now().getTime()).toBeLessThanOrEqual(25 * HOUR);
});

test.each([
  ['hourly', 'Europe/Berlin', '2026-03-01T10:59:59.999Z', '2026-03-01T11:00:00.000Z'],
  ['hourly', 'Europe/Berlin', '2026-03-01T11:00:00.000Z', '2026-03-01T12:00:00.000Z'],
  ['daily', 'Europe/Berlin', '2026-03-28T06:59:59.999Z', '2026-03-28T07:00:00.000Z'],
  // The clocks go forward in the night, and back.
  ['daily', 'Europe/Berlin', '2026-03-28T07:00:00.000Z', '2026-03-29T06:00:00.000Z'],
  ['daily', 'Europe/Berlin', '2026-10-24T22:30:00.000Z', '2026-10-25T07:00:00.000Z'],
  ['daily', 'America/New_York', '2026-11-01T05:30:00.000Z', '2026-11-01T13:00:00.000Z'],
  ['daily', 'Asia/Kathmandu', '2026-03-01T02:15:00.001Z', '2026-03-02T02:15:00.000Z'],
  ['daily', 'Pacific/Kiritimati', '2026-03-01T17:00:00.000Z', '2026-03-01T18:00:00.000Z'],
])('a %s digest in %s of what was told at %s is due at %s', async (digest, zone, at, due) => {
  await settings({ digest });
  await api.db.pool.query('update sites set timezone = $1 where id = $2', [zone, tenant.siteId]);
  await tell('Tea', new Date(at));
  expect((await rows())[0].mail_due_at.toISOString()).toBe(due);
});

test('what is about security waits for no digest, and is a mail by itself', async () => {
  await api.request('PATCH', '/notifications/settings', { key: tenant.secretKey, body: { digest: 'daily' } });
  for (const name of ['One', 'Two'])
    await api.request('POST', '/keys', {
      key: tenant.secretKey,
      body: { name, kind: 'secret', scopes: ['articles:read'] },
      idempotencyKey: true,
    });
  await send(true, tenant.memberId);
  expect(server.received.map((mail) => mail.header('subject'))).toEqual(
    Array(2).fill('An API key was created.'),
  );
  const link = linkOf(server.received[0]);
  for (const method of ['GET', 'POST']) {
    const answer = await fetch(link, { method });
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining('cannot be turned off'),
    ]);
  }
  const { data } = await api.request('GET', '/notifications/settings', { key: tenant.secretKey });
  expect(data.muted).toEqual([]);
});

test('muted kinds are not mailed, and without mail only what is about security', async () => {
  await settings({ muted: ['publication.failed'] });
  await tell();
  expect(await send()).toBeNull();
  await settings({ muted: [], email: false });
  await tell();
  expect(await send()).toBeNull();
  // What was told before the person turned it off.
  await settings({ email: true });
  await tell();
  await settings({ email: false });
  expect(await send()).toBeNull();
  expect(server.received).toEqual([]);
  expect((await call('GET', '/notifications')).data.items).toHaveLength(3);
  await api.request('POST', '/keys', {
    key: tenant.secretKey,
    body: { name: 'One', kind: 'secret', scopes: ['articles:read'] },
    idempotencyKey: true,
  });
  await send(true, tenant.memberId);
  expect(server.received.map((mail) => mail.header('subject'))).toContain('An API key was created.');
});

test('the link of a mail stops its kind: a POST acts without signing in, a GET and a HEAD do not', async () => {
  await tell();
  await send();
  const link = linkOf(server.received[0]);
  const muted = async () => (await call('GET', '/notifications/settings')).data.muted;
  const page = await fetch(link);
  expect([page.status, (await page.text()).includes('<form method="post">')]).toEqual([200, true]);
  expect((await fetch(link, { method: 'HEAD' })).status).toBe(200);
  expect(await muted()).toEqual([]);
  expect((await fetch(link, { method: 'POST' })).status).toBe(200);
  expect(await muted()).toEqual(['publication.failed']);
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  expect((await fetch(link, { method: 'POST', body })).status).toBe(200);
  const log = await api.request('GET', '/audit-log?action=notifications.settings', { key: tenant.secretKey });
  expect(log.data.items).toHaveLength(1);
  const others = [
    link.replace('publication.failed', 'comment.held'),
    link.replace(person.memberId, tenant.memberId),
    link.slice(0, -1),
    `${link}/x`,
    `${api.origin}/notifications/unsubscribe/`,
  ];
  for (const other of others)
    for (const method of ['GET', 'HEAD', 'POST']) expect((await fetch(other, { method })).status).toBe(404);
  expect((await fetch(link, { method: 'DELETE' })).status).toBe(405);
  expect(await muted()).toEqual(['publication.failed']);
});

test('an invitation is mailed with a link that works, and a call of a key gets none', async () => {
  const invited = await api.request('POST', '/team/invitations', {
    key: tenant.secretKey,
    body: { email: 'new@example.com', role: 'viewer' },
  });
  expect([invited.status, JSON.stringify(invited.json)]).toEqual([
    201,
    expect.not.stringContaining('/reset-'),
  ]);
  await send(true, invited.data.id);
  const [mail] = server.received;
  expect([mail?.to, mail?.header('list-unsubscribe')]).toEqual([['new@example.com'], undefined]);
  const link = /http\S+\/reset-password\/[\w-]{43}/.exec(mail?.raw ?? '')?.[0] as string;
  expect((await fetch(link)).status).toBe(200);
  const stored = await api.db.pool.query(
    'select to_jsonb(n)::text as row from notifications n where member_id = $1',
    [invited.data.id],
  );
  expect(stored.rows.map(({ row }) => row).join()).not.toContain(link.slice(-43));
});

test('an organisation invites at most fifty in an hour', async () => {
  const invite = (index: number): Promise<Answer> =>
    api.request('POST', '/team/invitations', {
      key: tenant.secretKey,
      body: { email: `invited${index}@example.com`, role: 'viewer' },
    });
  clock.advance(HOUR);
  for (let index = 0; index < 50; index += 1) {
    if (index % 25 === 0) clock.advance(60_000);
    expect((await invite(index)).status).toBe(201);
  }
  const refused = await invite(50);
  expect([refused.status, refused.json.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
  clock.advance(Number(refused.headers.get('retry-after')) * 1_000);
  expect((await invite(51)).status).toBe(201);
});
