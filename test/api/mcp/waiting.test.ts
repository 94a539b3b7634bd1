import { useApi } from '../../support/api.ts';
import { buildAgent, decideAs } from '../../support/approvals.ts';
import { buildArticle, buildTenant } from '../../support/builders.ts';
import type { Tenant } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';

const api = await useApi();
let tenant: Tenant;
let agent: string;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  agent = (await buildAgent(api, tenant)).secret;
});

/** A call of 2026-07-28 by a client that opens addresses. */
async function send(given: object, key: string, retry: object = {}, signal?: AbortSignal): Promise<any> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
  };
  const params = { name: 'delete_article', arguments: given, ...retry, _meta };
  const answer = await fetch(`${api.origin}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'delete_article',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    ...(signal && { signal }),
  });
  return answer.json();
}

interface Asked {
  readonly given: { readonly id: string };
  readonly approval: string;
  readonly retry: { readonly requestState: string; readonly inputResponses: object };
}

async function ask(): Promise<Asked> {
  const { id } = await buildArticle(api, tenant.secretKey, { title: 'Tea' });
  const { result } = await send({ id }, agent);
  expect(result.resultType).toBe('input_required');
  const { url } = result.inputRequests.decision.params;
  const inputResponses = { decision: { action: 'accept' } };
  const retry = { requestState: result.requestState, inputResponses };
  return { given: { id }, approval: url.split('/').at(-1), retry };
}

/** A call that is told at once, because nobody opens the address. */
const decline = ({ given, retry }: Asked): Promise<any> =>
  send(given, agent, { ...retry, inputResponses: { decision: { action: 'decline' } } });

/** Whether a call still waits when several later ones, which do not wait, have been answered. */
async function waits(call: Promise<unknown>, asked: Asked): Promise<boolean> {
  let ended = false;
  void call.finally(() => (ended = true));
  for (let later = 0; later < 5; later += 1) await decline(asked);
  return !ended;
}

/** The answer to a call that does not wait for the person: that takes ten seconds on any machine. */
async function atOnce(call: () => Promise<any>): Promise<any> {
  let answer: any;
  await eventually('it is told at once', async () => {
    const began = performance.now();
    answer = await call();
    return performance.now() - began < 4_000;
  });
  return answer;
}

test('ten calls of a Site wait for its people, and the next is told at once', async () => {
  const { given, approval, retry } = await ask();
  const calls = Array.from({ length: 11 }, () => send(given, agent, retry));
  expect((await Promise.race(calls)).result.resultType).toBe('input_required');
  await decideAs(api, tenant.secretKey, approval);
  const results = (await Promise.all(calls)).map(({ result }) => result);
  expect(results.filter(({ resultType }) => resultType === 'input_required')).toHaveLength(1);
  // Of calls that carry one approval, one is carried out.
  expect(results.filter(({ content }) => content?.[0].text === 'Done.')).toHaveLength(1);
});

test('a call whose client has gone waits no longer', async () => {
  const asked = await ask();
  const { given, approval, retry } = asked;
  const gone = new AbortController();
  const calls = Array.from({ length: 11 }, () => send(given, agent, retry, gone.signal).catch(() => 'gone'));
  // One of them has no room, so the others wait.
  expect((await Promise.race(calls)).result.resultType).toBe('input_required');
  gone.abort();
  expect((await Promise.all(calls)).filter((answer) => answer === 'gone')).toHaveLength(10);
  let waiting = Promise.resolve<any>(undefined);
  await eventually('there is room again', async () => {
    waiting = send(given, agent, retry);
    return await waits(waiting, asked);
  });
  await decideAs(api, tenant.secretKey, approval);
  expect((await waiting).result.content[0].text).toBe('Done.');
});

test('a state is of the key that it was made for, and of that call', async () => {
  const { given, approval, retry } = await ask();
  await decideAs(api, tenant.secretKey, approval);
  const other = (await buildAgent(api, tenant)).secret;
  const stolen = await send(given, other, retry);
  expect(stolen.error?.code).toBe(-32602);
  const elsewhere = await buildArticle(api, tenant.secretKey, { title: 'Other' });
  const another = await send({ id: elsewhere.id }, agent, retry);
  expect(another.result.resultType).toBe('input_required');
  for (const id of [given.id, elsewhere.id])
    expect((await api.request('GET', `/articles/${id}`, { key: agent })).status).toBe(200);
  expect((await send(given, agent, retry)).result.content[0].text).toBe('Done.');
});

test('a state of a call that waits is of no use to another call, which asks for itself', async () => {
  const { approval, retry } = await ask();
  const elsewhere = await buildArticle(api, tenant.secretKey, { title: 'Other' });
  const { result } = await atOnce(() => send({ id: elsewhere.id }, agent, retry));
  const { url } = result.inputRequests.decision.params;
  expect(url).not.toContain(approval);
  const { data } = await api.request('GET', `/approvals/${url.split('/').at(-1)}`, { key: tenant.secretKey });
  expect(data.path).toBe(`/articles/${elsewhere.id}`);
});

test('a state is taken only as it was given out', async () => {
  const { given, approval, retry } = await ask();
  await decideAs(api, tenant.secretKey, approval);
  const { requestState: state } = retry;
  const flipped = (at: number) => state.slice(0, at) + (state[at] === 'A' ? 'B' : 'A') + state.slice(at + 1);
  const wrong = [`${state}x`, `${state}=`, ` ${state}`, `${state}AAAA`, state.slice(0, -1), flipped(0)];
  for (const requestState of [...wrong, flipped(20), flipped(state.length - 1)]) {
    const answer = await send(given, agent, { ...retry, requestState });
    expect([requestState, answer.error?.code]).toEqual([requestState, -32602]);
  }
  expect((await send(given, agent, retry)).result.content[0].text).toBe('Done.');
});

test('where nobody opens the address, the call says so at once, and the person still decides', async () => {
  const { given, approval, retry } = await ask();
  for (const action of ['decline', 'cancel']) {
    const inputResponses = { decision: { action } };
    const { result } = await atOnce(() => send(given, agent, { ...retry, inputResponses }));
    expect([result.isError, result.content[0].text]).toEqual([true, expect.stringContaining(approval)]);
  }
  await decideAs(api, tenant.secretKey, approval);
  expect((await send(given, agent)).result.content[0].text).toBe('Done.');
});

test('a key that is revoked, or loses its agents’ access, while it waits does nothing', async () => {
  const asked = await ask();
  const { given, approval, retry } = asked;
  const waiting = send(given, agent, retry);
  expect(await waits(waiting, asked)).toBe(true);
  await api.db.pool.query('update organisations set agent_access = false where id = $1', [
    tenant.organisationId,
  ]);
  await decideAs(api, tenant.secretKey, approval);
  const { result } = await waiting;
  expect([result.isError, result.content[0].text]).toEqual([
    true,
    expect.stringContaining('AGENT_ACCESS_DISABLED'),
  ]);
  expect((await api.request('GET', `/articles/${given.id}`, { key: tenant.secretKey })).status).toBe(200);
});
