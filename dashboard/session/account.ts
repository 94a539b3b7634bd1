import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { request } from './request.ts';

export type Role = 'owner' | 'admin' | 'editor' | 'author' | 'contributor' | 'viewer';

export interface Membership {
  readonly member_id: string;
  readonly role: Role;
  readonly organisation: { readonly id: string; readonly name: string };
  readonly sites: readonly AccountSite[];
}

export interface AccountSite {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
}

/** The person in front of the screen. */
export interface Account {
  readonly email: string;
  /** Whether the service sends mail. */
  readonly mails: boolean;
  readonly two_factor: { readonly enabled: boolean; readonly recovery_codes_left: number };
  readonly session: { readonly id: string; readonly created_at: string; readonly ends_at: string };
  readonly memberships: readonly Membership[];
  readonly notices: readonly Notice[];
}

/** The acts of others on the person's sign-in. */
export interface Notice {
  readonly id: string;
  readonly at: string;
  readonly action: 'member.reset_link' | 'member.password' | 'member.two_factor_off';
  readonly by: string;
}

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async () => (await request<{ account: Account }>('GET', '/account')).account,
  staleTime: 60_000,
});

export const useAccount = (): Account => useSuspenseQuery(accountQuery).data;

/** The membership through which a person has the Site. */
export const membershipOf = ({ memberships }: Account, siteId: string): Membership | undefined =>
  memberships.find(({ sites }) => sites.some(({ id }) => id === siteId));

/** Where a person signs in, and comes back from to the page that is open now. */
export const signInUrl = (): string =>
  `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`;
