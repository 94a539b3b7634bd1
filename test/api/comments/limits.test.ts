import { createHmac } from 'node:crypto';
import { canonicalAddress, destroyOldSalts } from '../../../domain/comments/reader.ts';
import { deleteOldSubmissions } from '../../../domain/comments/submission-log.ts';
import { startComments } from '../../support/comments.ts';
import type { CommentSite, CommentWorld } from '../../support/comments.ts';

const MINUTE = 60_000;

let world: CommentWorld;

beforeAll(async () => {
  world = await startComments();
  world.clock.freeze(new Date(Date.now() + 24 * 60 * MINUTE));
});
afterAll(() => world.close());

/** Sends as one reader, and says which limit was met. */
const send = async (site: CommentSite, reader_ip: string | null): Promise<string> => {
  const answer = await site.submit({ reader_ip });
  return answer.status === 201 ? 'taken' : answer.json.error.limit;
};

/** Makes the log say that so many comments were taken, each of another reader. */
const fill = (site: CommentSite, count: number, ageMs: number) =>
  world.api.db.pool.query(
    `insert into comment_submissions (comment_id, site_id, article_id, created_at)
     select gen_random_uuid(), $1, $2, $4 from generate_series(1, $3::int)`,
    [site.siteId, site.articleId, count, new Date(world.clock.now().getTime() - ageMs)],
  );

test('a reader has five comments in ten minutes, whichever ten', async () => {
  const site = await world.newSite();
  for (let number = 0; number < 5; number += 1) {
    expect(await send(site, '203.0.113.1')).toBe('taken');
    world.clock.advance(MINUTE);
  }
  const refused = await site.submit({ reader_ip: '203.0.113.1' });
  expect(refused.json.error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', limit: 'reader' });
  expect(refused.headers.get('retry-after')).toBe('300');
  expect(await send(site, '203.0.113.2')).toBe('taken');
  expect(await send(site, null)).toBe('taken');
  world.clock.advance(5 * MINUTE - 1);
  expect(await send(site, '203.0.113.1')).toBe('reader');
  world.clock.advance(1);
  expect(await send(site, '203.0.113.1')).toBe('taken');
  expect(await send(site, '203.0.113.1')).toBe('reader');
});

test('a reader is one per Site, and what a moderator deletes goes on to count', async () => {
  const [site, other] = [await world.newSite(), await world.newSite()];
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
  const site = await world.newSite();
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

test('addresses that differ are told apart', () => {
  expect(canonicalAddress('::198.51.100.7')).not.toBe(canonicalAddress('198.51.100.7'));
  expect(canonicalAddress('64:ff9b::198.51.100.7')).not.toBe(canonicalAddress('198.51.100.7'));
  expect(canonicalAddress('2001:db8::1')).not.toBe(canonicalAddress('2001:db8::2'));
});

test('the limit holds across midnight, though the salt changes', async () => {
  const site = await world.newSite();
  const midnight = Math.ceil(world.clock.now().getTime() / (24 * 60 * MINUTE)) * 24 * 60 * MINUTE;
  world.clock.freeze(new Date(midnight - 5 * MINUTE));
  for (let number = 0; number < 3; number += 1) expect(await send(site, '203.0.113.1')).toBe('taken');
  world.clock.freeze(new Date(midnight + MINUTE));
  for (let number = 0; number < 2; number += 1) expect(await send(site, '203.0.113.1')).toBe('taken');
  expect(await send(site, '203.0.113.1')).toBe('reader');
  // Another process, whose clock is still on the day before, sees what was noted under tomorrow's salt.
  world.clock.freeze(new Date(midnight - 1));
  expect(await send(site, '203.0.113.1')).toBe('reader');
  world.clock.freeze(new Date(midnight + 5 * MINUTE));
  for (let number = 0; number < 3; number += 1) expect(await send(site, '203.0.113.1')).toBe('taken');
  expect(await send(site, '203.0.113.1')).toBe('reader');
});

test('an address is kept as a hash under the salt of its day, which is gone after two', async () => {
  const site = await world.newSite();
  await send(site, '203.0.113.77');
  const { pool } = world.api.db;
  const { rows: salts } = await pool.query('select day::text, salt from reader_salts order by day');
  expect(new Set(salts.map(({ salt }) => salt.toString('hex'))).size).toBe(salts.length);
  const { rows } = await pool.query('select reader_hash from comment_submissions where site_id = $1', [
    site.siteId,
  ]);
  const plain = createHmac('sha256', '').update('203.0.113.77').digest();
  expect(rows[0].reader_hash).toHaveLength(32);
  expect(rows[0].reader_hash.equals(plain)).toBe(false);

  const today = world.clock.now().toISOString().slice(0, 10);
  const clean = (now: Date) => world.api.db.transaction((tx) => destroyOldSalts(tx, now));
  const days = async () =>
    (await pool.query('select day::text from reader_salts')).rows.map(({ day }) => day);
  const tomorrow = new Date(`${today}T23:59:59.999Z`);
  tomorrow.setUTCDate(tomorrow.getUTCDate() + 1);
  await clean(tomorrow);
  expect(await days()).toContain(today);
  await clean(new Date(tomorrow.getTime() + 1));
  expect(await days()).not.toContain(today);
});

test('a Site takes 300 comments in an hour, of whomever', async () => {
  const site = await world.newSite();
  await fill(site, 250, 59 * MINUTE);
  await fill(site, 49, 30 * MINUTE);
  await fill(site, 1_000, 60 * MINUTE);
  expect(await send(site, null)).toBe('taken');
  const refused = await site.submit();
  expect(refused.json.error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', limit: 'site' });
  expect(refused.headers.get('retry-after')).toBe('60');
  world.clock.advance(MINUTE);
  expect(await send(site, null)).toBe('taken');
});

test('the limit of the reader is named before that of the Site, and that before the queue', async () => {
  const site = await world.newSite({ moderation: 'hold_all' });
  for (let number = 0; number < 5; number += 1) await send(site, '203.0.113.1');
  await world.api.db.pool.query('update site_comments set pending = 2000 where site_id = $1', [site.siteId]);
  expect(await send(site, '203.0.113.2')).toBe('queue');
  await fill(site, 295, MINUTE);
  expect(await send(site, '203.0.113.1')).toBe('reader');
  expect(await send(site, '203.0.113.2')).toBe('site');
});

test('a full queue keeps out what would wait, and nothing else', async () => {
  const site = await world.newSite({ moderation: 'hold_links' });
  await world.api.db.pool.query('update site_comments set pending = 1999 where site_id = $1', [site.siteId]);
  const link = async () => (await site.submit({ body: `See www.example.com ${Math.random()}` })).status;
  expect(await link()).toBe(201);
  expect(await link()).toBe(429);
  expect((await site.submit()).data).toEqual({ status: 'approved', duplicate: false });
});

test('the log is emptied of what no limit looks back to, and of nothing else', async () => {
  const site = await world.newSite();
  await fill(site, 3, 24 * 60 * MINUTE);
  await fill(site, 2, 24 * 60 * MINUTE - 1);
  const clean = () => world.api.db.transaction((tx) => deleteOldSubmissions(tx, world.clock.now(), 2));
  while ((await clean()) > 0);
  const { rows } = await world.api.db.pool.query(
    'select count(*)::int as left from comment_submissions where site_id = $1',
    [site.siteId],
  );
  expect(rows[0].left).toBe(2);
});
