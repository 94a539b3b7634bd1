import { operator, recordAudit } from '../../domain/audit/record.ts';
import { endMaintenance, startMaintenance } from '../../domain/organisations/sites.ts';
import { useApi } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { buildKey, buildTenant, buildTerm } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';

const api = await useApi({}, { ownDatabase: 'maintenance of the whole installation is switched on' });
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const log = (query: string, key = tenant.secretKey): Promise<Answer> =>
  api.request('GET', `/audit-log?${query}`, { key });
const items = async (query: string): Promise<any[]> => {
  const { status, data } = await log(query);
  expect(status).toBe(200);
  return data.items;
};

test('each filter finds exactly its rows, of the Site and of its organisation', async () => {
  const other = await buildKey(api.db, tenant.siteId, tenant.memberId);
  const tag = await buildTerm(api, other.secret, 'tags');
  await api.request('PATCH', `/tags/${tag.id}`, { key: tenant.secretKey, body: { name: 'Another' } });
  await api.request('PATCH', '/organisation', { key: other.secret, body: { name: 'A name' } });
  const all = await items('limit=100');
  const where = (which: (row: any) => boolean): any[] => all.filter(which);

  expect(await items(`target_id=${tag.id.toUpperCase()}`)).toEqual(
    where(({ target }) => target?.id === tag.id),
  );
  expect((await items(`target_id=${tag.id}`)).map(({ action }) => action)).toEqual([
    'tag.update',
    'tag.create',
  ]);
  expect((await items(`actor_id=${other.id}`)).map(({ action }) => action)).toEqual([
    'organisation.update',
    'tag.create',
  ]);
  expect(await items(`target_id=${tenant.organisationId}`)).toEqual(
    where(({ target }) => target?.id === tenant.organisationId),
  );
  expect(await items('action=key.create')).toEqual(where(({ action }) => action === 'key.create'));
  expect(await items(`action=tag.create&actor_id=${other.id}&target_id=${tag.id}`)).toHaveLength(1);
  expect(await items(`action=tag.update&actor_id=${other.id}`)).toEqual([]);
  expect(await items('action=nothing.like_this')).toEqual([]);
  const foreign = await buildTenant(api.db);
  expect((await log(`target_id=${tag.id}`, foreign.secretKey)).data.items).toEqual([]);
});

test('since is inclusive, until is exclusive, and a cursor is only valid with its filters', async () => {
  const start = Date.parse('2026-01-01T00:00:00Z');
  await api.db.transaction(async (tx) => {
    for (let number = 0; number < 12; number += 1) {
      const place = { siteId: number % 2 ? tenant.siteId : null, organisationId: tenant.organisationId };
      const entry = { actor: operator, action: 'site.update', target: null, ...place } as const;
      recordAudit(tx, entry, new Date(start + number * 1_000));
    }
  });
  const second = (number: number): string => new Date(start + number * 1_000).toISOString();
  const times = async (query: string) => (await items(query)).map(({ at }) => at);
  const within = [7, 6, 5, 4, 3].map(second);
  expect(await times(`since=${second(3)}&until=${second(8)}`)).toEqual(within);
  expect(await times(`since=2026-01-01T01:00:03%2B01:00&until=${second(8)}&limit=2`)).toEqual(
    within.slice(0, 2),
  );
  expect(await times(`since=${second(8)}&until=${second(3)}`)).toEqual([]);

  const seen: string[] = [];
  const filter = `action=site.update&since=${second(1)}&until=${second(11)}`;
  for (let cursor: string | null = ''; cursor !== null;) {
    const { data } = await log(`${filter}&limit=3${cursor && `&cursor=${cursor}`}`);
    seen.push(...data.items.map(({ at }: { at: string }) => at));
    cursor = data.next_cursor;
  }
  expect(seen).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map(second));
  const { next_cursor: cursor } = (await log(`${filter}&limit=3`)).data;
  for (const others of ['', 'action=site.update', `${filter}&actor_id=${tenant.memberId}`])
    expect((await log(`${others}&cursor=${cursor}`)).status).toBe(400);
});

test.each([
  'actor_id=me',
  'actor_id=',
  'target_id=0197a0c45c1e7d309b642f1f0d3c8a11',
  'since=yesterday',
  'since=2026-01-01T00:00:00',
  'until=',
  'action=',
  `action=${'a'.repeat(101)}`,
  'action=key.create&action=key.revoke',
  'actor=me',
])('an unusable filter is refused: %s', async (query) => {
  const answer = await log(query);
  expect([answer.status, answer.json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  expect(answer.json.error.message).toContain(query.split('=')[0]);
});

test('maintenance of the whole platform is in every Site’s log when it starts, changes and ends, and only then', async () => {
  const other = await buildTenant(api.db);
  const now = new Date();
  const inTurn = [
    () => api.db.transaction((tx) => endMaintenance({ tx, actor: operator, now }, null)),
    () => api.db.transaction((tx) => startMaintenance({ tx, actor: operator, now }, null, 60)),
    () => api.db.transaction((tx) => startMaintenance({ tx, actor: operator, now }, null, 60)),
    () => api.db.transaction((tx) => startMaintenance({ tx, actor: operator, now }, null, 90)),
    () => api.db.transaction((tx) => endMaintenance({ tx, actor: operator, now }, null)),
    () => api.db.transaction((tx) => endMaintenance({ tx, actor: operator, now }, null)),
  ];
  for (const step of inTurn) await step();
  const one = (await log('limit=3')).data.items;
  expect(one.map(({ action, target, details }: any) => [action, target, details])).toEqual([
    ['maintenance.off', null, {}],
    ['maintenance.on', null, { retry_after: 90 }],
    ['maintenance.on', null, { retry_after: 60 }],
  ]);
  expect((await log('limit=3', other.secretKey)).data.items).toEqual(one);
  expect((await log('action=maintenance.off', other.secretKey)).data.items).toEqual([one[0]]);
});
