import { forgetLimits } from '../../support/limits.ts';
import { useApi } from '../../support/api.ts';
import { buildAgent } from '../../support/approvals.ts';
import { buildTenant } from '../../support/builders.ts';
import { connectMcp, eras } from '../../support/mcp.ts';

const api = await useApi();
const tenant = await buildTenant(api.db);
const { secret: agent } = await buildAgent(api, tenant);

beforeEach(() => forgetLimits(api.db, tenant.siteId));

/** The status, and what was answered as JSON or as an event. */
async function send(method: string, params: object, id: number | null = 1): Promise<[number, any]> {
  const answer = await fetch(`${api.origin}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${agent}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...(id !== null && { id }), method, params }),
  });
  const text = (await answer.text()).replace(/^event: message\ndata: /, '');
  return [answer.status, text === '' ? null : JSON.parse(text)];
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const members = (count: number) => Object.fromEntries(numbers(count).map((each) => [`m${each}`, each]));

const tooMany = { code: -32602, message: expect.stringContaining('1,000 values') };

test.each([
  ['prompts/get', { name: 'edit_for_clarity', arguments: members(49_900) }],
  [
    'initialize',
    {
      protocolVersion: '2025-06-18',
      clientInfo: { name: 'test', version: '1' },
      capabilities: { experimental: members(45_000) },
    },
  ],
  ['tools/call', { name: 'get_site', arguments: { id: numbers(2_000) } }],
  ['tools/call', { name: 'get_site', arguments: {}, inputResponses: { body: members(2_000) } }],
  // Only tools have bodies.
  ['prompts/get', { name: 'edit_for_clarity', arguments: { body: members(2_000) } }],
  ['no/method', { nested: numbers(500).map((each) => ({ each: [each] })) }],
])('%s with very many values is refused, and the limit is named', async (method, params) => {
  expect(await send(method, params)).toEqual([200, { jsonrpc: '2.0', id: 1, error: tooMany }]);
});

test('1,000 values are looked at, and one more is refused', async () => {
  // Four are those of the message, and one is the list.
  expect((await send('ping', { list: numbers(995) }))[1]).toHaveProperty('result');
  expect((await send('ping', { list: numbers(996) }))[1].error).toEqual(tooMany);
});

test('a notification has no id, so it is refused by the status', async () => {
  const [status, answer] = await send('notifications/cancelled', { list: numbers(2_000) }, null);
  expect([status, answer]).toEqual([400, { jsonrpc: '2.0', id: null, error: tooMany }]);
});

test('the body of an operation may have as many values as over HTTP', async () => {
  const body = { title: 'Large', tag_ids: numbers(40_000) };
  const direct = { name: 'create_article', arguments: { body } };
  const handedOn = {
    name: 'call_operation',
    arguments: { operation_id: 'createArticle', arguments: { body } },
  };
  for (const params of [direct, handedOn]) {
    const [status, { result }] = await send('tools/call', params);
    expect([status, result.isError]).toEqual([200, true]);
    expect(result.content[0].text).toMatch(/^VALIDATION_FAILED: [^]*\ntag_ids: /);
  }
});

test.each(eras)('a client of %s shows the limit', async (era) => {
  const client = await connectMcp(api, agent, era);
  const given = Object.fromEntries(numbers(2_000).map((each) => [`m${each}`, 'x']));
  await expect(client.prompt('edit_for_clarity', given)).rejects.toThrow('1,000 values');
  await client.close();
});

test('a few mistakes are named, and very many are not read', async () => {
  const given = (count: number) =>
    send('prompts/get', { name: 'edit_for_clarity', arguments: members(count) });
  const [, few] = await given(12);
  expect(few.error.message.split('\n')).toHaveLength(10);
  const [, many] = await given(900);
  expect(many.error).toEqual({ code: -32602, message: expect.stringMatching(/^params: have too many/) });
  const long = { name: 'edit_for_clarity', arguments: { ['n'.repeat(100_000)]: 5 } };
  expect((await send('prompts/get', long))[1].error).toEqual(many.error);
});
