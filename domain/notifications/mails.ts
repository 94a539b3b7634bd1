import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { at, sql, statement, timestamp } from '../../db/sql.ts';
import { rescue } from '../kernel/workflow-messages.ts';
import { languages } from './kinds.ts';

/** A mail as it is handed to the mail server. */
export interface Mail {
  /** From which its Message-ID is made. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** `error` is what the mail server said, `reason` what of it is no secret of a person. */
export type MailOutcome =
  | { readonly sent: true }
  | { readonly sent: false; readonly final: boolean; readonly error: string; readonly reason?: string };

/** A person who does not want mail, or has left, gets none but that which cannot be muted. */
export const alwaysMailed = sql.fragment`(n.kind like 'security.%' or n.kind like 'link.%')`;

/** Lets go of mails that nobody wants any more. @param all whether there is no mail server */
export const dropUnwantedMails = (tx: Transaction, memberId: string, all: boolean): Promise<number> =>
  tx.exec(statement`
    update notifications n set mail_due_at = null from members m
    where m.id = n.member_id and n.member_id = ${memberId} and n.mail_due_at is not null and (
      ${all}::boolean or m.removed_at is not null
      or (not ${alwaysMailed} and (not m.mail or n.kind = any(m.muted_kinds)))
    )`);

/**
 * Fixes which mails hold what is due: at once one for each kind, a digest all of it. What is about security, or has a link,
 * is a mail by itself.
 */
export const gatherMails = (tx: Transaction, memberId: string, now: Date): Promise<number> =>
  tx.exec(statement`
    update notifications n set mail_id = g.mail_id from (
      select n.id, first_value(n.id) over (
        partition by case
          when ${alwaysMailed} then n.id::text when m.mail_digest = 'immediate' then n.kind else '' end
        order by n.created_at, n.id
      ) as mail_id
      from notifications n join members m on m.id = n.member_id
      where n.member_id = ${memberId} and n.mail_id is null and n.mail_due_at <= ${at(now)}
    ) g
    where n.id = g.id`);

const told = z.object({
  kind: z.string(),
  details: z.record(z.string(), z.string()),
  target_id: z.string().nullable(),
  site_id: z.string().nullable(),
});

const dueRow = z.object({
  id: z.string(),
  member_id: z.string(),
  email: z.string(),
  language: z.enum(languages),
  attempts: z.number(),
  /** What it tells, oldest first. */
  told: z.array(told),
  /** A Site by which the person comes into the dashboard. */
  any_site_id: z.string().nullable(),
  organisation_name: z.string(),
  /** The hash of the person's link that works. */
  link_hash: z.instanceof(Buffer).nullable(),
});

/** A mail that is to be sent now. */
export type DueMail = z.infer<typeof dueRow>;

export const findDueMails = (
  db: Queryable,
  memberId: string,
  now: Date,
  count: number,
): Promise<readonly DueMail[]> =>
  db.any(sql.type(dueRow)`
    select n.mail_id as id, m.id as member_id, m.email, m.language, max(n.mail_attempts)::int as attempts,
      jsonb_agg(
        jsonb_build_object('kind', n.kind, 'details', n.details, 'target_id', n.target_id, 'site_id', n.site_id)
        order by n.created_at, n.id
      ) as told,
      (
        select s.id from sites s where s.organisation_id = m.organisation_id and s.deleting_since is null order by s.id limit 1
      ) as any_site_id,
      (select o.name from organisations o where o.id = m.organisation_id) as organisation_name,
      (
        select l.token_hash from one_time_links l
        where l.member_id = m.id and l.purpose = 'password' and l.expires_at > ${at(now)}
      ) as link_hash
    from notifications n join members m on m.id = n.member_id
    where n.member_id = ${memberId} and n.mail_id is not null and n.mail_due_at <= ${at(now)}
    group by n.mail_id, m.id order by min(n.mail_due_at), n.mail_id limit ${count}`);

/** Stores how an attempt ended. @param again when the next one is due; null if there is none */
export async function settleMail(
  tx: Transaction,
  { id, member_id: memberId }: Pick<DueMail, 'id' | 'member_id'>,
  outcome: MailOutcome,
  again: Date | null,
  now: Date,
): Promise<void> {
  await tx.exec(statement`
    update notifications set mail_attempts = mail_attempts + 1, mail_due_at = ${again && at(again)}::timestamptz,
      mailed_at = ${outcome.sent ? at(now) : null}::timestamptz,
      mail_error = ${outcome.sent ? null : outcome.error.slice(0, 1_000)}::text
    where member_id = ${memberId} and mail_id = ${id}`);
}

const nextRow = z.object({ next: timestamp.nullable() });

/** When a person's next mail is due; null if none is. */
export async function nextMailAt(db: Queryable, memberId: string): Promise<Date | null> {
  const { next } = await db.one(sql.type(nextRow)`
    select min(mail_due_at) as next from notifications where member_id = ${memberId} and mail_due_at is not null`);
  return next;
}

/** Starts the workflows of people whose mails are overdue. */
export function rescueMessages(tx: Transaction, now: Date, lateMs: number): Promise<number> {
  const lost = sql.fragment`
    select distinct member_id as id from notifications
    where mail_due_at is not null and mail_due_at < ${at(new Date(now.getTime() - lateMs))}`;
  return rescue(tx, 'messages', null, lost, now);
}
