import { defineSignal, proxyActivities, setCurrentDetails, setHandler, sleep } from '@temporalio/workflow';
import type { SweepingActivities } from '../activities/sweeping.ts';

export interface UploadReservationInput {
  readonly uploadId: string;
  readonly siteId: string;
}

export const registered = defineSignal('registered');

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
  setHandler(registered, () => setCurrentDetails('registered; what is uploaded again will be swept'), {
    description: 'The upload became an asset of the library.',
  });
  const expiry = await readUploadExpiry(uploadId);
  if (expiry === null) return;
  setCurrentDetails(`can be registered until ${expiry}, then swept`);
  await sleep(Math.max(0, Date.parse(expiry) + UNDER_WAY_MS - Date.now()));
  await sweepUpload(uploadId);
}
