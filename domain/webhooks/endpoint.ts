import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { columnsOf, sql, timestamp } from '../../db/sql.ts';
import type { Site } from '../kernel/site.ts';
import { operator } from '../audit/record.ts';
import type { Change } from '../audit/change.ts';
import { byId, readPage } from '../kernel/page.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import { siteObject } from '../kernel/site-object.ts';

const siteIdRow = z.object({ site_id: z.string() });

export const endpointRow = z.object({
  id: z.string(),
  site_id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  description: z.string().nullable(),
  enabled: z.boolean(),
  disabled_reason: z.string().nullable(),
  disabled_at: timestamp.nullable(),
  consecutive_failures: z.number(),
  version: z.number(),
  created_at: timestamp,
  updated_at: timestamp,
});

export type Endpoint = z.infer<typeof endpointRow>;

/** The columns of an endpoint except its secret, from the table `w`. */
export const endpointColumns = columnsOf(endpointRow, 'w');

export const { get: getEndpoint, getForUpdate: getEndpointForUpdate } = siteObject({
  row: endpointRow,
  columns: endpointColumns,
  from: sql.fragment`webhook_endpoints w`,
  noun: 'webhook endpoint',
});

/** A page of a Site's endpoints, newest first. */
export function listEndpoints(db: Queryable, site: Site, request: PageRequest): Promise<Page<Endpoint>> {
  return readPage(site, 'webhooks', request, byId('w', 'desc'), ({ after, order }, count) =>
    db.any(sql.type(endpointRow)`
      select ${endpointColumns} from webhook_endpoints w
      where w.site_id = ${site.id} and ${after} order by ${order} limit ${count}`),
  );
}

const ownedRow = endpointRow.extend({ organisation_id: z.string() });

/** An endpoint with the organisation of its Site. */
export type OwnedEndpoint = z.infer<typeof ownedRow>;

/**
 * Reads and locks an endpoint by its id only, with the organisation of its Site, for its own workflow and the operator;
 * null if it was deleted.
 */
export const findEndpointForUpdate = (tx: Transaction, id: string): Promise<OwnedEndpoint | null> =>
  tx.maybeOne(sql.type(ownedRow)`
    select ${endpointColumns}, s.organisation_id from webhook_endpoints w join sites s on s.id = w.site_id
    where w.id = ${id} for no key update of w`);

/** The context of a change by the operator, for the audit log. */
export const byOperator = (tx: Transaction, endpoint: OwnedEndpoint, now: Date): Change => ({
  tx,
  site: { id: endpoint.site_id, organisationId: endpoint.organisation_id },
  actor: operator,
  now,
});

const countRow = z.object({ endpoints: z.number() });
const idsRow = z.object({ id: z.string(), site_id: z.string() });

/** How many endpoints all Sites have. */
export const countEndpoints = async (db: Queryable): Promise<number> =>
  (await db.one(sql.type(countRow)`select count(*)::int as endpoints from webhook_endpoints`)).endpoints;

/** The next endpoints of all Sites, in the order of their ids. @param after null for the first ones */
export const readEndpointIds = (
  db: Queryable,
  after: string | null,
  count: number,
): Promise<readonly z.infer<typeof idsRow>[]> =>
  db.any(sql.type(idsRow)`
    select id, site_id from webhook_endpoints
    where ${after}::uuid is null or id > ${after}::uuid order by id limit ${count}`);

/** The Site of an endpoint, or null if it was deleted. */
export async function siteOfEndpoint(db: Queryable, id: string): Promise<string | null> {
  const row = await db.maybeOne(sql.type(siteIdRow)`
    select site_id from webhook_endpoints where id = ${id}`);
  return row?.site_id ?? null;
}
