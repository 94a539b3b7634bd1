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

/** One request for each gated operation, each with its own objects. */
export async function gatedExamples(api: TestApi, tenant: Tenant): Promise<readonly GatedExample[]> {
  const key = tenant.secretKey;
  const send = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await api.request(method, path, { key, body, idempotencyKey: true });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.data;
  };
  const example = (
    action: string,
    method: string,
    path: string,
    done: number,
    body: object | undefined,
    change: GatedExample['change'],
  ): GatedExample => {
    const idempotencyKey = `gated-${process.pid}-${(sequence += 1)}`;
    return { action, method, path, done, change, options: { body, idempotencyKey } };
  };
  const patch = (path: string, body: object) => (by: string) => api.request('PATCH', path, { key: by, body });
  const post = (path: string, body?: object) => (by: string) =>
    api.request('POST', path, { key: by, body, idempotencyKey: true });

  const article = await buildArticle(api, key, { title: 'To be deleted' });
  const image = new Uint8Array(await noise(4, 4).png().toBuffer());
  const asset = (
    await registerUpload(api, key, await uploadBytes(api, key, image, { content_type: 'image/png' }))
  ).data;
  const published = await buildPublished(api, key);
  await send('PATCH', '/comments/settings', { enabled: true, moderation: 'none' });
  await send('POST', '/comments', {
    slug: published.slug,
    body: 'Nice.',
    author_name: 'Ada',
    author_email: 'ada@example.com',
  });
  const comment = (await send('GET', '/comments')).items[0];
  const newKey = { kind: 'secret', scopes: ['articles:read'] };
  const [first, second] = [
    await send('POST', '/keys', { name: 'One', ...newKey, held_by_agent: true }),
    await send('POST', '/keys', { name: 'Two', ...newKey }),
  ];
  const [changedMember, removedMember] = [
    await buildMember(api.db, tenant.organisationId, 'viewer'),
    await buildMember(api.db, tenant.organisationId, 'viewer'),
  ];
  const hook = { url: 'https://receiver.example/hooks', events: ['article.published'] };
  const [changed, rotated] = [await send('POST', '/webhooks', hook), await send('POST', '/webhooks', hook)];
  // A Site has at most ten connections.
  const connection =
    (await api.request('GET', '/delivery/connections', { key })).data.items[0] ??
    (await send('POST', '/delivery/connections', connectionWrite));
  const pushedArticle = await buildArticle(api, key, { title: 'To be pushed' });
  const topic = { topics: [{ title: 'How to bake bread' }] };
  return [
    example(
      'article.delete',
      'DELETE',
      `/articles/${article.id}`,
      204,
      undefined,
      patch(`/articles/${article.id}`, { title: 'Kept' }),
    ),
    example(
      'media.delete',
      'DELETE',
      `/media/${asset.id}`,
      204,
      undefined,
      patch(`/media/${asset.id}`, { alt_text: 'A photo' }),
    ),
    example(
      'comment.delete',
      'DELETE',
      `/comments/${comment.id}`,
      204,
      undefined,
      post(`/comments/${comment.id}/hold`),
    ),
    example('comments.erase', 'POST', '/comments/erase', 200, { author_email: 'ada@example.com' }, null),
    example('key.create', 'POST', '/keys', 201, { name: 'Three', ...newKey }, null),
    example(
      'key.rotate',
      'POST',
      `/keys/${first.id}/rotate`,
      200,
      { grace_seconds: 60 },
      post(`/keys/${first.id}/rotate`),
    ),
    example('key.revoke', 'DELETE', `/keys/${second.id}`, 204, undefined, post(`/keys/${second.id}/rotate`)),
    example('webhook.create', 'POST', '/webhooks', 201, hook, null),
    example(
      'webhook.update',
      'PATCH',
      `/webhooks/${changed.id}`,
      200,
      { enabled: false },
      patch(`/webhooks/${changed.id}`, { description: 'Other' }),
    ),
    example(
      'webhook.rotate_secret',
      'POST',
      `/webhooks/${rotated.id}/rotate-secret`,
      200,
      undefined,
      patch(`/webhooks/${rotated.id}`, { description: 'Other' }),
    ),
    example('pipeline.run', 'POST', '/pipeline/runs', 202, topic, null),
    example('seo_scan.start', 'POST', '/seo/scans/on-page', 202, undefined, null),
    example(
      'cms.push',
      'POST',
      '/delivery/cms/push',
      202,
      { connection_id: connection.id, article_ids: [pushedArticle.id] },
      patch(`/articles/${pushedArticle.id}`, { title: 'Changed' }),
    ),
    example(
      'autopilot.update',
      'PATCH',
      '/content-plan/autopilot',
      200,
      { items: 3 },
      patch('/content-plan/autopilot', { items: (sequence % 7) + 4 }),
    ),
    example(
      'member.add',
      'POST',
      '/team/invitations',
      201,
      { email: `invited${(sequence += 1)}@example.com`, role: 'admin' },
      null,
    ),
    example(
      'member.role',
      'PATCH',
      `/team/${changedMember}`,
      200,
      { role: 'admin' },
      patch(`/team/${changedMember}`, { role: 'author' }),
    ),
    example(
      'member.remove',
      'DELETE',
      `/team/${removedMember}`,
      204,
      undefined,
      patch(`/team/${removedMember}`, { role: 'author' }),
    ),
  ];
}
