import type { Answer, RequestOptions, TestApi } from './api.ts';
import { buildArticle, buildKey, buildMember, buildPublished } from './builders.ts';
import type { KeyOptions, Tenant } from './builders.ts';
import { noise } from './images.ts';
import { registerUpload, uploadBytes } from './uploads.ts';
import { connectionWrite } from './connection-write.ts';

/** A key held by an agent, of the Site's owner. */
export const buildAgent = (
  api: TestApi,
  tenant: Tenant,
  options: KeyOptions = {},
): Promise<{ secret: string; id: string }> =>
  buildKey(api.db, tenant.siteId, tenant.memberId, { ...options, heldByAgent: true });

/** The secret of an editor's key, who may not decide about approvals. */
export async function buildEditorKey(api: TestApi, tenant: Tenant): Promise<string> {
  const memberId = await buildMember(api.db, tenant.organisationId, 'editor');
  return (await buildKey(api.db, tenant.siteId, memberId)).secret;
}

/** A request that an agent repeats, differing only in the approval. */
export interface AgentRequest {
  readonly method: string;
  readonly path: string;
  readonly options: RequestOptions;
}

/** Sends it, with or without an approval. */
export const sendAs = (api: TestApi, key: string, request: AgentRequest, approvalId?: string) =>
  api.request(request.method, request.path, {
    ...request.options,
    key,
    headers: { ...request.options.headers, ...(approvalId && { 'service-approval': approvalId }) },
  });

/** Sends the agent's request. @returns the approval's id */
export async function ask(api: TestApi, key: string, request: AgentRequest): Promise<string> {
  const answer = await sendAs(api, key, request);
  if (answer.status !== 202 || answer.data.approval === undefined) {
    throw new Error(`expected to be told to wait for approval, got ${answer.status}: ${answer.text}`);
  }
  return answer.data.approval.id as string;
}

export const decideAs = (
  api: TestApi,
  key: string,
  id: string,
  verb: 'approve' | 'deny' = 'approve',
): Promise<Answer> => api.request('POST', `/approvals/${id}/${verb}`, { key });

/** Sends the agent's request, and approves it as the owner. @returns the approval's id */
export async function approved(
  api: TestApi,
  tenant: Tenant,
  key: string,
  request: AgentRequest,
): Promise<string> {
  const id = await ask(api, key, request);
  const answer = await decideAs(api, tenant.secretKey, id);
  if (answer.status !== 200) throw new Error(`not approved: ${answer.text}`);
  return id;
}

/** A request that needs approval, with an existing target. */
export interface GatedExample extends AgentRequest {
  readonly action: string;
  /** The operation's status once it is approved. */
  readonly done: number;
  /** Changes the target's version; null if there is no target. */
  readonly change: ((key: string) => Promise<Answer>) | null;
}

let sequence = 0;

/** A request for a gated operation, with the objects that it needs. */
export async function gatedExample(api: TestApi, tenant: Tenant, action: string): Promise<GatedExample> {
  const key = tenant.secretKey;
  const send = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await api.request(method, path, { key, body, idempotencyKey: true });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.data;
  };
  const example = (
    method: string,
    path: string,
    done: number,
    body?: object,
    change: GatedExample['change'] = null,
  ): GatedExample => {
    const idempotencyKey = `gated-${process.pid}-${(sequence += 1)}`;
    return { action, method, path, done, change, options: { body, idempotencyKey } };
  };
  const patch = (path: string, body: object) => (by: string) => api.request('PATCH', path, { key: by, body });
  const post = (path: string) => (by: string) => api.request('POST', path, { key: by, idempotencyKey: true });
  const pathOf = async (path: string, body: object): Promise<string> =>
    `${path}/${(await send('POST', path, body)).id}`;
  const newKey = { name: 'One', kind: 'secret', scopes: ['articles:read'] };
  const inAYear = { scheduled_publish_at: new Date(Date.now() + 365 * 86_400_000).toISOString() };
  const hook = { url: 'https://receiver.example/hooks', events: ['article.published'] };
  const makers: Readonly<Record<string, () => Promise<GatedExample>>> = {
    'article.delete': async () => {
      const path = await pathOf('/articles', { title: 'To be deleted' });
      return example('DELETE', path, 204, undefined, patch(path, { title: 'Kept' }));
    },
    'media.delete': async () => {
      const image = new Uint8Array(await noise(4, 4).png().toBuffer());
      const uploadId = await uploadBytes(api, key, image, { content_type: 'image/png' });
      const path = `/media/${(await registerUpload(api, key, uploadId)).data.id}`;
      return example('DELETE', path, 204, undefined, patch(path, { alt_text: 'A photo' }));
    },
    'comment.delete': async () => {
      await commented();
      const path = `/comments/${(await send('GET', '/comments')).items[0].id}`;
      return example('DELETE', path, 204, undefined, post(`${path}/hold`));
    },
    'comments.erase': async () => {
      await commented();
      return example('POST', '/comments/erase', 200, { author_email: 'ada@example.com' });
    },
    'key.create': async () => example('POST', '/keys', 201, newKey),
    'key.rotate': async () => {
      const path = await pathOf('/keys', { ...newKey, held_by_agent: true });
      return example('POST', `${path}/rotate`, 200, { grace_seconds: 60 }, post(`${path}/rotate`));
    },
    'key.revoke': async () => {
      const path = await pathOf('/keys', newKey);
      return example('DELETE', path, 204, undefined, post(`${path}/rotate`));
    },
    'webhook.create': async () => example('POST', '/webhooks', 201, hook),
    'webhook.update': async () => {
      const path = await pathOf('/webhooks', hook);
      return example('PATCH', path, 200, { enabled: false }, patch(path, { description: 'Other' }));
    },
    'webhook.rotate_secret': async () => {
      const path = await pathOf('/webhooks', hook);
      return example('POST', `${path}/rotate-secret`, 200, undefined, patch(path, { description: 'Other' }));
    },
    'pipeline.run': async () =>
      example('POST', '/pipeline/runs', 202, { topics: [{ title: 'How to bake bread' }] }),
    'seo_scan.start': async () => {
      await buildPublished(api, key);
      return example('POST', '/seo/scans/on-page', 202);
    },
    'cms.push': async () => {
      const article = await buildArticle(api, key, { title: 'To be pushed' });
      // A Site has at most ten connections.
      const connection =
        (await send('GET', '/delivery/connections')).items[0] ??
        (await send('POST', '/delivery/connections', connectionWrite));
      const body = { connection_id: connection.id, article_ids: [article.id] };
      const change = patch(`/articles/${article.id}`, { title: 'Changed' });
      return example('POST', '/delivery/cms/push', 202, body, change);
    },
    'autopilot.update': async () => {
      const path = '/content-plan/autopilot';
      return example('PATCH', path, 200, { items: 3 }, patch(path, { items: (sequence % 7) + 4 }));
    },
    'article.publish': async () => {
      const path = await pathOf('/articles', { title: 'To be published', content: 'Text' });
      return example('POST', `${path}/publish`, 200, undefined, patch(path, { title: 'Other' }));
    },
    'article.unpublish': async () => {
      const path = `/articles/${(await buildPublished(api, key)).id}`;
      return example('POST', `${path}/unpublish`, 200, undefined, patch(path, { title: 'Other' }));
    },
    'article.schedule': async () => {
      const path = await pathOf('/articles', { title: 'To be scheduled', content: 'Text' });
      return example('POST', `${path}/schedule`, 200, inAYear, patch(path, { title: 'Other' }));
    },
    'article.update_published': async () => {
      const path = `/articles/${(await buildPublished(api, key)).id}`;
      return example('PATCH', path, 200, { title: 'Edited' }, patch(path, { title: 'Other' }));
    },
    'pending_edit.publish': async () => {
      const path = await pendingEdit();
      return example('POST', `${path}/publish`, 200, undefined, patch(path, { title: 'Other' }));
    },
    'pending_edit.schedule': async () => {
      const path = await pendingEdit();
      const body = { scheduled_at: inAYear.scheduled_publish_at };
      return example('POST', `${path}/schedule`, 200, body, patch(path, { title: 'Other' }));
    },
    'articles.bulk': async () => {
      const { id } = await buildArticle(api, key, { title: 'To be changed' });
      const body = {
        action: 'add_tags',
        article_ids: [id],
        tag_ids: [(await send('POST', '/tags', term())).id],
      };
      return example('POST', '/articles/bulk', 202, body, patch(`/articles/${id}`, { title: 'Other' }));
    },
    'connection.create': async () => example('POST', '/delivery/connections', 201, connectionWrite),
    'connection.update': async () => {
      const path = await pathOf('/delivery/connections', connectionWrite);
      return example('PATCH', path, 200, { auto: true }, patch(path, { name: 'Other' }));
    },
    'connection.delete': async () => {
      const path = await pathOf('/delivery/connections', connectionWrite);
      return example('DELETE', path, 204, undefined, patch(path, { name: 'Other' }));
    },
    'category.delete': () => deletionOf('/categories', term()),
    'tag.delete': () => deletionOf('/tags', term()),
    'author.delete': () => deletionOf('/authors', term()),
    'webhook.delete': async () => {
      const path = await pathOf('/webhooks', hook);
      return example('DELETE', path, 204, undefined, patch(path, { description: 'Other' }));
    },
    'plan_item.delete': async () => {
      const path = await pathOf('/content-plan', { title: 'Tea in winter' });
      return example('DELETE', path, 204, undefined, patch(path, { title: 'Tea in spring' }));
    },
    'prompt.reset': async () => {
      const path = '/pipeline/prompts/generate';
      await send('PATCH', path, { template: 'Write.' });
      return example('DELETE', path, 204, undefined, patch(path, { template: 'Write well.' }));
    },
    'prompt.try': async () => {
      const path = '/pipeline/prompts/classify';
      const change = patch(path, { template: 'Judge {{title}}.' });
      return example('POST', `${path}/try`, 200, { topic: { title: 'Tea' } }, change);
    },
    'preview_link.delete': async () => {
      const { id } = await buildArticle(api, key, { title: 'Shown' });
      return example('DELETE', await pathOf(`/articles/${id}/preview-links`, {}), 204);
    },
    'comments.settings': async () => {
      const path = '/comments/settings';
      await send('PATCH', path, { close_after_days: (sequence += 1) });
      return example('PATCH', path, 200, { moderation: 'none' }, patch(path, { close_after_days: null }));
    },
    'member.add': async () => {
      const email = `invited${(sequence += 1)}@example.com`;
      return example('POST', '/team/invitations', 201, { email, role: 'admin' });
    },
    'member.role': async () => {
      const path = `/team/${await buildMember(api.db, tenant.organisationId, 'viewer')}`;
      return example('PATCH', path, 200, { role: 'admin' }, patch(path, { role: 'author' }));
    },
    'member.remove': async () => {
      const path = `/team/${await buildMember(api.db, tenant.organisationId, 'viewer')}`;
      return example('DELETE', path, 204, undefined, patch(path, { role: 'author' }));
    },
  };
  const term = (): { name: string } => ({ name: `Term ${(sequence += 1)}` });
  const deletionOf = async (path: string, body: object): Promise<GatedExample> => {
    const created = await pathOf(path, body);
    return example('DELETE', created, 204, undefined, patch(created, { name: `Other ${(sequence += 1)}` }));
  };
  const pendingEdit = async (): Promise<string> => {
    const path = `/articles/${(await buildPublished(api, key)).id}/pending`;
    await send('PATCH', path, { title: 'Edited' });
    return path;
  };
  const commented = async (): Promise<void> => {
    const { slug } = await buildPublished(api, key);
    await send('PATCH', '/comments/settings', { enabled: true, moderation: 'none' });
    const author = { author_name: 'Ada', author_email: 'ada@example.com' };
    await send('POST', '/comments', { slug, body: 'Nice.', ...author });
  };
  const make = makers[action];
  if (make === undefined) throw new Error(`There is no example of ${action}`);
  return make();
}
