import type { Effects } from '../../db/effects.ts';
import { at, sql } from '../../db/sql.ts';
import { isAboutContent } from './actions.ts';
import type { AuditAction } from './actions.ts';
import { shown } from './details.ts';
import type { Details } from './details.ts';
import { newId } from '../kernel/ids.ts';

/** A key, or a member of an organisation who is signed in to a page. */
export interface Principal {
  readonly kind: 'key' | 'person';
  /** The id of the key or of the membership. */
  readonly id: string;
  /** The name of the key, or the person's e-mail address. */
  readonly name: string;
}

/**
 * The actor, and the Request-Id of the request. The operator's command and the product's own workflows act as `system`
 * (docs/spec/rulings.md, 9), without a request.
 */
export type Actor =
  | (Principal & { readonly requestId: string })
  | { readonly kind: 'system'; readonly name: string };

export const operator: Actor = { kind: 'system', name: 'operator' };

export interface AuditEntry {
  readonly actor: Actor;
  readonly action: AuditAction;
  readonly target: { readonly type: string; readonly id: string } | null;
  /** The Site of the change, or null for the organisation as a whole. */
  readonly siteId: string | null;
  /** null together with `siteId` for the whole platform: every Site sees the row. */
  readonly organisationId: string | null;
  /**
   * The details of the change. They never contain a secret, a complete webhook URL, or the address, IP address or name
   * of a reader.
   */
  readonly details?: Details;
}

/** Writes a row of the audit log together with the audited write. If it fails, the write fails. */
export function recordAudit(tx: Effects, entry: AuditEntry, now: Date): void {
  const { actor, action, target, siteId, organisationId, details = {} } = entry;
  const [actorId, requestId] = actor.kind === 'system' ? [null, null] : [actor.id, actor.requestId];
  tx.add(
    (when) => sql.fragment`
    insert into audit_log (
      id, organisation_id, site_id, at, actor_kind, actor_id, actor_name, action, target_type, target_id, details,
      request_id, content
    ) select
      ${newId()}::uuid, ${organisationId}::uuid, ${siteId}::uuid, ${at(now)}::timestamptz, ${actor.kind}::text,
      ${actorId}::uuid, ${actor.name}::text, ${action}::text, ${target?.type ?? null}::text, ${target?.id ?? null}::uuid,
      ${asJson(details)}::jsonb, ${requestId}::text, ${isAboutContent(action)}::boolean
    where ${when}`,
  );
}

/** Shortens every text to the length that the log shows. */
const asJson = (details: Details): string =>
  JSON.stringify(details, (_, value: unknown) => (typeof value === 'string' ? shown(value) : value));
