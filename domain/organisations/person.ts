import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';

/** A member as other members see them, whose id is null once they were erased (docs/spec/rulings.md, 23). */
export const personRow = z.object({ id: z.string().nullable(), name: z.string() });

const shown = sql.fragment`
  case when m.erased_at is null then jsonb_build_object('id', m.id, 'name', split_part(m.email, '@', 1))
    else jsonb_build_object('id', null, 'name', 'Former member') end`;

/** The person of a membership, by its id; null for none. */
export const person = (memberId: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`(select ${shown} from members m where m.id = ${memberId})`;

/** The persons of an array of ids, in its order. */
export const people = (memberIds: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  (
    select coalesce(jsonb_agg(${shown} order by n.position), '[]')
    from unnest(${memberIds}) with ordinality n (id, position) join members m on m.id = n.id
  )`;

/** As many as a person can be asked to choose among. */
const MOST_PEOPLE = 500;

/** The members of an organisation, by their names. */
export const listPeople = async (db: Queryable, organisationId: string) =>
  (
    await db.any(sql.type(z.object({ person: personRow }))`
      select ${shown} as person from members m where m.organisation_id = ${organisationId} and m.removed_at is null
      order by lower(m.email) limit ${MOST_PEOPLE}`)
  ).map(({ person: member }) => member);
