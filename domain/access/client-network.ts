import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The network that a limit by address counts: a whole IPv4 address, or the /64 of an IPv6 address, the smallest block that a
 * network assigns to a customer. An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) counts as that IPv4 address.
 */
export function clientNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  const parsed = ipaddr.process(address.split('%', 1)[0] ?? '');
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const prefix = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${prefix.join(':')}::/64`;
}

/**
 * The network that a limit of open requests counts: the /24 of an IPv4 address, or the /64 of an IPv6 address
 * (docs/spec/rulings.md, 27).
 */
export function wideNetwork(address: string): string {
  const network = clientNetwork(address);
  return isIP(network) === 4 ? `${network.slice(0, network.lastIndexOf('.'))}.0/24` : network;
}
