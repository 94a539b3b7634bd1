import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { array, sql, statement } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import { differences } from '../audit/details.ts';
import { recordChange, recordOrganisationChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';

/** How often a person gets mail: at once, at the full hour, or at eight in the morning of the Site. */
export const digests = ['immediate', 'hourly', 'daily'] as const;

const settingsRow = z.object({
  email: z.boolean(),
  digest: z.enum(digests),
  /** Kinds that are kept out of mail, and stay in the list. */
  muted: z.array(z.string()),
});

export type NotificationSettings = z.infer<typeof settingsRow>;

const settingsOf = (memberId: string, lock: FragmentSqlToken) => sql.type(settingsRow)`
  select mail as email, mail_digest as digest, muted_kinds as muted from members where id = ${memberId} ${lock}`;

/** How a person is told. */
export const readNotificationSettings = (db: Queryable, memberId: string): Promise<NotificationSettings> =>
  db.one(settingsOf(memberId, sql.fragment``));

/** Changes how a person is told. Without a change, nothing is written. */
export async function changeNotificationSettings(
  change: Change,
  memberId: string,
  sent: { readonly [Name in keyof NotificationSettings]?: NotificationSettings[Name] | undefined },
): Promise<NotificationSettings> {
  const { tx } = change;
  const before = await tx.one(settingsOf(memberId, sql.fragment`for no key update`));
  const next = {
    email: sent.email ?? before.email,
    digest: sent.digest ?? before.digest,
    muted: sent.muted === undefined ? before.muted : [...new Set(sent.muted)].toSorted(),
  };
  const details = differences(before, next, ['email', 'digest', 'muted']);
  if (Object.keys(details).length === 0) return next;
  await tx.exec(statement`
    update members set mail = ${next.email}, mail_digest = ${next.digest}, muted_kinds = ${array(next.muted, 'text')}
    where id = ${memberId}`);
  recordChange(change, 'notifications.settings', { type: 'member', id: memberId }, details);
  return next;
}

const personRow = z.object({ email: z.string(), organisation_id: z.string(), muted: z.array(z.string()) });

/** Keeps kinds out of a person's mail, by a link in it. @returns false if the person is no member any more */
export async function muteKinds(
  tx: Transaction,
  memberId: string,
  kinds: readonly string[],
  requestId: string,
  now: Date,
): Promise<boolean> {
  const person = await tx.maybeOne(sql.type(personRow)`
    select email, organisation_id, muted_kinds as muted from members
    where id = ${memberId} and removed_at is null for no key update`);
  if (person === null) return false;
  const muted = [...new Set([...person.muted, ...kinds])].toSorted();
  const details = differences(person, { ...person, muted }, ['muted']);
  if (Object.keys(details).length === 0) return true;
  await tx.exec(statement`update members set muted_kinds = ${array(muted, 'text')} where id = ${memberId}`);
  const actor = { kind: 'person', id: memberId, name: person.email, requestId } as const;
  const target = { type: 'member', id: memberId };
  recordOrganisationChange(
    { tx, actor, now },
    'notifications.settings',
    person.organisation_id,
    target,
    details,
  );
  return true;
}
