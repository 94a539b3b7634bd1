import type { Transaction } from '../../db/transaction.ts';
import { conflict, notFound, validationFailed } from '../errors.ts';
import type { Asset, AssetFacts } from './asset.ts';
import { createAsset } from './asset.ts';
import { findReservationForChange, signalReservation, spendReservation } from './reservation.ts';

/** What was found at the upload's place before the transaction was opened. */
export type UploadFinding =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'rejected'; readonly problem: string }
  | { readonly kind: 'published'; readonly facts: AssetFacts };

/**
 * Makes an asset of an upload. The reservation decides: of several registrations one makes the asset, and a
 * rejected or registered one is spent.
 *
 * @returns the asset, or the reason for which the upload is rejected; that is to be committed
 * @throws ServiceError NOT_FOUND, also once the reservation has expired; CONFLICT for a spent reservation, or
 *   where nothing has been uploaded
 */
export async function registerUpload(
  tx: Transaction,
  siteId: string,
  uploadId: string,
  finding: UploadFinding,
  altText: string | null,
  now: Date,
): Promise<Asset | { readonly problem: string }> {
  const reservation = await findReservationForChange(tx, siteId, uploadId);
  if (reservation === null) throw notFound('upload');
  if (reservation.status !== 'reserved') {
    throw conflict('This upload has been registered or rejected already. Reserve a new one.');
  }
  if (reservation.expires_at <= now) throw notFound('upload');
  switch (finding.kind) {
    case 'nothing':
      throw conflict('Nothing has been uploaded yet. PUT the bytes to upload_url first.');
    case 'changed':
      throw conflict('The upload was changed while it was read. Register it again.');
    case 'rejected':
      await spendReservation(tx, reservation.id, 'rejected');
      return { problem: finding.problem };
    case 'published': {
      await spendReservation(tx, reservation.id, 'registered');
      signalReservation(tx, reservation, 'registered', now);
      return createAsset(tx, reservation, finding.facts, altText, now);
    }
  }
}

/** The refusal of an upload that is no image that can be registered. */
export const rejectedUpload = (problem: string) => validationFailed({ upload_id: problem });
