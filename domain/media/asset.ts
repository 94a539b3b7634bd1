import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { Queryable } from '../../db/statements.ts';
import { at, columnsOf, sql, statement, timestamp } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import { mediaBuckets } from '../../packages/base/public-images.ts';
import type { MediaBucket } from '../../packages/base/public-images.ts';
import type { Site } from '../kernel/site.ts';
import { makerOf } from '../access/standing.ts';
import { differences, values } from '../audit/details.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { offerEvent } from '../events/events.ts';
import { newestFirst, readPage } from '../kernel/page.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import { foundIds } from '../search/found-ids.ts';
import type { Searched } from '../search/found-ids.ts';
import { prepareSearch } from '../search/search.ts';
import { searchInTurn } from '../search/turns.ts';
import type { Search } from '../search/search.ts';
import { siteObject } from '../kernel/site-object.ts';
import type { Reservation } from './reservation.ts';

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
  animated: z.boolean(),
  alt_text: z.string().nullable(),
  /** The key that uploaded it. */
  uploaded_by: z.string().nullable(),
  version: z.number(),
  created_at: timestamp,
});

export type Asset = z.infer<typeof assetRow>;

const columns = columnsOf(assetRow, 'm');
const listedColumns = columnsOf(assetRow, 'a');

/** The result of inspecting the bytes. */
export interface AssetFacts {
  readonly objectKey: string;
  readonly mime: string;
  readonly sizeBytes: number;
  readonly width: number;
  readonly height: number;
  readonly animated: boolean;
}

const keyRow = z.object({ object_key: z.string() });

/** Where the bytes of an asset are stored; null if there is no such asset. */
export async function findObjectKey(db: Queryable, id: string): Promise<string | null> {
  const row = await db.maybeOne(sql.type(keyRow)`select object_key from media_assets where id = ${id}`);
  return row?.object_key ?? null;
}

/** Creates the asset of a reservation; its id is the reservation's. @param shown as the API shows it */
export async function createAsset(
  change: Change,
  reservation: Reservation,
  facts: AssetFacts,
  altText: string | null,
  shown: (asset: Asset) => object,
): Promise<Asset> {
  const { tx, now } = change;
  const asset = await tx.one(sql.type(assetRow)`
    insert into media_assets as m (
      id, site_id, bucket, object_key, file_name, mime_type, size_bytes, width, height, animated, alt_text,
      uploaded_by, created_at
    ) values (
      ${reservation.id}, ${reservation.site_id}, ${reservation.bucket}, ${facts.objectKey}, ${reservation.file_name},
      ${facts.mime}, ${facts.sizeBytes}, ${facts.width}, ${facts.height}, ${facts.animated}, ${altText},
      ${makerOf(change.actor)}, ${at(now)}
    ) returning ${columns}`);
  const details = values(asset, ['bucket', 'file_name', 'mime_type', 'size_bytes', 'alt_text']);
  recordChange(change, 'media.register', targetOf(asset), details);
  offerEvent(change, 'media.created', () => shown(asset));
  return asset;
}

const targetOf = ({ id }: Asset): { type: string; id: string } => ({ type: 'media', id });

interface AssetFilters {
  readonly bucket?: MediaBucket | undefined;
  /** A search as the client wrote it. */
  readonly q?: string | undefined;
}

/** A page of a Site's library, newest first. */
export const listAssets = (
  db: Database,
  site: Site,
  filters: AssetFilters,
  request: PageRequest,
): Promise<Page<Asset>> =>
  searchInTurn(db, site.id, filters.q, (limited) => readAssets(limited, site, filters, request));

async function readAssets(
  db: Queryable,
  site: Site,
  { bucket, q }: AssetFilters,
  request: PageRequest,
): Promise<Page<Asset>> {
  const inBucket = bucket === undefined ? sql.fragment`` : sql.fragment`and a.bucket = ${bucket}`;
  const search = q === undefined ? undefined : prepareSearch(site.id, q);
  const query = `media ${bucket ?? ''}${q === undefined ? '' : ` ${q}`}`;
  return readPage(site, query, request, newestFirst('a', 'created_at'), async ({ after, order }, count) => {
    if (search === null) return [];
    const where = sql.fragment`a.site_id = ${site.id} ${inBucket} and ${after}`;
    if (search === undefined)
      return db.any(sql.type(assetRow)`
        select ${listedColumns} from media_assets a where ${where} order by ${order} limit ${count}`);
    return db.any(sql.type(assetRow)`
      select ${listedColumns} from media_assets a
      where a.id in (${foundIds(search, searched(search, where, order), count)}) order by ${order} limit ${count}`);
  });
}

/** The words of a file name and an alternative text; an index contains the same expression. */
const words = sql.fragment`search_words(a.file_name || ' ' || coalesce(a.alt_text, ''))`;

const searched = (search: Search, where: FragmentSqlToken, order: FragmentSqlToken): Searched => ({
  walk: (condition, most) => sql.fragment`
    select a.* from media_assets a where ${where} and ${condition} order by ${order} limit ${most}`,
  order,
  row: (id) => sql.fragment`select a.* from media_assets a where a.id = ${id} and ${where}`,
  words: sql.fragment`select ${words} as words`,
  hits: (condition) => sql.fragment`
    select a.id from media_assets a
    where search_keys(a.site_id, ${words}) @@ ${search.keys}::tsquery and ${condition}`,
});

export const { get: getAsset, getForUpdate: getAssetForUpdate } = siteObject({
  row: assetRow,
  columns,
  from: sql.fragment`media_assets m`,
  noun: 'media asset',
});

/** The asset of a Site with an object; null if there is none. */
export const findAssetByKey = (db: Queryable, siteId: string, objectKey: string): Promise<Asset | null> =>
  db.maybeOne(sql.type(assetRow)`
    select ${columns} from media_assets m where m.object_key = ${objectKey} and m.site_id = ${siteId}`);

/** Whether an asset is stored under a public key; the id in the key is the asset's. */
export async function isRegistered(db: Queryable, objectKey: string): Promise<boolean> {
  const id = objectKey.slice(objectKey.lastIndexOf('/') + 1, objectKey.lastIndexOf('.'));
  const row = await db.maybeOne(sql.type(idRow)`
    select id from media_assets where id = ${id} and object_key = ${objectKey}`);
  return row !== null;
}

/** Updates the only editable member; without a change the version stays. */
export async function updateAltText(
  change: Change,
  current: Asset,
  altText: string | null | undefined,
  shown: (asset: Asset) => object,
): Promise<Asset> {
  if (altText === undefined || altText === current.alt_text) return current;
  const asset = await change.tx.one(sql.type(assetRow)`
    update media_assets m set alt_text = ${altText}, version = m.version + 1 where m.id = ${current.id}
    returning ${columns}`);
  recordChange(change, 'media.update', targetOf(asset), differences(current, asset, ['alt_text']));
  offerEvent(change, 'media.updated', () => shown(asset));
  return asset;
}

export async function deleteAsset(change: Change, asset: Asset): Promise<void> {
  await change.tx.exec(statement`delete from media_assets where id = ${asset.id}`);
  recordChange(change, 'media.delete', targetOf(asset), values(asset, ['bucket', 'file_name', 'alt_text']));
  offerEvent(change, 'media.deleted', () => ({ id: asset.id }));
}
