import { createHash, createHmac } from 'node:crypto';
import { canonicalAddress, destroyOldSalts } from '../../../../domain/comments/reader.ts';
import { deleteOldSubmissions } from '../../../../domain/comments/submission-log.ts';
import { startApi } from '../../../support/api.ts';
import { startComments } from '../../../support/comments.ts';
import type { CommentSite, CommentStack } from '../../../support/comments.ts';

const MINUTE = 60_000;

let stack: CommentStack;

beforeAll(async () => {
  // Its own database: the salts of all Sites are destroyed.
  stack = await startComments(startApi);
  stack.clock.freeze(new Date(Date.now() + 24 * 60 * MINUTE));
});
afterAll(() => stack.close());

/** Sends as one reader, and returns the limit that was reached. */
const send = async (site: CommentSite, reader_ip: string | null): Promise<string> => {
  const answer = await site.submit({ reader_ip });
  return answer.status === 201 ? 'taken' : answer.json.error.limit;
};

/** Adds this many accepted comments to the log, each of another reader. */
const fill = (site: CommentSite, count: number, ageMs: number) =>
  stack.api.db.pool.query(
    `insert into comment_submissions (comment_id, site_id, article_id, created_at)
     select gen_random_uuid(), $1, $2, $4 from generate_series(1, $3::int)`,
    [site.siteId, site.articleId, count, new Date(stack.clock.now().getTime() - ageMs)],
  );

test('a reader may send five comments in any ten minutes', async () => {
  const site = await stack.newSite();
  for (let number = 0; number < 5; number += 1) {
    expect(await send(site, '203.0.113.1')).toBe('taken');
    stack.clock.advance(MINUTE);
  }
  const refused = await site.submit({ reader_ip: '203.0.113.1' });
  expect(refused.json.error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', limit: 'reader' });
  expect(refused.headers.get('retry-after')).toBe('300');
  expect(await send(site, '203.0.113.2')).toBe('taken');
  expect(await send(site, null)).toBe('taken');
  stack.clock.advance(5 * MINUTE - 1);
  expect(await send(site, '203.0.113.1')).toBe('reader');
  stack.clock.advance(1);
  expect(await send(site, '203.0.113.1')).toBe('taken');
  expect(await send(site, '203.0.113.1')).toBe('reader');
});

test('readers are counted for each Site, and deleted comments still count', async () => {
  const [site, other] = [await stack.newSite(), await stack.newSite()];
  for (let number = 0; number < 5; number += 1) {
    const { id } = await site.comment({ reader_ip: '203.0.113.1' });
    await site.request('DELETE', `/comments/${id}`);
  }
  expect(await send(site, '203.0.113.1')).toBe('reader');
  expect(await send(other, '203.0.113.1')).toBe('taken');
});

test.each([
  ['2001:db8::1', '2001:DB8:0:0::1', '2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::0.0.0.1'],
  ['198.51.100.7', '::ffff:198.51.100.7', '::FFFF:c633:6407', '0:0:0:0:0:ffff:198.51.100.7'],
])('every spelling of %s is one reader', async (...spellings) => {
  const site = await stack.newSite();
  for (let number = 0; number < 5; number += 1)
    expect(await send(site, spellings[number % spellings.length] as string)).toBe('taken');
  for (const spelling of spellings) expect(await send(site, spelling)).toBe('reader');
});

test.each([
  ['::ffff:0.0.0.1', '0.0.0.1'],
  ['::ffff:255.255.255.255', '255.255.255.255'],
  ['::ffff:c0a8:101', '192.168.1.1'],
  ['::', '::'],
  ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['fe80::1%eth0', null],
  ['1.2.3.04', null],
  ['::ffff:1.2.3', null],
  [' ::1', null],
])('the canonical form of %s is %s', (spelling, canonical) => {
  expect(canonicalAddress(spelling)).toBe(canonical);
});

test('different addresses are distinguished', () => {
  expect(canonicalAddress('::198.51.100.7')).not.toBe(canonicalAddress('198.51.100.7'));
  expect(canonicalAddress('64:ff9b::198.51.100.7')).not.toBe(canonicalAddress('198.51.100.7'));
  expect(canonicalAddress('2001:db8::1')).not.toBe(canonicalAddress('2001:db8::2'));
});

test('the limit applies across midnight, although the salt changes', async () => {
  const site = await stack.newSite();
  const midnight = Math.ceil(stack.clock.now().getTime() / (24 * 60 * MINUTE)) * 24 * 60 * MINUTE;
  stack.clock.freeze(new Date(midnight - 5 * MINUTE));
  for (let number = 0; number < 3; number += 1) expect(await send(site, '203.0.113.1')).toBe('taken');
  stack.clock.freeze(new Date(midnight + MINUTE));
  for (let number = 0; number < 2; number += 1) expect(await send(site, '203.0.113.1')).toBe('taken');
  expect(await send(site, '203.0.113.1')).toBe('reader');
  // Another process, whose clock is still on the previous day, finds entries under tomorrow's salt.
  stack.clock.freeze(new Date(midnight - 1));
  expect(await send(site, '203.0.113.1')).toBe('reader');
  stack.clock.freeze(new Date(midnight + 5 * MINUTE));
  for (let number = 0; number < 3; number += 1) expect(await send(site, '203.0.113.1')).toBe('taken');
  expect(await send(site, '203.0.113.1')).toBe('reader');
});

test('an address is stored as a hash with the salt of its day, which is deleted after two days', async () => {
  const site = await stack.newSite();
  await send(site, '203.0.113.77');
  const { pool } = stack.api.db;
  const { rows: salts } = await pool.query('select day::text, salt from reader_salts order by day');
  expect(new Set(salts.map(({ salt }) => salt.toString('hex'))).size).toBe(salts.length);
  const { rows } = await pool.query('select reader_hash from comment_submissions where site_id = $1', [
    site.siteId,
  ]);
  const plain = createHmac('sha256', '').update('203.0.113.77').digest();
  expect(rows[0].reader_hash).toHaveLength(32);
  expect(rows[0].reader_hash.equals(plain)).toBe(false);

  const today = stack.clock.now().toISOString().slice(0, 10);
  const clean = (now: Date) => stack.api.db.transaction((tx) => destroyOldSalts(tx, now));
  const days = async () =>
    (await pool.query('select day::text from reader_salts')).rows.map(({ day }) => day);
  const tomorrow = new Date(`${today}T23:59:59.999Z`);
  tomorrow.setUTCDate(tomorrow.getUTCDate() + 1);
  await clean(tomorrow);
  expect(await days()).toContain(today);
  await clean(new Date(tomorrow.getTime() + 1));
  expect(await days()).not.toContain(today);
});

test('a Site accepts 300 comments in an hour, from all readers together', async () => {
  const site = await stack.newSite();
  await fill(site, 250, 59 * MINUTE);
  await fill(site, 49, 30 * MINUTE);
  await fill(site, 1_000, 60 * MINUTE);
  expect(await send(site, null)).toBe('taken');
  const refused = await site.submit();
  expect(refused.json.error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', limit: 'site' });
  expect(refused.headers.get('retry-after')).toBe('60');
  stack.clock.advance(MINUTE);
  expect(await send(site, null)).toBe('taken');
});

test('an address cannot be guessed from a copy of the whole database', async () => {
  const site = await stack.newSite();
  await send(site, '203.0.113.78');
  const { pool } = stack.api.db;
  const { rows } = await pool.query(
    `select b.reader_hash, r.salt, s.cursor_key from comment_submissions b
     join sites s on s.id = b.site_id cross join reader_salts r where b.site_id = $1`,
    [site.siteId],
  );
  expect(rows.length).toBeGreaterThan(0);
  const tried = rows.map(({ salt, cursor_key: key }) => {
    const digest = createHmac('sha256', key).update('reader\x00203.0.113.78').digest();
    return createHash('sha256').update(salt).update(digest).digest('hex');
  });
  expect(tried).not.toContain(rows[0].reader_hash.toString('hex'));
});

test('the reader’s limit is reported before the Site’s, and that before the queue’s', async () => {
  const site = await stack.newSite({ moderation: 'hold_all' });
  for (let number = 0; number < 5; number += 1) await send(site, '203.0.113.1');
  await stack.api.db.pool.query('update site_comments set pending = 2000 where site_id = $1', [site.siteId]);
  expect(await send(site, '203.0.113.2')).toBe('queue');
  await fill(site, 295, MINUTE);
  expect(await send(site, '203.0.113.1')).toBe('reader');
  expect(await send(site, '203.0.113.2')).toBe('site');
});

test('a full queue only refuses comments that would have to wait', async () => {
  const site = await stack.newSite({ moderation: 'hold_links' });
  await stack.api.db.pool.query('update site_comments set pending = 1999 where site_id = $1', [site.siteId]);
  const link = async () => (await site.submit({ body: `See www.example.com ${Math.random()}` })).status;
  expect(await link()).toBe(201);
  expect(await link()).toBe(429);
  expect((await site.submit()).data).toEqual({ status: 'approved', duplicate: false });
});

test('entries that no limit covers any more are deleted from the log, and no others', async () => {
  const site = await stack.newSite();
  await fill(site, 3, 24 * 60 * MINUTE);
  await fill(site, 2, 24 * 60 * MINUTE - 1);
  const clean = () => stack.api.db.transaction((tx) => deleteOldSubmissions(tx, stack.clock.now(), 2));
  while ((await clean()) > 0);
  const { rows } = await stack.api.db.pool.query(
    'select count(*)::int as left from comment_submissions where site_id = $1',
    [site.siteId],
  );
  expect(rows[0].left).toBe(2);
});
