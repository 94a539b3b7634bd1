import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Resolves a name to all its addresses, in the order to try them. Rejects if it has none.
 *
 * @param signal cancels the look-up if it can be cancelled
 */
export type Lookup = (name: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

/**
 * Resolves like the machine does: hosts file, search domains, DNS. Occupies one of the process's few threads and cannot
 * be cancelled, so it is only for names from the operator.
 */
export const systemLookup: Lookup = (name) => lookup(name, { all: true, order: 'verbatim' });

/** First time-out of a DNS server, in milliseconds, and attempts per server. */
const QUERY = { timeout: 1_500, tries: 2 };

/** After one of A and AAAA has answered, wait this long for the other, in milliseconds. */
const STRAGGLER_MS = 500;

/**
 * Resolves by DNS only, A and AAAA together, without a thread and cancellable at once: for names from clients.
 *
 * @param servers `address:port` of the DNS servers; by default the machine's
 */
export function dnsLookup(servers?: readonly string[]): Lookup {
  return async (name, signal) => {
    // One per look-up, because cancelling ends all look-ups of a resolver.
    const resolver = new Resolver(QUERY);
    if (servers) resolver.setServers(servers);
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    const found: LookupAddress[] = [];
    const note = (family: 4 | 6) => (addresses: readonly string[]) =>
      void found.push(...addresses.map((address) => ({ address, family })));
    try {
      const asked = [resolver.resolve4(name).then(note(4)), resolver.resolve6(name).then(note(6))];
      const all = Promise.allSettled(asked);
      await Promise.race([all, Promise.any(asked).then(() => sleep(STRAGGLER_MS))]);
      return found.toSorted((one, other) => one.family - other.family);
    } catch (error) {
      // Usually both look-ups failed in the same way; the first failure says why.
      throw error instanceof AggregateError ? error.errors[0] : error;
    } finally {
      signal.removeEventListener('abort', cancel);
      resolver.cancel();
    }
  };
}
