import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { array, sql, statement, timestamp } from '../../db/sql.ts';
import { auditSignIn } from './audit.ts';
import { revokeKeysOfSession } from './dashboard-keys.ts';
import type { Person } from './second-factor.ts';
import { isLive } from './sessions.ts';

/** The most sessions that are shown. Nobody has as many browsers. */
const SHOWN = 100;

const sessionRow = z.object({
  id: z.string(),
  created_at: timestamp,
  last_used_at: timestamp,
  browser: z.string().nullable(),
});

export type OwnSession = z.infer<typeof sessionRow>;

const idsOf = ({ memberships }: Pick<Person, 'memberships'>) =>
  array(
    memberships.map(({ memberId }) => memberId),
    'uuid',
  );

/** The sessions of a person that have not ended, the last used first. */
export const listOwnSessions = (
  db: Queryable,
  person: Pick<Person, 'memberships'>,
  now: Date,
): Promise<readonly OwnSession[]> =>
  db.any(sql.type(sessionRow)`
    select id, created_at, last_used_at, browser from sessions
    where id is not null and ${isLive(now)} and token_hash in (
      select token_hash from session_members where member_id = any(${idsOf(person)}))
    order by last_used_at desc, id limit ${SHOWN}`);

const endedRow = z.object({ id: z.string().nullable(), member_id: z.string() });

/**
 * Ends a person's sessions: all but one, or one. Their dashboard keys end with them.
 *
 * @returns how many memberships left a session
 */
export async function endOwnSessions(
  tx: Transaction,
  person: Person,
  which: { readonly only: string } | { readonly except: string },
  now: Date,
): Promise<number> {
  // People are locked before sessions and keys, as everywhere.
  await tx.exec(statement`select from members where id = any(${idsOf(person)}) order by id for share`);
  const chosen =
    'only' in which
      ? sql.fragment`s.id = ${which.only}`
      : sql.fragment`s.id is distinct from ${which.except}`;
  const ended = await tx.any(sql.type(endedRow)`
    delete from session_members sm using sessions s
    where s.token_hash = sm.token_hash and sm.member_id = any(${idsOf(person)}) and ${chosen}
    returning s.id, sm.member_id`);
  const { email, requestId, memberships } = person;
  for (const { id, member_id: memberId } of ended) {
    const organisationId = memberships.find((each) => each.memberId === memberId)?.organisationId ?? '';
    const actor = { kind: 'person', id: memberId, name: email, requestId } as const;
    if (id !== null) await revokeKeysOfSession({ tx, actor, now }, id, memberId);
    auditSignIn(tx, 'sign_in.end', { memberId, organisationId, email }, requestId, now);
  }
  return ended.length;
}
