import { scopes } from '../../../domain/access/scopes.ts';
import type { Scope } from '../../../domain/access/scopes.ts';

/** The scopes of a client that names none: all but those for keys, which an agent has no use for. */
export const defaultScopes: readonly Scope[] = scopes.filter(
  (scope) => scope !== 'keys:read' && scope !== 'keys:write',
);

/**
 * The scopes that a text names, without those that do not exist here: many clients ask for `openid` or `offline_access`
 * everywhere, and the answer names the granted scopes (RFC 6749, 3.3).
 *
 * @returns null if it names none, which asks for the default
 */
export function readScopes(text: string | null): readonly Scope[] | null {
  const named = new Set(text?.split(' '));
  const known = scopes.filter((scope) => named.has(scope));
  return known.length === 0 ? null : known;
}
