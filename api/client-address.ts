import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { SettingError } from '../config/settings.ts';

/** Finds the address a request came from. */
export type ClientAddress = (request: IncomingMessage) => string;

/**
 * The client's address is the socket's; `X-Forwarded-For` counts only where trusted proxies wrote it, read
 * from the right (decisions 11).
 *
 * @param trustedProxies addresses and networks such as 10.0.0.0/8
 * @throws SettingError for an entry that is neither
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = new BlockList();
  for (const entry of trustedProxies) addEntry(trusted, entry);
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

function addEntry(list: BlockList, entry: string): void {
  const [address = '', prefix] = entry.split('/');
  const family = isIP(address);
  const bits = prefix === undefined ? (family === 6 ? 128 : 32) : Number(prefix);
  if (family === 0 || !Number.isInteger(bits) || bits < 0 || bits > (family === 6 ? 128 : 32)) {
    throw new SettingError(`TRUSTED_PROXIES: ${entry} is not an address or network such as 10.0.0.0/8`);
  }
  list.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4');
}
