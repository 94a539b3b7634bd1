import { Names } from '../../../../adapters/http/names.ts';
import type { Lookup } from '../../../../adapters/http/resolve.ts';
import { startOnSharedDatabase } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';
import { buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { eventually } from '../../../support/eventually.ts';

let api: TestApi;
let tenant: Tenant;
const asked: string[] = [];
/** Names that hang do so until it rejects. */
let over: PromiseWithResolvers<never>;
/** The time for a look-up, in milliseconds; undefined for the default. */
let timeoutMs: number | undefined;

const lookup: Lookup = (name, signal) => {
  asked.push(name);
  return name.startsWith('hangs')
    ? Promise.race([
        over.promise,
        new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      ])
    : Promise.resolve([{ address: name.startsWith('private') ? '10.0.0.1' : '93.184.216.34', family: 4 }]);
};

beforeEach(async () => {
  asked.length = 0;
  over = Promise.withResolvers();
  over.promise.catch(() => {});
  timeoutMs = undefined;
  const names = new Names({ lookup, keepMs: 0, keepFailureMs: 0, limitMs: 600_000 });
  const webhookUrls = {
    names,
    get timeoutMs() {
      return timeoutMs;
    },
  };
  api = await startOnSharedDatabase({ webhookUrls });
  tenant = await buildTenant(api.db);
});
afterEach(() => api.close());

const create = (url: string, key = tenant.secretKey) =>
  api.request('POST', '/webhooks', { key, body: { url, events: ['article.published'] } });
const change = (id: string, body: object, headers: Record<string, string> = {}) =>
  api.request('PATCH', `/webhooks/${id}`, { key: tenant.secretKey, body, headers });

/** How many of these requests have been answered. */
function answered(requests: readonly Promise<unknown>[]): () => number {
  let count = 0;
  for (const request of requests) void request.then(() => (count += 1));
  return () => count;
}

test('a name that hangs is given up after a while', async () => {
  expect((await create('https://hangs.example/')).status).toBe(201);
});

test('a name that hangs at creation or change holds no connection, transaction or lock', async () => {
  const { id } = (await create('https://good.example/')).data;
  timeoutMs = 600_000;
  const changing = change(id, { url: 'https://hangs.example/' });
  await eventually('its name is asked for', () => asked.includes('hangs.example'));
  const hung = [
    ...Array.from({ length: 40 }, (_, number) => create(`https://hangs-${number}.example/`)),
    changing,
  ];
  const ended = answered(hung);
  await eventually('a Site has all look-ups that it may have', () => asked.length === 1 + 16);
  await eventually('none holds a transaction', async () => {
    const { rows } = await api.db.pool.query(
      `select from pg_stat_activity
       where datname = current_database() and state like 'idle in transaction%' and pid <> pg_backend_pid()`,
    );
    return rows.length === 0;
  });
  // The row to be changed is not locked in the meantime.
  expect((await change(id, { description: 'changed meanwhile' })).status).toBe(200);
  expect(ended()).toBe(0);
  over.reject(new Error('they answer no more'));
  const answers = await Promise.all(hung);
  // A name that does not resolve is accepted, up to the tenth endpoint.
  expect(answers.map(({ status }) => status).toSorted()).toEqual([
    200,
    ...Array.from({ length: 9 }, () => 201),
    ...Array.from({ length: 31 }, () => 409),
  ]);
});

test('a Site’s hanging names do not delay another Site’s creation', async () => {
  timeoutMs = 600_000;
  const hung = Array.from({ length: 40 }, (_, number) => create(`https://hangs-${number}.example/`));
  const ended = answered(hung);
  await eventually('it has all look-ups that it may have', () => asked.length === 16);
  const other = await buildTenant(api.db);
  expect((await create('https://private.example/', other.secretKey)).status).toBe(422);
  expect(ended()).toBe(0);
  over.reject(new Error('they answer no more'));
  await Promise.all(hung);
});

test('a name that finds no turn to be looked up is 503, and not taken for one that does not resolve', async () => {
  timeoutMs = 600_000;
  const hung = Array.from({ length: 16 }, (_, number) => create(`https://hangs-${number}.example/`));
  await eventually('it has all look-ups that it may have', () => asked.length === 16);
  timeoutMs = 2;
  const answer = await create('https://private.example/');
  expect([answer.status, answer.json.error.code]).toEqual([503, 'MAINTENANCE']);
  expect(answer.headers.get('retry-after')).toBe('5');
  over.reject(new Error('they answer no more'));
  await Promise.all(hung);
});

test('the eleventh endpoint is 409 for any name, without a look-up', async () => {
  for (let number = 0; number < 10; number += 1) await create(`https://good-${number}.example/`);
  asked.length = 0;
  const answer = await create('https://private.example/');
  expect([answer.status, answer.json.error.code]).toEqual([409, 'CONFLICT']);
  expect(asked).toEqual([]);
});

test('of thirty concurrent creations ten succeed, and none with a private address', async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, number) =>
      create(number % 3 === 0 ? `https://private-${number}.example/` : `https://good-${number}.example/`),
    ),
  );
  const made = answers.filter(({ status }) => status === 201);
  expect(made).toHaveLength(10);
  expect(answers.every(({ status }) => [201, 409, 422].includes(status))).toBe(true);
  const { data } = await api.request('GET', '/webhooks', { key: tenant.secretKey });
  expect(data.items).toHaveLength(10);
  expect(data.items.every(({ url }: { url: string }) => url.includes('good'))).toBe(true);
});

test('a change to a private name is 404 for an unknown endpoint, 412 for another version, and 422 otherwise', async () => {
  const { id } = (await create('https://good.example/')).data;
  const url = 'https://private.example/';
  expect((await change('0192f0a0-0000-7000-8000-000000000000', { url })).status).toBe(404);
  expect((await change(id, { url }, { 'If-Match': '"99"' })).status).toBe(412);
  const refused = await change(id, { url });
  expect([refused.status, Object.keys(refused.json.error.fields)]).toEqual([422, ['url']]);
});

test('a change of other members succeeds even if the name now resolves to a private address', async () => {
  const { id } = (await create('https://good.example/')).data;
  const url = 'https://private.example/';
  await api.db.pool.query('update webhook_endpoints set url = $2 where id = $1', [id, url]);
  expect((await change(id, { url, description: 'as before' })).status).toBe(200);
});
