import { useQuery } from '@tanstack/react-query';
import { useSite, useSiteId } from '../api/site.ts';
import { membershipOf, useAccount } from '../session/account.ts';
import { request } from '../session/request.ts';

interface People {
  readonly people: readonly { readonly id: string; readonly name: string }[];
}

/** The other members of the organisation, to be chosen: the API shows them to administrators only. */
export function useOthers(): readonly { readonly value: string; readonly label: string }[] {
  const siteId = useSiteId();
  const { rights } = useSite();
  const me = membershipOf(useAccount(), siteId)?.member_id;
  const { data } = useQuery({
    queryKey: [siteId, 'people'],
    queryFn: () => request<People>('GET', `/sites/${siteId}/people`),
    enabled: rights.can('articles:write'),
  });
  return (data?.people ?? [])
    .filter(({ id }) => id !== me)
    .map(({ id, name }) => ({ value: id, label: name }));
}
