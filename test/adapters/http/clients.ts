import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { parseAllowedHosts } from '../../../runtime/allowed-hosts.ts';
import {
  createGuardedClient,
  type GuardedClient,
  type GuardedClientOptions,
  type GuardedRequest,
  type GuardedResult,
} from '../../../adapters/http/guarded-client.ts';
import type { Reroute } from '../../../adapters/http/connections.ts';
import { Names } from '../../../adapters/http/names.ts';
import type { Lookup } from '../../../adapters/http/resolve.ts';
import type { Receiver } from '../../support/receivers.ts';

const open: GuardedClient[] = [];

/** Closes the clients of a test; call it after each. */
export async function closeClients(): Promise<void> {
  await Promise.all(open.splice(0).map((client) => client.close()));
}

export type Post = (url: string, overrides?: Partial<GuardedRequest>) => Promise<GuardedResult>;

/** A function that posts like a delivery, through its own client that may reach the given receivers. */
export function postingTo(
  receivers: readonly (Receiver | string)[],
  { lookup, ...options }: GuardedClientOptions & { lookup?: Lookup } = {},
): Post {
  const hosts = receivers.map((host) => (typeof host === 'string' ? host : `127.0.0.1:${host.port}`));
  const client = createGuardedClient({
    allowedHosts: parseAllowedHosts(hosts.join(',')),
    ...(lookup && { names: namesBy(lookup) }),
    ...options,
  });
  open.push(client);
  return (url, overrides) =>
    client.request({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'Service-Signature': 'v1=abc' },
      body: '{"a":1}',
      timeoutMs: 5_000,
      redirects: 1,
      isolationKey: 'site-1',
      readBody: false,
      ...overrides,
    });
}

/** Resolves every name by the test's look-up, without a cache. */
export const namesBy = (lookup: Lookup): Names =>
  new Names({ lookup, operatorsLookup: lookup, keepMs: 0, keepFailureMs: 0 });

/** A resolver that returns the answers in turn, and counts calls. */
export function resolver(...answers: string[][]): Lookup & { calls: string[] } {
  const calls: string[] = [];
  const lookup = async (name: string) => {
    const answer = answers[Math.min(calls.push(name), answers.length) - 1] ?? [];
    return answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return Object.assign(lookup, { calls });
}

/**
 * Opens every socket to a receiver on loopback, and records the addresses it would have connected to: it stands in for
 * the public internet.
 */
export function detour(receiver: Receiver): { reroute: Reroute; dialled: string[] } {
  const dialled: string[] = [];
  const here = { address: '127.0.0.1', family: 4 };
  const reroute: Reroute = (options) => {
    const rerouted = { ...options, port: receiver.port };
    if (isIP(options.host ?? '') !== 0) {
      dialled.push(options.host!);
      return { ...rerouted, host: here.address };
    }
    const lookup: LookupFunction = (name, how, callback) =>
      options.lookup!(name, { ...how, all: false }, (error, address) => {
        if (error) return callback(error, '', 0);
        dialled.push(address as string);
        if (how.all) callback(null, [here]);
        else callback(null, here.address, here.family);
      });
    return { ...rerouted, lookup };
  };
  return { reroute, dialled };
}
