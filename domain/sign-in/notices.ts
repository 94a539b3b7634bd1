import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { array, at, sql, timestamp } from '../../db/sql.ts';
import type { Person } from './second-factor.ts';

const actions = ['member.reset_link', 'member.password', 'member.two_factor_off'] as const;

const noticeRow = z.object({
  id: z.string(),
  at: timestamp,
  action: z.enum(actions),
  actor_name: z.string(),
});

/** An act of somebody else on the sign-in of a person. */
export type Notice = z.infer<typeof noticeRow>;

const SHOWN_MS = 30 * 24 * 60 * 60_000;
const SHOWN = 10;

/**
 * What others did to a person's sign-in in the last 30 days, newest first, so that the person notices it: links and
 * passwords that replaced another password, not those by which somebody came to have one.
 */
export const listNotices = (
  db: Queryable,
  { memberships }: Pick<Person, 'memberships'>,
  now: Date,
): Promise<readonly Notice[]> =>
  db.any(sql.type(noticeRow)`
    select l.id, l.at, l.action, l.actor_name from audit_log l
    join unnest(
      ${array(
        memberships.map(({ organisationId }) => organisationId),
        'uuid',
      )},
      ${array(
        memberships.map(({ memberId }) => memberId),
        'uuid',
      )}
    ) as own (organisation_id, id) on own.organisation_id = l.organisation_id and own.id = l.target_id
    join members m on m.id = own.id
    where l.site_id is null and l.action = any(${array(actions, 'text')}) and l.actor_id is distinct from l.target_id
      and (l.action = 'member.two_factor_off' or m.password_reset_at >= l.at)
      and l.at > ${at(new Date(now.getTime() - SHOWN_MS))}
    order by l.at desc, l.id desc limit ${SHOWN}`);
