import { listNotes } from '../../domain/notes/note.ts';
import { findDueMails, nextMailAt } from '../../domain/notifications/mails.ts';
import { listNotifications } from '../../domain/notifications/notification.ts';
import { listReviews } from '../../domain/reviews/review.ts';
import type { ReviewFilters } from '../../domain/reviews/review.ts';
import type { Site } from '../../domain/kernel/site.ts';
import type { Query, Queryable } from '../../db/statements.ts';
import { buildMember, buildTenant } from '../support/builders.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

/**
 * A Site with 100,000 reviews of 20,000 articles, 200 of which are open, and as many of another Site; an article with 200
 * notes among 40,000; and 200 people with a thousand notifications.
 */
let database: TestDatabase;
let site: Site;
let reviewer: string;
let person: string;
const article = (number: number): string => `0197a0c4-0000-7000-8000-${String(number).padStart(12, '0')}`;
const idOf = (n: string): string => `('0197a0c4-0000-7000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;

beforeAll(async () => {
  database = await createTestDatabase();
  const [tenant, other] = [await buildTenant(database.db), await buildTenant(database.db)];
  site = { id: tenant.siteId, organisationId: tenant.organisationId, cursorKey: Buffer.alloc(16) } as Site;
  person = tenant.memberId;
  reviewer = await buildMember(database.db, tenant.organisationId, 'editor');
  const run = (text: string) => database.db.pool.query(text);
  await run('alter table articles disable trigger articles_words_of_new');
  await run('alter table notifications disable trigger notifications_newest');
  for (const [from, siteId] of [
    [0, tenant.siteId],
    [20_000, other.siteId],
  ] as const) {
    await run(`
      insert into articles (id, site_id, status, title, content, created_at, updated_at)
      select ${idOf('n')}, '${siteId}', 'draft', 'Title', 'Text', now(), now() from generate_series(${from + 1}, ${from + 20_000}) n`);
    for (let part = 0; part < 5; part += 1)
      await run(`
        insert into reviews (id, site_id, article_id, state, subject, text_number, requested_by, reviewer_ids, due_date,
          decided_by, decided_at, created_at)
        select uuidv7(), '${siteId}', ${idOf(`${from} + n`)}, s, 'article', 1, '${person}',
          case when n % 100 = 0 then array['${reviewer}'::uuid] else '{}' end,
          case when n % 3 = 0 then date '2026-01-01' + n % 365 end,
          case when s = 'approved' then '${reviewer}'::uuid end, case when s = 'approved' then now() end, now()
        from generate_series(1, 20000) n, lateral (
          select case when ${part} = 4 and n % 100 = 0 then 'requested' when n % 2 = 0 then 'approved' else 'withdrawn' end
        ) as s (s)`);
  }
  await run(`
    insert into notes (id, site_id, article_id, body, content_number, author_id, mention_ids, resolved_by, created_at, updated_at)
    select uuidv7(), '${tenant.siteId}', ${idOf('1 + n % 200')}, 'Note', 0, '${person}', '{}',
      case when n % 2 = 0 then '${person}'::uuid end, now(), now()
    from generate_series(1, 40000) n`);
  await run(`
    insert into members (id, organisation_id, email, role, created_at)
    select ${idOf('n')}, '${tenant.organisationId}', 'reader' || n || '@example.com', 'viewer', now() from generate_series(1, 199) n`);
  await run(`
    insert into notifications (id, member_id, site_id, kind, created_at, read_at, mail_due_at)
    select gen_random_uuid(), m.id, '${tenant.siteId}', 'comment.held', now() - n * interval '1 minute',
      case when n > 10 then now() end, case when n <= 3 then now() end
    from members m, generate_series(1, 1000) n where m.organisation_id = '${tenant.organisationId}'`);
  await run('vacuum analyze');
}, 240_000);
afterAll(() => database.drop());

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
}

/** The most rows that a step of the statements looks at; a growing table that is read as a whole is an error. */
async function looksAt(mode: string, work: (db: Queryable) => Promise<unknown>): Promise<number> {
  const client = await database.db.pool.connect();
  let most = 0;
  const visit = (node: Node): void => {
    expect(`${node['Node Type']} ${node['Relation Name'] ?? ''}`).not.toMatch(
      /^Seq Scan (reviews|notes|notifications|articles)$/,
    );
    // There are too few for an index to be worth it.
    if (node['Relation Name'] === 'members') return;
    const rows = (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0);
    most = Math.max(most, rows * (node['Actual Loops'] ?? 1));
    node.Plans?.forEach(visit);
  };
  const literal = (value: unknown): string => (value === null ? 'null' : client.escapeLiteral(String(value)));
  const any = async ({ sql, values }: Query): Promise<any[]> => {
    const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
    await client.query(`prepare planned as ${sql.replaceAll('$slonik_', '$')}`);
    const { rows } = await client.query(`explain (analyze, format json) execute planned${given}`);
    visit(rows[0]['QUERY PLAN'][0].Plan as Node);
    const result = await client.query(`execute planned${given}`);
    await client.query('deallocate planned');
    return result.rows;
  };
  try {
    await client.query(`set plan_cache_mode = ${mode}`);
    await work({ any, one: async (query: Query) => (await any(query))[0] } as unknown as Queryable);
  } finally {
    client.release(true);
  }
  return most;
}

/** A page, and the next one. */
async function twoPages(
  mode: string,
  list: (db: Queryable, cursor?: string) => Promise<{ nextCursor: string | null }>,
) {
  let cursor: string | undefined;
  let most = 0;
  for (let page = 0; page < 2; page += 1)
    most = Math.max(
      most,
      await looksAt(mode, async (db) => {
        cursor = (await list(db, cursor)).nextCursor ?? undefined;
      }),
    );
  return most;
}

describe.each(['force_custom_plan', 'force_generic_plan'])('with %s', (mode) => {
  const cases: readonly (readonly [string, () => ReviewFilters])[] = [
    ['no filter', () => ({})],
    ['a state', () => ({ state: 'approved' })],
    ['the open ones', () => ({ state: 'requested' })],
    ['a state that none has', () => ({ state: 'changes_requested' })],
    ['a reviewer', () => ({ reviewer_id: reviewer })],
    ['what waits for a reviewer', () => ({ reviewer_id: reviewer, state: 'requested' })],
    ['an article', () => ({ article_id: article(5) })],
    ['what was due', () => ({ due_before: '2026-07-01' })],
    ['what was due and is open', () => ({ due_before: '2026-07-01', state: 'requested' })],
  ];
  test.each(cases)('a page of reviews with %s looks at few others', async (_name, filters) => {
    const most = await twoPages(mode, (db, cursor) =>
      listReviews(db, site, { limit: 20, cursor }, filters()),
    );
    // Of a reviewer's reviews, which are sorted, every one.
    expect(most).toBeLessThanOrEqual(2_100);
  });

  test.each([true, false, undefined])(
    'a page of notes, resolved: %s, looks at those of its article',
    async (resolved) => {
      const most = await twoPages(mode, (db, cursor) =>
        listNotes(db, site, article(5), { limit: 20, cursor }, resolved),
      );
      expect(most).toBeLessThanOrEqual(200);
    },
  );

  test.each([true, false])(
    'a page of notifications, unread: %s, looks at those that it shows',
    async (unread) => {
      const most = await twoPages(mode, (db, cursor) =>
        listNotifications(db, site, person, unread, { limit: 5, cursor }),
      );
      expect(most).toBeLessThanOrEqual(6);
    },
  );

  test('the mails that are due are found among those that wait', async () => {
    const most = await looksAt(mode, async (db) => {
      await findDueMails(db, person, new Date(), 10);
      await nextMailAt(db, person);
    });
    expect(most).toBeLessThanOrEqual(3);
  });
});
