import type pg from 'pg';
import { databaseRoles } from './roles.ts';

type Verb = 'select' | 'insert' | 'update' | 'delete';

/** The rights of each role on a table. Everything that is not listed is reserved for the owner. */
interface Access {
  /** The application's rights on its rows. */
  readonly application: readonly Verb[];
  /** The columns that support may read: none with a secret, a hash, an address or a session. */
  readonly support: readonly string[];
}

const words = <Word extends string>(text: string): readonly Word[] =>
  text.split(/\s+/).filter((word) => word !== '') as Word[];

const table = (application: string, support: string): Access => ({
  application: words<Verb>(application),
  support: words(support),
});

/** Triggers refuse to delete some of them without their Site (domain/leaving/README.md). */
const rows = 'select insert update delete';
/** Rows are changed, but not deleted, except by a cascade. */
const kept = 'select insert update';
/** Rows are written once and may be deleted. */
const unchanging = 'select insert delete';
/** Rows are written once and kept. */
const appended = 'select insert';

const term = 'id site_id name slug article_count published_article_count version created_at updated_at';

/**
 * Every table, and the rights of each role on it. A change that adds a table, or a column that support needs, adds it
 * here; `migrate` updates the database.
 */
export const privileges: Readonly<Record<string, Access>> = {
  api_key_secrets: table(rows, 'key_id created_at valid_until rotation retired_at'),
  api_keys: table(
    rows,
    `id site_id member_id name kind key_prefix scopes held_by_agent drafts_only version created_at expires_at
    revoked_at last_used_at rotations`,
  ),
  // A body may contain a reader's address.
  approvals: table(
    rows,
    `id site_id key_id status action method path target_version created_at expires_at decided_at decided_by_key_id
    used_at`,
  ),
  article_claims: table(
    rows,
    'id site_id article_id text verdict source_n evidence start near content_number',
  ),
  article_revisions: table(
    unchanging,
    'article_id number site_id created_at actor_kind actor_id changed title category_id author_id tag_ids whole',
  ),
  article_search: table(kept, 'article_id site_id indexed refined many changed_at'),
  article_tags: table(unchanging, 'article_id tag_id site_id'),
  articles: table(
    rows,
    `id site_id status title slug content excerpt featured_image_url seo_title seo_description seo_keywords faqs
    key_takeaways howto_steps comparison sources category_id author_id format_id external_id origin published_at
    content_updated_at scheduled_publish_at schedule_traceparent version created_at updated_at`,
  ),
  // A person's name may be an e-mail address. Triggers only allow deleting rows about content, after 400 days, and rows of
  // a Site or organisation that is deleted, and erasing the name of a member.
  audit_log: table(
    rows,
    'id organisation_id site_id at actor_kind actor_id action target_type target_id details request_id content',
  ),
  authors: table(rows, `${term} bio avatar_url is_ai_generated`),
  backlinks: table(
    rows,
    `id site_id link_key source_url target_url reversed_host anchor rel article_id status first_seen_at last_seen_at
    checked_at`,
  ),
  // Of a customer nothing but the id is kept, of a payment no card.
  billing_accounts: table(
    rows,
    'organisation_id customer_id top_up_enabled top_up_below top_up_pack top_up_monthly_limit top_up_since created_at',
  ),
  billing_events: table(rows, 'id type facts created_at received_at handled_at'),
  billing_payments: table(
    rows,
    `id organisation_id cause pack quantity status failure credits amount currency session_id intent_id seen version
    created_at ended_at`,
  ),
  billing_subscriptions: table(
    rows,
    `id organisation_id plan status current_period_end cancel_at_period_end entitled past_due_since told_at version
    created_at`,
  ),
  autopilots: table(
    rows,
    `site_id enabled weekdays time items revision changed_at followed_revision followed_at last_firing last_at last_run_id
    last_error_code last_error_message`,
  ),
  bulk_items: table(rows, 'job_id position article_id version status error_code error_message'),
  bulk_jobs: table(
    rows,
    'id site_id action parameters status key_id request_id created_at active_at finished_at',
  ),
  cache_purges: table(rows, 'id site_id urls outbox_id created_at keys pages'),
  categories: table(rows, term),
  channel_messages: table(rows, 'id channel_id kind target_id created_at due_at attempts sent_at'),
  channels: table(rows, 'id site_id kind name host kinds enabled last_error version created_at updated_at'),
  comment_events: table(unchanging, 'event_id site_id comment_id'),
  comment_submissions: table(rows, 'comment_id site_id article_id created_at'),
  comment_threads: table(kept, 'article_id version'),
  comments: table(
    rows,
    `id site_id article_id parent_id status is_public author_name body is_reply_by_site created_at updated_at
    spam_marked_at`,
  ),
  content_types: table(rows, 'id site_id key name blueprint is_active version created_at updated_at'),
  credit_ledger: table(
    appended,
    `id organisation_id site_id kind amount balance run_id article_id stage scan_id scan_unit try_id payment_id
    created_at`,
  ),
  deletions: table(kept, 'target_id kind organisation_id asked_at asked_by quiet_at finished_at deleted'),
  deleted_webhook_endpoints: table(rows, 'id deleted_at'),
  device_authorizations: table(
    rows,
    `id client_name scopes held_by_agent drafts_only poll_interval last_polled_at created_at expires_at decision member_id
    deciding_key_id site_id key_id`,
  ),
  doomed_objects: table(unchanging, 'id site_id object_key outbox_id created_at'),
  encryption_canary: table(kept, 'created_at'),
  event_byte_changes: table(rows, 'id site_id bytes'),
  events: table(rows, 'id site_id event created_at body traceparent'),
  // A config may contain a token in a URL.
  cms_connections: table(
    rows,
    `id site_id kind name auto enabled last_error generation held_until leased_by leased_until deleted_at version
    created_at updated_at`,
  ),
  cms_push_items: table(
    rows,
    'push_id position connection_id article_id status remote_url error attempts due_at',
  ),
  cms_pushes: table(rows, 'id site_id connection_id force created_at finished_at automatic key_id'),
  cms_remote_images: table(rows, 'connection_id created_at'),
  cms_remote_posts: table(rows, 'connection_id article_id updated_at'),
  // A recorded answer belongs to the client.
  idempotency_records: table(unchanging, 'site_id operation status created_at'),
  image_variants: table(kept, 'asset_id width format object_key outcome tries leased_until'),
  maintenance: table(rows, 'site_id retry_after started_at'),
  media_assets: table(
    rows,
    `id site_id bucket object_key file_name mime_type size_bytes width height animated alt_text uploaded_by version
    created_at`,
  ),
  members: table(
    rows,
    'id organisation_id role created_at removed_at version erased_at mail mail_digest muted_kinds language',
  ),
  notes: table(
    rows,
    `id site_id article_id parent_id body quote start near content_number author_id mention_ids resolved_by version
    created_at updated_at`,
  ),
  // What it says may name an address.
  notifications: table(
    rows,
    'id member_id site_id kind target_type target_id created_at read_at mail_due_at mail_id mail_attempts mailed_at',
  ),
  // The hash of a link is a secret.
  oauth_grants: table(
    rows,
    'id site_id member_id client_id client_name redirect_uri resource scopes drafts_only created_at expires_at key_id',
  ),
  one_time_links: table(rows, 'member_id purpose expires_at made_by'),
  organisations: table(
    rows,
    'id name plan credit_balance agent_access created_at approval_operations approval_operations_offered version deleting_since limits',
  ),
  outbox: table(rows, 'id kind workflow_id payload created_at available_at attempts last_error traceparent'),
  overage_counts: table(appended, 'day counted_at'),
  overage_days: table(unchanging, 'organisation_id day documents media_bytes'),
  overage_invoices: table(
    rows,
    'organisation_id month amount currency item_id created_at invoiced_at refused_at',
  ),
  pending_edits: table(
    rows,
    `article_id site_id base_version base changes conflict scheduled_at schedule_traceparent version text_number
    changed_by unreviewed created_at updated_at`,
  ),
  pending_sign_ins: table(rows, ''),
  pipeline_articles: table(
    kept,
    `article_id site_id keywords notes source_url source_urls source_text extracts score outline suggestions stage
    duplicate_of rejected_at rejected_by rejected_reason rejected_from origin_known`,
  ),
  pipeline_run_articles: table(
    rows,
    'run_id article_id position stages_done stage error open_stage held failed attempts_open writer_failures',
  ),
  pipeline_runs: table(
    rows,
    `id site_id status reason writer stages_total credits_spent cancel_requested_at created_at started_at
    finished_at key_id`,
  ),
  pipeline_steps: table(
    rows,
    `run_id article_id site_id stage attempt status model prompt_version prompt answer input_tokens output_tokens
    credits error_code error_message started_at created_at`,
  ),
  plan_items: table(
    rows,
    `id site_id title notes keywords source_url source_urls format_id category_id author_id target_date status earlier_status
    rank article_id run_id version created_at updated_at`,
  ),
  // The hash of a token is a secret of the link.
  preview_links: table(rows, 'id site_id article_id created_at expires_at key_id'),
  prompt_tries: table(rows, 'id site_id stage created_at'),
  prompt_versions: table(unchanging, 'site_id stage version template created_at'),
  prompts: table(rows, 'site_id stage last_version active_version'),
  public_changes: table(rows, 'id site_id'),
  review_approvals: table(rows, 'review_id member_id text_number note at'),
  reviews: table(
    rows,
    `id site_id article_id state text_number requested_by reviewer_ids note due_date decided_by decided_at
    decision_note version created_at`,
  ),
  // A subject may be an address.
  rate_limit_counters: table(rows, 'class window_start requests'),
  reader_salts: table(unchanging, 'day'),
  recovery_codes: table(unchanging, ''),
  // The table of node-pg-migrate.
  schema_migrations: table('select', 'id name run_on'),
  second_factors: table(rows, 'member_id created_at confirmed_at wrong_codes wrong_at'),
  scan_host_turns: table(rows, 'host next_at sent_at'),
  seo_findings: table(
    rows,
    `id site_id kind rule severity fingerprint status url article_id evidence scan_id first_seen_at
    last_seen_at fixed_at`,
  ),
  seo_scan_targets: table(rows, 'scan_id position fingerprint key url article_id state memo'),
  seo_scans: table(
    rows,
    `id site_id kind status reason parameters resumed_from plan_position planned targets targets_left most_counted counted
    units_opened units_done units_total open_unit_counted attempts_open credits_spent found_error found_warning
    found_notice cancel_requested_at created_at started_at active_at finished_at key_id`,
  ),
  session_members: table(unchanging, ''),
  sessions: table(rows, ''),
  site_comments: table(
    rows,
    `site_id enabled moderation require_email close_after_days settings_version approved pending spam checked_at`,
  ),
  site_months: table(rows, 'site_id month pipeline_runs credits_spent failed_calls'),
  site_usage: table(rows, 'site_id documents media_bytes event_bytes public_changes checked_at'),
  sites: table(
    rows,
    `id organisation_id name domain locale timezone spend_cap created_at events_full deleting_since preview_url url_paths
    feed_content required_reviews ai_disclosure max_unsupported_claims version subscribed_events`,
  ),
  tags: table(rows, term),
  upload_reservations: table(
    rows,
    `id site_id bucket file_name size_bytes status created_at url_expires_at expires_at copied_etag copying_until`,
  ),
  usage_changes: table(rows, 'id site_id documents media_bytes'),
  voices: table(rows, 'site_id audience tone advice avoid vocabulary sample_article_ids version updated_at'),
  webhook_deliveries: table(
    unchanging,
    `id endpoint_id event_id event attempt status response_status error duration_ms attempted_at next_attempt_at
    redelivery`,
  ),
  webhook_detached_attempts: table(
    unchanging,
    'id endpoint_id event_id event attempt redelivery leased_at leased_until',
  ),
  // The URL of a receiver may contain a token.
  webhook_endpoints: table(
    rows,
    `id site_id events description enabled disabled_reason disabled_at paused paused_at consecutive_failures version created_at
    updated_at`,
  ),
  webhook_queue: table(
    rows,
    'endpoint_id event_id attempt due_at redelivery delivery_id leased_at leased_until',
  ),
};

/** A privilege on a table, or on one column of it. */
interface Privilege {
  readonly role: string;
  readonly relation: string;
  readonly verb: string;
  readonly column: string | null;
}

const keyOf = ({ role, relation, verb, column }: Privilege): string =>
  [role, relation, verb, column ?? ''].join(' ');

/** The privileges that the roles should have, for existing tables and columns. */
function declared(): Privilege[] {
  return Object.entries(privileges).flatMap(([relation, { application, support }]) => [
    ...application.map((verb) => ({ role: databaseRoles.application, relation, verb, column: null })),
    ...support.map((column) => ({ role: databaseRoles.support, relation, verb: 'select', column })),
  ]);
}

/** Every privilege that application and support have on a relation of the schema, regardless of who granted it. */
export async function readPrivileges(client: pg.ClientBase): Promise<Privilege[]> {
  const { rows } = await client.query<Privilege>(
    `select r.rolname as role, c.relname as relation, lower(p.privilege_type) as verb, p.name as column
     from pg_class c
     cross join lateral (
       select null::name as name, acl.grantee, acl.privilege_type from aclexplode(c.relacl) acl
       union all
       select a.attname, acl.grantee, acl.privilege_type
       from pg_attribute a, aclexplode(a.attacl) acl where a.attrelid = c.oid and not a.attisdropped
     ) p
     join pg_roles r on r.oid = p.grantee
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
       and r.rolname = any($1)`,
    [[databaseRoles.application, databaseRoles.support]],
  );
  return rows;
}

/**
 * Grants application and support exactly the declared privileges, in one transaction. Does nothing for a database that
 * was not handed to the migrator: it is run under one role, which may do everything.
 *
 * @param options.revoke whether to take away undeclared rights
 */
export async function grantPrivileges(
  client: pg.ClientBase,
  { revoke }: { readonly revoke: boolean },
): Promise<void> {
  const { rows: roles } = await client.query<{ name: string }>(
    `select r.rolname as name from pg_roles r, pg_database d
     where r.rolname = any($1) and d.datname = current_database() and pg_get_userbyid(d.datdba) = $2`,
    [[databaseRoles.application, databaseRoles.support], databaseRoles.migrator],
  );
  if (roles.length === 0) return;
  const names = roles.map(({ name }) => name);
  const { rows: columns } = await client.query<{ relation: string; column: string }>(
    `select c.relname as relation, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped`,
  );
  const there = new Set(columns.flatMap(({ relation, column }) => [relation, `${relation}.${column}`]));
  const exists = ({ relation, column }: Privilege): boolean =>
    there.has(column === null ? relation : `${relation}.${column}`);
  const wanted = declared().filter((each) => names.includes(each.role) && exists(each));
  const actual = await readPrivileges(client);
  const wantedKeys = new Set(wanted.map(keyOf));
  const actualKeys = new Set(actual.map(keyOf));

  const on = ({ verb, column, relation }: Privilege): string =>
    `${verb}${column === null ? '' : ` ("${column}")`} on public."${relation}"`;
  await client.query('begin');
  try {
    await openSchema(client, names);
    for (const each of actual)
      if (revoke && !wantedKeys.has(keyOf(each))) await client.query(`revoke ${on(each)} from ${each.role}`);
    for (const each of wanted)
      if (!actualKeys.has(keyOf(each))) await client.query(`grant ${on(each)} to ${each.role}`);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Lets the roles use the schema. Only the owner may create objects, including temporary ones. */
async function openSchema(client: pg.ClientBase, roles: readonly string[]): Promise<void> {
  const { rows } = await client.query<{
    database: string;
    uses: boolean;
    creates: boolean;
    temporary: boolean;
  }>(
    `select quote_ident(current_database()) as database,
       bool_and(has_schema_privilege(role, 'public', 'usage')) as uses,
       bool_or(has_schema_privilege(role, 'public', 'create')) as creates,
       bool_or(has_database_privilege(role, current_database(), 'temporary')) as temporary
     from unnest($1::text[]) role`,
    [roles],
  );
  const [found] = rows;
  if (found?.creates) await client.query('revoke create on schema public from public');
  if (found?.temporary) await client.query(`revoke temporary on database ${found.database} from public`);
  if (!found?.uses) for (const role of roles) await client.query(`grant usage on schema public to ${role}`);
}
