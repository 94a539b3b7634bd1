import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { enqueue } from '../../db/outbox.ts';
import { at, sql, statement, timestamp } from '../../db/sql.ts';
import { newId } from '../ids.ts';

export const mediaBuckets = ['blog-images', 'author-avatars'] as const;

export type MediaBucket = (typeof mediaBuckets)[number];

/** 10 MB (decisions 6). */
export const UPLOAD_LIMIT = 10_000_000;

/** How long the upload URL lives, and how long what it took can be registered (decisions 6). */
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
});

export type Reservation = z.infer<typeof reservationRow>;

const columns = sql.fragment`
  r.id, r.site_id, r.bucket, r.file_name, r.status, r.created_at, r.url_expires_at, r.expires_at`;

/** Where an upload goes: a key that nobody can read, and that no public address ever names. */
export const uploadKey = ({ id, site_id }: Pick<Reservation, 'id' | 'site_id'>): string =>
  `uploads/${site_id}/${id}`;

/**
 * The folder of a Site's registered images. Public addresses stand in articles, and so in webhooks' bodies, where the
 * Site's id may not appear (specification, Events). Images of before lie under the id; their rows say so.
 */
export const publicFolder = (siteId: string): string =>
  `public/${createHash('sha256').update(`media/${siteId}`).digest('hex').slice(0, 32)}`;

/** Where a registered image lies. Follows from the reservation, so that a second try writes to the same place. */
export const publicKey = (
  { id, site_id, bucket }: Pick<Reservation, 'id' | 'site_id' | 'bucket'>,
  extension: string,
): string => `${publicFolder(site_id)}/${bucket}/${id}.${extension}`;

/** The process that sweeps what an upload left behind. */
export const uploadReservationId = (uploadId: string): string => `upload-reservation/${uploadId}`;

/**
 * The last segment of a name, with letters, digits, `.`, `-` and `_` alone (decisions 6), and without traversal
 * sequences: those that taking other characters away brings together as well. Of several dots within a name one is left.
 */
export function sanitizeFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const kept = last
    .replace(/[^\p{L}\p{N}._-]/gu, '')
    .replace(/^\.{2,}|\.{2,}$/g, '')
    .replace(/\.{2,}/g, '.');
  return kept === '' || kept === '.' ? 'file' : [...kept].slice(0, 200).join('');
}

/** Reserves an upload, and has its process started that will sweep what is never registered. */
export async function reserveUpload(
  tx: Transaction,
  siteId: string,
  values: { readonly bucket: MediaBucket; readonly fileName: string },
  now: Date,
): Promise<Reservation> {
  const urlExpiresAt = new Date(now.getTime() + URL_LIFETIME_MS);
  const expiresAt = new Date(now.getTime() + RESERVATION_LIFETIME_MS);
  const reservation = await tx.one(sql.type(reservationRow)`
    insert into upload_reservations as r (id, site_id, bucket, file_name, created_at, url_expires_at, expires_at)
    values (${newId()}, ${siteId}, ${values.bucket}, ${sanitizeFileName(values.fileName)}, ${at(now)}, ${at(urlExpiresAt)},
      ${at(expiresAt)})
    returning ${columns}`);
  signalReservation(tx, reservation, 'reserved', now);
  return reservation;
}

/** Tells the reservation's process what became of it. */
export function signalReservation(
  tx: Transaction,
  { id, site_id: siteId }: Pick<Reservation, 'id' | 'site_id'>,
  signal: 'reserved' | 'registered',
  now: Date,
): void {
  const payload = { uploadId: id, siteId, signal };
  enqueue(tx, { kind: 'upload-reservation', workflow_id: uploadReservationId(id), payload }, now);
}

export const findReservation = (db: Queryable, siteId: string, id: string): Promise<Reservation | null> =>
  db.maybeOne(sql.type(reservationRow)`
    select ${columns} from upload_reservations r where r.id = ${id} and r.site_id = ${siteId}`);

/** Reads and locks: of several registrations of one upload, one comes first. */
export const findReservationForChange = (
  tx: Transaction,
  siteId: string,
  id: string,
): Promise<Reservation | null> =>
  tx.maybeOne(sql.type(reservationRow)`
    select ${columns} from upload_reservations r where r.id = ${id} and r.site_id = ${siteId} for no key update`);

export async function spendReservation(
  tx: Transaction,
  id: string,
  status: 'registered' | 'rejected',
): Promise<void> {
  await tx.exec(statement`update upload_reservations set status = ${status} where id = ${id}`);
}

/** A reservation by its id alone, as its own process reads it. */
export const readReservation = (db: Queryable, id: string): Promise<Reservation | null> =>
  db.maybeOne(sql.type(reservationRow)`select ${columns} from upload_reservations r where r.id = ${id}`);

/** Uploads that can long not be registered any more, and whose process has not swept them: it was lost. */
export const findForgottenReservations = (
  db: Queryable,
  expiredBefore: Date,
  count: number,
): Promise<readonly Reservation[]> =>
  db.any(sql.type(reservationRow)`
    select ${columns} from upload_reservations r where r.expires_at <= ${at(expiredBefore)}
    order by r.expires_at, r.id limit ${count}`);

/** Forgets an upload that has been swept. */
export async function forgetReservation(db: Queryable, id: string): Promise<void> {
  await db.exec(statement`delete from upload_reservations where id = ${id}`);
}
