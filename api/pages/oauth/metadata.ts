import type { Middleware } from 'koa';
import { scopes } from '../../../domain/access/scopes.ts';
import { invalidRequest } from '../../../domain/kernel/errors.ts';
import type { CountKeylessAnswer } from '../../framework/keyless-answers.ts';
import type { Ports } from '../../framework/ports.ts';
import { AUTHORIZE, RESOURCE_METADATA, resourceOf, REVOKE, SERVER_METADATA, TOKEN } from './addresses.ts';
import { defaultScopes } from './scopes.ts';

const CACHED_S = 300;

/**
 * Tells clients of the MCP server where and how to sign in: the resource (RFC 9728) and the authorization server
 * (RFC 8414). Each is also below the path of the server it describes, as both standards ask.
 */
export function oauthMetadata(ports: Ports, count: CountKeylessAnswer): Middleware {
  return async (ctx, next) => {
    const describe = documentAt(ports, ctx.path);
    if (describe === null || ctx.method === 'OPTIONS') return next();
    ctx.state.measuredAs = 'oauth metadata';
    count(ctx);
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      throw invalidRequest('The method is not allowed here. Allowed: GET, HEAD.', {
        status: 405,
        headers: { Allow: 'GET, HEAD' },
      });
    }
    ctx.set('Cache-Control', `public, max-age=${CACHED_S}`);
    ctx.type = 'application/json';
    ctx.body = JSON.stringify(describe(ports));
  };
}

function documentAt({ publicUrl }: Ports, path: string): ((ports: Ports) => object) | null {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '');
  if ([RESOURCE_METADATA, `${RESOURCE_METADATA}${base}`, `${RESOURCE_METADATA}${base}/mcp`].includes(path))
    return resourceMetadata;
  return [SERVER_METADATA, `${SERVER_METADATA}${base}`].includes(path) ? serverMetadata : null;
}

const resourceMetadata = (ports: Ports): object => ({
  resource: resourceOf(ports),
  authorization_servers: [ports.publicUrl],
  scopes_supported: defaultScopes,
  bearer_methods_supported: ['header'],
  resource_name: 'Presswork',
  resource_documentation: `${ports.publicUrl}/docs`,
});

const serverMetadata = ({ publicUrl }: Ports): object => ({
  issuer: publicUrl,
  authorization_endpoint: publicUrl + AUTHORIZE,
  token_endpoint: publicUrl + TOKEN,
  revocation_endpoint: publicUrl + REVOKE,
  scopes_supported: scopes,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${publicUrl}/docs`,
  ui_locales_supported: ['en', 'de'],
});
