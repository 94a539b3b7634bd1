import { z } from 'zod';
import { array, sql, statement } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';

const bodyRow = z.object({ id: z.string(), body: z.string() });

/** An index contains the same condition. */
const ofPeople = sql.fragment`e.event ~ '^(approval|key|review)\\.'`;

/**
 * Replaces the names of people, and those that they gave their keys, in the events of an organisation's Sites. Pending
 * deliveries send what is left.
 *
 * @param ids of the people and keys, which stand beside their names
 */
export async function eraseFromEvents(
  tx: Transaction,
  organisationId: string,
  ids: readonly string[],
  name: string,
): Promise<void> {
  const rows = await tx.any(sql.type(bodyRow)`
    select e.id, e.body from events e
    where e.site_id = any(array(select id from sites where organisation_id = ${organisationId})) and ${ofPeople}
      and exists (select from unnest(${array(ids, 'text')}) as i (id) where strpos(e.body, i.id) > 0)
    order by e.id for no key update`);
  if (rows.length === 0) return;
  await tx.exec(statement`
    update events e set body = r.body
    from unnest(
      ${array(
        rows.map(({ id }) => id),
        'uuid',
      )},
      ${array(
        rows.map(({ body }) => withoutNames(body, new Set(ids), name)),
        'text',
      )}
    ) as r (id, body)
    where e.id = r.id`);
}

const withoutNames = (body: string, ids: ReadonlySet<string>, name: string): string =>
  JSON.stringify(
    JSON.parse(body, (_, value: unknown) =>
      typeof value === 'object' &&
      value !== null &&
      'id' in value &&
      'name' in value &&
      ids.has(String(value.id))
        ? { ...value, name }
        : value,
    ),
  );
