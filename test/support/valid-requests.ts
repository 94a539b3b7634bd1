import type { TestApi } from './api.ts';
import { buildTerm } from './builders.ts';
import type { Tenant } from './builders.ts';
import { startDeviceSignIn } from './device.ts';
import {
  approval,
  article,
  asset,
  blueprint,
  comment,
  delivery,
  endpoint,
  event,
  hook,
  inPipeline,
  keyOf,
  member,
  name,
  newKey,
  published,
  run,
  scheduled,
  uploaded,
} from './home.ts';
import type { Home } from './home.ts';

/** A request that its Site's owner may make, and that does what its operation is for. */
export interface ValidRequest {
  /** With its ids. */
  readonly path: string;
  readonly body?: object;
  /** What the owner's answer has in it, and no other Site's. */
  readonly shows?: string;
  /**
   * What another Site is answered. Where it is not said: 404 where the path has a parameter, else what the operation
   * answers in that Site.
   */
  readonly elsewhere?: '404 NOT_FOUND' | '422 VALIDATION_FAILED' | 'OK';
  /** It is of the organisation, whichever of its Sites asks. */
  readonly ofOrganisation?: true;
  /** What an agent is answered where no person could approve it either. */
  readonly agents?: '403 FORBIDDEN';
  /** The line that it leaves in the audit log. */
  readonly audit?: string;
}

type Build = (home: Home) => ValidRequest | Promise<ValidRequest>;

const terms = (kind: 'categories' | 'tags' | 'authors'): Record<string, Build> => {
  const term = ({ api, tenant }: Home) => buildTerm(api, tenant.secretKey, kind);
  return {
    [`GET /${kind}`]: async (home) => ({ path: `/${kind}`, shows: (await term(home)).id }),
    [`POST /${kind}`]: () => ({ path: `/${kind}`, body: { name: name() } }),
    [`GET /${kind}/:id`]: async (home) => ({ path: `/${kind}/${(await term(home)).id}` }),
    [`PATCH /${kind}/:id`]: async (home) => ({
      path: `/${kind}/${(await term(home)).id}`,
      body: { name: name() },
    }),
    [`DELETE /${kind}/:id`]: async (home) => ({ path: `/${kind}/${(await term(home)).id}` }),
  };
};

const content: Record<string, Build> = {
  'GET /ping': () => ({ path: '/ping' }),
  'GET /site': async ({ send }) => ({ path: '/site', shows: (await send('GET', '/site')).domain }),
  'GET /content-types': async ({ send }) => {
    const { id } = await send('POST', '/content-types', { name: name(), blueprint });
    return { path: '/content-types', shows: id };
  },
  'POST /content-types': () => ({
    path: '/content-types',
    body: { name: name(), blueprint },
    audit: 'content_type.create',
  }),
  'GET /content-types/:id': async ({ send }) => {
    const { id } = await send('POST', '/content-types', { name: name(), blueprint });
    return { path: `/content-types/${id}` };
  },
  'PATCH /content-types/:id': async ({ send }) => {
    const { id } = await send('POST', '/content-types', { name: name(), blueprint });
    return { path: `/content-types/${id}`, body: { is_active: false }, audit: 'content_type.update' };
  },
  'GET /articles': async (home) => ({ path: '/articles', shows: (await article(home)).id }),
  'POST /articles': async ({ api, tenant }) => {
    const { id } = await buildTerm(api, tenant.secretKey, 'categories');
    return {
      path: '/articles',
      body: { title: name(), category_id: id },
      elsewhere: '422 VALIDATION_FAILED',
    };
  },
  'GET /articles/:id': async (home) => ({ path: `/articles/${(await published(home)).id}` }),
  'PATCH /articles/:id': async (home) => ({
    path: `/articles/${(await published(home)).id}`,
    body: { title: name() },
  }),
  'DELETE /articles/:id': async (home) => ({ path: `/articles/${(await published(home)).id}` }),
  'POST /articles/:id/publish': async (home) => ({ path: `/articles/${(await article(home)).id}/publish` }),
  'POST /articles/:id/unpublish': async (home) => ({
    path: `/articles/${(await published(home)).id}/unpublish`,
  }),
  'POST /articles/:id/schedule': async (home) => ({
    path: `/articles/${(await article(home)).id}/schedule`,
    body: { scheduled_publish_at: '2999-01-01T00:00:00Z' },
  }),
  'POST /articles/:id/cancel-schedule': async (home) => ({
    path: `/articles/${(await scheduled(home)).id}/cancel-schedule`,
  }),
  ...terms('categories'),
  ...terms('tags'),
  ...terms('authors'),
  'GET /media': async (home) => ({ path: '/media', shows: (await asset(home)).id }),
  'POST /media/upload-url': () => ({
    path: '/media/upload-url',
    body: { file_name: 'photo.png', content_type: 'image/png' },
  }),
  'POST /media': async (home) => ({
    path: '/media',
    body: { upload_id: await uploaded(home) },
    elsewhere: '404 NOT_FOUND',
  }),
  'GET /media/:id': async (home) => ({ path: `/media/${(await asset(home)).id}` }),
  'PATCH /media/:id': async (home) => ({
    path: `/media/${(await asset(home)).id}`,
    body: { alt_text: name() },
  }),
  'DELETE /media/:id': async (home) => ({ path: `/media/${(await asset(home)).id}` }),
};

const comments: Record<string, Build> = {
  'GET /comments/posts/:slug': async (home) => {
    const { id, slug } = await comment(home);
    return { path: `/comments/posts/${slug}`, shows: id };
  },
  'POST /comments': async (home) => {
    const { slug } = await comment(home);
    return {
      path: '/comments',
      body: { slug, body: name(), author_name: 'Ada' },
      elsewhere: '404 NOT_FOUND',
    };
  },
  'GET /comments': async (home) => ({ path: '/comments', shows: (await comment(home)).id }),
  'GET /comments/settings': async ({ send }) => {
    await send('PATCH', '/comments/settings', { close_after_days: 1_234 });
    return { path: '/comments/settings', shows: '1234' };
  },
  'PATCH /comments/settings': () => ({
    path: '/comments/settings',
    body: { enabled: true, close_after_days: 1 + Math.floor(Math.random() * 3_000) },
    audit: 'comments.settings',
  }),
  'POST /comments/erase': async (home) => {
    await comment(home);
    const body = { author_email: 'ada@example.com' };
    return { path: '/comments/erase', body, audit: 'comments.erase' };
  },
  'POST /comments/:id/approve': async (home) => ({
    path: `/comments/${(await comment(home, 'hold_all')).id}/approve`,
    audit: 'comment.approve',
  }),
  'POST /comments/:id/hold': async (home) => ({
    path: `/comments/${(await comment(home)).id}/hold`,
    audit: 'comment.hold',
  }),
  'POST /comments/:id/spam': async (home) => ({
    path: `/comments/${(await comment(home)).id}/spam`,
    audit: 'comment.spam',
  }),
  'POST /comments/:id/reply': async (home) => ({
    path: `/comments/${(await comment(home)).id}/reply`,
    body: { body: name() },
    audit: 'comment.reply',
  }),
  'DELETE /comments/:id': async (home) => ({
    path: `/comments/${(await comment(home)).id}`,
    audit: 'comment.delete',
  }),
};

const pipeline: Record<string, Build> = {
  'GET /pipeline/prompts': async ({ send }) => {
    const template = `A template: ${name()}`;
    await send('PATCH', '/pipeline/prompts/plan', { template });
    return { path: '/pipeline/prompts', shows: template };
  },
  'PATCH /pipeline/prompts/:stage': () => ({
    path: '/pipeline/prompts/plan',
    body: { template: name() },
    elsewhere: 'OK',
    audit: 'prompt.save',
  }),
  'DELETE /pipeline/prompts/:stage': async ({ send }) => {
    await send('PATCH', '/pipeline/prompts/classify', { template: name() });
    return { path: '/pipeline/prompts/classify', audit: 'prompt.reset' };
  },
  'GET /pipeline/prompts/:stage/versions': async ({ send }) => {
    const template = `A template: ${name()}`;
    await send('PATCH', '/pipeline/prompts/plan', { template });
    return { path: '/pipeline/prompts/plan/versions', shows: template, elsewhere: 'OK' };
  },
  'GET /usage': () => ({ path: '/usage' }),
  'GET /usage/ledger': () => ({ path: '/usage/ledger' }),
  'POST /pipeline/runs': async (home) => ({
    path: '/pipeline/runs',
    body: { article_ids: [await inPipeline(home, 'discovered')] },
    elsewhere: '422 VALIDATION_FAILED',
    audit: 'pipeline.run',
  }),
  'GET /pipeline/runs': async (home) => ({ path: '/pipeline/runs', shows: (await run(home)).id }),
  'GET /pipeline/runs/:id': async (home) => ({ path: `/pipeline/runs/${(await run(home)).id}` }),
  'POST /pipeline/runs/:id/cancel': async (home) => ({
    path: `/pipeline/runs/${(await run(home)).id}/cancel`,
    audit: 'pipeline.cancel',
  }),
  'POST /pipeline/articles/:id/requeue': async (home) => ({
    path: `/pipeline/articles/${await inPipeline(home, 'failed')}/requeue`,
  }),
};

const access: Record<string, Build> = {
  'GET /keys': async (home) => ({ path: '/keys', shows: (await keyOf(home)).id }),
  'POST /keys': () => ({ path: '/keys', body: { name: name(), ...newKey }, audit: 'key.create' }),
  'POST /keys/:id/rotate': async (home) => ({
    path: `/keys/${(await keyOf(home)).id}/rotate`,
    audit: 'key.rotate',
  }),
  'DELETE /keys/:id': async (home) => ({ path: `/keys/${(await keyOf(home)).id}`, audit: 'key.revoke' }),
  // A code is nobody's until somebody decides about it.
  'POST /auth/device/approve': async ({ api }) => ({
    path: '/auth/device/approve',
    body: { user_code: (await startDeviceSignIn(api)).user_code },
    agents: '403 FORBIDDEN',
    audit: 'device_sign_in.approve',
  }),
  'POST /auth/device/deny': async ({ api }) => ({
    path: '/auth/device/deny',
    body: { user_code: (await startDeviceSignIn(api)).user_code },
    agents: '403 FORBIDDEN',
    audit: 'device_sign_in.deny',
  }),
  'GET /organisation': ({ tenant }) => ({
    path: '/organisation',
    shows: tenant.organisationId,
    ofOrganisation: true,
  }),
  'PATCH /organisation': () => ({
    path: '/organisation',
    body: { approval_operations: null, name: name(), agent_access: true },
    ofOrganisation: true,
    agents: '403 FORBIDDEN',
    audit: 'organisation.update',
  }),
  'GET /team': async (home) => ({ path: '/team', shows: await member(home), ofOrganisation: true }),
  'POST /team/invitations': () => ({
    path: '/team/invitations',
    body: { email: `${name().replace(' ', '')}@example.com`, role: 'viewer' },
    ofOrganisation: true,
    audit: 'member.add',
  }),
  'GET /team/:id': async (home) => ({ path: `/team/${await member(home)}`, ofOrganisation: true }),
  'PATCH /team/:id': async (home) => ({
    path: `/team/${await member(home)}`,
    body: { role: 'viewer' },
    ofOrganisation: true,
    audit: 'member.role',
  }),
  'DELETE /team/:id': async (home) => ({
    path: `/team/${await member(home)}`,
    ofOrganisation: true,
    audit: 'member.remove',
  }),
  'GET /audit-log': async (home) => ({ path: '/audit-log', shows: (await endpoint(home)).id }),
  'GET /approvals': async (home) => ({ path: '/approvals', shows: await approval(home) }),
  'GET /approvals/:id': async (home) => ({ path: `/approvals/${await approval(home)}` }),
  'POST /approvals/:id/approve': async (home) => ({
    path: `/approvals/${await approval(home)}/approve`,
    agents: '403 FORBIDDEN',
    audit: 'approval.approve',
  }),
  'POST /approvals/:id/deny': async (home) => ({
    path: `/approvals/${await approval(home)}/deny`,
    agents: '403 FORBIDDEN',
    audit: 'approval.deny',
  }),
};

const webhooks: Record<string, Build> = {
  'GET /webhooks': async (home) => ({ path: '/webhooks', shows: (await endpoint(home)).id }),
  'POST /webhooks': () => ({ path: '/webhooks', body: hook, audit: 'webhook.create' }),
  'GET /webhooks/:id': async (home) => ({ path: `/webhooks/${(await endpoint(home)).id}` }),
  'PATCH /webhooks/:id': async (home) => ({
    path: `/webhooks/${(await endpoint(home)).id}`,
    body: { description: name() },
    audit: 'webhook.update',
  }),
  'DELETE /webhooks/:id': async (home) => ({
    path: `/webhooks/${(await endpoint(home)).id}`,
    audit: 'webhook.delete',
  }),
  'POST /webhooks/:id/rotate-secret': async (home) => ({
    path: `/webhooks/${(await endpoint(home)).id}/rotate-secret`,
    audit: 'webhook.rotate_secret',
  }),
  'GET /webhooks/:id/deliveries': async (home) => {
    const { endpointId, id } = await delivery(home);
    return { path: `/webhooks/${endpointId}/deliveries`, shows: id };
  },
  'POST /webhooks/:id/deliveries/:delivery_id/redeliver': async (home) => {
    const { endpointId, id, eventId } = await delivery(home);
    return { path: `/webhooks/${endpointId}/deliveries/${id}/redeliver`, shows: eventId };
  },
  'POST /webhooks/:id/replay': async (home) => {
    await event(home);
    const body = { since: '2020-01-01T00:00:00Z' };
    return { path: `/webhooks/${(await endpoint(home)).id}/replay`, body };
  },
  'POST /webhooks/:id/ping': async (home) => ({ path: `/webhooks/${(await endpoint(home)).id}/ping` }),
  'GET /events': async (home) => ({ path: '/events', shows: (await event(home)).id }),
  'GET /events/:id': async (home) => ({ path: `/events/${(await event(home)).id}` }),
};

const builds: Readonly<Record<string, Build>> = {
  ...content,
  ...comments,
  ...pipeline,
  ...access,
  ...webhooks,
};

/** The operations there is a request for, as `METHOD /path/:id`. */
export const requestedOperations = Object.keys(builds);

/** Makes what a request of this operation needs in the Site, by requests of its owner. */
export function validRequest(api: TestApi, tenant: Tenant, operation: string): Promise<ValidRequest> {
  const build = builds[operation];
  if (build === undefined) throw new Error(`test/support/valid-requests.ts has no request for ${operation}`);
  const send = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await api.request(method, path, { key: tenant.secretKey, body, idempotencyKey: true });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.data;
  };
  return Promise.resolve(build({ api, tenant, send }));
}
