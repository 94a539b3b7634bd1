import type { Context } from 'koa';
import { clientNetwork } from '../../../domain/access/client-network.ts';
import type { ServiceError } from '../../../domain/kernel/errors.ts';
import { readBytes, releaseBody } from '../../http/body.ts';
import type { Ports } from '../../framework/ports.ts';

/** The errors of RFC 6749, 5.2 and RFC 8707, 2. */
type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'temporarily_unavailable'
  | 'server_error';

const bodyOf = (error: OAuthErrorCode, description: string): object => ({
  error,
  error_description: ascii(description),
});

/** A description has no other characters (RFC 6749, 5.2). */
const ascii = (text: string): string =>
  text
    .replaceAll('’', "'")
    .replaceAll(/["“”\\]/g, "'")
    .replaceAll(/[^\x20-\x7e]/g, '?');

/** A mistake of a client, as it is answered. */
export class OAuthError extends Error {
  override name = 'OAuthError';
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, description: string) {
    super(description);
    this.code = code;
  }

  answer(ctx: Context): void {
    ctx.status = this.code === 'invalid_client' ? 401 : 400;
    if (this.code === 'invalid_client') ctx.set('WWW-Authenticate', 'Basic realm="OAuth"');
    ctx.type = 'application/json';
    ctx.body = JSON.stringify(bodyOf(this.code, this.message));
  }
}

/** The errors of the service, in the form of the protocol. */
export function oauthErrorBody({ code, status, message }: ServiceError): object {
  if (code === 'INTERNAL_ERROR') return bodyOf('server_error', message);
  return bodyOf(status === 503 || status === 429 ? 'temporarily_unavailable' : 'invalid_request', message);
}

/** The fields of a form that a client has sent. */
export interface Fields {
  /** @throws OAuthError */
  required(name: string): string;
  optional(name: string): string | null;
  all(name: string): readonly string[];
}

/** Bytes. Tokens and addresses are far shorter. */
const FORM_LIMIT = 16_384;

/** @throws ServiceError for a body that is too large; OAuthError for one that is no form, or names a field twice */
export async function readFields(ports: Ports, ctx: Context): Promise<Fields> {
  if (ctx.get('Authorization') !== '')
    throw new OAuthError('invalid_client', 'Clients have no secret here. Send client_id in the body alone.');
  if (!ctx.is('application/x-www-form-urlencoded'))
    throw new OAuthError('invalid_request', 'Content-Type: must be application/x-www-form-urlencoded');
  const bytes = await readBytes(ctx.req, clientNetwork(ports.clientAddress(ctx.req)), FORM_LIMIT).finally(
    () => releaseBody(ctx.req),
  );
  const form = new URLSearchParams(bytes.toString('utf8'));
  const names = [...form.keys()].filter((name) => name !== 'resource');
  if (new Set(names).size < names.length)
    throw new OAuthError('invalid_request', 'A field must not be sent more than once.');
  return {
    required(name) {
      const value = form.get(name) ?? '';
      if (value !== '') return value;
      throw new OAuthError('invalid_request', `${name}: is required`);
    },
    optional: (name) => form.get(name),
    all: (name) => form.getAll(name),
  };
}
