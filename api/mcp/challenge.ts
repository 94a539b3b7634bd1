import { resourceMetadataUrl } from '../pages/oauth/addresses.ts';
import { defaultScopes } from '../pages/oauth/scopes.ts';
import type { Ports } from '../framework/ports.ts';

/**
 * The `WWW-Authenticate` of an answer without a usable key: how a client gets one (RFC 9728, 5.1).
 *
 * @param hasSent whether the client sent something instead of a usable key (RFC 6750, 3.1)
 */
export const challenge = (ports: Ports, hasSent: boolean): string =>
  [
    `Bearer resource_metadata="${resourceMetadataUrl(ports)}"`,
    `scope="${defaultScopes.join(' ')}"`,
    ...(hasSent ? ['error="invalid_token"'] : []),
  ].join(', ');
