import type { Ports } from '../../framework/ports.ts';

export const AUTHORIZE = '/oauth/authorize';
export const TOKEN = '/oauth/token';
export const REVOKE = '/oauth/revoke';

/** The resource of tokens: the MCP server, whose keys also work with the API. */
export const resourceOf = ({ publicUrl }: Pick<Ports, 'publicUrl'>): string => `${publicUrl}/mcp`;

/** Where the resource is described: its path follows (RFC 9728, 3.1). */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';
/** The same for the authorization server (RFC 8414, 3.1). */
export const SERVER_METADATA = '/.well-known/oauth-authorization-server';

export function resourceMetadataUrl(ports: Pick<Ports, 'publicUrl'>): string {
  const { origin, pathname } = new URL(resourceOf(ports));
  return `${origin}${RESOURCE_METADATA}${pathname}`;
}
