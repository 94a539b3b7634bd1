import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { at, sql, statement } from '../../db/sql.ts';
import { recordAudit } from '../audit/record.ts';
import { folded, foldAddress } from './address.ts';

interface Person {
  readonly memberId: string;
  readonly organisationId: string;
  readonly email: string;
}

/**
 * Records in the organisation's log an act in a person's name on a page that takes a password.
 *
 * @param address of the client
 */
export function auditSignIn(
  tx: Transaction,
  action: 'sign_in.succeed' | 'sign_in.fail' | 'sign_in.end',
  { memberId, organisationId, email }: Person,
  requestId: string,
  now: Date,
  address: string | null = null,
): void {
  const details = address === null ? {} : { client_address: address };
  const actor = { kind: 'person', id: memberId, name: email, requestId } as const;
  const target = { type: 'member', id: memberId };
  recordAudit(tx, { actor, action, target, siteId: null, organisationId, details }, now);
}

/** How many failed sign-ins of a member the log keeps in 24 hours, so that a stranger cannot fill it. */
const FAILURES_A_DAY = 50;
const DAY_MS = 24 * 60 * 60_000;

const personRow = z.object({ member_id: z.string(), organisation_id: z.string(), email: z.string() });

/**
 * Records a failed sign-in with this address in the log of each organisation that has a member with it. An address
 * without a member leaves nothing. The commit does not wait for the disk: the response time must not reveal whether
 * there is a member.
 */
export async function recordFailedSignIn(
  tx: Transaction,
  email: string,
  requestId: string,
  now: Date,
  clientAddress: string | null = null,
): Promise<void> {
  await tx.exec(statement`set local synchronous_commit = off`);
  const since = at(new Date(now.getTime() - DAY_MS));
  const people = await tx.any(sql.type(personRow)`
    select m.id as member_id, m.organisation_id, m.email from members m
    where ${folded(sql.fragment`m.email`)} = ${foldAddress(email)} and m.removed_at is null and (
      select count(*) from (
        select from audit_log l
        where l.organisation_id = m.organisation_id and l.site_id is null and l.target_id = m.id and l.at > ${since}
          and l.action = 'sign_in.fail'
        limit ${FAILURES_A_DAY}
      ) recent
    ) < ${FAILURES_A_DAY}`);
  for (const { member_id: memberId, organisation_id: organisationId, email: address } of people)
    auditSignIn(
      tx,
      'sign_in.fail',
      { memberId, organisationId, email: address },
      requestId,
      now,
      clientAddress,
    );
}
