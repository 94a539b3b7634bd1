import { isPublicUnicast } from '../../../adapters/http/addresses.ts';

/** The first and last address of a range, and its neighbours on both sides if they are public. */
type Row = [range: string, first: string, last: string, before?: string, after?: string];

const REFUSED_V4: Row[] = [
  ['0.0.0.0/8 this network', '0.0.0.0', '0.255.255.255', undefined, '1.0.0.0'],
  ['10.0.0.0/8 private', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0/10 carrier-grade NAT', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0/8 loopback', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['169.254.0.0/16 link-local', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0/12 private', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0/24 protocol assignments', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0/24 documentation', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.88.99.0/24 6to4 relay', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0/16 private', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['198.18.0.0/15 benchmarking', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0/24 documentation', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0/24 documentation', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0/4 multicast', '224.0.0.0', '239.255.255.255', '223.255.255.255'],
  ['240.0.0.0/4 reserved, and broadcast', '240.0.0.0', '255.255.255.255'],
  ['168.63.129.16 Azure agent', '168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  ['100.100.100.200 Alibaba metadata', '100.100.100.200', '100.100.100.200'],
  ['192.0.0.9 and 10 anycast', '192.0.0.9', '192.0.0.10'],
];

const REFUSED_V6: Row[] = [
  ['::/96 unspecified, loopback, IPv4-compatible', '::', '::ffff:ffff'],
  ['::1 loopback', '::1', '::1'],
  ['::ffff:0:0/96 IPv4-mapped', '::ffff:0:0', '::ffff:ffff:ffff'],
  ['::ffff:0:0:0/96 IPv4-translated', '::ffff:0:0:0', '::ffff:0:ffff:ffff'],
  ['64:ff9b::/96 NAT64', '64:ff9b::', '64:ff9b::ffff:ffff'],
  ['64:ff9b:1::/48 local NAT64', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::/64 discard', '100::', '100::ffff:ffff:ffff:ffff'],
  ['100:0:0:1::/64 dummy', '100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff'],
  ['below 2000::/3', '64::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', undefined, '2000::'],
  ['2001::/32 Teredo', '2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff::'],
  ['2001:1::1 to 3 anycast', '2001:1::1', '2001:1::3'],
  ['2001:2::/48 benchmarking', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
  ['2001:10::/28 ORCHID', '2001:10::', '2001:1f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:20::/28 ORCHIDv2', '2001:20::', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:30::/28 DRIP', '2001:30::', '2001:3f:ffff:ffff:ffff:ffff:ffff:ffff'],
  [
    '2001::/23 protocol assignments',
    '2001:40::',
    '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
    undefined,
    '2001:200::',
  ],
  [
    '2001:db8::/32 documentation',
    '2001:db8::',
    '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db7:ffff::',
    '2001:db9::',
  ],
  ['2002::/16 6to4', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff::', '2003::'],
  [
    '3fff::/20 documentation',
    '3fff::',
    '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
    '3ffe:ffff::',
    '3fff:1000::',
  ],
  ['above 2000::/3', '4000::', 'fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff::'],
  ['5f00::/16 segment routing', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fc00::/7 unique local', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::/10 link-local', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fec0::/10 site-local', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::/8 multicast', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

const ranges = [...REFUSED_V4, ...REFUSED_V6].map(([range, first, last, ...neighbours]) => {
  return { range, inside: [first, last], outside: neighbours.filter((address) => address !== undefined) };
});

test.each(ranges)('$range is refused up to its last address, and not beyond', ({ inside, outside }) => {
  for (const address of inside) expect([address, isPublicUnicast(address)]).toEqual([address, false]);
  for (const address of outside) expect([address, isPublicUnicast(address)]).toEqual([address, true]);
});

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '2606:4700::1111',
  '2a00:1450:4001::1',
  '2001:4860:4860::8888',
])('ordinary address %s is public', (address) => expect(isPublicUnicast(address)).toBe(true));

test.each(['192.31.196.1', '192.52.193.1', '192.175.48.1', '2001:3::1', '2001:4:112::1', '2620:4f:8000::1'])(
  'special-purpose, although globally reachable by the registries: %s is not public',
  (address) => expect(isPublicUnicast(address)).toBe(false),
);

test.each([
  '127.1',
  '0x7f.1',
  '0177.0.0.1',
  '2130706433',
  '017700000001',
  '0x7f000001',
  '0xa9fea9fe',
  '2822734096',
])('IPv4 in another base or length is refused: %s', (address) =>
  expect(isPublicUnicast(address)).toBe(false),
);

test.each([
  '::ffff:8.8.8.8',
  '::8.8.8.8',
  '::ffff:0:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::8.8.8.8',
  '2002:808:808::',
  '2001:0:808:808::',
  '0:0:0:0:0:FFFF:7F00:1',
])('a public IPv4 address inside IPv6 is refused: %s', (address) =>
  expect(isPublicUnicast(address)).toBe(false),
);

test.each([
  '',
  'example.com',
  '8.8.8.8.8',
  '999.1.1.1',
  'fe80::1%eth0',
  '2606:4700::1111%1',
  '[2606:4700::1111]',
  ':::',
])('what is no plain address is refused: %j', (address) => expect(isPublicUnicast(address)).toBe(false));
