import type { AllowedHosts } from '../../runtime/allowed-hosts.ts';
import { type Names, NoTurn } from './names.ts';
import {
  checkResolved,
  checkTarget,
  literalAddress,
  type TargetCheck,
  type TargetOptions,
} from './target.ts';
import { isWebUrl, WEB_URL_FORM } from '../../packages/base/url-form.ts';

export interface SavedUrlPorts {
  allowedHosts?: AllowedHosts;
  names: Names;
  /** Time-out for resolving the name, including the wait for a slot, in milliseconds; 2 s by default. */
  timeoutMs?: number;
}

/**
 * Checks a URL to be saved without a look-up: {@link checkTarget}, and no spelling that a parser would have to repair,
 * because other programs might read it differently. Requests to URLs saved earlier skip the spelling check.
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
 * Decides whether a URL may be saved: {@link examineSavedUrl}, and none of its addresses may be private. A name that
 * does not resolve in time is accepted, because every request repeats the check (docs/spec/rulings.md, 7).
 *
 * @param share whose share of look-ups is used, such as a Site's id
 * @throws NoTurn if too many look-ups are in flight: the name has not been looked up then
 */
export async function checkSavedUrl(url: string, share: string, ports: SavedUrlPorts): Promise<TargetCheck> {
  const { allowedHosts, names, timeoutMs = 2_000 } = ports;
  const target = examineSavedUrl(url, { allowedHosts });
  if (!target.ok || target.exempt || literalAddress(target.url) !== undefined) return target;
  const addresses = await names
    .resolve({
      name: target.url.hostname,
      share,
      operators: false,
      turnMs: timeoutMs / 2,
      onTurn: () => {},
      signal: AbortSignal.timeout(timeoutMs),
    })
    // An unknown name is accepted: endpoints are often created before their DNS record.
    .catch((error: unknown) => {
      if (error instanceof NoTurn) throw error;
      return [];
    });
  return checkResolved(addresses) ?? target;
}
