import type { Ports } from '../ports.ts';

export const AUTHORIZE = '/oauth/authorize';
export const TOKEN = '/oauth/token';
export const REVOKE = '/oauth/revoke';

/** What tokens are for: the MCP server, whose keys also work with the API. */
export const resourceOf = ({ publicUrl }: Pick<Ports, 'publicUrl'>): string => `${publicUrl}/mcp`;

/** Where a resource is described (RFC 9728, 3.1): its path follows the well-known part. */
export function resourceMetadataUrl(ports: Pick<Ports, 'publicUrl'>): string {
  const { origin, pathname } = new URL(resourceOf(ports));
  return `${origin}${RESOURCE_METADATA}${pathname}`;
}

export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';
export const SERVER_METADATA = '/.well-known/oauth-authorization-server';
