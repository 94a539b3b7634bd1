import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { at, sql, statement } from '../../db/sql.ts';
import { recordAudit } from '../audit/record.ts';
import type { AuditAction } from '../audit/actions.ts';
import { differences, values as valuesOf } from '../audit/details.ts';
import type { Details } from '../audit/details.ts';
import type { Act } from '../audit/change.ts';
import { autopilotTimeZoneChanged } from '../autopilot/settings.ts';
import { mayBeWanted, offerEvent } from '../events/events.ts';
import { notFound } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { presentSite } from '../sites/present.ts';
import { readSiteSettings } from '../sites/settings.ts';

const retryAfterRow = z.object({ retry_after: z.number().nullable() });
const organisationIdRow = z.object({ organisation_id: z.string() });

const changeableSite = z.object({
  organisation_id: z.string(),
  subscribed_events: z.array(z.string()),
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
  /** Credits a month; null for no cap besides the balance. */
  readonly spendCap: number | null;
}

/**
 * @returns the new Site's id
 * @throws ServiceError NOT_FOUND for the organisation
 */
export async function createSite(act: Act, values: NewSite): Promise<string> {
  const id = values.id ?? newId();
  const inserted = await act.tx.exec(statement`
    insert into sites (id, organisation_id, name, domain, locale, timezone, spend_cap, created_at)
    select ${id}, o.id, ${values.name}, ${values.domain}, ${values.locale}, ${values.timezone}, ${values.spendCap}, ${at(act.now)}
    from organisations o where o.id = ${values.organisationId} and o.deleting_since is null for share of o`);
  if (inserted === 0) throw notFound('organisation');
  const details = valuesOf(values, ['name', 'domain', 'locale', 'timezone', 'spendCap']);
  audit(act, 'site.create', id, values.organisationId, details);
  return id;
}

/**
 * Updates the given fields. Unchanged values are neither written nor audited.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function updateSite(
  act: Act,
  id: string,
  publicOrigin: string,
  changes: { readonly spendCap?: number | null | undefined; readonly timezone?: string | undefined },
): Promise<void> {
  const { tx } = act;
  const row = await tx.maybeOne(sql.type(changeableSite)`
    select organisation_id, subscribed_events, timezone, spend_cap from sites where id = ${id} for no key update`);
  if (row === null) throw notFound('Site');
  const { timezone = row.timezone, spendCap = row.spend_cap } = changes;
  const details = differences(row, { ...row, timezone, spend_cap: spendCap }, ['timezone', 'spend_cap']);
  if (Object.keys(details).length === 0) return;
  await tx.exec(statement`
    update sites set timezone = ${timezone}, spend_cap = ${spendCap}, version = version + 1 where id = ${id}`);
  audit(act, 'site.update', id, row.organisation_id, details);
  if (!('timezone' in details)) return;
  await autopilotTimeZoneChanged(tx, id, act.now);
  const site = { id, subscribedEvents: row.subscribed_events };
  if (!mayBeWanted(site, 'site.updated')) return;
  const shown = presentSite(await readSiteSettings(tx, id), publicOrigin);
  offerEvent({ tx, site, now: act.now }, 'site.updated', () => shown);
}

/**
 * Pauses writes of one Site, or (null) of the whole platform (docs/spec/rulings.md, 11). Writes nothing if they are
 * already paused for as long.
 *
 * @param retryAfter seconds for `Retry-After`
 * @throws ServiceError NOT_FOUND for the Site
 */
export async function startMaintenance(act: Act, siteId: string | null, retryAfter: number): Promise<void> {
  const { tx, now } = act;
  const organisationId = await organisationOf(tx, siteId);
  const written = await tx.exec(statement`
    insert into maintenance as m (site_id, retry_after, started_at) values (${siteId}, ${retryAfter}, ${at(now)})
    on conflict (site_id) do update set retry_after = excluded.retry_after where m.retry_after <> excluded.retry_after`);
  if (written === 0) return;
  audit(act, 'maintenance.on', siteId, organisationId, { retry_after: retryAfter });
}

/**
 * Resumes writes. Does nothing if they are not paused.
 *
 * @throws ServiceError NOT_FOUND for the Site
 */
export async function endMaintenance(act: Act, siteId: string | null): Promise<void> {
  const { tx } = act;
  const organisationId = await organisationOf(tx, siteId);
  const ended = await tx.exec(
    statement`delete from maintenance where site_id is not distinct from ${siteId}`,
  );
  if (ended === 0) return;
  audit(act, 'maintenance.off', siteId, organisationId, {});
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
  { tx, actor, now }: Act,
  action: AuditAction,
  siteId: string | null,
  organisationId: string | null,
  details: Details,
): void => {
  const target = siteId === null ? null : { type: 'site', id: siteId };
  recordAudit(tx, { actor, action, target, siteId, organisationId, details }, now);
};
