import type { CmsAdapter } from '../../../domain/cms/adapter.ts';
import { useApi } from '../../support/api.ts';
import { buildTenant } from '../../support/builders.ts';
import type { Tenant } from '../../support/builders.ts';
import { connectionWrite } from '../../support/connection-write.ts';
import { eventually } from '../../support/eventually.ts';

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

async function testOne({ secretKey: key }: Tenant) {
  const made = await api.request('POST', '/delivery/connections', { key, body: connectionWrite });
  return await api.request('POST', `/delivery/connections/${made.data.id}/test`, { key });
}

test('a test that finds no turn beside those of other Sites is 503: it is not its client who asks too much', async () => {
  const others = [testOne(await buildTenant(api.db)), testOne(await buildTenant(api.db))];
  await eventually('two are under way', () => asked === 2);
  const late = await testOne(await buildTenant(api.db));
  expect([late.status, late.json.error.code, late.headers.get('retry-after')]).toEqual([
    503,
    'MAINTENANCE',
    '5',
  ]);
  held.resolve('It answers.');
  for (const { data } of await Promise.all(others))
    expect(data).toEqual({ ok: true, message: 'It answers.' });
});
