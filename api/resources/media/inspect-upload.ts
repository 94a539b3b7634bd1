import { unavailable } from '../../../domain/kernel/errors.ts';
import type { UploadFinding } from '../../../domain/media/register.ts';
import {
  claimCopy,
  endClaim,
  findReservation,
  publicKey,
  UPLOAD_LIMIT,
  uploadKey,
} from '../../../domain/media/reservation.ts';
import type { Reservation } from '../../../domain/media/reservation.ts';
import { FairSemaphore, NoPermit } from '../../../runtime/fair-semaphore.ts';
import { lazily } from '../../../runtime/lazily.ts';
import type { Ports } from '../../framework/ports.ts';
import { tenantOf } from '../../../domain/organisations/tenant.ts';

/** The decoders of images, which take 9 MB and 100 ms. */
const decoders = lazily(() => import('../../../adapters/images/inspect-image.ts'));

/** The total time for storage, so that a registration is answered within 5 s even if storage hangs. */
const STORAGE_MS = 4_000;

/** Uploads that a process holds in memory at once, to inspect them. */
const slots = new FairSemaphore({
  permits: 8,
  tenantPermits: 3,
  waiting: 256,
  tenantWaiting: 64,
  longestWaitMs: 10_000,
});

/**
 * Reads an upload and, if it is an allowed image, copies it to its public key. This runs before the transaction, so
 * that no transaction waits for storage. It is idempotent.
 *
 * @throws Error if storage does not answer
 * @throws ServiceError MAINTENANCE if too many uploads are waiting for inspection
 */
export async function inspectUpload(
  ports: Ports,
  siteId: string,
  uploadId: string,
  now: Date,
): Promise<UploadFinding> {
  const reservation = await findReservation(ports.db, siteId, uploadId);
  // The transaction rejects an unknown, used or expired reservation; nothing needs to be read for that.
  if (reservation === null || reservation.status !== 'reserved' || reservation.expires_at <= now) {
    return { kind: 'nothing' };
  }
  try {
    return await readAndPublish(ports, reservation);
  } catch (error) {
    // A concurrent registration of the same upload may have won, and deleted the object during the read.
    const current = await findReservation(ports.db, siteId, uploadId);
    if (current?.status !== 'reserved') return { kind: 'nothing' };
    throw error;
  }
}

async function readAndPublish(
  { db, objects, clock }: Ports,
  reservation: Reservation,
): Promise<UploadFinding> {
  const from = uploadKey(reservation);
  let left = STORAGE_MS;
  const found = await withSlot(reservation.site_id, async () => {
    const startedAt = performance.now();
    const stored = await objects.read(from, UPLOAD_LIMIT, left);
    left -= performance.now() - startedAt;
    if (stored === null || stored.truncated) return stored;
    const { inspectImage } = await decoders();
    return {
      etag: stored.etag,
      size: stored.bytes.length,
      image: await inspectImage(reservation.site_id, stored.bytes),
    };
  });
  if (found === null) return { kind: 'nothing' };
  if (!('image' in found)) return { kind: 'rejected', problem: 'is larger than 10 MB' };
  const { etag, size: sizeBytes, image } = found;
  if ('problem' in image) return { kind: 'rejected', problem: image.problem };
  const claim = await claimCopy(db, reservation.id, etag, clock.now());
  if (claim === null) return { kind: 'changed' };
  const objectKey = publicKey(reservation, image.extension);
  if (!(await objects.publish(from, etag, objectKey, image.mime, left))) {
    await endClaim(db, claim);
    return { kind: 'changed' };
  }
  const { mime, width, height, animated } = image;
  return { kind: 'published', etag, facts: { objectKey, mime, sizeBytes, width, height, animated } };
}

/** Runs work in a slot. The slots of an organisation are limited, so that none delays the uploads of others. */
async function withSlot<T>(siteId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await slots.run(tenantOf(siteId), work);
  } catch (error) {
    // Of the slots, or of the decoders' turns.
    throw error instanceof NoPermit ? unavailable(error) : error;
  }
}
