import { parseNetworks } from '../../runtime/networks.ts';

const holds = (list: string, address: string): boolean =>
  parseNetworks(list).check(address, address.includes(':') ? 'ipv6' : 'ipv4');

test.each([
  ['192.0.2.1', '192.0.2.1', true],
  ['192.0.2.1', '192.0.2.2', false],
  ['10.0.0.0/8, 192.0.2.1,', '10.255.0.1', true],
  ['10.0.0.0/8', '11.0.0.1', false],
  ['0.0.0.0/0', '203.0.113.7', true],
  ['2001:db8::/32', '2001:db8:1::1', true],
  ['2001:db8::1', '2001:db8::2', false],
  ['', '127.0.0.1', false],
])('%j, and %s in it: %s', (list, address, expected) => {
  expect(holds(list, address)).toBe(expected);
});

test.each([
  'foo',
  '10.0.0',
  '10.0.0.0/',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/8/9',
  '10.0.0.0/0x8',
  '::1/129',
])('%s is refused by name, among good ones', (entry) => {
  expect(() => parseNetworks(`127.0.0.1,${entry}`)).toThrow(`${entry} is not an address or network`);
});
