import { createClientAddress } from '../../../../api/http/client-address.ts';
import { wideNetwork } from '../../../../domain/access/client-network.ts';
import { parseNetworks } from '../../../../runtime/networks.ts';
import { useApi } from '../../../support/api.ts';
import { buildTenant } from '../../../support/builders.ts';
import { TestClock } from '../../../support/clock.ts';

const clock = new TestClock();
const api = await useApi({ clock, clientAddress: createClientAddress(parseNetworks('127.0.0.1')) });

const start = (address: string) =>
  api.request('POST', '/auth/device', {
    body: { client_name: 'A device' },
    headers: { 'x-forwarded-for': address },
  });

/** As if so many had been started in the network before. */
const opened = (network: string, count: number, minutes = 15) =>
  api.db.pool.query(
    `insert into device_authorizations (id, device_code_hash, user_code_mac, client_name, scopes, held_by_agent,
       client_address, client_network, poll_interval, created_at, expires_at)
     select uuidv7(), sha256(uuidv7()::text::bytea), sha256(uuidv7()::text::bytea), 'A device', '{}', false,
       '192.0.2.1', $1, 5, $2::timestamptz, $2::timestamptz + $3 * interval '1 minute' from generate_series(1, $4::int)`,
    [network, clock.now(), minutes, count],
  );

test.each([
  ['192.0.2.7', '192.0.2.0/24', '192.0.2.200', '192.0.3.7'],
  ['2001:db8:1:2::7', '2001:db8:1:2::/64', '2001:db8:1:2:ffff::1', '2001:db8:1:3::7'],
])('a thousand are open in the network of %s, and not one more', async (address, network, near, far) => {
  expect(wideNetwork(address)).toBe(network);
  await opened(network, 500);
  await opened(network, 100, 0);
  const { siteId, memberId } = await buildTenant(api.db);
  // OAuth requests that a person has approved, and whose client has not come yet.
  await api.db.pool.query(
    `insert into oauth_grants (id, site_id, member_id, client_id, client_name, redirect_uri, resource, scopes, code_hash,
       code_challenge, client_network, created_at, expires_at)
     select uuidv7(), $1, $2, 'c', 'c', 'https://c.example/', 'r', '{}', sha256(uuidv7()::text::bytea), 'c', $3,
       $4::timestamptz, $4::timestamptz + interval '1 minute' from generate_series(1, 499)`,
    [siteId, memberId, network, clock.now()],
  );
  expect((await start(address)).status).toBe(200);
  const refused = await start(near);
  expect([refused.status, refused.json.error.code]).toEqual([409, 'CONFLICT']);
  expect(refused.json.error.message).toMatch(/1000 requests.*Wait/);
  expect((await start(far)).status).toBe(200);
  clock.advance(61_000);
  expect((await start(near)).status).toBe(200);
});

test('of concurrent requests of one network exactly those succeed that there is room for', async () => {
  await opened('198.51.100.0/24', 990);
  const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => start(`198.51.100.${index}`)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
});
