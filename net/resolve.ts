import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';

/** Resolves a name to all its addresses, in the order in which they are to be tried. Rejects when it has none. */
export type Lookup = (name: string) => Promise<readonly LookupAddress[]>;

/** Resolves as the machine does: hosts file, then DNS. */
export const systemLookup: Lookup = (name) => lookup(name, { all: true, order: 'verbatim' });

export interface ResolvePorts {
  lookup: Lookup;
  /** Ends the wait. The look-up itself cannot be recalled; its late answer goes unheard. */
  signal: AbortSignal;
}

/**
 * One resolution of a name. Its answer is checked and connected to, and nothing asks again in between, so that a
 * name that changes its mind (DNS rebinding) cannot slip past the check (decisions 7).
 *
 * @throws whatever the look-up throws, or the signal's reason
 */
export function resolveHost(
  name: string,
  { lookup, signal }: ResolvePorts,
): Promise<readonly LookupAddress[]> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    lookup(name)
      .then((addresses) => {
        if (addresses.length === 0)
          throw Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' });
        resolve(addresses);
      })
      .catch(reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}
