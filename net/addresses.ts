import ipaddr from 'ipaddr.js';

/**
 * What ipaddr.js tells apart and the IANA registries call globally reachable: ordinary unicast, and the blocks of
 * AS112 and AMT, which the registries list as special but reachable from everywhere.
 */
const REACHABLE = new Set(['unicast', 'as112', 'as112v6', 'amt']);

/** The agent and metadata address of Azure's machines, in the middle of ordinary unicast space. */
const AZURE_AGENT = '168.63.129.16';

/** The only part of IPv6 from which global unicast addresses have been handed out. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is globally reachable unicast by the IANA special-purpose registries (decisions 7).
 *
 * Stricter than the registries in three places. The anycast services inside 192.0.0.0/24 and 2001:1::/32 are refused,
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
  return REACHABLE.has(parsed.range()) && parsed.toString() !== AZURE_AGENT;
}
