import {
  defineQuery,
  defineSignal,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { SweepingActivities } from '../activities/sweeping.ts';
import { searchAttributes } from '../temporal/names.ts';

export interface UploadReservationInput {
  readonly uploadId: string;
  readonly siteId: string;
}

export type UploadReservationState = 'starting' | 'reserved' | 'registered' | 'sweeping' | 'swept';

// A signal, and not an update: it changes nothing but what an operator sees.
export const registered = defineSignal('registered');
const state = defineQuery<UploadReservationState>('state');

const { readUploadExpiry, sweepUpload } = proxyActivities<SweepingActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

/** What a registration that came before the expiry may still take, with its copy: until then nothing is swept. */
const UNDER_WAY_MS = 5 * 60_000;

/**
 * Sleeps until an upload can no longer be registered, and sweeps what it left in storage. A registered one is
 * swept, too: its URL may have been used again.
 */
export async function uploadReservation({ uploadId }: UploadReservationInput): Promise<void> {
  let current: UploadReservationState = 'starting';
  const showsState = patched('process-state');
  const enter = (next: UploadReservationState, details: string): void => {
    current = next;
    setCurrentDetails(details);
    if (showsState) upsertSearchAttributes([{ key: searchAttributes.processState, value: next }]);
  };
  const becomeRegistered = (): void =>
    enter('registered', 'registered; what is uploaded again will be swept');
  setHandler(registered, becomeRegistered, { description: 'The upload became an asset of the library.' });
  setHandler(state, () => current, { description: 'What became of the upload.' });

  const expiry = await readUploadExpiry(uploadId);
  if (expiry === null) return;
  // The signal may have come before.
  if (current === 'starting') enter('reserved', `can be registered until ${expiry}, then swept`);
  await sleep(Math.max(0, Date.parse(expiry) + UNDER_WAY_MS - Date.now()));
  enter('sweeping', 'deleting what the upload left in storage, until storage answers');
  await sweepUpload(uploadId);
  enter('swept', 'nothing is left in storage but what an asset names');
}
