import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { sql, timestamp } from '../../db/sql.ts';
import { caseInsensitive } from '../kernel/case-insensitive-order.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import { blueprint } from './blueprint.ts';

export const contentTypeRow = z.object({
  id: z.string(),
  /** Null for a format of the platform. */
  site_id: z.string().nullable(),
  key: z.string(),
  name: z.string(),
  is_active: z.boolean(),
  version: z.number(),
  created_at: timestamp,
  updated_at: timestamp,
});

export const contentTypeDetailRow = contentTypeRow.extend({ blueprint });

export type ContentType = z.infer<typeof contentTypeRow>;
export type ContentTypeDetail = z.infer<typeof contentTypeDetailRow>;

const columns = sql.fragment`id, site_id, key, name, is_active, version, created_at, updated_at`;
export const detailColumns = sql.fragment`${columns}, blueprint`;

/**
 * The Site's formats, and the platform's formats that none of them replaces, by name
 * (docs/spec/service-api.md, Content type).
 */
export function listContentTypes(db: Queryable, siteId: string): Promise<readonly ContentType[]> {
  return db.any(sql.type(contentTypeRow)`
    select ${columns} from content_types t
    where site_id = ${siteId} or (
      site_id is null and not exists (select from content_types o where o.site_id = ${siteId} and o.key = t.key)
    )
    order by ${caseInsensitive(sql.fragment`name`)}, id`);
}

/**
 * A format of the Site or of the platform, replaced or not.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function getContentType(db: Queryable, siteId: string, id: string): Promise<ContentTypeDetail> {
  const row = await db.maybeOne(sql.type(contentTypeDetailRow)`
    select ${detailColumns} from content_types where id = ${id} and (site_id = ${siteId} or site_id is null)`);
  if (row === null) throw notFound('article format');
  return row;
}

/**
 * Reads a format, and locks it until the transaction ends. The platform's formats are not locked, because they never
 * change.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function getContentTypeForUpdate(
  tx: Transaction,
  siteId: string,
  id: string,
): Promise<ContentTypeDetail> {
  const own = await tx.maybeOne(sql.type(contentTypeDetailRow)`
    select ${detailColumns} from content_types where id = ${id} and site_id = ${siteId} for no key update`);
  return own ?? getContentType(tx, siteId, id);
}

/** @throws ServiceError CONFLICT for a format of the platform (docs/spec/service-api.md, Meta) */
export function requireOwn({ site_id: site, key }: ContentType): void {
  if (site !== null) return;
  throw conflict(
    `This format belongs to the platform. Create one with the key "${key}": it replaces this one in your Site.`,
  );
}
