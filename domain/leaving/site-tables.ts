import { sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';

/** A table with rows of Sites. */
export interface SiteTable {
  readonly name: string;
  /** The condition for the rows of a Site, which an index serves, or the table is short. */
  readonly ofSite: (siteId: string) => FragmentSqlToken;
  /**
   * How the rows are deleted: in batches; by a cascade with the rows of another table; with the row of the Site, in the
   * last transaction; or never.
   */
  readonly deletion: 'batches' | 'cascade' | 'last' | 'kept';
  /** Whether an export contains them. Everything else is state of the service, of no use anywhere else. */
  readonly exported: boolean;
}

const bySiteId = (siteId: string): FragmentSqlToken => sql.fragment`site_id = ${siteId}::uuid`;

/** Rows that belong to rows of another table, which has `site_id`. */
const through =
  (column: string, parent: string) =>
  (siteId: string): FragmentSqlToken =>
    sql.fragment`${sql.identifier([column])} in (
    select id from ${sql.identifier([parent])} where site_id = ${siteId}::uuid)`;

const table = (name: string, values: Partial<Omit<SiteTable, 'name'>> = {}): SiteTable => ({
  name,
  ofSite: bySiteId,
  deletion: 'batches',
  exported: true,
  ...values,
});

const internal = { exported: false } as const;

/**
 * Every table with rows of Sites, in the order in which they are deleted: those that refer to others come first. A new
 * table is added here; a test compares this with the database.
 */
export const siteTables: readonly SiteTable[] = [
  table('outbox', {
    ...internal,
    ofSite: (siteId) =>
      sql.fragment`coalesce(payload ->> 'siteId', '') = ${siteId}::text and kind <> 'site-deletion'`,
  }),
  table('webhook_queue', { ofSite: through('endpoint_id', 'webhook_endpoints') }),
  table('webhook_detached_attempts', { ...internal, ofSite: through('endpoint_id', 'webhook_endpoints') }),
  table('webhook_deliveries', { ofSite: through('endpoint_id', 'webhook_endpoints') }),
  table('comment_events', { ...internal, deletion: 'cascade' }),
  table('events'),
  table('webhook_endpoints'),
  table('comment_submissions', internal),
  table('comments'),
  table('comment_threads', { ...internal, deletion: 'cascade', ofSite: through('article_id', 'articles') }),
  table('notes'),
  table('article_claims'),
  table('review_approvals', { ofSite: through('review_id', 'reviews') }),
  table('reviews'),
  table('article_tags'),
  table('article_revisions', { ofSite: through('article_id', 'articles') }),
  table('pending_edits'),
  table('plan_items'),
  table('autopilots'),
  table('pipeline_steps', { ofSite: through('run_id', 'pipeline_runs') }),
  table('pipeline_run_articles', { ofSite: through('run_id', 'pipeline_runs') }),
  table('pipeline_runs'),
  table('pipeline_articles', { deletion: 'cascade' }),
  table('bulk_items', { ofSite: through('job_id', 'bulk_jobs') }),
  table('bulk_jobs'),
  table('seo_scan_targets', { ...internal, ofSite: through('scan_id', 'seo_scans') }),
  table('seo_scans'),
  table('seo_findings'),
  table('cms_push_items', { ofSite: through('connection_id', 'cms_connections') }),
  table('cms_pushes'),
  table('cms_remote_posts', { ...internal, ofSite: through('connection_id', 'cms_connections') }),
  table('cms_remote_images', { ...internal, ofSite: through('connection_id', 'cms_connections') }),
  table('cms_connections'),
  table('channel_messages', { ...internal, ofSite: through('channel_id', 'channels') }),
  table('channels'),
  table('preview_links', internal),
  table('article_search', { ...internal, deletion: 'cascade', ofSite: through('article_id', 'articles') }),
  table('backlinks'),
  table('articles'),
  table('categories'),
  table('tags'),
  table('authors'),
  table('content_types'),
  table('prompt_versions'),
  table('prompts'),
  table('voices'),
  table('prompt_tries', internal),
  table('image_variants', { ...internal, deletion: 'cascade', ofSite: through('asset_id', 'media_assets') }),
  table('media_assets'),
  table('upload_reservations', internal),
  table('doomed_objects', internal),
  table('cache_purges', internal),
  table('approvals'),
  table('device_authorizations', internal),
  table('oauth_grants', internal),
  table('idempotency_records', internal),
  table('api_key_secrets', { ...internal, ofSite: through('key_id', 'api_keys') }),
  table('api_keys'),
  table('site_months'),
  table('maintenance', internal),
  table('audit_log'),
  table('notifications'),
  table('credit_ledger', { ...internal, deletion: 'kept' }),
  // What is counted for a Site is added to its totals by housekeeping until nothing is left.
  table('usage_changes', { ...internal, deletion: 'last' }),
  table('event_byte_changes', { ...internal, deletion: 'last' }),
  table('public_changes', { ...internal, deletion: 'last' }),
  table('site_usage', { deletion: 'last' }),
  table('site_comments', { deletion: 'last' }),
  table('sites', { deletion: 'last', ofSite: (siteId) => sql.fragment`id = ${siteId}::uuid` }),
];
