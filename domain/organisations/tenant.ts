import { LRUCache } from 'lru-cache';

/** The organisations of Sites that this process works for. A Site never changes its organisation. */
const organisations = new LRUCache<string, string>({ max: 10_000 });

export const noteOrganisation = (siteId: string, organisationId: string): void =>
  void organisations.set(siteId, organisationId);

export const knownOrganisation = (siteId: string): string | undefined => organisations.get(siteId);

/**
 * In whose name the work of a Site takes turns in this process: its organisation's, so that many Sites have no more turns
 * than one. A Site of which nothing is known yet takes turns by itself.
 */
export const tenantOf = (siteId: string): string => organisations.get(siteId) ?? siteId;
