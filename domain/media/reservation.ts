import { createHash } from 'node:crypto';
import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { array, at, columnsOf, sql, statement, timestamp } from '../../db/sql.ts';
import { mediaBuckets } from '../../packages/base/public-images.ts';
import type { MediaBucket } from '../../packages/base/public-images.ts';
import { requireRoom } from '../kernel/ceilings.ts';
import { newId } from '../kernel/ids.ts';
import { signalWorkflow } from '../kernel/workflow-messages.ts';

/** 10 MB (docs/spec/rulings.md, 6). */
export const UPLOAD_LIMIT = 10_000_000;

/** The most unregistered uploads of one Site (docs/spec/rulings.md, 27): 2 GB of the largest. */
export const RESERVATION_LIMIT = 200;

/** How long the upload URL is valid, and how long an upload can be registered (docs/spec/rulings.md, 6). */
export const URL_LIFETIME_MS = 15 * 60_000;
const RESERVATION_LIFETIME_MS = 60 * 60_000;

const reservationRow = z.object({
  id: z.string(),
  site_id: z.string(),
  bucket: z.enum(mediaBuckets),
  file_name: z.string(),
  status: z.enum(['reserved', 'registered', 'rejected']),
  created_at: timestamp,
  url_expires_at: timestamp,
  expires_at: timestamp,
  copied_etag: z.string().nullable(),
});

export type Reservation = z.infer<typeof reservationRow>;

const columns = columnsOf(reservationRow, 'r');

/** Where an upload is stored: a key that nobody can read, and that is never a public address. */
export const uploadKey = ({ id, site_id }: Pick<Reservation, 'id' | 'site_id'>): string =>
  `uploads/${site_id}/${id}`;

/** The reservation whose upload is stored under a key. */
export const uploadIdOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

/**
 * The folder of a Site's registered images. Public addresses appear in articles, and so in webhook bodies, which must
 * not contain the Site's id (docs/spec/service-api.md, Events). Older images are stored under the id; their rows say
 * so.
 */
export const publicFolder = (siteId: string): string =>
  `public/${createHash('sha256').update(`media/${siteId}`).digest('hex').slice(0, 32)}`;

/** Under which everything of a Site is stored. Each ends with a slash, so that it fits no other Site. */
export const objectPrefixes = (siteId: string): readonly string[] => [
  `uploads/${siteId}/`,
  `${publicFolder(siteId)}/`,
  `public/${siteId}/`,
];

/**
 * The key of a registered image. It depends only on the reservation, so that a retry writes to the same place;
 * `claimCopy` allows one version of the upload there.
 */
export const publicKey = (
  { id, site_id, bucket }: Pick<Reservation, 'id' | 'site_id' | 'bucket'>,
  extension: string,
): string => `${publicFolder(site_id)}/${bucket}/${id}.${extension}`;

/**
 * The last segment of a name, reduced to letters, digits, `.`, `-` and `_` (docs/spec/rulings.md, 6). Also removes
 * traversal sequences that only appear when other characters are removed. Runs of dots collapse to one.
 */
export function sanitizeFileName(name: string): string {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const kept = last
    .replace(/[^\p{L}\p{N}._-]/gu, '')
    // A name may be as long as a body: searching for the end of long runs would take quadratic time.
    .replace(/\.{3,}/g, '..')
    .replace(/^\.{2,}|\.{2,}$/g, '')
    .replace(/\.{2,}/g, '.');
  return kept === '' || kept === '.' ? 'file' : [...kept].slice(0, 200).join('');
}

/**
 * Reserves an upload, and starts the workflow that deletes it if it is never registered.
 *
 * @throws ServiceError CONFLICT if the Site has too many unregistered uploads
 */
export async function reserveUpload(
  tx: Transaction,
  siteId: string,
  values: {
    readonly bucket: MediaBucket;
    readonly fileName: string;
    /** If the client declared it. */
    readonly sizeBytes: number | undefined;
  },
  now: Date,
): Promise<Reservation> {
  await requireRoom(tx, siteId, {
    limit: RESERVATION_LIMIT,
    existing: sql.fragment`
      select from upload_reservations
      where site_id = ${siteId} and status = 'reserved' and expires_at > ${at(now)}`,
    message: `This Site has ${RESERVATION_LIMIT} unregistered uploads, which is the limit. Register what you have uploaded, or wait: a reservation ends after an hour.`,
  });
  const urlExpiresAt = new Date(now.getTime() + URL_LIFETIME_MS);
  const expiresAt = new Date(now.getTime() + RESERVATION_LIFETIME_MS);
  const reservation = await tx.one(sql.type(reservationRow)`
    insert into upload_reservations as r (
      id, site_id, bucket, file_name, size_bytes, created_at, url_expires_at, expires_at
    ) values (
      ${newId()}, ${siteId}, ${values.bucket}, ${sanitizeFileName(values.fileName)}, ${values.sizeBytes ?? null},
      ${at(now)}, ${at(urlExpiresAt)}, ${at(expiresAt)}
    )
    returning ${columns}`);
  signalWorkflow(tx, 'upload-reservation', { uploadId: reservation.id, siteId, signal: 'reserved' }, now);
  return reservation;
}

export const findReservation = (db: Queryable, siteId: string, id: string): Promise<Reservation | null> =>
  db.maybeOne(sql.type(reservationRow)`
    select ${columns} from upload_reservations r where r.id = ${id} and r.site_id = ${siteId}`);

/** Reads and locks a reservation, so that concurrent registrations of one upload run one after another. */
export const findReservationForUpdate = (
  tx: Transaction,
  siteId: string,
  id: string,
): Promise<Reservation | null> =>
  tx.maybeOne(sql.type(reservationRow)`
    select ${columns} from upload_reservations r where r.id = ${id} and r.site_id = ${siteId} for no key update`);

/** Longer than a copy takes. */
const COPY_MS = 10_000;

/**
 * Claims the public key of an upload for a copy of the version that was inspected. Registrations that have read other
 * bytes, because the upload was replaced meanwhile, are refused until the claim ends. The last claim decides what can be
 * registered.
 *
 * @returns null if the upload has been used, or another version of it is being copied
 */
export async function claimCopy(
  db: Queryable,
  id: string,
  etag: string,
  now: Date,
): Promise<CopyClaim | null> {
  const until = new Date(now.getTime() + COPY_MS);
  const claimed = await db.maybeOne(sql.type(claimRow)`
    with found as (
      select id, coalesce(copied_etag = ${etag} and copying_until > ${at(now)}, false) as shared
      from upload_reservations where id = ${id} and status = 'reserved' for no key update
    )
    update upload_reservations r set copied_etag = ${etag}, copying_until = ${at(until)} from found f
    where r.id = f.id and (r.copied_etag is null or r.copied_etag = ${etag} or r.copying_until <= ${at(now)})
    returning f.shared`);
  return claimed === null ? null : { id, etag, until, isShared: claimed.shared };
}

const claimRow = z.object({ shared: z.boolean() });

interface CopyClaim {
  readonly id: string;
  readonly etag: string;
  readonly until: Date;
  /** Whether another copy of the same version may be under way. */
  readonly isShared: boolean;
}

/** Ends a claim whose copy was refused, because the upload had been replaced. One of another copy stays. */
export async function endClaim(db: Queryable, { id, etag, until, isShared }: CopyClaim): Promise<void> {
  if (isShared) return;
  await db.exec(statement`
    update upload_reservations set copied_etag = null, copying_until = null
    where id = ${id} and copied_etag = ${etag} and copying_until = ${at(until)}`);
}

export async function spendReservation(
  tx: Transaction,
  id: string,
  status: 'registered' | 'rejected',
): Promise<void> {
  await tx.exec(statement`update upload_reservations set status = ${status} where id = ${id}`);
}

const statusRow = z.object({ id: z.string(), status: z.enum(['reserved', 'registered', 'rejected']) });

/** The status of reservations, by id; those that do not exist are left out. */
export async function findStatuses(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.any(sql.type(statusRow)`
    select id, status from upload_reservations where id = any(${array(ids.filter(isUuid), 'uuid')})`);
  return new Map(rows.map(({ id, status }) => [id, status]));
}

/** Marks an open reservation as used. */
export async function rejectReservation(db: Queryable, id: string): Promise<void> {
  await db.exec(statement`
    update upload_reservations set status = 'rejected' where id = ${id} and status = 'reserved'`);
}

/** A reservation by its id only, for its own workflow. */
export const readReservation = (db: Queryable, id: string): Promise<Reservation | null> =>
  db.maybeOne(sql.type(reservationRow)`select ${columns} from upload_reservations r where r.id = ${id}`);

/** Reservations that expired more than an hour ago and were never cleaned up, because their workflow was lost. */
export const findOverdueReservations = (
  db: Queryable,
  expiredBefore: Date,
  count: number,
): Promise<readonly Reservation[]> =>
  db.any(sql.type(reservationRow)`
    select ${columns} from upload_reservations r where r.expires_at <= ${at(expiredBefore)}
    order by r.expires_at, r.id limit ${count}`);

/** Deletes a reservation after its upload was deleted. */
export async function removeReservation(db: Queryable, id: string): Promise<void> {
  await db.exec(statement`delete from upload_reservations where id = ${id}`);
}
