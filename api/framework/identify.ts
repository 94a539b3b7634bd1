import type { Context } from 'koa';
import type { Authenticated, Authentication } from '../../domain/access/authenticate.ts';
import { hashWellFormed } from '../../domain/access/key-secret.ts';
import type { RateClass } from '../../domain/access/rate-limits.ts';
import { ServiceError } from '../../domain/kernel/errors.ts';
import { inSpan } from '../../observability/tracing/trace.ts';
import type { Ports } from './ports.ts';
import { countClient, setRateLimit } from './rate-limit.ts';

/**
 * Identifies the caller of a request by the key in its Authorization header, and counts the request.
 *
 * @param hash of the secret, or null
 * @throws ServiceError one of the 401 codes, or RATE_LIMIT_EXCEEDED for an address that sends too many
 *   requests without a usable key
 */
export async function identify(
  ports: Ports,
  authentication: Authentication,
  ctx: Context,
  hash: Buffer | null,
  rateClass: RateClass,
  now: Date,
): Promise<Authenticated> {
  let refusal: ServiceError | undefined;
  try {
    const auth = await inSpan({ name: 'authenticate' }, async () =>
      hash === null ? null : authentication.identify(hash, rateClass, now),
    );
    if (auth !== null) {
      setRateLimit(ctx, auth.rateLimit);
      return auth;
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    refusal = error;
  }
  await countClient(ports, ctx, 'keyless', now);
  throw refusal ?? noUsableKey();
}

/** The hash of the secret in the Authorization header; null without a well-formed one. */
export function hashOfSecret(ctx: Context): Buffer | null {
  const secret = /^bearer +(\S+) *$/i.exec(ctx.headers.authorization ?? '')?.[1];
  return secret === undefined ? null : hashWellFormed(secret);
}

const noUsableKey = (): ServiceError =>
  new ServiceError(
    'INVALID_API_KEY',
    'Authorization: is missing or has no valid key. It must be Bearer followed by an API key of your Site.',
  );
