import type { Effects } from '../../db/effects.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { Site, Subscriptions } from '../kernel/site.ts';
import type { WordsReader } from '../kernel/searched-text.ts';
import { recordAudit } from './record.ts';
import type { Actor, AuditEntry } from './record.ts';
import type { AuditAction } from './actions.ts';
import type { Details } from './details.ts';

/** Who changes something, and when. A change that only causes effects can also be an optimistic write. */
export interface Act<Tx extends Effects = Transaction> {
  readonly tx: Tx;
  readonly actor: Actor;
  readonly now: Date;
  /** Reads the words by which articles are found; without it a worker does so later. */
  readonly readWords?: WordsReader;
}

/** The context of a change of something that belongs to a Site. */
export interface Change<Tx extends Effects = Transaction> extends Act<Tx> {
  readonly site: Pick<Site, 'id' | 'organisationId'> & Subscriptions;
}

/** The context of a public change: it may record an event with a copy of the article. */
export interface PublicChange extends Change<Effects> {
  readonly site: Pick<Site, 'id' | 'organisationId' | 'eventsFull'> & Subscriptions;
}

/** Records a change of an organisation, outside of its Sites. */
export const recordOrganisationChange = (
  { tx, actor, now }: Act,
  action: AuditAction,
  organisationId: string,
  target: NonNullable<AuditEntry['target']>,
  details: Details = {},
): void => recordAudit(tx, { actor, action, target, siteId: null, organisationId, details }, now);

/** Records a change in the Site's audit log. */
export const recordChange = (
  { tx, site, actor, now }: Change<Effects>,
  action: AuditAction,
  target: NonNullable<AuditEntry['target']>,
  details: Details,
): void =>
  recordAudit(
    tx,
    { actor, action, target, siteId: site.id, organisationId: site.organisationId, details },
    now,
  );
