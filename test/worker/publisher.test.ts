import { createScheduledPublishActivities } from '../../activities/scheduled-publish.ts';
import { DueArticles } from '../../activities/scheduled-publish/publish-all-due.ts';
import { DatabaseClock } from '../../worker/database-clock.ts';
import { buildPublished, buildTerm } from '../support/builders.ts';
import { TestClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { silent } from '../support/temporal.ts';
import {
  api,
  arePublic,
  clock,
  HOUR_MS,
  inMs,
  looked,
  nextTenant,
  published,
  schedule,
  scheduled,
  standingOf,
  startPublisher,
  tenant,
  waiting,
  usePublishing,
} from './publishing.ts';

usePublishing();

test('without Temporal articles are published at their second, by one of two workers, once and not before', async () => {
  const due = inMs(HOUR_MS);
  const ids = await scheduled(due, 20);
  const publishers = [startPublisher(), startPublisher()];
  clock.advance(HOUR_MS - 1);
  await Promise.all(publishers.map(looked));
  expect(await standingOf(ids)).toEqual(waiting(ids));
  clock.advance(1);
  await eventually('they are public', () => arePublic(ids));
  await Promise.all(publishers.map(looked));
  expect(await standingOf(ids)).toEqual(published(ids, due));
});

test('what fell due while no worker ran is published by the next, at once', async () => {
  const ids = await scheduled(inMs(HOUR_MS), 3);
  clock.advance(2 * HOUR_MS);
  startPublisher();
  await eventually('they are public', () => arePublic(ids));
  expect(await standingOf(ids)).toEqual(published(ids, clock.now()));
});

test('a time that is moved, earlier or later, counts as it is now; what is unscheduled stays a draft', async () => {
  const due = inMs(HOUR_MS);
  const [earlier = '', later = '', taken = ''] = await scheduled(due, 3);
  const publisher = startPublisher();
  await looked(publisher);
  const sooner = inMs(HOUR_MS / 2);
  await schedule(earlier, sooner);
  await schedule(later, inMs(2 * HOUR_MS));
  await api.request('POST', `/articles/${taken}/cancel-schedule`, { key: tenant.secretKey });
  clock.advanceTo(sooner);
  await eventually('the earlier one is public', () => arePublic([earlier]));
  clock.advanceTo(due);
  await looked(publisher);
  expect(await standingOf([earlier, later, taken])).toEqual([
    ...published([earlier], sooner),
    ...waiting([later]),
    { status: 'draft', published_at: null, events: 0 },
  ]);
  clock.advance(HOUR_MS);
  await eventually('the later one is public', () => arePublic([later]));
});

test('what was published early, or taken back, is not published again at its time', async () => {
  const due = inMs(HOUR_MS);
  const [early = '', back = ''] = await scheduled(due, 2);
  const now = clock.now();
  for (const id of [early, back])
    await api.request('POST', `/articles/${id}/publish`, { key: tenant.secretKey });
  await api.request('POST', `/articles/${back}/unpublish`, { key: tenant.secretKey });
  const publisher = startPublisher();
  clock.advanceTo(due);
  await looked(publisher);
  expect(await standingOf([early, back])).toEqual([
    { status: 'published', published_at: now, events: 1 },
    { status: 'draft', published_at: now, events: 1 },
  ]);
});

test('two workers, timers and requests at one second: each article is published once, or not at all', async () => {
  const due = inMs(HOUR_MS);
  const ids = await scheduled(due, 24);
  const ports = { db: api.db, clock, log: silent, purger: null };
  const timers = createScheduledPublishActivities({ ...ports, dueArticles: new DueArticles(ports) });
  const publishers = [startPublisher(), startPublisher()];
  const later = inMs(3 * HOUR_MS).toISOString();
  const calls = ['cancel-schedule', 'schedule', 'publish', 'unpublish'] as const;
  clock.advanceTo(due);
  const answers = await Promise.all(
    ids.map(async (id, index) => {
      const call = calls[index % calls.length]!;
      const body = call === 'schedule' ? { scheduled_publish_at: later } : undefined;
      const [{ status }] = await Promise.all([
        api.request('POST', `/articles/${id}/${call}`, { key: tenant.secretKey, body }),
        timers.publishDueArticle(id),
      ]);
      return { call, done: status === 200 };
    }),
  );
  await Promise.all(publishers.map(looked));
  const standings = await standingOf(ids);
  for (const [index, { status, events }] of standings.entries()) {
    const { call, done } = answers[index]!;
    const expected = {
      'cancel-schedule': [done ? 'draft 0' : 'published 1'],
      schedule: [done ? 'scheduled 0' : 'published 1'],
      publish: ['published 1'],
      unpublish: [done ? 'draft 1' : 'published 1'],
    }[call];
    expect(expected).toContain(`${status} ${events}`);
  }
});

test('a Site that is locked delays none that falls due meanwhile, and is published once it is free', async () => {
  const due = inMs(HOUR_MS);
  const [held = ''] = await scheduled(due);
  const { id: news } = await buildTerm(api, tenant.secretKey, 'categories');
  await api.request('PATCH', `/articles/${held}`, { key: tenant.secretKey, body: { category_id: news } });
  await nextTenant();
  const next = await scheduled(inMs(2 * HOUR_MS));
  const client = await api.db.pool.connect();
  try {
    await client.query('begin');
    await client.query('select from categories where id = $1 for update', [news]);
    startPublisher();
    clock.advanceTo(due);
    await eventually('its transaction waits', async () => {
      const { rows } = await api.db.pool.query('select from pg_locks where not granted');
      return rows.length > 0;
    });
    clock.advance(HOUR_MS);
    await eventually('the other Site is published', () => arePublic(next));
    expect(await standingOf([held])).toEqual(waiting([held]));
    await client.query('commit');
  } finally {
    client.release();
  }
  await eventually('it is published', () => arePublic([held]));
});

test('without Temporal pending edits are published at their second, by one of two workers, once and not before', async () => {
  const key = tenant.secretKey;
  const due = inMs(HOUR_MS);
  const ids: string[] = [];
  for (let number = 1; number <= 6; number += 1) {
    const { id } = await buildPublished(api, key, { title: `Live ${number}` });
    await api.request('PATCH', `/articles/${id}/pending`, { key, body: { title: 'Edited' } });
    const body = { scheduled_at: due.toISOString() };
    await api.request('POST', `/articles/${id}/pending/schedule`, { key, body });
    ids.push(id);
  }
  const [live = '', later = '', conflicting = '', ...plain] = ids;
  await api.request('DELETE', `/articles/${live}/pending`, { key });
  const body = { scheduled_at: inMs(2 * HOUR_MS).toISOString() };
  await api.request('POST', `/articles/${later}/pending/schedule`, { key, body });
  await api.request('PATCH', `/articles/${conflicting}`, { key, body: { title: 'Changed meanwhile' } });
  const titlesOf = async (of: readonly string[]): Promise<string[]> => {
    const { rows } = await api.db.pool.query<{ title: string }>(
      'select title from articles where id = any($1) order by array_position($1, id)',
      [of],
    );
    return rows.map(({ title }) => title);
  };
  const publishers = [startPublisher({ of: 'edits' }), startPublisher({ of: 'edits' })];
  clock.advance(HOUR_MS - 1);
  await Promise.all(publishers.map(looked));
  expect(await titlesOf(plain)).toEqual(['Live 4', 'Live 5', 'Live 6']);
  clock.advance(1);
  await eventually('they are public', async () =>
    (await titlesOf(plain)).every((title) => title === 'Edited'),
  );
  await Promise.all(publishers.map(looked));
  expect(await titlesOf([live, later, conflicting])).toEqual(['Live 1', 'Live 2', 'Changed meanwhile']);
  expect((await api.request('GET', `/articles/${conflicting}/pending`, { key })).data).toMatchObject({
    conflict: ['title'],
    scheduled_at: null,
  });
  const { rows } = await api.db.pool.query(
    `select count(*)::int as events from events
     where event = 'article.updated' and body::jsonb #>> '{data,id}' = any($1) group by body::jsonb #>> '{data,id}'`,
    [plain],
  );
  expect(rows).toEqual(plain.map(() => ({ events: 1 })));
});

test.each([
  ['ahead of', HOUR_MS],
  ['behind', -HOUR_MS],
])('a worker whose clock is %s the database’s publishes by that of the database', async (_, skewMs) => {
  const own = new TestClock();
  own.advance(skewMs);
  const ofDatabase = new DatabaseClock(own);
  await ofDatabase.read(api.db);
  const { rows } = await api.db.pool.query<{ ms: number }>(
    'select abs(extract(epoch from clock_timestamp() - $1::timestamptz) * 1000)::float8 as ms',
    [ofDatabase.now()],
  );
  expect(rows[0]?.ms).toBeLessThan(HOUR_MS / 2);
});

test('a clock that agrees with the database’s is left alone', async () => {
  const own = { now: () => new Date() };
  const ofDatabase = new DatabaseClock(own);
  for (let reads = 0; reads < 5; reads += 1) {
    await ofDatabase.read(api.db);
    const [before, shown, after] = [own.now(), ofDatabase.now(), own.now()];
    expect(shown.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(shown.getTime()).toBeLessThanOrEqual(after.getTime());
  }
});
