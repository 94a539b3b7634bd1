import ipaddr from 'ipaddr.js';

/** The agent and metadata address of Azure's machines, in the middle of ordinary unicast space. */
const AZURE_AGENT = '168.63.129.16';

/** The only part of IPv6 from which global unicast addresses have been handed out. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is globally reachable unicast by the IANA special-purpose registries (decisions 7).
 *
 * Stricter than the registries in four places. AS112 and AMT (192.31.196.0/24, 192.52.193.0/24, 192.175.48.0/24,
 * 2001:3::/32, 2001:4:112::/48, 2620:4f:8000::/48) are special though reachable, and no place for a receiver. The anycast services inside 192.0.0.0/24 and 2001:1::/32 are refused,
 * since whatever box is nearest answers there. So are ORCHIDv2 and DRIP (2001:20::/28, 2001:30::/28), which name things
 * and no places. And an IPv4 address inside an IPv6 one (mapped, compatible, NAT64, 6to4, Teredo) is refused whatever
 * it is, since a translator on the way, not this check, would decide where it leads.
 *
 * @param address IPv4 in any base or length, or IPv6; with a zone id, or unreadable, it is not public
 */
export function isPublicUnicast(address: string): boolean {
  if (address.includes('%') || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST)) return false;
  return parsed.range() === 'unicast' && parsed.toString() !== AZURE_AGENT;
}
