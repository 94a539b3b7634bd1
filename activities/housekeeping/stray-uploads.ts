import { findStatuses, rejectReservation, UPLOAD_LIMIT, uploadIdOf } from '../../domain/media/reservation.ts';
import type { StoredUpload } from '../../adapters/storage/objects.ts';
import type { Ports } from '../ports.ts';

/** A younger object may be an upload that its client is about to register, and which is then refused with a reason. */
const SETTLED_MS = 2 * 60_000;
/** Limits per run; the next one continues from there. */
const PAGES = 20;
const WITHIN_MS = 20_000;

/**
 * Creates a sweep that deletes uploads that may not stay: those over 10 MB, which storage accepts if the client
 * declared no size, and those by a URL whose reservation is used up. Leaves objects without a row alone: the bucket may
 * be shared.
 *
 * @returns the sweep; each call returns how many objects it deleted
 */
export function createStraySweep({
  db,
  objects,
  clock,
}: Pick<Ports, 'db' | 'objects' | 'clock'>): () => Promise<number> {
  let after: string | undefined;

  async function isStray(
    { key, size }: StoredUpload,
    statuses: ReadonlyMap<string, string>,
  ): Promise<boolean> {
    const id = uploadIdOf(key);
    const status = statuses.get(id);
    if (status === undefined || (status === 'reserved' && size <= UPLOAD_LIMIT)) return false;
    if (status === 'reserved') await rejectReservation(db, id);
    return true;
  }

  return async () => {
    const until = performance.now() + WITHIN_MS;
    const settled = clock.now().getTime() - SETTLED_MS;
    let deleted = 0;
    for (let page = 0; page < PAGES && performance.now() < until; page += 1) {
      const { uploads, next } = await objects.listUploads(after);
      const old = uploads.filter(({ storedAt }) => storedAt.getTime() <= settled);
      const statuses = await findStatuses(
        db,
        old.map(({ key }) => uploadIdOf(key)),
      );
      for (const upload of old) {
        if (!(await isStray(upload, statuses))) continue;
        await objects.remove(upload.key);
        deleted += 1;
      }
      after = next;
      if (next === undefined) break;
    }
    return deleted;
  };
}
