import type { CmsAdapter } from '../../../../domain/cms/adapter.ts';
import { useApi } from '../../../support/api.ts';
import { buildKey, buildSite, buildTenant } from '../../../support/builders.ts';
import { connectionWrite } from '../../../support/connection-write.ts';
import { eventually } from '../../../support/eventually.ts';

let asked = 0;
const held = Promise.withResolvers<string>();
const hanging: CmsAdapter = {
  batch: 1,
  test: () => ((asked += 1), held.promise),
  push: () => Promise.reject(new Error('nothing is pushed here')),
};
const api = await useApi({
  remotes: { git: hanging, ghost: hanging, wordpress: hanging, http: hanging },
});

async function testOne(key: string) {
  const made = await api.request('POST', '/delivery/connections', { key, body: connectionWrite });
  return await api.request('POST', `/delivery/connections/${made.data.id}/test`, { key });
}

test('a test that finds no turn is 503, and all Sites of an organisation have one', async () => {
  const first = await buildTenant(api.db);
  const sibling = await buildSite(api.db, first.organisationId);
  const { secret } = await buildKey(api.db, sibling, first.memberId);
  const own = testOne(first.secretKey);
  await eventually('one is under way', () => asked === 1);
  const late = await testOne(secret);
  expect([late.status, late.json.error.code, late.headers.get('retry-after')]).toEqual([
    503,
    'MAINTENANCE',
    '5',
  ]);
  const other = testOne((await buildTenant(api.db)).secretKey);
  await eventually('the other turn is for another organisation', () => asked === 2);
  held.resolve('It answers.');
  for (const { data } of await Promise.all([own, other]))
    expect(data).toEqual({ ok: true, message: 'It answers.' });
});
