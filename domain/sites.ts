import { z } from 'zod';
import type { Transaction } from '../db/transaction.ts';
import type { Queryable } from '../db/statements.ts';
import { at, sql, statement } from '../db/sql.ts';
import { recordAudit } from './audit.ts';
import type { Actor } from './audit.ts';
import { notFound } from './errors.ts';
import { newId } from './ids.ts';

const localeRow = z.object({ locale: z.string() });
const retryAfterRow = z.object({ retry_after: z.number().nullable() });
const organisationIdRow = z.object({ organisation_id: z.string() });

/** Whether a name is a timezone of the IANA database. */
export function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const changeableSite = z.object({
  organisation_id: z.string(),
  timezone: z.string(),
  spend_cap: z.number().nullable(),
});

export interface NewSite {
  readonly id?: string;
  readonly organisationId: string;
  readonly name: string;
  readonly domain: string;
  readonly locale: string;
  readonly timezone: string;
  /** Credits a month; null for none but the balance. */
  readonly spendCap: number | null;
}

/**
 * @returns the new Site's id
 * @throws ServiceError NOT_FOUND for the organisation
 */
export async function createSite(tx: Transaction, actor: Actor, values: NewSite, now: Date): Promise<string> {
  const id = values.id ?? newId();
  const inserted = await tx.exec(statement`
    insert into sites (id, organisation_id, name, domain, locale, timezone, spend_cap, created_at)
    select ${id}, o.id, ${values.name}, ${values.domain}, ${values.locale}, ${values.timezone}, ${values.spendCap}, ${at(now)}
    from organisations o where o.id = ${values.organisationId}`);
  if (inserted === 0) throw notFound('organisation');
  await audit(tx, actor, 'site.create', id, values.organisationId, { domain: values.domain }, now);
  return id;
}

/**
 * Changes what is given. What is as it was already is neither written nor audited.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function updateSite(
  tx: Transaction,
  actor: Actor,
  id: string,
  changes: { readonly spendCap?: number | null | undefined; readonly timezone?: string | undefined },
  now: Date,
): Promise<void> {
  const row = await tx.maybeOne(sql.type(changeableSite)`
    select organisation_id, timezone, spend_cap from sites where id = ${id} for no key update`);
  if (row === null) throw notFound('Site');
  const { timezone = row.timezone, spendCap = row.spend_cap } = changes;
  if (timezone === row.timezone && spendCap === row.spend_cap) return;
  await tx.exec(statement`update sites set timezone = ${timezone}, spend_cap = ${spendCap} where id = ${id}`);
  await audit(tx, actor, 'site.update', id, row.organisation_id, changes, now);
}

/**
 * Pauses writes, of one Site or (null) of the whole platform (decisions 11).
 *
 * @param retryAfter seconds for `Retry-After`
 * @throws ServiceError NOT_FOUND for the Site
 */
export async function startMaintenance(
  tx: Transaction,
  actor: Actor,
  siteId: string | null,
  retryAfter: number,
  now: Date,
): Promise<void> {
  const organisationId = await organisationOf(tx, siteId);
  await tx.exec(statement`
    insert into maintenance (site_id, retry_after, started_at) values (${siteId}, ${retryAfter}, ${at(now)})
    on conflict (site_id) do update set retry_after = excluded.retry_after`);
  await audit(tx, actor, 'maintenance.on', siteId, organisationId, { retry_after: retryAfter }, now);
}

/** @throws ServiceError NOT_FOUND for the Site */
export async function endMaintenance(
  tx: Transaction,
  actor: Actor,
  siteId: string | null,
  now: Date,
): Promise<void> {
  const organisationId = await organisationOf(tx, siteId);
  await tx.exec(statement`delete from maintenance where site_id is not distinct from ${siteId}`);
  await audit(tx, actor, 'maintenance.off', siteId, organisationId, {}, now);
}

/** The locale a Site's articles are written in. @throws Error for an unknown Site */
export async function findLocale(db: Queryable, siteId: string): Promise<string> {
  const { locale } = await db.one(sql.type(localeRow)`
    select locale from sites where id = ${siteId}`);
  return locale;
}

/** Seconds for `Retry-After` while writes to the Site, or (null) to the whole platform, are paused; else null. */
export async function findMaintenance(db: Queryable, siteId: string | null): Promise<number | null> {
  const { retry_after: retryAfter } = await db.one(sql.type(retryAfterRow)`
    select max(retry_after) as retry_after from maintenance where site_id is null or site_id = ${siteId}`);
  return retryAfter;
}

async function organisationOf(tx: Transaction, siteId: string | null): Promise<string | null> {
  if (siteId === null) return null;
  const row = await tx.maybeOne(sql.type(organisationIdRow)`
    select organisation_id from sites where id = ${siteId}`);
  if (row === null) throw notFound('Site');
  return row.organisation_id;
}

const audit = (
  tx: Transaction,
  actor: Actor,
  action: string,
  siteId: string | null,
  organisationId: string | null,
  details: object,
  now: Date,
): Promise<void> => {
  const target = siteId === null ? null : { type: 'site', id: siteId };
  return recordAudit(tx, { actor, action, target, siteId, organisationId, details: { ...details } }, now);
};
