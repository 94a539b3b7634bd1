import type { ApiKeyWrite } from '../../sdk/src/index.ts';
import type { ApiClient } from './api-client.ts';
import { UsageError } from './usage.ts';

export type Scope = ApiKeyWrite['scopes'][number];

/**
 * @returns the scopes of the key
 * @throws UsageError for a publishable key
 */
export async function scopesOfSecretKey(client: ApiClient): Promise<ReadonlySet<string>> {
  const ping = await client.ping();
  if (ping.key_kind !== 'secret') {
    throw new UsageError('--key: must be a secret key; this one is publishable.');
  }
  return new Set<string>(ping.scopes);
}

/**
 * @param command what needs the scopes, for the message
 * @throws UsageError if the key lacks one
 */
export function requireScopes(
  scopes: ReadonlySet<string>,
  needed: readonly Scope[],
  command: 'import' | 'export',
): void {
  const missing = [...new Set(needed)].filter((scope) => !scopes.has(scope));
  if (missing.length === 0) return;
  const plural = missing.length > 1 ? 's' : '';
  throw new UsageError(`--key: must have the scope${plural} ${missing.join(', ')} for this ${command}.`);
}
