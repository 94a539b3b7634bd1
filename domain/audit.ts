import type { Transaction } from '../db/transaction.ts';
import { at, statement } from '../db/sql.ts';
import { newId } from './ids.ts';

/** Who did it. The operator's command and the product's own processes act as `system` (decisions 9). */
export type Actor =
  | { readonly kind: 'key' | 'person'; readonly id: string; readonly name: string }
  | { readonly kind: 'system'; readonly name: string };

export const operator: Actor = { kind: 'system', name: 'operator' };

export interface AuditEntry {
  readonly actor: Actor;
  /** What was done, such as `member.remove`. */
  readonly action: string;
  readonly target: { readonly type: string; readonly id: string } | null;
  /** The Site it concerns, or null for the organisation as a whole. */
  readonly siteId: string | null;
  readonly organisationId: string | null;
  /** Never a secret, an address or a name of a reader. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Writes a line of the audit log, in the transaction of the write it tells of. */
export async function recordAudit(tx: Transaction, entry: AuditEntry, now: Date): Promise<void> {
  const { actor, action, target, siteId, organisationId, details = {} } = entry;
  await tx.exec(statement`
    insert into audit_log (
      id, organisation_id, site_id, at, actor_kind, actor_id, actor_name, action, target_type, target_id, details
    ) values (
      ${newId()}, ${organisationId}, ${siteId}, ${at(now)}, ${actor.kind}, ${'id' in actor ? actor.id : null},
      ${actor.name}, ${action}, ${target?.type ?? null}, ${target?.id ?? null}, ${JSON.stringify(details)}
    )`);
}
