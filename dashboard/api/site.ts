import { createContext, useContext } from 'react';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { Ping, Presswork, Result, Site } from '../../sdk/src/index.ts';
import { clientOf } from './client.ts';
import { membershipOf, useAccount } from '../session/account.ts';
import type { Role } from '../session/account.ts';

export type Scope = Ping['scopes'][number];

/** The rights of the person in the Site: those of their key, and those of a role alone. */
export interface Rights {
  readonly role: Role | null;
  /** Whether the key has the scope, such as `articles:write`. */
  can(scope: Scope): boolean;
  /** Whether the person may change what readers see or will see, and decide reviews. Others write drafts and pending edits. */
  readonly publishes: boolean;
  /** Whether the person manages the organisation: team, approvals, audit log, settings. */
  readonly administers: boolean;
}

export interface OpenSite {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  readonly locale: string;
  readonly timezone: string;
  /** Where its public files are; the last part names the folder of its media. */
  readonly filesUrl: string;
  readonly organisationId: string | null;
  readonly presswork: Presswork;
  readonly rights: Rights;
}

export const SiteId = createContext<string | null>(null);

/** The id of the Site in the address. @throws Error outside of a Site */
export function useSiteId(): string {
  const siteId = useContext(SiteId);
  if (siteId === null) throw new Error('There is no Site here.');
  return siteId;
}

export const siteQuery = (siteId: string) =>
  queryOptions({
    queryKey: [siteId, 'site'],
    queryFn: async (): Promise<{ site: Result<Site>; ping: Ping }> => {
      const presswork = clientOf(siteId);
      const [site, ping] = await Promise.all([presswork.site.get(), presswork.ping()]);
      return { site, ping };
    },
    staleTime: 60_000,
  });

/** The Site in the address, its client, and the person's rights in it. */
export function useSite(): OpenSite {
  const id = useSiteId();
  const account = useAccount();
  const { site, ping } = useSuspenseQuery(siteQuery(id)).data;
  const membership = membershipOf(account, id);
  const role = membership?.role ?? null;
  return {
    id,
    name: site.name,
    domain: site.domain,
    locale: site.locale,
    timezone: site.timezone,
    filesUrl: site.public_base_url,
    organisationId: membership?.organisation.id ?? null,
    presswork: clientOf(id),
    rights: {
      role,
      can: (scope) => ping.scopes.includes(scope),
      publishes: role !== null && role !== 'contributor' && role !== 'viewer',
      administers: role === 'owner' || role === 'admin',
    },
  };
}
