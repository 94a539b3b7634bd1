import type { Transaction } from '../db/transaction.ts';
import type { Site } from './access/authenticate.ts';
import { recordAudit } from './audit.ts';
import type { Actor, AuditEntry } from './audit.ts';

/** Who changes something of a Site, and when. */
export interface Change {
  readonly tx: Transaction;
  readonly site: Pick<Site, 'id' | 'organisationId'>;
  readonly actor: Actor;
  readonly now: Date;
}

/** Writes down what was changed, in the Site's audit log. */
export const recordChange = (
  { tx, site, actor, now }: Change,
  action: string,
  target: NonNullable<AuditEntry['target']>,
  details: Readonly<Record<string, unknown>>,
): Promise<void> =>
  recordAudit(
    tx,
    { actor, action, target, siteId: site.id, organisationId: site.organisationId, details },
    now,
  );
