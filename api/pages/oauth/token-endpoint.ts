import type { Context, Middleware } from 'koa';
import type { Issued, TokenRequest } from '../../../domain/oauth/exchange.ts';
import { exchangeCode } from '../../../domain/oauth/exchange.ts';
import type { Refused } from '../../../domain/oauth/grant.ts';
import { ACCESS_LIFETIME_S } from '../../../domain/oauth/grant.ts';
import { refreshAccess } from '../../../domain/oauth/refresh.ts';
import { revokeToken } from '../../../domain/oauth/revoke.ts';
import { invalidRequest, ServiceError } from '../../../domain/kernel/errors.ts';
import { requireClient } from '../../http/client-gone.ts';
import { requestIdOf } from '../../framework/envelope.ts';
import type { Ports } from '../../framework/ports.ts';
import { countClient } from '../../framework/rate-limit.ts';
import { resourceOf, REVOKE, TOKEN } from './addresses.ts';
import { isResource } from './authorization-request.ts';
import { OAuthError, oauthErrorBody, readFields } from './protocol.ts';
import type { Fields } from './protocol.ts';
import { readScopes } from './scopes.ts';

/** Answers with a body, or with none. @throws OAuthError */
type Endpoint = (request: TokenRequest, fields: Fields, ports: Ports) => Promise<object | Refused | null>;

/** The endpoints that programs call: `{origin}/oauth/token` (RFC 6749) and `{origin}/oauth/revoke` (RFC 7009). */
export function tokenEndpoints(ports: Ports): Middleware {
  const endpoints: ReadonlyMap<string, Endpoint> = new Map([
    [TOKEN, token],
    [REVOKE, revoke],
  ]);
  return async (ctx, next) => {
    const endpoint = endpoints.get(ctx.path);
    if (endpoint === undefined) return next();
    ctx.state.measuredAs = 'oauth tokens';
    ctx.state.errorBody = oauthErrorBody;
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Pragma', 'no-cache');
    await countClient(ports, ctx, 'keyless', ports.clock.now());
    if (ctx.method !== 'POST') {
      throw invalidRequest('The method is not allowed here. Allowed: POST.', {
        status: 405,
        headers: { Allow: 'POST' },
      });
    }
    await answer(ports, ctx, endpoint).catch((error: unknown) => {
      const mistake = error instanceof ServiceError && error.code === 'CONFLICT' ? tooMany(error) : error;
      if (!(mistake instanceof OAuthError)) throw mistake;
      mistake.answer(ctx);
    });
  };
}

/** A limit of the Site, which is the client's mistake by RFC 6749. */
const tooMany = ({ message }: ServiceError): OAuthError => new OAuthError('invalid_request', message);

async function answer(ports: Ports, ctx: Context, endpoint: Endpoint): Promise<void> {
  const fields = await readFields(ports, ctx);
  const request = { requestId: requestIdOf(ctx), now: ports.clock.now() };
  const result = await ports.db.transaction((tx) => endpoint({ ...request, tx }, fields, ports), {
    mayBegin: () => requireClient(ctx),
  });
  // A refused request may have ended a grant, and is committed.
  if (result !== null && 'error' in result) throw new OAuthError(result.error, result.description);
  ctx.status = 200;
  ctx.body = '';
  if (result === null) return;
  ctx.type = 'application/json';
  ctx.body = JSON.stringify(result);
}

const token: Endpoint = async (request, fields, ports) => {
  const grantType = fields.required('grant_type');
  const clientId = fields.required('client_id');
  if (!fields.all('resource').every((each) => isResource(each, resourceOf(ports))))
    throw new OAuthError('invalid_target', `resource: must be ${resourceOf(ports)}`);
  if (grantType === 'authorization_code') return issued(await exchange(request, fields, clientId));
  if (grantType === 'refresh_token') return issued(await refresh(request, fields, clientId));
  throw new OAuthError('unsupported_grant_type', 'grant_type: must be authorization_code or refresh_token');
};

const exchange = (request: TokenRequest, fields: Fields, clientId: string): Promise<Issued | Refused> =>
  exchangeCode(request, {
    clientId,
    code: fields.required('code'),
    redirectUri: fields.required('redirect_uri'),
    verifier: fields.required('code_verifier'),
  });

const refresh = (request: TokenRequest, fields: Fields, clientId: string): Promise<Issued | Refused> =>
  refreshAccess(request, {
    clientId,
    refreshToken: fields.required('refresh_token'),
    scopes: readScopes(fields.optional('scope')),
  });

const issued = (result: Issued | Refused): object | Refused =>
  'error' in result
    ? result
    : {
        access_token: result.accessToken,
        token_type: 'Bearer',
        expires_in: ACCESS_LIFETIME_S,
        refresh_token: result.refreshToken,
        scope: result.scopes.join(' '),
      };

const revoke: Endpoint = (request, fields) =>
  revokeToken(request, fields.required('token'), fields.required('client_id'));
