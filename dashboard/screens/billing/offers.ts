import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { request } from '../../session/request.ts';
import { useSiteId } from '../../api/site.ts';

export interface Offer {
  readonly name: string;
  /** For one, in the smallest unit of the currency. */
  readonly amount: number;
  readonly currency: string;
  /** null for a plan. */
  readonly credits: number | null;
}

export interface Offers {
  readonly packs: readonly Offer[];
  readonly plans: readonly Offer[];
}

/** The offers of the operator. */
export function useOffers(): UseQueryResult<Offers> {
  const siteId = useSiteId();
  return useQuery({
    queryKey: [siteId, 'offers'],
    queryFn: () => request<Offers>('GET', `/sites/${siteId}/offers`),
    staleTime: 60_000,
  });
}
