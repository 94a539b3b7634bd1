import { createDatabase } from '../../../db/database.ts';
import type { Database } from '../../../db/database.ts';
import { createAuthentication } from '../../../domain/access/authenticate.ts';
import type { Authentication } from '../../../domain/access/authenticate.ts';
import type { Site } from '../../../domain/kernel/site.ts';
import { hashSecret } from '../../../domain/access/key-secret.ts';
import { readArticle } from '../../../domain/articles/article.ts';
import { operator } from '../../../domain/audit/record.ts';
import { createArticle } from '../../../domain/publication/create.ts';
import { articlePage } from '../../../domain/articles/list.ts';
import { buildTenant } from '../../support/builders.ts';
import { createTestDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let db: Database;
let authentication: Authentication;
let site: Site;
let secretKey: string;
let drafts = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  const tenant = await buildTenant(database.db);
  secretKey = tenant.secretKey;
  site = { id: tenant.siteId, cursorKey: Buffer.alloc(16) } as unknown as Site;
  await database.db.pool.query(
    `insert into articles (id, site_id, status, title, slug, created_at, updated_at)
     select gen_random_uuid(), $1, 'draft', 't', 's' || n, now(), now() from generate_series(1, 2000) n`,
    [site.id],
  );
  await database.db.pool.query('vacuum analyze articles');
});
afterAll(() => database.drop());
beforeEach(() => {
  db = createDatabase({ connectionString: database.url, applicationName: 'presswork-test', poolSize: 1 });
  authentication = createAuthentication(db);
});
afterEach(() => db.close());

const brief = { order: 'updated_at.desc', filters: {}, limit: 20 } as const;
const hot: Readonly<Record<string, () => Promise<unknown>>> = {
  'finding a key': () => authentication.identify(hashSecret(secretKey), 'read', new Date()),
  'reading an article': () =>
    readArticle(db, site.id, '0197a0c4-0000-7000-8000-000000000001', false).catch(() => null),
  'listing articles': async () => articlePage(db, site, brief, 'brief').conditional?.readIfChanged(null),
  'creating a draft': () => {
    drafts += 1;
    const values = { title: `Draft ${drafts}` };
    return db.tryWrite((rows, tx) =>
      createArticle(rows, { tx, actor: operator, now: new Date() }, site, values),
    );
  },
};

const cases = Object.entries(hot).flatMap(([name, ask]) =>
  [1, 4].map((together) => [name, together, ask] as const),
);

test.each(cases)(
  '%s, %s at a time, is planned once per connection, not for each request',
  async (_name, together, ask) => {
    for (let times = 0; times < 11; times += 1) await Promise.all(Array.from({ length: together }, ask));
    const { rows } = await db.pool.query(`
      select custom_plans::int as custom, generic_plans::int as lasting from pg_prepared_statements
      where statement not like '%last_used_at =%' and custom_plans + generic_plans > 2`);
    expect(rows.map(({ custom }) => custom)).toEqual([5]);
    expect(rows[0].lasting).toBeGreaterThanOrEqual(5);
  },
);
