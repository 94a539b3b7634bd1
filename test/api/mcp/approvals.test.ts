import { useApi } from '../../support/api.ts';
import { buildAgent, decideAs } from '../../support/approvals.ts';
import { buildArticle, buildTenant } from '../../support/builders.ts';
import type { Tenant } from '../../support/builders.ts';
import { connectMcp, textOf } from '../../support/mcp.ts';
import type { Era, McpClient } from '../../support/mcp.ts';

const api = await useApi();
let tenant: Tenant;
let agent: string;
const open: McpClient[] = [];

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  agent = (await buildAgent(api, tenant)).secret;
});
afterEach(() => Promise.all(open.splice(0).map((client) => client.close())));

async function connect(era: Era, onUrl?: Parameters<typeof connectMcp>[3]): Promise<McpClient> {
  const client = await connectMcp(api, agent, era, onUrl);
  open.push(client);
  return client;
}

const article = (): Promise<{ id: string }> => buildArticle(api, tenant.secretKey, { title: 'Tea' });
const statusOf = async (id: string): Promise<number> =>
  (await api.request('GET', `/articles/${id}`, { key: tenant.secretKey })).status;
const pending = async (): Promise<any[]> =>
  (await api.request('GET', '/approvals', { key: tenant.secretKey })).data.items;
const idIn = (url: string): string => url.split('/').at(-1) ?? '';

describe.each(['2025', '2026'] as const)('a client of %s that cannot be asked by URL', (era) => {
  test('gets the address of the approval, and the same call repeated carries it', async () => {
    const client = await connect(era);
    const { id } = await article();
    const asked = await client.call('delete_article', { id });
    expect(asked.isError).toBe(true);
    const [approval] = await pending();
    expect(textOf(asked)).toContain(`${api.origin}/dashboard/${tenant.siteId}/approvals/${approval.id}`);
    // Repeated before the decision it asks nobody anew.
    expect(textOf(await client.call('delete_article', { id: id.toUpperCase() }))).toContain(approval.id);
    expect(await pending()).toHaveLength(1);
    expect(await statusOf(id)).toBe(200);
    await decideAs(api, tenant.secretKey, approval.id);
    expect((await client.call('delete_article', { id })).isError).toBeUndefined();
    expect(await statusOf(id)).toBe(404);
  });

  test('a denial is told, and nothing is done', async () => {
    const client = await connect(era);
    const { id } = await article();
    await client.call('delete_article', { id });
    await decideAs(api, tenant.secretKey, (await pending())[0].id, 'deny');
    const denied = await client.call('delete_article', { id });
    expect([denied.isError, textOf(denied)]).toEqual([true, expect.stringContaining('APPROVAL_DENIED')]);
    expect(await pending()).toHaveLength(1);
    expect(await statusOf(id)).toBe(200);
  });

  test('a denial of a call with a body is told too, and of that body alone', async () => {
    const client = await connect(era);
    const call = (name: string) =>
      client.call('call_operation', {
        operation_id: 'createKey',
        arguments: { body: { name, kind: 'secret', scopes: ['articles:read'] } },
      });
    await call('one');
    await decideAs(api, tenant.secretKey, (await pending())[0].id, 'deny');
    expect(textOf(await call('one'))).toContain('APPROVAL_DENIED');
    expect(textOf(await call('other'))).toContain('APPROVAL_REQUIRED');
    // Ten minutes later the person may want it.
    await api.db.pool.query(
      `update approvals set decided_at = now() - interval '11 minutes' where status = 'denied'`,
    );
    expect(textOf(await call('one'))).toContain('APPROVAL_REQUIRED');
  });

  test('an approval that has expired is asked for anew', async () => {
    const client = await connect(era);
    const { id } = await article();
    await client.call('delete_article', { id });
    const [{ id: approval }] = await pending();
    await decideAs(api, tenant.secretKey, approval);
    await api.db.pool.query('update approvals set expires_at = now() where id = $1', [approval]);
    expect(textOf(await client.call('delete_article', { id }))).toContain('APPROVAL_REQUIRED');
    expect(await statusOf(id)).toBe(200);
  });

  test('an approval is for that body alone', async () => {
    const client = await connect(era);
    const call = (name: string) =>
      client.call('call_operation', { operation_id: 'createKey', arguments: { body: keyNamed(name) } });
    const keyNamed = (name: string) => ({ name, kind: 'secret', scopes: ['articles:read'] });
    const first = await call('one');
    expect(textOf(first)).toContain('APPROVAL_REQUIRED');
    await decideAs(api, tenant.secretKey, (await pending())[0].id);
    expect(textOf(await call('other'))).toContain('APPROVAL_REQUIRED');
    expect(await pending()).toHaveLength(2);
    expect((await call('one')).isError).toBeUndefined();
    // Used up.
    expect(textOf(await call('one'))).toContain('APPROVAL_REQUIRED');
  });

  test('an approval is for the version that the person saw', async () => {
    const client = await connect(era);
    const { id } = await article();
    await client.call('delete_article', { id });
    await decideAs(api, tenant.secretKey, (await pending())[0].id);
    await api.request('PATCH', `/articles/${id}`, { key: tenant.secretKey, body: { title: 'Other' } });
    const late = await client.call('delete_article', { id });
    expect(textOf(late)).toContain('APPROVAL_REQUIRED');
    expect(await statusOf(id)).toBe(200);
    const [anew] = await pending();
    expect([anew.status, textOf(late)]).toEqual(['pending', expect.stringContaining(anew.id)]);
    await decideAs(api, tenant.secretKey, anew.id);
    expect((await client.call('delete_article', { id })).isError).toBeUndefined();
  });
});

test('a client of 2026 is asked by URL; the retry waits for the person and is carried out', async () => {
  const opened: string[] = [];
  const client = await connect('2026', async (url) => {
    opened.push(url);
    setTimeout(() => void decideAs(api, tenant.secretKey, idIn(url)), 700);
    return 'accept';
  });
  const { id } = await article();
  const result = await client.call('delete_article', { id });
  expect([textOf(result), result.isError]).toEqual(['Done.', undefined]);
  expect(opened).toEqual([expect.stringContaining(`/dashboard/${tenant.siteId}/approvals/`)]);
  expect(await pending()).toHaveLength(1);
  expect(await statusOf(id)).toBe(404);
});

test('what the client answers decides nothing: without the person nothing is done', async () => {
  const client = await connect('2026', async (url) => {
    setTimeout(() => void decideAs(api, tenant.secretKey, idIn(url), 'deny'), 300);
    return 'accept';
  });
  const { id } = await article();
  const result = await client.call('delete_article', { id });
  expect(textOf(result)).toContain('APPROVAL_DENIED');
  expect(await statusOf(id)).toBe(200);
});

test('an approval cannot be decided by the agent that asked for it', async () => {
  const client = await connect('2026');
  const { id } = await article();
  await client.call('delete_article', { id });
  const [{ id: approval }] = await pending();
  for (const operation of ['approveApproval', 'denyApproval']) {
    const result = await client.call('call_operation', {
      operation_id: operation,
      arguments: { id: approval },
    });
    expect(result.isError).toBe(true);
  }
  expect((await pending())[0].status).toBe('pending');
});

test('an agent of the operation index: a person’s own key needs no approval', async () => {
  agent = tenant.secretKey;
  const client = await connect('2026');
  const { id } = await article();
  expect((await client.call('delete_article', { id })).isError).toBeUndefined();
  expect(await statusOf(id)).toBe(404);
});
