import { defineQuery, defineSignal, proxyActivities, setHandler, sleep } from '@temporalio/workflow';
import type { UploadReservationActivities } from '../activities/upload-reservation.ts';
import { showState } from './show-state.ts';

export type UploadReservationState =
  | 'starting'
  | 'reserved'
  | 'registered'
  | 'rejected'
  | 'sweeping'
  | 'swept';

// Signals and not updates: they only change an operator's view.
export const registered = defineSignal('registered');
export const rejected = defineSignal('rejected');
const state = defineQuery<UploadReservationState>('state');

const { readUploadExpiry, sweepUpload } = proxyActivities<UploadReservationActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

/** How long a registration that started before the expiry may take, including its copy. Nothing is swept until then. */
const REGISTRATION_MS = 5 * 60_000;

/**
 * Sleeps until an upload can no longer be registered, then deletes its object in storage. A registered upload is
 * swept too: its URL may have been used again.
 */
export async function uploadReservation({ uploadId }: { readonly uploadId: string }): Promise<void> {
  let current: UploadReservationState = 'starting';
  const enter = (next: UploadReservationState, details: string): void => {
    current = next;
    showState(next, details);
  };
  const becomeRegistered = (): void =>
    enter('registered', 'registered; a further upload to the same URL will be swept');
  setHandler(registered, becomeRegistered, { description: 'The upload was registered as an asset.' });
  const becomeRejected = (): void => enter('rejected', 'rejected; cannot be registered, and will be swept');
  setHandler(rejected, becomeRejected, {
    description: 'The upload was rejected: it is no image for an asset.',
  });
  setHandler(state, () => current, { description: 'The state of the upload.' });

  const expiry = await readUploadExpiry(uploadId);
  if (expiry === null) return;
  // The signal may have arrived first.
  if (current === 'starting') enter('reserved', `can be registered until ${expiry}, then will be swept`);
  await sleep(Math.max(0, Date.parse(expiry) + REGISTRATION_MS - Date.now()));
  enter('sweeping', 'deleting what the upload left in storage, until storage answers');
  await sweepUpload(uploadId);
  enter('swept', 'storage holds only what an asset refers to');
}
