import { scopes } from '../../domain/access/scopes.ts';
import type { Scope } from '../../domain/access/scopes.ts';

/** The scopes of a client that names none: all but those for keys, which an agent has no use for. */
export const defaultScopes: readonly Scope[] = scopes.filter(
  (scope) => scope !== 'keys:read' && scope !== 'keys:write',
);

/** @returns null if the text names a scope that does not exist, or none at all */
export function readScopes(text: string): readonly Scope[] | null {
  const named = [...new Set(text.split(' ').filter((name) => name !== ''))];
  const known = scopes.filter((scope) => named.includes(scope));
  return named.length > 0 && known.length === named.length ? known : null;
}
