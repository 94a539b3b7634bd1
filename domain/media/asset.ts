import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { at, sql, statement, timestamp } from '../../db/sql.ts';
import type { Site } from '../access/authenticate.ts';
import { notFound } from '../errors.ts';
import { readPage } from '../page.ts';
import type { Page, PageRequest } from '../page.ts';
import { mediaBuckets } from './reservation.ts';
import type { MediaBucket, Reservation } from './reservation.ts';

const idRow = z.object({ id: z.string() });

const assetRow = z.object({
  id: z.string(),
  site_id: z.string(),
  bucket: z.enum(mediaBuckets),
  object_key: z.string(),
  file_name: z.string(),
  mime_type: z.string(),
  size_bytes: z.number(),
  width: z.number(),
  height: z.number(),
  alt_text: z.string().nullable(),
  version: z.number(),
  created_at: timestamp,
});

export type Asset = z.infer<typeof assetRow>;

const columns = sql.fragment`
  m.id, m.site_id, m.bucket, m.object_key, m.file_name, m.mime_type, m.size_bytes, m.width, m.height, m.alt_text, m.version,
  m.created_at`;

/** What an inspection found out about the bytes. */
export interface AssetFacts {
  readonly objectKey: string;
  readonly mime: string;
  readonly sizeBytes: number;
  readonly width: number;
  readonly height: number;
}

/** Makes the asset of a reservation; its id is the reservation's. */
export const createAsset = (
  tx: Transaction,
  reservation: Reservation,
  facts: AssetFacts,
  altText: string | null,
  now: Date,
): Promise<Asset> =>
  tx.one(sql.type(assetRow)`
    insert into media_assets as m (
      id, site_id, bucket, object_key, file_name, mime_type, size_bytes, width, height, alt_text, created_at
    ) values (
      ${reservation.id}, ${reservation.site_id}, ${reservation.bucket}, ${facts.objectKey}, ${reservation.file_name},
      ${facts.mime}, ${facts.sizeBytes}, ${facts.width}, ${facts.height}, ${altText}, ${at(now)}
    ) returning ${columns}`);

/** A page of a Site's library, newest first. */
export function listAssets(
  db: Queryable,
  site: Site,
  bucket: MediaBucket | undefined,
  request: PageRequest,
): Promise<Page<Asset>> {
  const inBucket = bucket === undefined ? sql.fragment`` : sql.fragment`and m.bucket = ${bucket}`;
  return readPage(
    { key: site.cursorKey, query: `media ${bucket ?? ''}` },
    request,
    (after, count) => {
      const behind =
        after === null
          ? sql.fragment``
          : sql.fragment`and (m.created_at, m.id) < (${after.key}::timestamptz, ${after.id}::uuid)`;
      return db.any(sql.type(assetRow)`
        select ${columns} from media_assets m where m.site_id = ${site.id} ${inBucket} ${behind}
        order by m.created_at desc, m.id desc limit ${count}`);
    },
    (row) => ({ key: row.created_at.toISOString(), id: row.id }),
  );
}

/** @throws ServiceError NOT_FOUND */
export async function getAsset(db: Queryable, siteId: string, id: string): Promise<Asset> {
  const row = await db.maybeOne(sql.type(assetRow)`
    select ${columns} from media_assets m where m.id = ${id} and m.site_id = ${siteId}`);
  if (row === null) throw notFound('media asset');
  return row;
}

/** Whether an asset lies under a public key; the id in the key is the asset's. */
export async function isRegistered(db: Queryable, objectKey: string): Promise<boolean> {
  const id = objectKey.slice(objectKey.lastIndexOf('/') + 1, objectKey.lastIndexOf('.'));
  const row = await db.maybeOne(sql.type(idRow)`
    select id from media_assets where id = ${id} and object_key = ${objectKey}`);
  return row !== null;
}

/**
 * Reads and locks until the transaction ends.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function getAssetForChange(tx: Transaction, siteId: string, id: string): Promise<Asset> {
  const row = await tx.maybeOne(sql.type(assetRow)`
    select ${columns} from media_assets m where m.id = ${id} and m.site_id = ${siteId} for no key update`);
  if (row === null) throw notFound('media asset');
  return row;
}

/** Changes the one editable member; without a change the version stays. */
export async function updateAltText(
  tx: Transaction,
  current: Asset,
  altText: string | null | undefined,
): Promise<Asset> {
  if (altText === undefined || altText === current.alt_text) return current;
  return tx.one(sql.type(assetRow)`
    update media_assets m set alt_text = ${altText}, version = m.version + 1 where m.id = ${current.id}
    returning ${columns}`);
}

export async function deleteAsset(tx: Transaction, asset: Asset): Promise<void> {
  await tx.exec(statement`delete from media_assets where id = ${asset.id}`);
}

/** An asset as the API shows it (specification, Media asset). */
export const presentAsset = (asset: Asset, urlOf: (key: string) => string) => ({
  id: asset.id,
  bucket: asset.bucket,
  url: urlOf(asset.object_key),
  file_name: asset.file_name,
  mime_type: asset.mime_type,
  size_bytes: asset.size_bytes,
  width: asset.width,
  height: asset.height,
  alt_text: asset.alt_text,
  created_at: asset.created_at.toISOString(),
});
