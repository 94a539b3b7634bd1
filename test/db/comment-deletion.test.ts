import { z } from 'zod';
import { sql } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { Site } from '../../domain/kernel/site.ts';
import type { Purging } from '../../domain/purge/purge.ts';
import { operator } from '../../domain/audit/record.ts';
import { deleteComment, deleteCommentsOf, eraseAuthor } from '../../domain/comments/remove.ts';
import { lockComments } from '../../domain/comments/site-comments.ts';
import { buildTenant } from '../support/builders.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

const REPLIES = 2_000;
const ADDRESS = 'reader@example.com';

let database: TestDatabase;
let site: Site;
let purging: Purging;
let article: string;
let root: string;
const now = new Date();

const query = async (text: string, values: readonly unknown[]): Promise<any[]> =>
  (await database.db.pool.query(text, [...values])).rows;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A Site with one long thread, all by one person. */
beforeEach(async () => {
  const { siteId, organisationId } = await buildTenant(database.db);
  site = { id: siteId, organisationId, cursorKey: Buffer.alloc(16) } as Site;
  purging = { site, db: database.db, purger: null };
  [{ id: article }] = (await query(
    `insert into articles (id, site_id, status, created_at, updated_at)
     values (gen_random_uuid(), $1, 'draft', now(), now()) returning id`,
    [siteId],
  )) as [{ id: string }];
  await query(`insert into site_comments (site_id, enabled, approved) values ($1, true, $2)`, [
    siteId,
    REPLIES + 1,
  ]);
  const add = (count: number, parent: string | null) =>
    query(
      `insert into comments
         (id, site_id, article_id, parent_id, status, is_public, author_name, author_email, body, created_at, updated_at)
       select gen_random_uuid(), $1, $2, $3, 'approved', true, 'Ada', '${ADDRESS}', 'Text', now(), now()
       from generate_series(1, $4::int) returning id`,
      [siteId, article, parent, count],
    );
  [{ id: root }] = (await add(1, null)) as [{ id: string }];
  await add(REPLIES, root);
  await query('analyze comments', []);
});

const scans = z.object({ scans: z.number() });

/** How often a transaction scanned the comments, including its constraints. */
const looks = (work: (tx: Transaction) => Promise<unknown>): Promise<number> =>
  database.db.transaction(async (tx) => {
    await lockComments(tx, site.id);
    await work(tx);
    const { scans: count } = await tx.one(sql.type(scans)`
      select (seq_scan + idx_scan)::int as scans from pg_stat_xact_user_tables where relname = 'comments'`);
    return count;
  });

test.each<[string, (tx: Transaction) => Promise<unknown>]>([
  ['a comment', (tx) => deleteComment({ tx, site, actor: operator, now }, purging, root)],
  ["an article's comments", (tx) => deleteCommentsOf({ tx, site, actor: operator, now }, article)],
  ["a person's comments", (tx) => eraseAuthor({ tx, site, actor: operator, now }, purging, ADDRESS)],
])('deleting %s looks nothing up for each comment that goes', async (_, work) => {
  // A constraint that is checked for each row scans at least once per row.
  expect(await looks(work)).toBeLessThan(REPLIES / 10);
  expect(await query('select id from comments where site_id = $1', [site.id])).toEqual([]);
});
