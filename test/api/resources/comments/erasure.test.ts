import { randomUUID } from 'node:crypto';
import { startApi } from '../../../support/api.ts';
import { startWebhooks } from '../../../support/webhooks.ts';
import type { WebhookStack } from '../../../support/webhooks.ts';
import { startComments } from '../../../support/comments.ts';
import type { CommentSite, CommentStack } from '../../../support/comments.ts';
import type { Database } from '../../../../db/database.ts';
import { buildKey, buildPublished } from '../../../support/builders.ts';

const ADDRESS = 'grace.hopper@example.com';
const NAME = 'Grace Brewster Murray';

let stack: CommentStack;

beforeAll(async () => {
  // Its own database, because it looks for texts in all tables.
  stack = await startComments(startApi);
});
afterAll(() => stack.close());

/** Every row of every table, as text. */
async function dump(db: Database): Promise<string[]> {
  const { rows: tables } = await db.pool.query(
    `select quote_ident(table_name) as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await db.pool.query(`select t::text as row from ${name} t`);
      return rows.map(({ row }) => `${name} ${row}`);
    }),
  );
  return texts.flat();
}

/** The tables that contain one of the words, in any case. */
async function tablesWith(db: Database, ...words: string[]): Promise<string[]> {
  const lines = (await dump(db)).filter((line) =>
    words.some((word) => line.toLowerCase().includes(word.toLowerCase())),
  );
  return [...new Set(lines.map((line) => line.slice(0, line.indexOf(' '))))].sort();
}

const erase = (site: CommentSite, author_email: unknown = ADDRESS) =>
  site.request('POST', '/comments/erase', { author_email });

test('every comment of an address is deleted, in any case, with its replies, and no other comment', async () => {
  const site = await stack.newSite({ moderation: 'hold_all' });
  const other = await stack.newSite();
  const write = async (body: object) => {
    const comment = await site.comment(body);
    await site.request('POST', `/comments/${comment.id}/approve`);
    return comment;
  };
  const mine = await write({ author_email: ADDRESS, body: 'Mine' });
  await write({ author_email: 'ada@example.com', body: 'To mine', parent_id: mine.id });
  const hers = await write({ author_email: 'ada@example.com', body: 'Hers' });
  await write({ author_email: ADDRESS.toUpperCase(), body: 'To hers', parent_id: hers.id });
  await write({ body: 'Without an address', author_name: NAME });
  await site.comment({ author_email: ADDRESS, body: 'Held' });
  await other.comment({ author_email: ADDRESS });
  const answer = await erase(site, 'Grace.Hopper@EXAMPLE.com');
  expect([answer.status, answer.data]).toEqual([200, { deleted: 4 }]);
  const left = (await site.request('GET', '/comments')).data;
  expect(left.items.map(({ body }: any) => body)).toEqual(['Without an address', 'Hers']);
  expect(left.counts).toEqual({ approved: 2, pending: 0, spam: 0 });
  expect((await other.request('GET', '/comments')).data.items).toHaveLength(1);
  expect((await erase(site)).data).toEqual({ deleted: 0 });
});

test('the audit log has the count, and no address', async () => {
  const site = await stack.newSite();
  await site.comment({ author_email: ADDRESS });
  await erase(site);
  const { rows } = await stack.api.db.pool.query(
    `select target_type, target_id, details from audit_log where site_id = $1 and action = 'comments.erase'`,
    [site.siteId],
  );
  expect(rows).toEqual([{ target_type: 'site', target_id: site.siteId, details: { deleted: 1 } }]);
});

test.each([undefined, null, 7, '', 'grace', `${ADDRESS}\u0000`])('an address of %j is 422', async (value) => {
  const site = await stack.newSite();
  const answer = await site.request('POST', '/comments/erase', { author_email: value });
  expect([answer.status, Object.keys(answer.json.error.fields)]).toEqual([422, ['author_email']]);
});

test('a dump of all tables no longer contains the address or the name', async () => {
  const site = await stack.newSite();
  const key = { 'idempotency-key': randomUUID() };
  const [address, name] = ['Katherine.Johnson@example.com', 'Katherine Coleman'];
  const text = { author_email: address, author_name: name };
  expect((await site.submit({ ...text, body: 'Once' }, key)).status).toBe(201);
  const deleted = await site.comment({ ...text, body: 'Deleted before' });
  await site.request('DELETE', `/comments/${deleted.id}`);
  const { slug, id } = await buildPublished(stack.api, site.secretKey);
  await site.comment({ ...text, slug, body: 'On an article that went' });
  await site.request('DELETE', `/articles/${id}`);
  const comment = await site.comment({ ...text, body: 'Answered', reader_ip: '203.0.113.5' });
  const reply = await stack.api.request('POST', `/comments/${comment.id}/reply`, {
    key: site.secretKey,
    body: { body: `Dear ${name}` },
    idempotencyKey: true,
  });
  expect(reply.status).toBe(201);
  const agent = await buildKey(stack.api.db, site.siteId, site.memberId, { heldByAgent: true });
  const asked = await stack.api.request('POST', '/comments/erase', {
    key: agent.secret,
    body: { author_email: address },
  });
  expect(asked.status).toBe(202);
  const tables = () => tablesWith(stack.api.db, address, name);
  expect(await tables()).toEqual(['approvals', 'comments', 'events', 'idempotency_records']);
  expect((await erase(site, address.toUpperCase())).data).toEqual({ deleted: 3 });
  expect(await tables()).toEqual([]);
  const { approval } = asked.data;
  expect((await site.request('GET', `/approvals/${approval.id}`)).data.status).toBe('expired');
  const again = await site.submit({ ...text, body: 'Once' }, key);
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
});

test('of a denied erasure nothing is left once somebody is erased', async () => {
  const site = await stack.newSite();
  const { secret } = await buildKey(stack.api.db, site.siteId, site.memberId, { heldByAgent: true });
  const body = { author_email: ADDRESS };
  const { data } = await stack.api.request('POST', '/comments/erase', { key: secret, body });
  await site.request('POST', `/approvals/${data.approval.id}/deny`);
  const left = async () =>
    (
      await stack.api.db.pool.query(
        'select status, body, body_hash, denied_body_mac is not null as is_known from approvals where id = $1',
        [data.approval.id],
      )
    ).rows[0];
  expect(await left()).toEqual({ status: 'denied', body: null, body_hash: null, is_known: true });
  await erase(site, ADDRESS);
  expect(await left()).toEqual({ status: 'denied', body: null, body_hash: null, is_known: false });
});

test('a failed erasure changes nothing', async () => {
  const site = await stack.newSite();
  await site.comment({ author_email: ADDRESS, author_name: NAME });
  await stack.api.db.pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refuse before insert on audit_log for each row execute function refuse()`);
  const before = await dump(stack.api.db);
  expect((await erase(site)).status).toBe(500);
  await stack.api.db.pool.query('drop trigger refuse on audit_log');
  const ours = (lines: string[]) =>
    lines.filter((line) => /^(comment|event|site_comments)/.test(line)).sort();
  expect(ours(await dump(stack.api.db))).toEqual(ours(before));
  expect((await erase(site)).data).toEqual({ deleted: 1 });
});

describe('events', () => {
  let webhooks: WebhookStack;
  beforeAll(async () => {
    webhooks = await startWebhooks();
  });
  afterAll(() => webhooks.close());

  test('pending events are delivered without name and text, under the same id', async () => {
    const { request, tenant, api } = webhooks;
    await request('PATCH', '/comments/settings', { enabled: true, moderation: 'none' });
    const { slug } = await buildPublished(api, tenant.secretKey);
    const bodies: string[] = [];
    const receiver = await webhooks.receiver((seen, response, count) => {
      bodies.push(seen.body);
      response.writeHead(count === 1 ? 500 : 200).end();
    });
    const endpoint = await webhooks.endpoint(receiver.url, { events: ['comment.created'] });
    const body = { slug, body: 'Something personal', author_name: NAME, author_email: ADDRESS };
    expect((await request('POST', '/comments', body)).status).toBe(201);
    await webhooks.deliver(endpoint.id);
    expect((await request('POST', '/comments/erase', { author_email: ADDRESS })).data).toEqual({
      deleted: 1,
    });
    webhooks.clock.advance(60_000);
    await webhooks.deliver(endpoint.id);
    const [first, second] = bodies.map((each) => JSON.parse(each));
    expect(first.data).toMatchObject({ author_name: NAME, body: 'Something personal' });
    expect(second).toEqual({ ...first, data: { ...first.data, author_name: null, body: null } });
    expect((await request('GET', `/events/${first.id}`)).data).toEqual(second);
    expect(await tablesWith(api.db, NAME, ADDRESS)).toEqual([]);
  });

  test('events of deleted replies keep their members, with null for name and text', async () => {
    const { request, tenant, api } = webhooks;
    await request('PATCH', '/comments/settings', { enabled: true, moderation: 'none' });
    const { slug } = await buildPublished(api, tenant.secretKey);
    const submit = async (body: object) =>
      expect((await request('POST', '/comments', { slug, ...body })).status).toBe(201);
    await submit({ body: 'A thread', author_name: NAME, author_email: ADDRESS });
    const { items } = (await request('GET', `/comments?slug=${slug}`)).data;
    await submit({ body: 'A reply', author_name: 'Somebody else', parent_id: items[0].id });
    const told = async () =>
      (await request('GET', '/events?event=comment.created')).data.items.filter(
        ({ data }: any) => data.slug === slug,
      );
    const before = await told();
    expect(before).toHaveLength(2);
    expect((await request('POST', '/comments/erase', { author_email: ADDRESS })).data).toEqual({
      deleted: 2,
    });
    expect(await told()).toEqual(
      before.map((event: any) => ({ ...event, data: { ...event.data, author_name: null, body: null } })),
    );
  });
});
