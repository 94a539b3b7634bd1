import type { Change } from '../audit/change.ts';
import { conflict, notFound, validationFailed } from '../kernel/errors.ts';
import { signalWorkflow } from '../kernel/workflow-messages.ts';
import type { Asset, AssetFacts } from './asset.ts';
import { createAsset } from './asset.ts';
import { findReservationForUpdate, spendReservation } from './reservation.ts';

/** The uploaded bytes as they were inspected before the transaction. */
export type UploadFinding =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'rejected'; readonly problem: string }
  | { readonly kind: 'published'; readonly etag: string; readonly facts: AssetFacts };

/**
 * Creates an asset from an upload. The reservation decides: of concurrent registrations, one creates the asset, and a
 * registered or rejected reservation cannot be used again.
 *
 * @returns the asset, or the reason for which the upload is rejected; the rejection must be committed
 * @throws ServiceError NOT_FOUND, also for an expired reservation; CONFLICT for a reservation that has been used, or if
 *   nothing has been uploaded
 */
export async function registerUpload(
  change: Change,
  uploadId: string,
  finding: UploadFinding,
  altText: string | null,
  shown: (asset: Asset) => object,
): Promise<Asset | { readonly problem: string }> {
  const { tx, site, now } = change;
  const reservation = await findReservationForUpdate(tx, site.id, uploadId);
  if (reservation === null) throw notFound('upload');
  if (reservation.status !== 'reserved') {
    throw conflict('This upload has been registered or rejected already. Reserve a new one.');
  }
  if (reservation.expires_at <= now) throw notFound('upload');
  const spend = async (as: 'registered' | 'rejected'): Promise<void> => {
    await spendReservation(tx, reservation.id, as);
    const ids = { uploadId: reservation.id, siteId: site.id };
    signalWorkflow(tx, 'upload-reservation', { ...ids, signal: as }, now);
  };
  switch (finding.kind) {
    case 'nothing':
      throw conflict('Nothing has been uploaded yet. PUT the bytes to upload_url first.');
    case 'changed':
      throw changed();
    case 'rejected':
      await spend('rejected');
      return { problem: finding.problem };
    case 'published': {
      if (reservation.copied_etag !== finding.etag) throw changed();
      await spend('registered');
      return createAsset(change, reservation, finding.facts, altText, shown);
    }
  }
}

const changed = () => conflict('The upload was changed while it was read. Register it again.');

/** The error for an upload that is not an image that can be registered. */
export const rejectedUpload = (problem: string) => validationFailed({ upload_id: problem });
