import type { LookupAddress } from 'node:dns';
import type { AllowedHosts } from './allowed-hosts.ts';
import { type Lookup, resolveHost, systemLookup } from './resolve.ts';
import {
  checkResolved,
  checkTarget,
  literalAddress,
  type TargetCheck,
  type TargetOptions,
} from './target.ts';
import { isWebUrl, WEB_URL_FORM } from './url-form.ts';

export interface SavedUrlPorts {
  allowedHosts?: AllowedHosts;
  lookup?: Lookup;
  /** How long the name may take to resolve, in milliseconds. */
  timeoutMs?: number;
}

/**
 * What of a URL to be saved shows without a look-up: {@link checkTarget}, and no spelling that a parser would have to
 * repair, which other programs would read in other ways. Requests to what was saved before are not held to that.
 */
export function examineSavedUrl(url: string, options: Pick<TargetOptions, 'allowedHosts'> = {}): TargetCheck {
  const target = checkTarget(url, options);
  if (!target.ok || isWebUrl(url)) return target;
  return {
    ok: false,
    cause: 'malformed',
    reason: `This is not a URL as it is written; use an https URL ${WEB_URL_FORM}.`,
  };
}

/**
 * Decides whether a URL may be saved: {@link examineSavedUrl}, and none of the addresses its name resolves to may be a
 * private one. A name that does not resolve, or not in time, is accepted; the same check is made again at every
 * request (decisions 7).
 */
export async function checkSavedUrl(url: string, ports: SavedUrlPorts = {}): Promise<TargetCheck> {
  const { allowedHosts, lookup = systemLookup, timeoutMs = 2_000 } = ports;
  const target = examineSavedUrl(url, { allowedHosts });
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
