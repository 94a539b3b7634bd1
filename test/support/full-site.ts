import type { TestApi } from './api.ts';
import { buildTenant, buildTerm } from './builders.ts';
import type { Tenant } from './builders.ts';
import * as home from './home.ts';
import type { Home } from './home.ts';

/** A Site that has rows in every table, and objects: some by requests, others as the worker would have left them. */
export async function buildFullSite(api: TestApi): Promise<Tenant> {
  const tenant = await buildTenant(api.db);
  const { siteId, memberId, secretKey: key } = tenant;
  const send = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await api.request(method, path, { key, body, idempotencyKey: true });
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.data;
  };
  const at: Home = { api, tenant, send };
  const category = await buildTerm(api, key, 'categories');
  const author = await buildTerm(api, key, 'authors');
  const tag = await buildTerm(api, key, 'tags');
  await home.delivery(at);
  await send('POST', '/articles', { category_id: category.id, author_id: author.id, tag_ids: [tag.id] });
  await home.scheduled(at);
  await home.edited(at);
  await home.bulkJob(at);
  const pushed = await home.push(at);
  await home.channel(at);
  await home.backlink(at);
  await home.finding(at);
  const { slug, id: publishedId } = await home.published(at);
  await send('POST', `/articles/${publishedId}/preview-links`);
  await send('POST', `/articles/${publishedId}/notes`, { body: 'Shorter.' });
  const review = await send('POST', `/articles/${publishedId}/review`);
  await send('PATCH', '/comments/settings', { enabled: true, moderation: 'none' });
  await send('POST', '/comments', { slug, body: 'Text.', author_name: 'Ada', reader_ip: '203.0.113.9' });
  await home.asset(at);
  await home.uploaded(at);
  await home.approval(at);
  await send('POST', '/content-types', { name: home.name(), blueprint: home.blueprint });
  await send('POST', `/keys/${(await home.keyOf(at)).id}/rotate`, {});
  await send('PATCH', '/pipeline/prompts/plan', { template: 'Plan {{title}}.' });
  await send('PATCH', '/pipeline/voice', { tone: 'Calm.' });
  await home.planItem(at, { category_id: category.id, author_id: author.id });
  await send('PATCH', '/content-plan/autopilot', { enabled: true });
  const run = await home.run(at);
  const { pool } = api.db;
  await pool.query(
    "insert into prompt_tries (id, site_id, stage, created_at) values (uuidv7(), $1, 'plan', now())",
    [siteId],
  );
  await pool.query(
    'insert into review_approvals (review_id, member_id, text_number, at) values ($1, $2, 1, now())',
    [review.id, tenant.memberId],
  );
  await pool.query(
    `insert into channel_messages (id, channel_id, kind, details, created_at)
     select uuidv7(), id, 'comment.held', '{}', now() from channels where site_id = $1`,
    [siteId],
  );
  await pool.query(
    `insert into cms_remote_posts (connection_id, article_id, state, updated_at) values ($1, uuidv7(), '{}', now())`,
    [pushed.connection_id],
  );
  await pool.query(
    `insert into cms_remote_images (connection_id, source, remote, created_at) values ($1, '\\x00', '{}', now())`,
    [pushed.connection_id],
  );
  await pool.query(
    `insert into image_variants (asset_id, width, format, object_key, tries, leased_until, outcome)
     select id, 320, 'png', 'public/' || site_id || '/small.png', 1, now(), 'stored' from media_assets where site_id = $1`,
    [siteId],
  );
  await pool.query(
    `insert into seo_scan_targets (scan_id, fingerprint, key, state, memo)
     select id, 'one', 'one', 'waiting', '{}' from seo_scans where site_id = $1`,
    [siteId],
  );
  const { rows } = await pool.query(
    `select e.id as endpoint_id, v.id as event_id, r.article_id
     from webhook_endpoints e, events v, pipeline_run_articles r
     where e.site_id = $1 and v.site_id = $1 and r.run_id = $2 limit 1`,
    [siteId, run.id],
  );
  const { endpoint_id: endpointId, event_id: eventId, article_id: articleId } = rows[0];
  await pool.query(
    `insert into webhook_detached_attempts (id, endpoint_id, event_id, event, attempt, redelivery, leased_at, leased_until)
     values (uuidv7(), $1, $2, 'article.published', 1, false, now(), now() + interval '1 hour')`,
    [endpointId, eventId],
  );
  await pool.query(
    `insert into pipeline_steps (run_id, article_id, site_id, stage, prompt, answer, created_at)
     values ($1, $2, $3, 'earlier', 'Prompt', 'Answer', now())`,
    [run.id, articleId, siteId],
  );
  await pool.query(
    `insert into article_claims (id, site_id, article_id, text, verdict, near, content_number)
     values (uuidv7(), $1, $2, 'Bread is old.', 'unsupported', 0, 0)`,
    [siteId, articleId],
  );
  await pool.query(
    `insert into credit_ledger (id, organisation_id, site_id, kind, amount, balance, run_id, article_id, stage, created_at)
     values (uuidv7(), $1, $2, 'charge', -1, 999, $3, $4, 'earlier', now())`,
    [tenant.organisationId, siteId, run.id, articleId],
  );
  await pool.query('update organisations set credit_balance = 999 where id = $1', [tenant.organisationId]);
  for (const table of ['doomed_objects', 'cache_purges'])
    await pool.query(
      `insert into ${table} (id, site_id, ${table === 'cache_purges' ? 'urls' : 'object_key'}, outbox_id, created_at)
       values (uuidv7(), $1, $2, 0, now())`,
      [siteId, table === 'cache_purges' ? ['https://blog.example.com/a'] : `public/${siteId}/gone.png`],
    );
  await pool.query(
    `insert into device_authorizations (
       id, device_code_hash, user_code_mac, client_name, scopes, held_by_agent, client_address, client_network,
       poll_interval, created_at,
       expires_at, decision, member_id, site_id
     ) values (
       uuidv7(), sha256($1::text::bytea), sha256($2::text::bytea), 'A laptop', '{}', false, '203.0.113.9', '203.0.113.0/24', 5, now(),
       now() + interval '1 hour', 'denied', $3, $4
     )`,
    [`code of ${siteId}`, `mac of ${siteId}`, memberId, siteId],
  );
  await pool.query(
    `insert into oauth_grants (
       id, site_id, member_id, client_id, client_name, redirect_uri, resource, scopes, code_hash, code_challenge, client_network,
       created_at, expires_at
     ) values (
       uuidv7(), $1, $2, 'https://client.example/client', 'A program', 'https://client.example/callback',
       'https://cms.example.com/mcp', '{}', sha256($3::text::bytea), 'challenge', '203.0.113.0/24', now(), now() + interval '1 hour'
     )`,
    [siteId, memberId, `oauth code of ${siteId}`],
  );
  await pool.query(`insert into maintenance (site_id, retry_after, started_at) values ($1, 60, now())`, [
    siteId,
  ]);
  await pool.query(`insert into site_usage (site_id) values ($1) on conflict do nothing`, [siteId]);
  await pool.query(
    `insert into site_months (site_id, month, pipeline_runs) values ($1, '2026-01-01', 1) on conflict do nothing`,
    [siteId],
  );
  return tenant;
}

/** How many rows of a Site each table has; reads all tables that lead to a Site by `site_id` or by foreign keys. */
export async function rowsOfSite(api: TestApi, siteId: string): Promise<Record<string, number>> {
  const { pool } = api.db;
  const counts: Record<string, number> = {};
  for (const [table, condition] of await conditionsOf(api)) {
    const { rows } = await pool.query(`select count(*)::int from ${table} where ${condition}`, [siteId]);
    counts[table] = rows[0].count;
  }
  return counts;
}

/** Tables of a Site's rows that nothing in the schema ties to the Site. */
const UNTIED: readonly (readonly [table: string, condition: string])[] = [
  ['outbox', `payload ->> 'siteId' = $1::uuid::text and kind <> 'site-deletion'`],
  ['webhook_deliveries', 'endpoint_id in (select id from webhook_endpoints where site_id = $1)'],
];

/** A condition for each table, derived from the database, so that no new table is forgotten. */
async function conditionsOf(api: TestApi): Promise<ReadonlyMap<string, string>> {
  const { pool } = api.db;
  const conditions = new Map<string, string>([['sites', 'id = $1'], ...UNTIED]);
  const withColumn = await pool.query(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'site_id'`,
  );
  for (const { name } of withColumn.rows) conditions.set(name, 'site_id = $1');
  const keys = await pool.query(
    `select c.conrelid::regclass::text as child, a.attname as column, c.confrelid::regclass::text as parent,
       b.attname as referred
     from pg_constraint c
     join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1]
     where c.contype = 'f' and array_length(c.conkey, 1) = 1`,
  );
  for (let added = -1; added !== 0;) {
    added = 0;
    for (const { child, column, parent, referred } of keys.rows) {
      const above = conditions.get(parent);
      // What is its organisation's belongs to no Site.
      if (conditions.has(child) || above === undefined) continue;
      conditions.set(child, `${column} in (select ${referred} from ${parent} where ${above})`);
      added += 1;
    }
  }
  return conditions;
}
