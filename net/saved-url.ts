import type { LookupAddress } from 'node:dns';
import type { AllowedHosts } from './allowed-hosts.ts';
import { type Lookup, resolveHost, systemLookup } from './resolve.ts';
import { checkResolved, checkTarget, literalAddress, type TargetCheck } from './target.ts';

export interface SavedUrlPorts {
  allowedHosts?: AllowedHosts;
  lookup?: Lookup;
  /** How long the name may take to resolve, in milliseconds. */
  timeoutMs?: number;
}

/**
 * Decides whether a URL may be saved: {@link checkTarget}, and none of the addresses its name resolves to may be a
 * private one. A name that does not resolve, or not in time, is accepted; the same check is made again at every
 * request (decisions 7).
 */
export async function checkSavedUrl(url: string, ports: SavedUrlPorts = {}): Promise<TargetCheck> {
  const { allowedHosts, lookup = systemLookup, timeoutMs = 2_000 } = ports;
  const target = checkTarget(url, { allowedHosts });
  if (!target.ok || target.exempt || literalAddress(target.url) !== undefined) return target;
  const addresses = await addressesInTime(target.url.hostname, lookup, timeoutMs);
  return checkResolved(addresses) ?? target;
}

async function addressesInTime(
  name: string,
  lookup: Lookup,
  timeoutMs: number,
): Promise<readonly LookupAddress[]> {
  try {
    return await resolveHost(name, { lookup, signal: AbortSignal.timeout(timeoutMs) });
  } catch {
    // Not known today is no reason to refuse: receivers are often registered before their name is.
    return [];
  }
}
