import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '../../../../api/operations.ts';
import { describeTool } from '../../../../api/mcp/tools/describe.ts';
import { gatedOperations } from '../../../../domain/approvals/gated-operations.ts';
import { root } from '../../../../runtime/home.ts';
import { useApi } from '../../../support/api.ts';
import { approved, ask, buildAgent, sendAs } from '../../../support/approvals.ts';
import { buildArticle, buildPublished, buildTenant, buildTerm } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { readJob, sendJob, work } from '../../../support/bulk.ts';
import { connectionWrite } from '../../../support/connection-write.ts';

const api = await useApi();
let tenant: Tenant;
let agent: string;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  agent = (await buildAgent(api, tenant)).secret;
});

const person = (method: string, path: string, body?: object) =>
  api.request(method, path, { key: tenant.secretKey, body, idempotencyKey: true });
const choose = (approval_operations: readonly string[]) =>
  person('PATCH', '/organisation', { approval_operations });
const later = { scheduled_publish_at: '2099-01-01T00:00:00Z' };

/** What an agent's call is answered: its status, and the action that a person has to approve. */
async function asked(method: string, path: string, body?: object) {
  const { status, data } = await sendAs(api, agent, { method, path, options: { body } });
  return [status, data?.approval?.action];
}

describe('what readers see', () => {
  const articles = { draft: '', scheduled: '', published: '' };

  beforeEach(async () => {
    const content = { content: 'Text' };
    articles.draft = (await buildArticle(api, tenant.secretKey, { title: 'Draft' })).id;
    articles.scheduled = (await buildArticle(api, tenant.secretKey, { title: 'Scheduled', ...content })).id;
    articles.published = (await buildPublished(api, tenant.secretKey)).id;
    await person('POST', `/articles/${articles.scheduled}/schedule`, later);
  });

  test('an edit waits for a person if the article is published or scheduled; a draft does not', async () => {
    await choose(['article.update_published']);
    const body = { title: 'Edited' };
    expect(await asked('PATCH', `/articles/${articles.draft}`, body)).toEqual([200, undefined]);
    for (const shown of [articles.published, articles.scheduled]) {
      const waits = [202, 'article.update_published'];
      expect(await asked('PATCH', `/articles/${shown}`, body)).toEqual(waits);
      expect(await asked('POST', `/articles/${shown}/revisions/1/restore`)).toEqual(waits);
      expect((await asked('POST', `/articles/${shown}/revisions/77/restore`))[0]).toBe(404);
    }
    expect(await asked('POST', `/articles/${articles.draft}/revisions/1/restore`)).toEqual([200, undefined]);
    expect((await person('PATCH', `/articles/${articles.published}`, body)).status).toBe(200);
  });

  test('to cancel a schedule is to schedule', async () => {
    await choose(['article.schedule', 'pending_edit.schedule']);
    const pending = `/articles/${articles.published}/pending`;
    const waits = [202, 'pending_edit.schedule'];
    expect(await asked('POST', `/articles/${articles.scheduled}/cancel-schedule`)).toEqual([
      202,
      'article.schedule',
    ]);
    expect(await asked('PATCH', pending, { title: 'Edited' })).toEqual([200, undefined]);
    expect(await asked('POST', `${pending}/schedule`, { scheduled_at: later.scheduled_publish_at })).toEqual(
      waits,
    );
    await person('POST', `${pending}/schedule`, { scheduled_at: later.scheduled_publish_at });
    expect(await asked('PATCH', pending, { title: 'Edited again' })).toEqual(waits);
    expect(await asked('DELETE', pending)).toEqual(waits);
    expect(await asked('POST', `${pending}/cancel-schedule`)).toEqual(waits);
    await person('POST', `${pending}/cancel-schedule`);
    expect(await asked('DELETE', pending)).toEqual([204, undefined]);
  });

  test('a bulk job waits for what its action waits for, and else for articles.bulk', async () => {
    const tag_ids = [(await buildTerm(api, tenant.secretKey, 'tags')).id];
    const job = (action: string, id: string, rest: object = {}) =>
      asked('POST', '/articles/bulk', { action, article_ids: [id], ...rest });
    const { draft, published, scheduled } = articles;
    await choose(['article.publish', 'article.schedule', 'article.unpublish', 'article.update_published']);
    expect(await job('publish', draft)).toEqual([202, 'article.publish']);
    expect(await job('unpublish', published)).toEqual([202, 'article.unpublish']);
    expect(await job('schedule', draft, later)).toEqual([202, 'article.schedule']);
    expect(await job('add_tags', published, { tag_ids })).toEqual([202, 'article.update_published']);
    expect(await job('set_author', scheduled, { author_id: null })).toEqual([
      202,
      'article.update_published',
    ]);
    expect(await job('add_tags', draft, { tag_ids })).toEqual([202, undefined]);
    await choose(['articles.bulk', 'article.delete']);
    expect(await job('add_tags', draft, { tag_ids })).toEqual([202, 'articles.bulk']);
    expect(await job('publish', draft)).toEqual([202, 'articles.bulk']);
    expect(await job('delete', draft)).toEqual([202, 'article.delete']);
  });

  test('a draft of a bulk job that is published before its turn is left alone', async () => {
    await choose(['article.update_published']);
    const body = { action: 'set_category', article_ids: [articles.draft], category_id: null };
    const { data: job } = await sendJob(api, agent, body);
    await person('PATCH', `/articles/${articles.draft}`, { content: 'Text' });
    expect((await person('POST', `/articles/${articles.draft}/publish`)).status).toBe(200);
    await work(api, tenant.siteId, job.id);
    const { items } = await readJob(api, agent, job.id);
    expect(items).toMatchObject([{ status: 'failed', error: { code: 'APPROVAL_INVALID' } }]);
  });
});

describe('an item of the content plan', () => {
  const refused = [403, 'FORBIDDEN'];
  const send = async (method: string, path: string, body: object) => {
    const { status, json } = await api.request(method, path, { key: agent, body });
    return [status, json.error?.code];
  };

  test('is not approved by an agent, neither when it is created nor later, nor again', async () => {
    expect(await send('POST', '/content-plan', { title: 'Tea', status: 'approved' })).toEqual(refused);
    const { data: item } = await person('POST', '/content-plan', { title: 'Tea' });
    const path = `/content-plan/${item.id}`;
    expect(await send('PATCH', path, { status: 'approved' })).toEqual(refused);
    expect(await send('PATCH', `/content-plan/${tenant.siteId}`, { status: 'approved' })).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect(await send('PATCH', path, { status: 'rejected' })).toEqual([200, undefined]);
    expect((await person('PATCH', path, { status: 'approved' })).status).toBe(200);
    expect(await send('PATCH', path, { status: 'approved', notes: 'Soon' })).toEqual(refused);
    expect(await send('PATCH', path, { notes: 'Soon' })).toEqual([200, undefined]);
  });
});

test('the secret of a connection is bound to its approval, and neither stored nor shown with it', async () => {
  const request = { method: 'POST', path: '/delivery/connections', options: { body: connectionWrite } };
  const id = await ask(api, agent, request);
  const { data } = await person('GET', `/approvals/${id}`);
  expect(data.body).toEqual({ ...connectionWrite, secret: '(secret)' });
  const { rows } = await api.db.pool.query('select body from approvals where id = $1', [id]);
  expect(JSON.stringify(rows)).not.toContain(connectionWrite.secret);
  const allowed = await approved(api, tenant, agent, request);
  const other = { ...connectionWrite, secret: connectionWrite.secret.replace('a1', 'z9') };
  const answer = await sendAs(api, agent, { ...request, options: { body: other } }, allowed);
  expect([answer.status, answer.json.error.code]).toEqual([409, 'APPROVAL_INVALID']);
  expect((await sendAs(api, agent, request, allowed)).data.secret_set).toBe(true);
});

describe('the documents', () => {
  test('docs/agents.md names every gate, and no other', () => {
    const text = readFileSync(join(root, 'docs/agents.md'), 'utf8');
    const named = [...text.matchAll(/^\| `([a-z_]+\.[a-z_]+)` /gm)].map(([, gate]) => gate);
    expect(named.toSorted()).toEqual(gatedOperations.toSorted());
  });

  test('a tool says for what a person has to agree, and no other tool does', () => {
    for (const one of operations) {
      if (one.keyless) continue;
      const { description } = describeTool(one);
      expect([one.id, description.includes('A person has to agree first')]).toEqual([
        one.id,
        one.approval !== undefined,
      ]);
      for (const action of one.approval?.actions ?? []) expect(description).toContain(action);
    }
  });
});
