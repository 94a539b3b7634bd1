import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { sql, timestamp } from '../../db/sql.ts';
import type { Site } from '../access/authenticate.ts';
import { notFound } from '../errors.ts';
import { readPage } from '../page.ts';
import type { Page, PageRequest } from '../page.ts';

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

/** The columns of an endpoint but its secret, of the table under the name `w`. */
export const endpointColumns = sql.fragment`
  w.id, w.site_id, w.url, w.events, w.description, w.enabled, w.disabled_reason, w.disabled_at, w.consecutive_failures,
  w.version, w.created_at, w.updated_at`;

/** @throws ServiceError NOT_FOUND */
export async function getEndpoint(db: Queryable, siteId: string, id: string): Promise<Endpoint> {
  const row = await db.maybeOne(sql.type(endpointRow)`
    select ${endpointColumns} from webhook_endpoints w where w.id = ${id} and w.site_id = ${siteId}`);
  if (row === null) throw notFound('webhook endpoint');
  return row;
}

/**
 * Reads and locks until the transaction ends.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function getEndpointForChange(tx: Transaction, siteId: string, id: string): Promise<Endpoint> {
  const row = await tx.maybeOne(sql.type(endpointRow)`
    select ${endpointColumns} from webhook_endpoints w where w.id = ${id} and w.site_id = ${siteId} for no key update`);
  if (row === null) throw notFound('webhook endpoint');
  return row;
}

/** A page of a Site's endpoints, newest first. */
export function listEndpoints(db: Queryable, site: Site, request: PageRequest): Promise<Page<Endpoint>> {
  return readPage(
    { key: site.cursorKey, query: 'webhooks' },
    request,
    (after, count) => {
      const behind = after === null ? sql.fragment`` : sql.fragment`and w.id < ${after.id}`;
      return db.any(sql.type(endpointRow)`
        select ${endpointColumns} from webhook_endpoints w
        where w.site_id = ${site.id} ${behind} order by w.id desc limit ${count}`);
    },
    (row) => ({ key: null, id: row.id }),
  );
}

/** An endpoint as the API shows it; the secret stands beside it only in the answers that hand it out. */
export const presentEndpoint = (endpoint: Endpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  events: endpoint.events,
  description: endpoint.description,
  enabled: endpoint.enabled,
  disabled_reason: endpoint.disabled_reason,
  disabled_at: endpoint.disabled_at?.toISOString() ?? null,
  consecutive_failures: endpoint.consecutive_failures,
  created_at: endpoint.created_at.toISOString(),
  updated_at: endpoint.updated_at.toISOString(),
});

/** Reads and locks an endpoint by its id alone, as its own process does; null once it is deleted. */
export const findEndpointForChange = (tx: Transaction, id: string): Promise<Endpoint | null> =>
  tx.maybeOne(sql.type(endpointRow)`
    select ${endpointColumns} from webhook_endpoints w where w.id = ${id} for no key update`);

/** The Site of an endpoint, or null once it is deleted. */
export async function siteOfEndpoint(db: Queryable, id: string): Promise<string | null> {
  const row = await db.maybeOne(sql.type(siteIdRow)`
    select site_id from webhook_endpoints where id = ${id}`);
  return row?.site_id ?? null;
}
