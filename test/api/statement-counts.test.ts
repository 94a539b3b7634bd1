import { createDatabase } from '../../db/database.ts';
import { openWire } from '../../tools/bench/costs/wire.ts';
import type { Wire } from '../../tools/bench/costs/wire.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { forgetLimits } from '../support/limits.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let wire: Wire;
let api: TestApi;
let tenant: Tenant;
let close: () => Promise<void>;

beforeAll(async () => {
  database = await createTestDatabase();
  wire = await openWire(database.url);
  const db = createDatabase({ connectionString: wire.url, applicationName: 'presswork-test', poolSize: 4 });
  api = await startApi({ db }, { on: database });
  tenant = await buildTenant(database.db);
  close = () => db.close();
});
afterAll(async () => {
  await api.close();
  await close();
  await wire.close();
  await database.drop();
});

/** What the Site has done once is not counted: connections prepare their statements, and the salt of a day is made. */
const WARM = 2;
const SOON = '2099-03-01T09:00:00.000Z';
let number = 0;
const send = async (method: string, path: string, body?: object): Promise<any> => {
  const answer = await api.request(method, path, { key: tenant.secretKey, body, idempotencyKey: true });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.data;
};
const post = (path: string, body?: object) => send('POST', path, body);
const article = (): Promise<any> =>
  post('/articles', { title: `Tea ${(number += 1)}`, slug: `tea-${number}`, content: 'Hot.' });
const published = async (): Promise<any> => {
  const draft = await article();
  await post(`/articles/${draft.id}/publish`);
  return draft;
};
const held = async (): Promise<any> => {
  await send('PATCH', '/comments/settings', { enabled: true, moderation: 'hold_all' });
  const { slug } = await published();
  await post('/comments', { slug, body: `Text ${slug}`, author_name: 'Ada' });
  return (await send('GET', '/comments?status=pending')).items[0];
};
const schedule = (id: string) => post(`/articles/${id}/schedule`, { scheduled_publish_at: SOON });
const edit = (id: string) => send('PATCH', `/articles/${id}/pending`, { title: 'Other' });
const term = (path: string) => post(path, { name: `Name ${(number += 1)}` });

/** Prepares a write, and how many statements it takes, with authentication, BEGIN and COMMIT. */
const writes: readonly (readonly [string, number, () => Promise<() => Promise<unknown>>])[] = [
  ['create an article', 2, async () => article],
  [
    'change a draft',
    3,
    async () => {
      const { id } = await article();
      return () => send('PATCH', `/articles/${id}`, { content: 'Cold.' });
    },
  ],
  [
    'publish',
    3,
    async () => {
      const { id } = await article();
      return () => post(`/articles/${id}/publish`);
    },
  ],
  [
    'schedule',
    3,
    async () => {
      const { id } = await article();
      return () => schedule(id);
    },
  ],
  [
    'cancel a schedule',
    5,
    async () => {
      const { id } = await article();
      await schedule(id);
      return () => post(`/articles/${id}/cancel-schedule`);
    },
  ],
  [
    'begin a pending edit',
    8,
    async () => {
      const { id } = await published();
      return () => edit(id);
    },
  ],
  [
    'publish a pending edit',
    13,
    async () => {
      const { id } = await published();
      await edit(id);
      return () => post(`/articles/${id}/pending/publish`);
    },
  ],
  [
    'approve a comment',
    11,
    async () => {
      const { id } = await held();
      return () => post(`/comments/${id}/approve`);
    },
  ],
  [
    'delete a comment',
    7,
    async () => {
      const { id } = await held();
      await post(`/comments/${id}/approve`);
      return () => send('DELETE', `/comments/${id}`);
    },
  ],
  ...(['/categories', '/tags', '/authors'] as const).flatMap((path) => [
    [`create one of ${path}`, 8, async () => () => term(path)] as const,
    [
      `change one of ${path}`,
      6,
      async () => {
        const { id } = await term(path);
        return () => send('PATCH', `${path}/${id}`, { name: `Other ${(number += 1)}` });
      },
    ] as const,
    [
      `delete one of ${path}`,
      path === '/tags' ? 8 : 10,
      async () => {
        const { id } = await term(path);
        return () => send('DELETE', `${path}/${id}`);
      },
    ] as const,
  ]),
  ['change the Site', 6, async () => () => send('PATCH', '/site', { name: `Name ${(number += 1)}` })],
  [
    'start a bulk job',
    12,
    async () => {
      const { id } = await article();
      return () => post('/articles/bulk', { action: 'publish', article_ids: [id] });
    },
  ],
];

test.each(writes)(
  'to %s takes %i statements while no endpoint subscribes',
  async (_name, expected, prepare) => {
    await forgetLimits(database.db, tenant.siteId);
    for (let time = 0; time < WARM; time += 1) await (await prepare())();
    const write = await prepare();
    const { statements } = wire.count;
    await write();
    expect(wire.count.statements - statements).toBe(expected);
  },
);
