import type { Transaction } from '../../db/transaction.ts';
import { ServiceError } from '../kernel/errors.ts';
import { creditsLeft } from './credits.ts';

/**
 * Checks that a Site can pay for the next unit of something.
 *
 * @param what the unit and what is started again, for the message
 * @throws ServiceError INSUFFICIENT_CREDITS, or else SPEND_CAP_REACHED
 */
export async function requireCredits(
  tx: Transaction,
  siteId: string,
  cost: number,
  what: { readonly unit: string; readonly started: string },
  now: Date,
): Promise<void> {
  const { balance, underCap } = await creditsLeft(tx, siteId, now);
  if (balance < cost) {
    throw new ServiceError(
      'INSUFFICIENT_CREDITS',
      `The organisation has ${balance} credits, and the next ${what.unit} costs ${cost}. Add credits and start the ${what.started} again.`,
    );
  }
  if (underCap !== null && underCap < cost) {
    throw new ServiceError(
      'SPEND_CAP_REACHED',
      `The Site has ${Math.max(0, underCap)} credits left under its cap of this month, and the next ${what.unit} costs ${cost}.`,
    );
  }
}
