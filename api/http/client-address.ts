import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { BlockList } from 'node:net';

/** Determines the IP address of a request's client. */
export type ClientAddress = (request: IncomingMessage) => string;

/** The longest chain of proxies that is followed. */
const HOPS = 10;

/**
 * The client's address is the socket's. `X-Forwarded-For` is read from the right, and an entry counts only if a trusted
 * proxy wrote it (docs/spec/rulings.md, 11).
 *
 * @param trusted the proxies
 */
export function createClientAddress(trusted: BlockList): ClientAddress {
  const isTrusted = (address: string): boolean => {
    const family = isIP(address);
    return family !== 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
  return (request) => {
    let address = unmapped(request.socket.remoteAddress ?? 'unknown');
    let forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',');
    // One entry at a time from the right: a client may have written thousands of entries on the left.
    for (let hop = 0; hop < HOPS && forwarded !== '' && isTrusted(address); hop += 1) {
      const comma = forwarded.lastIndexOf(',');
      const next = unmapped(forwarded.slice(comma + 1).trim());
      if (isIP(next) === 0) break;
      address = next;
      forwarded = forwarded.slice(0, Math.max(0, comma));
    }
    return address;
  };
}

/** Converts an IPv4-mapped IPv6 address to IPv4, and leaves out the zone, which is a name of this machine or the client's. */
const unmapped = (address: string): string =>
  address.replace(/%.*$/s, '').replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
