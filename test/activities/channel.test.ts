import { MockActivityEnvironment } from '@temporalio/testing';
import { createChannelActivities } from '../../activities/channel.ts';
import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { Names } from '../../adapters/http/names.ts';
import { sql } from '../../db/sql.ts';
import { createSecretBox } from '../../domain/kernel/secret-box.ts';
import { MESSAGES_AN_HOUR } from '../../domain/notifications/channel-messages.ts';
import { notify } from '../../domain/notifications/notify.ts';
import type { Notice } from '../../domain/notifications/notice.ts';
import { defaultRetryDelays } from '../../domain/webhooks/retry-schedule.ts';
import { useApi } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { buildMember, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { TestClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { closeReceivers, httpReceiver } from '../support/receivers.ts';
import type { Receiver } from '../support/receivers.ts';
import { silent } from '../support/temporal.ts';

const HOUR = 60 * 60_000;
const clock = new TestClock();
const box = createSecretBox(Buffer.alloc(32, 7));
const allowedHosts = new Set<string>();
const names = new Names();
const http = createGuardedClient({ allowedHosts, names });
const api = await useApi({ clock, box, http, webhookUrls: { allowedHosts, names } });
const activities = createChannelActivities({
  db: api.db,
  clock,
  log: silent,
  box,
  http,
  retryDelays: defaultRetryDelays,
  publicUrl: 'https://cms.example.com',
});
let tenant: Tenant;
let receiver: Receiver;
/** A status, or what else becomes of a request. */
let treat: number | 'drop' | 'silence' | { readonly to: string };

beforeEach(async () => {
  clock.advance(HOUR);
  tenant = await buildTenant(api.db);
  treat = 200;
  receiver = await httpReceiver((_, response) => {
    if (treat === 'drop') response.destroy();
    else if (typeof treat === 'object') response.writeHead(307, { location: treat.to }).end();
    else if (treat !== 'silence') response.writeHead(treat).end('S3CR3T');
  });
  allowedHosts.add(`127.0.0.1:${receiver.port}`);
});
afterEach(() => closeReceivers());
afterAll(() => http.close());

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  api.request(method, path, { key: tenant.secretKey, body });
const channel = async (values: object = {}): Promise<string> => {
  const { data } = await call('POST', '/notifications/channels', {
    kind: 'slack',
    name: 'Editors',
    url: `${receiver.url}/hook/S3CR3T`,
    ...values,
  });
  return data.id;
};
const read = async (id: string): Promise<any> => (await call('GET', `/notifications/channels/${id}`)).data;
const target = { type: 'article', id: '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11' };
const tell = (title = 'Tea', notice: Partial<Notice> = {}): Promise<void> =>
  api.db.transaction((tx) => {
    const to = sql.fragment`select ${tenant.memberId}::uuid`;
    const { siteId } = tenant;
    notify(
      tx,
      { kind: 'publication.failed', siteId, to, actor: null, target, named: { title }, ...notice },
      clock.now(),
    );
    return Promise.resolve();
  });
const send = (channelId: string): Promise<string | null> =>
  new MockActivityEnvironment().run(activities.sendToChannel, {
    channelId,
    siteId: tenant.siteId,
  }) as Promise<string | null>;
const messages = async (id: string): Promise<any[]> =>
  (
    await api.db.pool.query('select * from channel_messages where channel_id = $1 order by created_at, id', [
      id,
    ])
  ).rows;
const bodies = (): any[] => receiver.seen.map(({ body }) => JSON.parse(body));

test('each channel gets one message for an event, however many people are told', async () => {
  for (let n = 0; n < 3; n += 1) await buildMember(api.db, tenant.organisationId, 'editor');
  const [slack, teams] = [await channel(), await channel({ kind: 'teams' })];
  await tell('Tea & Cake', { kind: 'review.requested', to: undefined as never });
  for (const id of [slack, teams]) {
    expect(await send(id)).toBeNull();
    expect(await send(id)).toBeNull();
  }
  const url = `https://cms.example.com/dashboard/${tenant.siteId}/articles/${target.id}`;
  const [message, card, ...others] = bodies();
  expect(others).toEqual([]);
  expect(message.text).toBe(`“Tea &amp; Cake” waits for a review. <${url}|Open>`);
  expect(card.attachments[0].content.actions[0].url).toBe(url);
  const [row] = await messages(slack);
  expect(receiver.seen[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'idempotency-key': row.id,
  });
  expect(row).toMatchObject({ attempts: 1, due_at: null, sent_at: expect.any(Date) });
});

test('the message and the start of its workflow are committed with the change, without the URL', async () => {
  const id = await channel();
  await tell();
  const { rows } = await api.db.pool.query(`select * from outbox where workflow_id = $1`, [`channel/${id}`]);
  expect(rows).toHaveLength(1);
  expect(rows[0].payload).toEqual({ channelId: id, siteId: tenant.siteId });
});

test('a channel gets its kinds alone, of its Site, and nothing while it is disabled', async () => {
  const id = await channel({ kinds: ['push.failed', 'billing.problem'] });
  const other = await buildTenant(api.db);
  await tell();
  await tell('', { kind: 'push.failed', siteId: other.siteId });
  await tell('', { kind: 'security.key_created', to: undefined as never });
  expect(await messages(id)).toHaveLength(0);
  await tell('', { kind: 'push.failed', named: { articles: '2' } });
  const ofAll = { siteId: null, organisationId: tenant.organisationId };
  await tell('', {
    kind: 'billing.problem',
    ...ofAll,
    named: { problem: 'past_due' },
    to: undefined as never,
  });
  expect((await messages(id)).map(({ kind }) => kind)).toEqual(['push.failed', 'billing.problem']);
  await call('PATCH', `/notifications/channels/${id}`, { enabled: false });
  await tell('', { kind: 'push.failed', named: { articles: '3' } });
  expect(await send(id)).toBeNull();
  await call('PATCH', `/notifications/channels/${id}`, { enabled: true });
  expect(await send(id)).toBeNull();
  expect(receiver.seen).toEqual([]);
});

test('comments that wait are told once an hour, and a channel gets at most a hundred messages in one', async () => {
  const id = await channel();
  const held = { kind: 'comment.held', to: undefined } as never;
  await tell('', held);
  await tell('', held);
  expect(await messages(id)).toHaveLength(1);
  for (let n = 0; n < MESSAGES_AN_HOUR + 2; n += 1) await tell();
  expect(await messages(id)).toHaveLength(MESSAGES_AN_HOUR);
  clock.advance(HOUR);
  await tell('', held);
  expect(await messages(id)).toHaveLength(MESSAGES_AN_HOUR + 1);
});

test.each([500, 503, 408, 429, 'drop'] as const)(
  '%s is tried again as webhooks are, six times',
  async (answer) => {
    const id = await channel();
    await tell();
    treat = answer;
    for (const delay of defaultRetryDelays) {
      const next = Date.parse((await send(id)) as string);
      expect(next).toBeGreaterThanOrEqual(clock.now().getTime() + delay);
      expect(next).toBeLessThanOrEqual(clock.now().getTime() + delay * 1.25 + 1);
      clock.advance(next - clock.now().getTime());
    }
    expect(await send(id)).toBeNull();
    expect((await messages(id))[0]).toMatchObject({ attempts: 6, due_at: null, sent_at: null });
    expect(new Set(receiver.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    const { last_error: error } = await read(id);
    expect(error).toMatch(answer === 'drop' ? /could not be reached: connection/ : String(answer));
    expect(error).not.toContain('S3CR3T');
    treat = 202;
    await tell();
    expect(await send(id)).toBeNull();
    expect((await read(id)).last_error).toBeNull();
  },
);

test.each([400, 401, 403, 404, 410, 422])('%s is final', async (answer) => {
  const id = await channel();
  await tell();
  treat = answer;
  expect(await send(id)).toBeNull();
  expect((await messages(id))[0]).toMatchObject({ attempts: 1, due_at: null, sent_at: null });
  expect((await read(id)).last_error).toContain(String(answer));
});

test('a redirect is not followed', async () => {
  const other = await httpReceiver((_, response) => void response.end());
  allowedHosts.add(`127.0.0.1:${other.port}`);
  const id = await channel();
  await tell();
  treat = { to: other.url };
  expect(await send(id)).toBeNull();
  expect((await read(id)).last_error).toContain('leads elsewhere');
  expect(other.seen).toEqual([]);
});

test('a private address that a channel leads to later is not called', async () => {
  const id = await channel();
  await tell();
  allowedHosts.delete(`127.0.0.1:${receiver.port}`);
  expect(await send(id)).not.toBeNull();
  expect(receiver.seen).toEqual([]);
  expect((await read(id)).last_error).toMatch(/could not be reached/);
});

test('a message that fails holds up no other, and a new URL gets what waits', async () => {
  const id = await channel();
  await tell('One');
  treat = 500;
  expect(await send(id)).not.toBeNull();
  const other = await httpReceiver((_, response) => void response.end());
  allowedHosts.add(`127.0.0.1:${other.port}`);
  await call('PATCH', `/notifications/channels/${id}`, { url: `${other.url}/new` });
  expect((await read(id)).last_error).toBeNull();
  await tell('Two');
  expect(await send(id)).not.toBeNull();
  clock.advance(20_000);
  expect(await send(id)).toBeNull();
  expect(other.seen.map(({ body }) => JSON.parse(body).text.slice(0, 5))).toEqual(['“Two”', '“One”']);
});

test('a slow channel ends in time, and leaves the others of the process alone', async () => {
  const other = await buildTenant(api.db);
  const slow = await Promise.all(Array.from({ length: 6 }, () => channel()));
  await tell();
  treat = 'silence';
  const sending = slow.map((id) => send(id));
  await eventually('the organisation has all its turns', () => receiver.seen.length === 4);
  const quick = await httpReceiver((_, response) => void response.end());
  allowedHosts.add(`127.0.0.1:${quick.port}`);
  tenant = other;
  const id = await channel({ url: quick.url });
  await tell();
  expect(await send(id)).toBeNull();
  expect(quick.seen).toHaveLength(1);
  const ends = await Promise.all(sending);
  expect(ends.every((next) => next !== null)).toBe(true);
}, 60_000);

test('a deleted channel takes nothing with it, and no change fails because of it', async () => {
  const id = await channel();
  await tell();
  await Promise.all([
    call('DELETE', `/notifications/channels/${id}`),
    ...Array.from({ length: 8 }, () => tell()),
  ]);
  expect(await messages(id)).toEqual([]);
  expect(await send(id)).toBeNull();
  expect(receiver.seen).toEqual([]);
});
