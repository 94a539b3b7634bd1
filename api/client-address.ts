import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { BlockList } from 'node:net';

/** Finds the address a request came from. */
export type ClientAddress = (request: IncomingMessage) => string;

/**
 * The client's address is the socket's; `X-Forwarded-For` counts only where trusted proxies wrote it, read
 * from the right (decisions 11).
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
    const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',').toReversed();
    for (const hop of forwarded) {
      if (!isTrusted(address)) break;
      const next = unmapped(hop.trim());
      if (isIP(next) === 0) break;
      address = next;
    }
    return address;
  };
}

/** An IPv4 address that came over an IPv6 socket, as IPv4. */
const unmapped = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
