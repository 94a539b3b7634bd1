import type { UploadFinding } from '../../domain/media/register.ts';
import { findReservation, publicKey, UPLOAD_LIMIT, uploadKey } from '../../domain/media/reservation.ts';
import type { Reservation } from '../../domain/media/reservation.ts';
import { inspectImage } from '../../storage/inspect-image.ts';
import { createSlots } from '../../storage/slots.ts';
import type { Ports } from '../ports.ts';

/** What storage gets in all, so that a registration is answered within 5 s where storage hangs. */
const STORAGE_MS = 4_000;

/** Uploads that a process holds in memory at once, to inspect them. */
const inTurn = createSlots(8);

/**
 * Reads what was uploaded and, where it is an image that may be registered, copies it to its public place. All
 * of this happens before the transaction, which would otherwise be held open by storage; done twice it does the
 * same as once.
 *
 * @throws Error where storage does not answer
 */
export async function inspectUpload(
  ports: Ports,
  siteId: string,
  uploadId: string,
  now: Date,
): Promise<UploadFinding> {
  const reservation = await findReservation(ports.db, siteId, uploadId);
  // What is unknown, spent or expired is refused by the transaction; nothing needs to be read for that.
  if (reservation === null || reservation.status !== 'reserved' || reservation.expires_at <= now) {
    return { kind: 'nothing' };
  }
  try {
    return await readAndPublish(ports, reservation);
  } catch (error) {
    // Another registration of the same upload may have won meanwhile, and deleted what this one was reading.
    const current = await findReservation(ports.db, siteId, uploadId);
    if (current?.status !== 'reserved') return { kind: 'nothing' };
    throw error;
  }
}

async function readAndPublish({ objects }: Ports, reservation: Reservation): Promise<UploadFinding> {
  const from = uploadKey(reservation);
  let left = STORAGE_MS;
  const found = await inTurn(async () => {
    const begun = performance.now();
    const stored = await objects.read(from, UPLOAD_LIMIT, left);
    left -= performance.now() - begun;
    if (stored === null || stored.truncated) return stored;
    return { etag: stored.etag, size: stored.bytes.length, image: await inspectImage(stored.bytes) };
  });
  if (found === null) return { kind: 'nothing' };
  if (!('image' in found)) return { kind: 'rejected', problem: 'is larger than 10 MB' };
  const { etag, size: sizeBytes, image } = found;
  if ('problem' in image) return { kind: 'rejected', problem: image.problem };
  const objectKey = publicKey(reservation, image.extension);
  if (!(await objects.publish(from, etag, objectKey, image.mime, left))) return { kind: 'changed' };
  const { mime, width, height } = image;
  return { kind: 'published', facts: { objectKey, mime, sizeBytes, width, height } };
}
