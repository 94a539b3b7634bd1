import type { Database } from '../../db/database.ts';
import type { Transaction } from '../../db/transaction.ts';
import { deleteIdleCounters } from '../../domain/access/rate-limits.ts';
import { deleteOldContentRows } from '../../domain/audit/log.ts';
import { deleteOldPushes } from '../../domain/cms/retention.ts';
import { deleteOldBulkJobs } from '../../domain/bulk/end.ts';
import { deleteOldApprovals } from '../../domain/approvals/expire.ts';
import { deleteOldSubmissions } from '../../domain/comments/submission-log.ts';
import { deleteExpiredAuthorizations } from '../../domain/device/authorization.ts';
import { foldPublicChanges } from '../../domain/delivery/public-site.ts';
import { foldEventBytes } from '../../domain/events/ceiling.ts';
import { deleteOldEvents } from '../../domain/events/log.ts';
import { deleteExpiredGrants } from '../../domain/oauth/grant.ts';
import { deleteExpiredRecords } from '../../domain/kernel/idempotency.ts';
import { clearOldStepTexts } from '../../domain/pipeline/step-retention.ts';
import { deleteEndedSessions } from '../../domain/sign-in/sessions.ts';
import { deleteAbandonedSignIns } from '../../domain/sign-in/sign-in.ts';
import { deleteOldBillingEvents } from '../../domain/billing/event.ts';
import { foldUsage } from '../../domain/usage/usage.ts';
import { deleteExpiredPreviewLinks } from '../../domain/previews/link.ts';
import { deleteOldChannelMessages } from '../../domain/notifications/channel-messages.ts';
import { deleteOldNotifications } from '../../domain/notifications/notification.ts';
import { deletePastHostTurns } from '../../domain/seo/host-turns.ts';
import { deleteOldDeliveries } from '../../domain/webhooks/deliveries.ts';

/** A table that grows with use, and how housekeeping keeps it small. */
interface Growing {
  /** Inserts $1 rows as old as $2, an interval, for the Site $3 with the endpoint, key and member named after it. */
  readonly fill: string;
  /** The age at which a row is deleted. */
  readonly old: string;
  readonly remove: (tx: Transaction, now: Date, batch: number) => Promise<number>;
}

const rows =
  'from generate_series(1, $1::int) n, lateral (select now() - $2::interval - n * interval $$1 ms$$) t (at)';

export const growing: Readonly<Record<string, Growing>> = {
  idempotency_records: {
    old: '25 hours',
    remove: deleteExpiredRecords,
    fill: `insert into idempotency_records (site_id, operation, key, request_hash, status, body, created_at)
      select $3, 'POST /articles', uuidv7()::text, sha256('x'), 201, repeat('b', 1500), at ${rows}`,
  },
  bulk_jobs: {
    old: '31 days',
    remove: deleteOldBulkJobs,
    fill: `with made as (
        insert into bulk_jobs (id, site_id, action, parameters, status, key_id, request_id, created_at, active_at, finished_at)
        select uuidv7(), $3, 'publish', '{}', 'completed', k.id, 'r', at, at, at
        ${rows}, (select id from api_keys where site_id = $3 limit 1) k returning id
      ) insert into bulk_items (job_id, position, article_id, status) select id, 1, uuidv7(), 'done' from made`,
  },
  cms_pushes: {
    old: '31 days',
    remove: deleteOldPushes,
    fill: `with made as (
        insert into cms_pushes (id, site_id, connection_id, force, created_at, finished_at)
        select uuidv7(), $3, c.id, false, at, at
        ${rows}, (select id from cms_connections where site_id = $3 limit 1) c returning id, connection_id
      ) insert into cms_push_items (push_id, position, connection_id, article_id, status)
        select id, 1, connection_id, uuidv7(), 'succeeded' from made`,
  },
  events: {
    old: '31 days',
    remove: deleteOldEvents,
    fill: `with made as (
        insert into events (id, site_id, event, created_at, body)
        select uuidv7(), $3, 'comment.created', at, repeat('b', 1500) ${rows} returning id
      ) insert into comment_events (event_id, site_id, comment_id) select id, $3, uuidv7() from made`,
  },
  webhook_deliveries: {
    old: '31 days',
    remove: deleteOldDeliveries,
    fill: `insert into webhook_deliveries
        (id, endpoint_id, event_id, event, attempt, status, response_status, duration_ms, attempted_at, redelivery)
      select uuidv7(), e.id, uuidv7(), 'article.published', 1, 'succeeded', 200, 20, at, false
      ${rows}, (select id from webhook_endpoints where site_id = $3 limit 1) e`,
  },
  billing_events: {
    old: '91 days',
    remove: deleteOldBillingEvents,
    fill: `insert into billing_events (id, type, created_at, received_at, handled_at)
      select 'evt_' || uuidv7()::text || left($3::text, 0), 'invoice.paid', at, at, at ${rows}`,
  },
  rate_limit_counters: {
    old: '2 hours',
    remove: deleteIdleCounters,
    fill: `insert into rate_limit_counters (subject, class, window_start, requests)
      select 'ip:' || uuidv7()::text || left($3::text, 0), 'keyless', at, 1 ${rows}`,
  },
  device_authorizations: {
    old: '1 hour',
    remove: deleteExpiredAuthorizations,
    fill: `insert into device_authorizations (id, device_code_hash, user_code_mac, client_name, scopes, held_by_agent,
        client_address, client_network, poll_interval, created_at, expires_at)
      select uuidv7(), sha256(uuidv7()::text::bytea), sha256(uuidv7()::text::bytea), 'A device', '{}', false,
        '192.0.2.1' || left($3::text, 0), '192.0.2.0/24', 5, at, at + interval '15 minutes' ${rows}`,
  },
  oauth_grants: {
    old: '1 hour',
    remove: deleteExpiredGrants,
    fill: `insert into oauth_grants (id, site_id, member_id, client_id, client_name, redirect_uri, resource, scopes,
        code_hash, code_challenge, client_network, created_at, expires_at)
      select uuidv7(), $3, k.member_id, 'https://client.example/client', 'A program', 'https://client.example/callback',
        'https://cms.example.com/mcp', '{}', sha256(uuidv7()::text::bytea), 'challenge', '192.0.2.0/24', at, at + interval '1 minute'
      ${rows}, (select member_id from api_keys where site_id = $3 limit 1) k`,
  },
  preview_links: {
    old: '1 hour',
    remove: deleteExpiredPreviewLinks,
    fill: `insert into preview_links (id, site_id, article_id, token_hash, created_at, expires_at)
      select uuidv7(), $3, a.id, sha256(uuidv7()::text::bytea), at, at + interval '15 minutes'
      ${rows}, (select id from articles where site_id = $3 limit 1) a`,
  },
  scan_host_turns: {
    old: '2 hours',
    remove: deletePastHostTurns,
    fill: `insert into scan_host_turns (host, next_at) select uuidv7()::text || left($3::text, 0), at ${rows}`,
  },
  sessions: {
    old: '13 hours',
    remove: deleteEndedSessions,
    fill: `with made as (
        insert into sessions (token_hash, id, created_at, last_used_at)
        select sha256(uuidv7()::text::bytea), uuidv7(), at, at ${rows} returning token_hash
      ) insert into session_members (token_hash, member_id)
        select token_hash, m.member_id from made, (select member_id from api_keys where site_id = $3 limit 1) m`,
  },
  pending_sign_ins: {
    old: '1 hour',
    remove: deleteAbandonedSignIns,
    fill: `insert into pending_sign_ins (token_hash, member_id, created_at)
      select sha256(uuidv7()::text::bytea), m.member_id, at ${rows},
        (select member_id from api_keys where site_id = $3 limit 1) m`,
  },
  comment_submissions: {
    old: '3 days',
    remove: deleteOldSubmissions,
    fill: `insert into comment_submissions (comment_id, site_id, article_id, content_hash, reader_hash, created_at)
      select uuidv7(), $3, uuidv7(), sha256('x'), sha256(uuidv7()::text::bytea), at ${rows}`,
  },
  channel_messages: {
    old: '8 days',
    remove: deleteOldChannelMessages,
    fill: `insert into channel_messages (id, channel_id, kind, details, created_at)
      select uuidv7(), c.id, 'comment.held', '{}', at
      ${rows}, (select id from channels where site_id = $3 limit 1) c`,
  },
  notifications: {
    old: '91 days',
    remove: deleteOldNotifications,
    // A person has at most a thousand.
    fill: `with people as (
        insert into members (id, organisation_id, email, role, created_at)
        select uuidv7(), s.organisation_id, gen_random_uuid() || '@example.com', 'viewer', now()
        from sites s, generate_series(1, 40) where s.id = $3 returning id
      ), numbered as (select id, row_number() over () as number from people)
      insert into notifications (id, member_id, site_id, kind, created_at)
      select uuidv7(), p.id, $3, 'comment.held', at ${rows}, numbered p where p.number = 1 + n % 40`,
  },
  audit_log: {
    old: '401 days',
    remove: deleteOldContentRows,
    fill: `insert into audit_log (
        id, organisation_id, site_id, at, actor_kind, actor_id, actor_name, action, target_type, target_id, content)
      select uuidv7(), k.organisation_id, $3, at, 'key', k.id, k.name, 'article.update', 'article', uuidv7(), true
      ${rows}, (select k.id, k.name, s.organisation_id from api_keys k join sites s on s.id = k.site_id
        where s.id = $3 limit 1) k`,
  },
  approvals: {
    old: '32 days',
    remove: deleteOldApprovals,
    fill: `insert into approvals (id, site_id, key_id, status, action, method, path, created_at, expires_at)
      select uuidv7(), $3, k.id, 'expired', 'article.delete', 'DELETE', '/articles/x', at, at
      ${rows}, (select id from api_keys where site_id = $3 limit 1) k`,
  },
  pipeline_steps: {
    old: '31 days',
    remove: clearOldStepTexts,
    fill: `insert into pipeline_steps (run_id, article_id, site_id, stage, prompt, answer, created_at)
      select uuidv7(), uuidv7(), $3, 'generate', repeat('p', 6000), repeat('a', 12000), at ${rows}`,
  },
  event_byte_changes: {
    old: '0 s',
    remove: (tx, _now, batch) => foldEventBytes(tx, batch),
    fill: `insert into event_byte_changes (site_id, bytes) select $3, 1 + 0 * extract(day from $2::interval)::int
      from generate_series(1, $1::int) n`,
  },
  public_changes: {
    old: '0 s',
    remove: (tx, _now, batch) => foldPublicChanges(tx, batch),
    fill: `insert into public_changes (site_id) select $3
      from generate_series(1, $1::int) n where $2::interval is not null`,
  },
  usage_changes: {
    old: '0 s',
    remove: (tx, _now, batch) => foldUsage(tx, batch),
    fill: `insert into usage_changes (site_id, documents) select $3, 1 + 0 * extract(day from $2::interval)::int
      from generate_series(1, $1::int) n`,
  },
};

/** Gives a Site an endpoint, a connection and an article, which rows of other tables refer to. */
export async function prepareGrowth(
  { pool }: Database,
  { siteId }: { readonly siteId: string },
): Promise<void> {
  await pool.query(
    `insert into webhook_endpoints (id, site_id, url, events, secret, created_at, updated_at)
     values (uuidv7(), $1, 'https://receiver.example/', '{article.published}', 'x', now(), now())`,
    [siteId],
  );
  await pool.query(
    `insert into cms_connections (id, site_id, kind, name, config, auto, enabled, created_at, updated_at)
     values (uuidv7(), $1, 'http', 'A receiver', '{}', false, true, now(), now())`,
    [siteId],
  );
  await pool.query(
    `insert into channels (id, site_id, kind, name, secret, host, kinds, enabled, created_at, updated_at)
     values (uuidv7(), $1, 'slack', 'A channel', '', 'hooks.slack.com', '{}', true, now(), now())`,
    [siteId],
  );
  await pool.query(
    `insert into articles (id, site_id, status, created_at, updated_at)
     values (uuidv7(), $1, 'draft', now(), now())`,
    [siteId],
  );
}

export async function fill(
  { pool }: Database,
  { siteId }: { readonly siteId: string },
  table: string,
  count: number,
  age = growing[table]?.old,
): Promise<void> {
  await pool.query(growing[table]?.fill ?? '', [count, age, siteId]);
}
