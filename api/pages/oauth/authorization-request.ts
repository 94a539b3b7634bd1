import { isToken } from '../../../domain/oauth/tokens.ts';
import type { Scope } from '../../../domain/access/scopes.ts';
import { defaultScopes, readScopes } from './scopes.ts';

/** Characters of a query. With more, a browser could not take it through the sign-in and back. */
const LONGEST = 4_000;

/** A client's request, in the query of the consent page (RFC 6749, 4.1.1). */
export interface AuthorizationQuery {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly parameters: URLSearchParams;
}

/** @returns null if the query does not say which client asks, and where it expects the answer */
export function readQuery(query: string): AuthorizationQuery | null {
  if (query.length > LONGEST) return null;
  const parameters = new URLSearchParams(query);
  // A resource may be named more than once (RFC 8707, 2), nothing else.
  const names = [...parameters.keys()].filter((name) => name !== 'resource');
  const clientId = parameters.get('client_id');
  const redirectUri = parameters.get('redirect_uri');
  if (clientId === null || redirectUri === null || new Set(names).size < names.length) return null;
  return { clientId, redirectUri, state: parameters.get('state'), parameters };
}

/** The mistake for the client, in the redirect (RFC 6749, 4.1.2.1; RFC 8707, 2). */
export interface AuthorizationError {
  readonly error: 'invalid_request' | 'unsupported_response_type' | 'invalid_target' | 'access_denied';
  readonly error_description: string;
}

export interface Wanted {
  readonly scopes: readonly Scope[];
  readonly codeChallenge: string;
}

/** @param resource the only one that tokens are issued for */
export function readWanted(parameters: URLSearchParams, resource: string): Wanted | AuthorizationError {
  const fail = (error: AuthorizationError['error'], error_description: string) => ({
    error,
    error_description,
  });
  const responseType = parameters.get('response_type') ?? '';
  if (responseType === '') return fail('invalid_request', 'response_type: is required, and must be code');
  if (responseType !== 'code') return fail('unsupported_response_type', 'response_type: must be code');
  const codeChallenge = parameters.get('code_challenge') ?? '';
  if (!isToken(codeChallenge) || parameters.get('code_challenge_method') !== 'S256')
    return fail('invalid_request', 'code_challenge: is required, with code_challenge_method S256');
  if (!parameters.getAll('resource').every((each) => isResource(each, resource)))
    return fail('invalid_target', `resource: must be ${resource}`);
  return { scopes: readScopes(parameters.get('scope')) ?? defaultScopes, codeChallenge };
}

/** Whether a client names the resource, in any spelling of the same address. */
export const isResource = (named: string, resource: string): boolean =>
  URL.parse(named)?.href === new URL(resource).href;

/** The address to which the browser takes the answer back. Its query stays as it is. */
export function answerUrl(
  { redirectUri, state }: Pick<AuthorizationQuery, 'redirectUri' | 'state'>,
  issuer: string,
  answer: AuthorizationError | { readonly code: string },
): string {
  const added = new URLSearchParams({ ...answer, ...(state === null ? {} : { state }), iss: issuer });
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${added.toString()}`;
}
