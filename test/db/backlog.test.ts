import type { Queryable, Query } from '../../db/statements.ts';
import { outboxAge } from '../../db/outbox.ts';
import { overdueSchedules } from '../../domain/publication/schedule.ts';
import { unfinishedDeletions } from '../../domain/leaving/deletion.ts';
import { overdueDeliveries } from '../../domain/webhooks/overdue.ts';
import { buildTenant } from '../support/builders.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

const now = new Date();
/** An endpoint that takes deliveries, one that is paused, and one that was disabled. */
const [taking, paused, disabled] = [1, 2, 3].map((n) => `0197a0c4-0000-7000-8000-00000000000${n}`);
/** Rows that are not due, in large numbers. */
const LATER = 20_000;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  const { siteId } = await buildTenant(database.db);
  const { pool } = database.db;
  const run = (text: string, values: unknown[]): Promise<unknown> => pool.query(text, values);
  await run(
    `insert into outbox (kind, workflow_id, payload, created_at, available_at, attempts)
     select 'cache-purge', 'cache-purge/' || n, '{}', $1, $1::timestamptz + interval '5 seconds' * n, 0
     from generate_series(1, ${LATER}) n`,
    [now],
  );
  await run(
    `insert into articles (id, site_id, status, title, slug, content, scheduled_publish_at, created_at, updated_at)
     select gen_random_uuid(), $2, 'scheduled', 'Later', 'later-' || n, 'Text', $1::timestamptz + interval '1 minute' * n, $1, $1
     from generate_series(1, ${LATER}) n`,
    [now, siteId],
  );
  await run(
    `insert into webhook_endpoints (id, site_id, url, events, enabled, disabled_reason, disabled_at, paused, secret, created_at, updated_at)
     select id, $2, 'https://example.com', '{}', id <> '${disabled}', case when id = '${disabled}' then 'by hand' end,
       case when id = '${disabled}' then $1::timestamptz end, id = '${paused}', '', $1, $1
     from unnest(array['${taking}', '${paused}', '${disabled}']::uuid[]) id`,
    [now, siteId],
  );
  await run(
    `with made as (
       insert into events (id, site_id, event, created_at, body)
       select gen_random_uuid(), $2, 'article.published', $1, '{}' from generate_series(1, ${LATER}) n returning id
     )
     insert into webhook_queue (endpoint_id, event_id, due_at)
     select '${taking}', id, $1::timestamptz + interval '1 hour' from made`,
    [now, siteId],
  );
  await pool.query('vacuum analyze outbox, articles, webhook_queue, webhook_endpoints');
});
afterAll(() => database.drop());

const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1_000);
const nothing = { waiting: 0, oldest_seconds: 0 };

describe('what waits', () => {
  afterEach(async () => {
    await database.db.pool.query('delete from outbox where created_at < $1', [now]);
  });

  const leave = (created: Date, available: Date, attempts: number): Promise<unknown> =>
    database.db.pool.query(
      `insert into outbox (kind, workflow_id, payload, created_at, available_at, attempts) values ('a', 'b', '{}', $1, $2, $3)`,
      [created, available, attempts],
    );

  test('in the outbox are due messages, and those delayed after a failure, but not future ones', async () => {
    expect(await outboxAge(database.db, now)).toEqual({ ...nothing, failing: 0 });
    await leave(ago(3), ago(3), 0);
    expect(await outboxAge(database.db, now)).toEqual({ waiting: 1, oldest_seconds: 3, failing: 0 });
    await leave(ago(300), ago(-59), 12);
    expect(await outboxAge(database.db, now)).toEqual({ waiting: 2, oldest_seconds: 300, failing: 1 });
  });

  test('for publication are articles whose time has come', async () => {
    expect(await overdueSchedules(database.db, now)).toEqual(nothing);
    expect(await overdueSchedules(database.db, ago(-125))).toEqual({ waiting: 2, oldest_seconds: 65 });
  });

  test('for publication are also pending edits whose time has come', async () => {
    const { pool } = database.db;
    await pool.query(
      `insert into pending_edits (article_id, site_id, base_version, base, changes, scheduled_at, version, created_at, updated_at)
       select id, site_id, 1, '{}', '{}', $1::timestamptz - interval '90 seconds' + interval '1 minute' * number, 1, $1, $1
       from (select *, row_number() over () as number from articles limit 2) a`,
      [now],
    );
    expect(await overdueSchedules(database.db, now)).toEqual({ waiting: 1, oldest_seconds: 30 });
    await pool.query('delete from pending_edits');
  });

  test('to be deleted are Sites and organisations whose deletion has not finished', async () => {
    expect(await unfinishedDeletions(database.db, now)).toEqual(nothing);
    const ask = (asked: Date, finished: Date | null): Promise<unknown> =>
      database.db.pool.query(
        `insert into deletions (target_id, kind, organisation_id, asked_at, asked_by, quiet_at, finished_at)
         values (gen_random_uuid(), 'site', gen_random_uuid(), $1, 'olga', $1, $2)`,
        [asked, finished],
      );
    await ask(ago(9_000), ago(8_000));
    expect(await unfinishedDeletions(database.db, now)).toEqual(nothing);
    await ask(ago(7_200), null);
    await ask(ago(60), null);
    expect(await unfinishedDeletions(database.db, now)).toEqual({ waiting: 2, oldest_seconds: 7_200 });
    await database.db.pool.query('delete from deletions');
  });

  test('to be delivered are due deliveries to an active endpoint that are not being sent', async () => {
    const { pool } = database.db;
    const queue = (endpoint: string | undefined, due: Date): Promise<unknown> =>
      pool.query(
        `with event as (
           insert into events (id, site_id, event, created_at, body)
           select gen_random_uuid(), site_id, 'article.published', $2, '{}' from webhook_endpoints where id = $1 returning id
         )
         insert into webhook_queue (endpoint_id, event_id, due_at) select $1, id, $2 from event`,
        [endpoint, due],
      );
    await queue(paused, ago(1_000));
    await queue(disabled, ago(1_000));
    expect(await overdueDeliveries(database.db, now)).toEqual(nothing);
    await queue(taking, ago(30));
    expect(await overdueDeliveries(database.db, now)).toEqual({ waiting: 1, oldest_seconds: 30 });
    const lease =
      'update webhook_queue set delivery_id = gen_random_uuid(), leased_at = $1, leased_until = $2';
    await pool.query(`${lease} where due_at = $1`, [ago(30), ago(-10)]);
    expect(await overdueDeliveries(database.db, now)).toEqual(nothing);
    // Its worker is dead.
    await pool.query(`${lease} where due_at = $1`, [ago(30), ago(1)]);
    expect(await overdueDeliveries(database.db, now)).toEqual({ waiting: 1, oldest_seconds: 30 });
  });
});

test.each([
  ['the outbox', 'outbox', outboxAge],
  ['overdue articles', 'articles', overdueSchedules],
  ['due deliveries', 'webhook_queue', overdueDeliveries],
] as const)('a scrape reads %s by an index, and nothing that does not wait', async (_, table, read) => {
  const scans: { type: string; rows: number }[] = [];
  const spying = {
    async one<Row>(query: Query<Row>) {
      const { rows } = await database.db.pool.query(
        `explain (analyze, format json) ${query.sql.replaceAll('$slonik_', '$')}`,
        query.values as unknown[],
      );
      visit(rows[0]['QUERY PLAN'][0].Plan);
      return database.db.one(query);
    },
  } as unknown as Queryable;
  const visit = (node: any): void => {
    if (node['Relation Name'] === table) {
      const looked = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
      scans.push({ type: node['Node Type'], rows: looked });
    }
    for (const child of node.Plans ?? []) visit(child);
  };
  await read(spying, now);
  expect(scans.length).toBeGreaterThan(0);
  for (const scan of scans) {
    expect(scan.type).toMatch(/^Index/);
    expect(scan.rows).toBeLessThan(100);
  }
});
