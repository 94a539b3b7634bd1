import type { Effects } from '../../db/effects.ts';
import { enqueueEach } from '../../db/outbox.ts';
import { array, at, json, sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import { roleAllows, roles } from '../access/permissions.ts';
import type { AuditAction } from '../audit/actions.ts';
import type { Actor } from '../audit/record.ts';
import { workflowIdOf } from '../kernel/workflow-messages.ts';
import { tellChannels } from './channel-messages.ts';
import { isAboutSecurity, kinds } from './kinds.ts';
import type { Notice } from './notice.ts';

/**
 * Tells people and channels of a change, together with it: one statement, however many they are, which also has the
 * workflow of their messages look, if it is to be mailed, and one for the channels.
 */
export function notify(tx: Effects, notice: Notice, now: Date): void {
  const { kind, siteId, target, named = {} } = notice;
  enqueueEach(
    tx,
    'messages',
    (told) => sql.fragment`
      select ${workflowIdOf('messages', '')}::text || member_id as workflow_id,
        jsonb_build_object('memberId', member_id) as payload
      from ${told} where mail_due_at is not null`,
    now,
    (when) => sql.fragment`
      insert into notifications (
        id, member_id, site_id, kind, details, target_type, target_id, created_at, mail_due_at
      )
      select gen_random_uuid(), m.id, ${siteId}::uuid, ${kind}::text, ${json(named)}::jsonb,
        ${target?.type ?? null}::text, ${target?.id ?? null}::uuid, ${at(now)}::timestamptz, ${mailDueAt(notice, now)}
      from members m
      where ${when} and m.removed_at is null and ${isTold(notice)} and ${mayBeToldAgain(notice, now)}
      returning member_id, mail_due_at`,
  );
  tellChannels(tx, notice, now);
}

/** At once, at the full hour, or at eight in the morning of the Site; null if the person wants no mail of it. */
function mailDueAt({ kind, siteId }: Notice, now: Date): FragmentSqlToken {
  const atOnce = sql.fragment`${at(now)}::timestamptz`;
  if (isAboutSecurity(kind)) return atOnce;
  const zone = sql.fragment`coalesce((select s.timezone from sites s where s.id = ${siteId}::uuid), 'UTC')`;
  return sql.fragment`case
    when not m.mail or ${kind}::text = any(m.muted_kinds) then null
    when m.mail_digest = 'hourly' then date_trunc('hour', ${atOnce}) + interval '1 hour'
    when m.mail_digest = 'daily'
      then (date_trunc('day', ${atOnce} at time zone ${zone} - interval '8 hours') + interval '32 hours') at time zone ${zone}
    else ${atOnce} end`;
}

function isTold({ kind, siteId, organisationId, to, actor }: Notice): FragmentSqlToken {
  const { to: permission } = kinds[kind];
  const conditions = [
    to === undefined ? null : sql.fragment`m.id in (${to})`,
    organisationId === undefined ? null : sql.fragment`m.organisation_id = ${organisationId}::uuid`,
    siteId !== null && organisationId === undefined
      ? sql.fragment`m.organisation_id = (select organisation_id from sites where id = ${siteId}::uuid)`
      : null,
    to === undefined && permission !== null
      ? sql.fragment`m.role = any(${array(
          roles.filter((role) => roleAllows(role, permission)),
          'text',
        )})`
      : null,
    actor === null || actor.kind === 'system' || isAboutSecurity(kind)
      ? null
      : sql.fragment`m.id is distinct from ${personOf(actor)}`,
  ].filter((condition) => condition !== null);
  // Without people, nobody is told, rather than everybody.
  if (to === undefined && permission === null) return sql.fragment`false`;
  return sql.fragment`${sql.join(conditions, sql.fragment` and `)}`;
}

/** What an agent's key did was not done by its person. */
const personOf = (actor: Exclude<Actor, { readonly kind: 'system' }>): FragmentSqlToken =>
  actor.kind === 'person'
    ? sql.fragment`${actor.id}::uuid`
    : sql.fragment`(select k.member_id from api_keys k where k.id = ${actor.id}::uuid and not k.held_by_agent)`;

const HOUR_MS = 60 * 60_000;

function mayBeToldAgain({ kind, siteId }: Notice, now: Date): FragmentSqlToken {
  const { again } = kinds[kind];
  if (again === undefined) return sql.fragment`true`;
  const since =
    again === 'once'
      ? sql.fragment`true`
      : sql.fragment`n.created_at > ${at(new Date(now.getTime() - HOUR_MS))}::timestamptz`;
  return sql.fragment`not exists (
    select from notifications n
    where n.member_id = m.id and n.read_at is null and n.kind = ${kind}::text and n.site_id = ${siteId}::uuid and ${since})`;
}

/** Tells the person who started paid work how it ended, unless they cancelled it. */
export function tellStarter(
  tx: Effects,
  type: 'pipeline_run' | 'seo_scan',
  siteId: string,
  { id, status }: { readonly id: string; readonly status: string },
  now: Date,
): void {
  const [table, cancelling] =
    type === 'seo_scan'
      ? [sql.fragment`seo_scans`, 'seo_scan.cancel' as const]
      : [sql.fragment`pipeline_runs`, 'pipeline.cancel' as const];
  const to = sql.fragment`
    select k.member_id from ${table} r join api_keys k on k.id = r.key_id where r.id = ${id}::uuid
    except ${whoLast(cancelling, siteId, id)} and not coalesce(k.held_by_agent, false)`;
  notify(
    tx,
    { kind: `${type}.finished`, siteId, to, actor: null, target: { type, id }, named: { status } },
    now,
  );
}

/** Selects the person who last did something to an object of a Site, by the audit log. */
export const whoLast = (
  action: AuditAction,
  siteId: string,
  targetId: string,
): FragmentSqlToken => sql.fragment`
  select coalesce(k.member_id, l.actor_id) from (
    select actor_id from audit_log
    where site_id = ${siteId}::uuid and target_id = ${targetId}::uuid and action = ${action}::text
    order by at desc, id desc limit 1
  ) l left join api_keys k on k.id = l.actor_id where true`;
