import { setTimeout as sleep } from 'node:timers/promises';
import { StorageUnavailable } from '../../../adapters/storage/objects.ts';
import { unavailable } from '../../../domain/kernel/errors.ts';
import { UPLOAD_LIMIT } from '../../../domain/media/reservation.ts';
import { variantKey } from '../../../domain/media/variant.ts';
import type { Variant } from '../../../domain/media/variant.ts';
import {
  claimVariant,
  findImage,
  MOST_TRIES,
  releaseVariant,
  settleVariant,
} from '../../../domain/media/variant-rows.ts';
import type { ImageWithVariant, VariantClaim } from '../../../domain/media/variant-rows.ts';
import { FairSemaphore, NoPermit } from '../../../runtime/fair-semaphore.ts';
import { publicTypes } from '../../../adapters/images/image-types.ts';
import type { Ports } from '../../framework/ports.ts';
import { findTenant } from '../../../domain/organisations/share.ts';

/** The object that is given: a stored variant, or the image in its place, perhaps only for now. Null if the image is gone. */
export type Made = ImageWithVariant['outcome'];

/** Each step of storage. Both, and the renderer's own limit, together are shorter than the lease. */
const STORAGE_MS = 4_000;
/** How long a request waits for another process that makes the same. */
const OTHERS_MS = 20_000;
const LOOK_MS = 200;

/** Makes variants, one for each request at most, and tells the state. */
export type MakeVariant = (image: ImageWithVariant, variant: Variant) => Promise<Made>;

/**
 * Creates the maker of variants of a process: two at a time, of each organisation one. Of all processes one makes a variant, by a
 * lease in the database (domain/media/README.md).
 */
export function createMakeVariant(ports: Ports): MakeVariant {
  const turns = new FairSemaphore({
    permits: 2,
    tenantPermits: 1,
    waiting: 256,
    tenantWaiting: 32,
    longestWaitMs: 10_000,
  });
  const flights = new Map<string, Promise<Made>>();
  return (image, variant) => {
    const key = variantKey(image.object_key, variant);
    const flight = flights.get(key);
    if (flight !== undefined) return flight;
    const begun = findTenant(ports.db, image.site_id)
      .then((tenant) => turns.run(tenant, () => claimAndMake(ports, image, variant)))
      .catch((error: unknown) => {
        throw error instanceof NoPermit ? unavailable(error) : error;
      })
      .finally(() => flights.delete(key));
    flights.set(key, begun);
    return begun;
  };
}

/** @throws ServiceError MAINTENANCE if another process takes too long, and if the renderer fails */
async function claimAndMake(ports: Ports, image: ImageWithVariant, variant: Variant): Promise<Made> {
  const { db, clock } = ports;
  for (let waited = 0; waited < OTHERS_MS; waited += LOOK_MS) {
    const claim = await claimVariant(db, image, variant, clock.now());
    if (claim !== null) return make(ports, image, variant, claim);
    const now = await findImage(db, image.object_key, variant, clock.now());
    if (now === null || now.outcome !== null) return now?.outcome ?? null;
    await sleep(LOOK_MS);
  }
  throw unavailable(
    new Error(`Another process did not make ${variantKey(image.object_key, variant)} in time`),
  );
}

async function make(
  ports: Ports,
  image: ImageWithVariant,
  variant: Variant,
  claim: VariantClaim,
): Promise<Made> {
  const { db, clock } = ports;
  const release = (tries: number): Promise<void> =>
    releaseVariant(db, image.id, variant, claim, tries, clock.now());
  if (claim.tries > MOST_TRIES) {
    // Each of those who tried died, perhaps of the image.
    await release(claim.tries);
    return 'resting';
  }
  try {
    const outcome = await renderAndStore(ports, image, variant);
    if (outcome === null || (await settleVariant(db, image.id, variant, outcome))) return outcome;
    // The image was deleted meanwhile, and its variants were deleted or will be once nothing writes them any more.
    return null;
  } catch (error) {
    const isStorage = error instanceof StorageUnavailable;
    await release(isStorage ? claim.tries - 1 : claim.tries).catch(() => {});
    throw isStorage ? error : unavailable(error);
  }
}

async function renderAndStore(
  { objects, variants }: Ports,
  image: ImageWithVariant,
  variant: Variant,
): Promise<'stored' | 'original' | null> {
  const stored = await objects.read(image.object_key, UPLOAD_LIMIT, STORAGE_MS);
  if (stored === null) return null;
  const made = await variants.render(image.site_id, { bytes: stored.bytes, ...variant });
  if (made === null) return 'original';
  const key = variantKey(image.object_key, variant);
  const type = publicTypes[key.slice(key.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  await objects.put(key, made, type, STORAGE_MS);
  return 'stored';
}
