import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildArticle, buildPublished, buildTenant, buildTerm } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { TestClock } from '../../../support/clock.ts';
import { openRaw } from '../../raw-http.ts';

const clock = new TestClock();
let tenant: Tenant;

const api = await useApi({ clock });
beforeAll(async () => {
  tenant = await buildTenant(api.db);
  clock.freeze();
});

const call = (method: string, path: string, body?: object): Promise<Answer> =>
  api.request(method, path, { key: tenant.secretKey, body, idempotencyKey: true });

/** Sends a request whose body arrives in two parts, and runs something in between. */
async function slowly(method: string, path: string, body: object, meanwhile: () => Promise<void>) {
  const text = JSON.stringify(body);
  const exchange = openRaw(api.origin);
  const head = [
    `${method} /v1${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${tenant.secretKey}`,
    'Content-Type: application/json',
    `Content-Length: ${text.length}`,
  ];
  await exchange.write(`${head.join('\r\n')}\r\n\r\n${text.slice(0, 1)}`);
  await meanwhile();
  await exchange.write(text.slice(1));
  const answer = await exchange.answer;
  exchange.end();
  return answer;
}

const writes = async (): Promise<number> => {
  const { rows } = await api.db.pool.query<{ sum: string }>(
    `select coalesce(sum(requests), 0) as sum from rate_limit_counters where class = 'write'`,
  );
  return Number(rows[0]?.sum);
};

/** Waits until the API has started a request: it counts it before it reads the body. */
async function begun(before: number): Promise<void> {
  while ((await writes()) <= before);
}

test('a change with a slow body is later than the changes made in the meantime', async () => {
  const { id } = await buildArticle(api, tenant.secretKey, {});
  const before = await writes();
  let quick: Answer | undefined;
  const slow = await slowly('PATCH', `/articles/${id}`, { title: 'Slow' }, async () => {
    await begun(before);
    clock.advance(1_000);
    quick = await call('PATCH', `/articles/${id}`, { title: 'Quick' });
    clock.advance(1_000);
  });
  const [first, second] = [quick?.data.updated_at, slow.json.data.updated_at];
  expect(Date.parse(second) - Date.parse(first)).toBe(1_000);
  const { data } = await call('GET', `/articles?updated_since=${second}&fields=id`);
  expect(data.items).toEqual([{ id }]);
});

test('a time is compared with the moment at which the request is complete', async () => {
  const { id } = await buildArticle(api, tenant.secretKey, { title: 'In time', content: 'Text.' });
  const soon = new Date(clock.now().getTime() + 500).toISOString();
  const schedule = { scheduled_publish_at: soon };
  let before = await writes();
  const late = async (): Promise<void> => {
    await begun(before);
    clock.advance(1_000);
  };
  const refused = await slowly('POST', `/articles/${id}/schedule`, schedule, late);
  expect([refused.status, Object.keys(refused.json.error.fields)]).toEqual([422, ['scheduled_publish_at']]);
  before = await writes();
  const next = new Date(clock.now().getTime() + 500).toISOString();
  const published = await slowly('POST', `/articles/${id}/publish`, { published_at: next }, late);
  expect([published.status, published.json.data.published_at]).toEqual([200, next]);
});

test('no change of an article is earlier than the previous one, even if the process’s clock lags', async () => {
  const category = await buildTerm(api, tenant.secretKey, 'categories');
  const { id } = await buildPublished(api, tenant.secretKey, { category_id: category.id });
  const published = (await call('GET', `/articles/${id}`)).data;
  clock.advance(-3_000);
  try {
    const changes = [
      () => call('PATCH', `/articles/${id}`, { content: 'Behind.' }),
      () => call('POST', `/articles/${id}/unpublish`),
      () => call('POST', `/articles/${id}/schedule`, { scheduled_publish_at: '2099-01-01T00:00:00Z' }),
      () => call('POST', `/articles/${id}/cancel-schedule`),
      () => call('POST', `/articles/${id}/publish`),
      () => call('DELETE', `/categories/${category.id}`),
    ];
    for (const change of changes) {
      expect((await change()).status).toBeLessThan(300);
      const { data } = await call('GET', `/articles/${id}`);
      expect([data.updated_at, data.content_updated_at]).toEqual([
        published.updated_at,
        published.updated_at,
      ]);
    }
  } finally {
    clock.advance(3_000);
  }
});
