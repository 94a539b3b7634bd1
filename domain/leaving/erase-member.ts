import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { array, at, sql, statement } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';
import { recordOrganisationChange } from '../audit/change.ts';
import type { Act } from '../audit/change.ts';
import { notFound } from '../kernel/errors.ts';
import { keyColumns, keyRow } from '../access/key.ts';
import type { ApiKey } from '../access/key.ts';
import { presentKey } from '../access/present.ts';
import { offerEvents } from '../events/events.ts';
import { eraseFromEvents } from '../events/people.ts';
import { endLinks, memberTarget } from '../organisations/organisations.ts';
import { endSessionsOf } from '../sign-in/sessions.ts';
import { signalWorkflow } from '../kernel/workflow-messages.ts';
import { requireConfirmation } from './site-deletion.ts';
import type { DeletionRequest } from './site-deletion.ts';

/** The text in place of a person's address and of names they gave; a trigger of the audit log knows it too. */
export const ERASED = 'erased';

const memberRow = z.object({ organisation_id: z.string(), email: z.string(), erased: z.boolean() });
const idRow = z.object({ id: z.string() });
const shownRow = z.object({ id: z.string(), site_id: z.string(), open: z.boolean() });

export interface ErasedMember {
  readonly organisationId: string;
  /** Keys of the person, all revoked now. */
  readonly keys: number;
  /** Other memberships with the same address, each of which is erased separately. */
  readonly others: readonly string[];
}

/**
 * Erases the identity of a member: address, password, second factor, sessions, the names of their keys, and requests and answers that
 * contain any of these. Their keys are revoked, and the membership ends. The row stays, as the opaque id that the audit
 * log and keys refer to. `eraseActorNames` continues with the log. Safe to repeat.
 *
 * @throws ServiceError NOT_FOUND; VALIDATION_FAILED if `confirm` is not the address
 */
export async function eraseMember(
  act: Act,
  id: string,
  { confirm, by }: DeletionRequest,
): Promise<ErasedMember> {
  const { tx, now } = act;
  const member = await tx.maybeOne(sql.type(memberRow)`
    select organisation_id, email, erased_at is not null as erased from members where id = ${id} for update`);
  if (member === null) throw notFound('member');
  const { organisation_id: organisationId, email, erased } = member;
  if (erased) return { organisationId, keys: 0, others: [] };
  requireConfirmation(confirm, email);
  await tx.exec(statement`
    update members set email = ${ERASED}, password_hash = null, removed_at = coalesce(removed_at, ${at(now)}),
      erased_at = ${at(now)}, version = version + 1
    where id = ${id}`);
  const keys = await eraseKeys(act, id);
  await endSessionsOf(act, id);
  await endLinks(tx, id);
  await tx.exec(statement`delete from second_factors where member_id = ${id}`);
  await tx.exec(statement`delete from notifications where member_id = ${id}`);
  await tx.exec(statement`delete from device_authorizations where member_id = ${id}`);
  await tx.exec(statement`delete from oauth_grants where member_id = ${id}`);
  const keyIds = keys.map((key) => key.id);
  await eraseFromEvents(tx, organisationId, [id, ...keyIds], ERASED);
  await eraseFromApprovals(act, organisationId, id, email, keyIds);
  await eraseFromRemarks(tx, organisationId, email);
  await eraseFromAnswers(tx, organisationId, email, [id, ...keyIds]);
  recordOrganisationChange(act, 'member.erase', organisationId, memberTarget(id), { by });
  const others = await tx.any(sql.type(idRow)`
    select id from members where lower(email) = lower(${email}) and id <> ${id} order by id`);
  return { organisationId, keys: keys.length, others: others.map((other) => other.id) };
}

const heldRow = keyRow.extend({
  site_id: z.string(),
  was_live: z.boolean(),
  subscribed_events: z.array(z.string()),
});

/** Revokes a person's keys, and erases the names they gave them. */
async function eraseKeys({ tx, now }: Act, memberId: string): Promise<readonly ApiKey[]> {
  const keys = await tx.any(sql.type(heldRow)`
    update api_keys k set name = ${ERASED}, revoked_at = coalesce(k.revoked_at, ${at(now)}), version = k.version + 1
    from (select id, revoked_at is null as was_live from api_keys where member_id = ${memberId} for update) b, sites s
    where k.id = b.id and s.id = k.site_id
    returning ${keyColumns}, k.site_id, b.was_live, s.subscribed_events`);
  const offers = keys
    .filter((key) => key.was_live && key.session_id === null)
    .map(({ site_id: siteId, subscribed_events: subscribedEvents, ...key }) => ({
      site: { id: siteId, subscribedEvents },
      data: () => presentKey(key),
    }));
  offerEvents(tx, 'key.revoked', offers, now);
  return keys;
}

const ofSites = (organisationId: string) =>
  sql.fragment`site_id in (select id from sites where organisation_id = ${organisationId})`;

/** Approvals show a person's address and keys to those who decide. Ones that are still open end. */
async function eraseFromApprovals(
  { tx, now }: Act,
  organisationId: string,
  memberId: string,
  email: string,
  keyIds: readonly string[],
): Promise<void> {
  const shown = array([memberId, ...keyIds], 'text');
  const names = sql.fragment`(
    lower(body ->> 'email') = lower(${email}) or lower(target ->> 'email') = lower(${email})
    or lower(target ->> 'member') = lower(${email}) or target ->> 'id' = any(${shown})
    or key_id = any(${array([...keyIds], 'uuid')}))`;
  const rows = await tx.any(sql.type(shownRow)`
    with shown as (
      select id, status in ('pending', 'approved') as open from approvals
      where ${ofSites(organisationId)} and ${names} for update)
    update approvals a set target = null, body = null, body_hash = null,
      status = case when shown.open then 'expired' else a.status end
    from shown where a.id = shown.id returning a.id, a.site_id, shown.open`);
  for (const { id, site_id: siteId, open } of rows)
    if (open) signalWorkflow(tx, 'approval', { approvalId: id, siteId, signal: 'decide' }, now);
  // A denied approval does not tell whom it was about.
  await tx.exec(statement`
    update approvals set denied_body_mac = null
    where ${ofSites(organisationId)} and action like 'member.%' and denied_body_mac is not null`);
}

/** What the team wrote to each other, or had a model asked, may have the address in it. Who wrote it is shown by membership. */
async function eraseFromRemarks(tx: Transaction, organisationId: string, email: string): Promise<void> {
  const pattern = email.replaceAll(/[^a-z0-9]/gi, '\\$&');
  const erased = (column: FragmentSqlToken) =>
    sql.fragment`regexp_replace(${column}, ${pattern}, ${ERASED}, 'gi')`;
  const named = (text: FragmentSqlToken) => sql.fragment`strpos(lower(${text}), lower(${email})) > 0`;
  await tx.exec(statement`
    update notes set body = ${erased(sql.fragment`body`)}
    where ${ofSites(organisationId)} and ${named(sql.fragment`body`)}`);
  await tx.exec(statement`
    update reviews set note = ${erased(sql.fragment`note`)}, decision_note = ${erased(sql.fragment`decision_note`)}
    where ${ofSites(organisationId)} and ${named(sql.fragment`concat_ws(' ', note, decision_note)`)}`);
  await tx.exec(statement`
    update review_approvals set note = ${erased(sql.fragment`note`)}
    where review_id in (select id from reviews where ${ofSites(organisationId)}) and ${named(sql.fragment`note`)}`);
  await tx.exec(statement`
    update pipeline_articles set rejected_reason = ${erased(sql.fragment`rejected_reason`)}
    where ${ofSites(organisationId)} and ${named(sql.fragment`rejected_reason`)}`);
  await tx.exec(statement`
    update article_claims set evidence = ${erased(sql.fragment`evidence`)}
    where ${ofSites(organisationId)} and ${named(sql.fragment`evidence`)}`);
  const asked = sql.fragment`concat_ws(' ', prompt, answer)`;
  await tx.exec(statement`
    update pipeline_steps set prompt = ${erased(sql.fragment`prompt`)}, answer = ${erased(sql.fragment`answer`)}
    where run_id in (select id from pipeline_runs where ${ofSites(organisationId)})
      and num_nonnulls(prompt, answer) > 0 and ${named(asked)}`);
}

/**
 * Recorded answers about people, keys and devices are kept for a day. Those that contain the address, or one of the ids,
 * which stand beside names, are deleted.
 */
async function eraseFromAnswers(
  tx: Transaction,
  organisationId: string,
  email: string,
  ids: readonly string[],
): Promise<void> {
  await tx.exec(statement`
    delete from idempotency_records
    where ${ofSites(organisationId)} and operation ~ '^(POST|PATCH|DELETE) /(team|keys|approvals|auth|articles/[^/]+/(review|notes))'
      and (
        strpos(lower(body), lower(${email})) > 0
        or exists (select from unnest(${array([...ids], 'text')}) as i (id) where strpos(body, i.id) > 0)
      )`);
}

/**
 * Replaces the names of an erased member and their keys by `erased`, in a batch of rows of the audit log. What they did
 * stays under their opaque ids. The database allows nothing else to be changed in the log.
 *
 * @returns how many rows; 0 once no name is left
 */
export async function eraseActorNames(
  tx: Transaction,
  memberId: string,
  place: LogPlace,
  size: number,
): Promise<number> {
  const rows =
    place.siteId === null
      ? sql.fragment`organisation_id = ${place.organisationId} and site_id is null`
      : sql.fragment`site_id = ${place.siteId}`;
  return tx.exec(statement`
    update audit_log set actor_name = ${ERASED}, details = details - 'client_name' - 'client_address'
    where ctid = any(array(
      select ctid from audit_log
      where ${rows} and actor_id in (select ${memberId}::uuid union all select id from api_keys where member_id = ${memberId})
        and (actor_name <> ${ERASED} or jsonb_exists_any(details, '{client_name,client_address}'))
      limit ${size}))`);
}

/** The log of a Site, or the organisation's own. */
export interface LogPlace {
  readonly organisationId: string;
  readonly siteId: string | null;
}

/** Where the names of an organisation's people may be in the audit log. */
export async function logPlaces(db: Queryable, organisationId: string): Promise<readonly LogPlace[]> {
  const sites = await db.any(sql.type(idRow)`
    select id from sites where organisation_id = ${organisationId} order by id`);
  return [{ organisationId, siteId: null }, ...sites.map(({ id }) => ({ organisationId, siteId: id }))];
}
