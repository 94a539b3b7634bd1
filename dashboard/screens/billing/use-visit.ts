import type { UseMutationResult } from '@tanstack/react-query';
import { useChange } from '../../api/change.ts';

/** Where the person goes to pay, or to their cards and receipts. */
export type Visit = { readonly to: 'portal' } | { readonly pack: string } | { readonly plan: string };

/** Opens a page of the payment provider, which comes back to this one. */
export function useVisit(): UseMutationResult<unknown, Error, Visit> {
  return useChange({
    send: (presswork, visit: Visit, { idempotencyKey }) => {
      const back = { return_url: location.href };
      return 'to' in visit
        ? presswork.billing.openPortal(back)
        : presswork.billing.startCheckout({ ...visit, ...back }, { idempotencyKey });
    },
    touches: [],
    onDone: ({ url }) => location.assign(url),
  });
}
