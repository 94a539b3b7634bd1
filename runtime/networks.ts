import { BlockList, isIP } from 'node:net';

/**
 * Reads a comma-separated list of addresses and networks, such as `10.0.0.0/8,2001:db8::1`.
 *
 * @throws Error naming the entry that is neither
 */
export function parseNetworks(list: string): BlockList {
  const networks = new BlockList();
  for (const entry of list.split(',').map((part) => part.trim())) if (entry !== '') add(networks, entry);
  return networks;
}

function add(networks: BlockList, entry: string): void {
  const [, address = '', digits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const family = isIP(address);
  const longest = family === 6 ? 128 : 32;
  const bits = digits === undefined ? longest : Number(digits);
  if (family === 0 || bits > longest) {
    throw new Error(`${entry} is not an address or network such as 10.0.0.0/8`);
  }
  networks.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4');
}
