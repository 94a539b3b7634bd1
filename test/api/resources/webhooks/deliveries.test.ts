import { startOnSharedDatabase } from '../../../support/api.ts';
import { startWebhooks } from '../../../support/webhooks.ts';
import type { WebhookStack } from '../../../support/webhooks.ts';

let stack: WebhookStack;
let id: string;
let other: string;
/** Events in the order in which they were sent: refused with 500, not answered, accepted, an accepted ping. */
let sent: string[];

beforeAll(async () => {
  stack = await startWebhooks(startOnSharedDatabase);
  const receiver = await stack.receiver((_, response, count) => {
    if (count === 2) response.destroy();
    else response.writeHead(count === 1 ? 500 : 204).end();
  });
  ({ id } = await stack.endpoint(receiver.url));
  ({ id: other } = await stack.endpoint((await stack.receiver()).url, { events: ['comment.created'] }));
  const publish = async () => {
    const article = await stack.api.request('POST', '/articles', {
      key: stack.tenant.secretKey,
      body: { title: `Article ${Math.random()}`, content: 'x' },
      idempotencyKey: true,
    });
    await stack.request('POST', `/articles/${article.data.id}/publish`);
  };
  for (const act of [publish, publish, publish, () => stack.request('POST', `/webhooks/${id}/ping`)]) {
    await act();
    await stack.deliver(id);
  }
  sent = receiver.seen.map(({ body }) => JSON.parse(body).id);
});
afterAll(() => stack.close());

const list = async (query = '', endpoint = id) =>
  stack.request('GET', `/webhooks/${endpoint}/deliveries${query}`);
const items = async (query = ''): Promise<any[]> => (await list(query)).data.items;

test('each attempt is one row with the specified members, newest first', async () => {
  const rows = await items();
  const row = {
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    event: 'article.published',
    attempt: 1,
    duration_ms: expect.any(Number),
    attempted_at: expect.stringMatching(/\.\d{3}Z$/),
    redelivery: false,
  };
  const failed = { ...row, status: 'failed', next_attempt_at: expect.stringMatching(/\.\d{3}Z$/) };
  const succeeded = { ...row, status: 'succeeded', error: null, next_attempt_at: null, response_status: 204 };
  expect(rows).toEqual([
    { ...succeeded, event_id: sent[3], event: 'ping' },
    { ...succeeded, event_id: sent[2] },
    { ...failed, event_id: sent[1], response_status: null, error: 'connection' },
    { ...failed, event_id: sent[0], response_status: 500, error: null },
  ]);
});

test('the log only has the endpoint’s own rows', async () => {
  expect((await list('', other)).data).toEqual({ items: [], next_cursor: null });
});

test('filters by event_id, status and event, and by all of them', async () => {
  const ids = async (query: string) => (await items(query)).map(({ event_id }) => event_id);
  expect(await ids(`?event_id=${sent[1]}`)).toEqual([sent[1]]);
  expect(await ids('?status=failed')).toEqual([sent[1], sent[0]]);
  expect(await ids('?status=succeeded')).toEqual([sent[3], sent[2]]);
  expect(await ids('?event=ping')).toEqual([sent[3]]);
  expect(await ids('?event=comment.created')).toEqual([]);
  expect(await ids(`?event=article.published&status=succeeded&event_id=${sent[2]}`)).toEqual([sent[2]]);
  expect(await ids(`?status=succeeded&event_id=${sent[1]}`)).toEqual([]);
});

test('pages without a gap or a repetition, and keeps the filter', async () => {
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: any = (await list(`?limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)).data;
    seen.push(...page.items.map(({ event_id }: any) => event_id));
    cursor = page.next_cursor;
  }
  expect(seen).toEqual(sent.toReversed());
  const first = (await list('?status=failed&limit=1')).data;
  const next = encodeURIComponent(first.next_cursor);
  expect((await list(`?status=succeeded&cursor=${next}`)).status).toBe(400);
  expect((await list(`?status=failed&cursor=${next}`)).data.items).toHaveLength(1);
});

test.each(['?status=pending', '?event=article.read', '?event_id=7', '?cursor=x', '?limit=0'])(
  '%s is 400',
  async (query) => {
    const answer = await list(query);
    expect([answer.status, answer.json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  },
);

test('an unknown endpoint is 404', async () => {
  expect((await list('', '00000000-0000-4000-8000-000000000000')).status).toBe(404);
});
