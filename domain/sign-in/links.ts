import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { array, at, sql, statement } from '../../db/sql.ts';
import { roles } from '../access/permissions.ts';
import type { Role } from '../access/permissions.ts';
import { recordOrganisationChange } from '../audit/change.ts';
import type { Act } from '../audit/change.ts';
import { deleteBatch } from '../kernel/batch.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { mailLink } from '../notifications/link-mail.ts';
import { notify } from '../notifications/notify.ts';
import { notFound, ServiceError } from '../kernel/errors.ts';
import { memberTarget } from '../organisations/organisations.ts';
import { generateToken, hashToken } from './tokens.ts';

/** The purpose of a link, and its life (docs/spec/rulings.md, 16). */
const lifetimes = { password: 24 * 60 * 60_000, sign_in: 15 * 60_000 } as const;

export type Purpose = keyof typeof lifetimes;

/** A link that works once. The token can be read at this moment only. */
export interface OneTimeLink {
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Makes a link for a member; an earlier one for the same purpose ends.
 *
 * @param options.madeBy the member who makes it; null for the operator
 * @param options.token of a link that is mailed (domain/notifications/link-mail.ts)
 */
export async function createLink(
  tx: Transaction,
  memberId: string,
  purpose: Purpose,
  now: Date,
  {
    madeBy = null,
    token = generateToken(),
  }: { readonly madeBy?: string | null; readonly token?: string } = {},
): Promise<OneTimeLink> {
  const expiresAt = new Date(now.getTime() + lifetimes[purpose]);
  await tx.exec(statement`
    insert into one_time_links (member_id, purpose, token_hash, expires_at, made_by)
    values (${memberId}, ${purpose}, ${hashToken(token)}, ${at(expiresAt)}, ${madeBy})
    on conflict on constraint one_time_links_pkey do update
      set token_hash = excluded.token_hash, expires_at = excluded.expires_at, made_by = excluded.made_by`);
  if (purpose === 'password') {
    // Whoever has no password yet is to get their first one by it.
    const to = sql.fragment`select id from members where id = ${memberId}::uuid and password_hash is not null`;
    const target = memberTarget(memberId);
    notify(tx, { kind: 'security.reset_link', siteId: null, to, actor: null, target }, now);
  }
  return { token, expiresAt };
}

const partyRow = z.object({ id: z.string(), role: z.enum(roles) });

/**
 * Makes a link with which a member sets a new password. It ends with a change of either's role, and with either's
 * membership (`endLinks`).
 *
 * @param by the member who makes it
 * @param mails whether it is mailed to the member, too
 * @throws ServiceError NOT_FOUND; FORBIDDEN for oneself, for a role above one's own, and for an administrator by another
 */
export async function createResetLink(
  act: Act,
  organisationId: string,
  by: { readonly memberId: string; readonly role: Role },
  memberId: string,
  mails: SecretBox | null,
): Promise<OneTimeLink> {
  const parties = await act.tx.any(sql.type(partyRow)`
    select id, role from members
    where id = any(${array([memberId, by.memberId], 'uuid')}) and organisation_id = ${organisationId}
      and removed_at is null
    order by id for share`);
  const target = parties.find(({ id }) => id === memberId);
  if (target === undefined) throw notFound('member');
  if (memberId === by.memberId)
    throw new ServiceError(
      'FORBIDDEN',
      'You change your own password in your account, with the current one.',
    );
  // The session was read before, and the role may have changed since.
  const maker = parties.find(({ id }) => id === by.memberId);
  if (maker?.role !== by.role) throw new ServiceError('FORBIDDEN', 'Your role has changed. Sign in again.');
  if (roles.indexOf(target.role) < roles.indexOf(by.role))
    throw new ServiceError('FORBIDDEN', 'This person has a role above yours. Ask somebody with that role.');
  // Otherwise an administrator could become another one, and act in their name.
  if (target.role === 'admin' && by.role !== 'owner')
    throw new ServiceError('FORBIDDEN', 'Only the owner makes a link for an administrator.');
  const mailed = mails && (await mailLink(act.tx, mails, memberId, 'link.password', act.now));
  const link = await createLink(act.tx, memberId, 'password', act.now, { madeBy: by.memberId, ...mailed });
  recordOrganisationChange(act, 'member.reset_link', organisationId, memberTarget(memberId));
  return link;
}

/** Mails a new member a link to set a first password. @param by the member who invited them */
export async function mailInvitation(
  { tx, now }: Pick<Act, 'tx' | 'now'>,
  mails: SecretBox,
  memberId: string,
  by: string,
): Promise<void> {
  const mailed = await mailLink(tx, mails, memberId, 'link.invitation', now);
  await createLink(tx, memberId, 'password', now, { madeBy: by, ...mailed });
}

const memberRow = z.object({ id: z.string(), organisation_id: z.string(), email: z.string() });

/** The member of a link that works; null for any other. */
export const findLink = (
  db: Queryable,
  token: string,
  purpose: Purpose,
  now: Date,
): Promise<z.infer<typeof memberRow> | null> =>
  db.maybeOne(sql.type(memberRow)`
    select m.id, m.organisation_id, m.email from one_time_links l
    join members m on m.id = l.member_id and m.removed_at is null
    where l.token_hash = ${hashToken(token)} and l.purpose = ${purpose} and l.expires_at > ${at(now)}`);

/** Uses a link up. Of several requests at once, one gets its member. */
export const useLink = (
  tx: Transaction,
  token: string,
  purpose: Purpose,
  now: Date,
): Promise<z.infer<typeof memberRow> | null> =>
  tx.maybeOne(sql.type(memberRow)`
    with used as (
      delete from one_time_links
      where token_hash = ${hashToken(token)} and purpose = ${purpose} and expires_at > ${at(now)} returning member_id
    )
    select m.id, m.organisation_id, m.email from used join members m on m.id = used.member_id
    where m.removed_at is null`);

/** Deletes a batch of expired links. @returns how many */
export const deleteExpiredLinks = (tx: Transaction, now: Date, size: number): Promise<number> =>
  deleteBatch(tx, { table: 'one_time_links', by: 'expires_at', until: now, size });
