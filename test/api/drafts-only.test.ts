import { useApi } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { buildAgent } from '../support/approvals.ts';
import { buildArticle, buildKey, buildPublished, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { readJob, sendJob, work } from '../support/bulk.ts';
import { poll, startDeviceSignIn } from '../support/device.ts';
import { noise } from '../support/images.ts';
import { connectMcp, eras, textOf } from '../support/mcp.ts';
import { registerUpload, uploadBytes } from '../support/uploads.ts';

const api = await useApi();
let tenant: Tenant;
/** A key for drafts. */
let drafts: { readonly id: string; readonly secret: string };

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  drafts = await buildKey(api.db, tenant.siteId, tenant.memberId, { draftsOnly: true });
});

const call = (key: string, method: string, path: string, body?: object): Promise<Answer> =>
  api.request(method, path, { key, body, ...(method === 'POST' && { idempotencyKey: true as const }) });
const newKey = { name: 'New', kind: 'secret', scopes: ['articles:read', 'articles:write'] };
const refusal = ({ status, json }: Answer) => [status, json?.error?.code];
const insufficient = [403, 'INSUFFICIENT_SCOPE'];

describe('a key for drafts', () => {
  test('is made by its member, is shown, and is none by default', async () => {
    const made = await call(tenant.secretKey, 'POST', '/keys', { ...newKey, drafts_only: true });
    const plain = await call(tenant.secretKey, 'POST', '/keys', newKey);
    expect([made.data.drafts_only, plain.data.drafts_only]).toEqual([true, false]);
    const { items } = (await call(tenant.secretKey, 'GET', '/keys')).data;
    const shown = new Map(items.map((key: any) => [key.id, key.drafts_only]));
    expect([shown.get(made.data.id), shown.get(plain.data.id)]).toEqual([true, false]);
  });

  test('is never publishable', async () => {
    const body = { ...newKey, kind: 'publishable', scopes: ['articles:read'] };
    const asked = await call(tenant.secretKey, 'POST', '/keys', { ...body, drafts_only: true });
    expect([asked.status, Object.keys(asked.json.error.fields)]).toEqual([422, ['drafts_only']]);
    const inherited = await call(drafts.secret, 'POST', '/keys', body);
    expect([inherited.status, Object.keys(inherited.json.error.fields)]).toEqual([422, ['kind']]);
    const wrong = await call(tenant.secretKey, 'POST', '/keys', { ...newKey, drafts_only: 'yes' });
    expect([wrong.status, Object.keys(wrong.json.error.fields)]).toEqual([422, ['drafts_only']]);
  });

  test('makes keys for drafts, whatever it asks for, and they do too', async () => {
    const child = (await call(drafts.secret, 'POST', '/keys', { ...newKey, drafts_only: false })).data;
    expect(child.drafts_only).toBe(true);
    const carrying = { ...newKey, scopes: ['keys:write', 'articles:write'] };
    const manager = (await call(drafts.secret, 'POST', '/keys', carrying)).data;
    expect((await call(manager.secret, 'POST', '/keys', newKey)).data.drafts_only).toBe(true);
    const { id } = await buildArticle(api, child.secret);
    expect(refusal(await call(child.secret, 'POST', `/articles/${id}/publish`))).toEqual(insufficient);
  });

  test('rotates keys for drafts alone, and stays one', async () => {
    const plain = (await call(tenant.secretKey, 'POST', '/keys', newKey)).data;
    expect(refusal(await call(drafts.secret, 'POST', `/keys/${plain.id}/rotate`))).toEqual(insufficient);
    const other = (await call(tenant.secretKey, 'POST', '/keys', { ...newKey, drafts_only: true })).data;
    for (const id of [other.id, drafts.id]) {
      const rotated = await call(drafts.secret, 'POST', `/keys/${id}/rotate`);
      expect([rotated.status, rotated.data.drafts_only]).toEqual([200, true]);
    }
    const byOwner = await call(tenant.secretKey, 'POST', `/keys/${other.id}/rotate`);
    expect(byOwner.data.drafts_only).toBe(true);
    const draft = await buildArticle(api, byOwner.data.secret, { title: 'T', slug: 't', content: 'C' });
    expect(refusal(await call(byOwner.data.secret, 'POST', `/articles/${draft.id}/publish`))).toEqual(
      insufficient,
    );
  });

  test.each([
    ['the device asks for it', true, () => tenant.secretKey, true],
    ['the deciding key is one', false, () => drafts.secret, true],
    ['neither', false, () => tenant.secretKey, false],
  ] as const)('results from the sign-in of a device if %s', async (_why, asks, decidingKey, expected) => {
    const started = await startDeviceSignIn(api, { drafts_only: asks });
    const decided = await call(decidingKey(), 'POST', '/auth/device/approve', {
      user_code: started.user_code,
    });
    expect(decided.status).toBe(200);
    expect((await poll(api, started)).data.key.drafts_only).toBe(expected);
  });

  test('is limited as its person would be without articles.publish, by an agent or not', async () => {
    const agent = await buildAgent(api, tenant, { draftsOnly: true });
    const { id } = await buildPublished(api, tenant.secretKey);
    for (const { secret } of [drafts, agent]) {
      const answer = await call(secret, 'PATCH', `/articles/${id}`, { title: 'Other' });
      expect(refusal(answer)).toEqual(insufficient);
      expect(answer.json.error.message).toMatch(/articles\.publish.*PATCH \/articles\/\{id\}\/pending/);
      expect((await call(secret, 'PATCH', `/articles/${id}/pending`, { title: 'Mine' })).status).toBe(200);
      expect((await call(secret, 'DELETE', `/articles/${id}/pending`)).status).toBe(204);
    }
    expect((await call(tenant.secretKey, 'GET', '/approvals')).data.items).toEqual([]);
  });

  test('approves no item of the content plan, nor makes an approved one', async () => {
    const agent = await buildAgent(api, tenant, { draftsOnly: true });
    for (const [key, code] of [
      [drafts.secret, 'INSUFFICIENT_SCOPE'],
      [agent.secret, 'FORBIDDEN'],
    ] as const) {
      const approved = { title: 'Tea', status: 'approved' };
      expect(refusal(await call(key, 'POST', '/content-plan', approved))).toEqual([403, code]);
      const { id } = (await call(key, 'POST', '/content-plan', { title: 'Tea' })).data;
      const update = await call(key, 'PATCH', `/content-plan/${id}`, { status: 'approved' });
      expect(refusal(update)).toEqual([403, code]);
      expect((await call(key, 'PATCH', `/content-plan/${id}`, { title: 'Green tea' })).status).toBe(200);
    }
  });

  test('describes its own uploads alone, whatever secret it has now', async () => {
    const bytes = new Uint8Array(await noise(8, 8).jpeg().toBuffer());
    const upload = async (key: string) =>
      (await registerUpload(api, key, await uploadBytes(api, key, bytes))).data.id as string;
    const [mine, theirs] = [await upload(drafts.secret), await upload(tenant.secretKey)];
    const { secret } = (await call(drafts.secret, 'POST', `/keys/${drafts.id}/rotate`)).data;
    const describe = (key: string, id: string) =>
      call(key, 'PATCH', `/media/${id}`, { alt_text: 'A teapot' });
    expect((await describe(secret, mine)).data.alt_text).toBe('A teapot');
    expect(refusal(await describe(secret, theirs))).toEqual(insufficient);
    expect((await describe(tenant.secretKey, mine)).status).toBe(200);
  });

  test('starts bulk jobs, whose items are drafts alone, and cancels its own', async () => {
    const draft = (await buildArticle(api, tenant.secretKey)).id;
    const shown = (await buildPublished(api, tenant.secretKey)).id;
    const { data: job } = await sendJob(api, drafts.secret, {
      action: 'delete',
      article_ids: [draft, shown],
    });
    await work(api, tenant.siteId, job.id);
    expect((await readJob(api, tenant.secretKey, job.id)).items).toMatchObject([
      { status: 'done' },
      { status: 'failed', error: { code: 'INSUFFICIENT_SCOPE' } },
    ]);
    const started = async (key: string) =>
      (await sendJob(api, key, { action: 'unpublish', article_ids: [shown] })).data.id as string;
    const [mine, theirs] = [await started(drafts.secret), await started(tenant.secretKey)];
    expect((await call(drafts.secret, 'POST', `/articles/bulk/${mine}/cancel`)).data.status).toBe(
      'cancelled',
    );
    expect(refusal(await call(drafts.secret, 'POST', `/articles/bulk/${theirs}/cancel`))).toEqual(
      insufficient,
    );
  });
});

describe.each(eras)('a client of MCP of %s with a key for drafts', (era) => {
  const publishing = [
    'publish_article',
    'schedule_article',
    'unpublish_article',
    'publish_pending_edit',
    'approve_comment',
    'mark_comment_as_spam',
    'reply_to_comment',
  ];
  const connect = async () =>
    connectMcp(api, (await buildAgent(api, tenant, { draftsOnly: true })).secret, era);

  test('is listed no tool that it can never call, and finds none', async () => {
    const client = await connect();
    const names = (await client.tools()).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['create_article', 'update_article', 'update_pending_edit']),
    );
    expect(names.filter((name) => publishing.includes(name))).toEqual([]);
    const found = await client.call('find_operation', { query: 'publish schedule pending edit' });
    const ids = found.structuredContent.operations.map((one: any) => one.operation_id);
    expect(ids).toContain('updatePendingEdit');
    expect(ids.filter((id: string) => /^(publish|schedule|cancel)/.test(id))).toEqual([]);
    await client.close();
  });

  test('learns in one sentence which tool to call instead', async () => {
    const { id } = await buildPublished(api, tenant.secretKey);
    const client = await connect();
    const refused = await client.call('update_article', { id, body: { title: 'Mine' } });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toMatch(
      /^INSUFFICIENT_SCOPE: .*articles\.publish\. update_pending_edit keeps your edit/,
    );
    const kept = await client.call('update_pending_edit', { id, body: { title: 'Mine' } });
    expect(kept.structuredContent.article.title).toBe('Mine');
    await client.close();
  });
});
