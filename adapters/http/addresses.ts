import ipaddr from 'ipaddr.js';

/** The agent and metadata address of Azure's machines, inside ordinary unicast space. */
const AZURE_AGENT = '168.63.129.16';

/** The only part of IPv6 with assigned global unicast addresses. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is globally reachable unicast by the IANA special-purpose registries (docs/spec/rulings.md, 7).
 *
 * Stricter than the registries in four cases. AS112 and AMT (192.31.196.0/24, 192.52.193.0/24, 192.175.48.0/24,
 * 2001:3::/32, 2001:4:112::/48, 2620:4f:8000::/48) are reachable but no place for a receiver. The anycast services
 * inside 192.0.0.0/24 and 2001:1::/32 are answered by the nearest machine. ORCHIDv2 and DRIP (2001:20::/28,
 * 2001:30::/28) are identifiers, not locations. An IPv4 address inside an IPv6 one (mapped, compatible, NAT64, 6to4,
 * Teredo) is always refused, because a translator on the way would decide where it leads.
 *
 * @param address IPv4 in any base or length, or IPv6; not public if it has a zone id or is unreadable
 */
export function isPublicUnicast(address: string): boolean {
  if (address.includes('%') || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST)) return false;
  return parsed.range() === 'unicast' && parsed.toString() !== AZURE_AGENT;
}
