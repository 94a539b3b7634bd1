import {
  getEndpoint,
  getEndpointForChange,
  listEndpoints,
  presentEndpoint,
} from '../../domain/webhooks/endpoint.ts';
import {
  createEndpoint,
  deleteEndpoint,
  rotateSecret,
  updateEndpoint,
} from '../../domain/webhooks/manage.ts';
import type { EndpointWithSecret } from '../../domain/webhooks/manage.ts';
import { operation } from '../operation.ts';
import type { Access } from '../operation.ts';
import { noContent, ok, page } from '../reply.ts';
import type { Reply } from '../reply.ts';
import {
  PageQuery,
  WebhookPage,
  WebhookShape,
  WebhookUpdate,
  WebhookWithSecret,
  WebhookWrite,
} from './schema.ts';
import { examineUrl, requirePublicUrl } from './url-rules.ts';

export const reading: Access = {
  scope: 'webhooks:read',
  permission: 'webhooks.manage',
  rateClass: 'read',
  publishable: false,
};
export const writing: Access = {
  scope: 'webhooks:write',
  permission: 'webhooks.manage',
  rateClass: 'write',
  publishable: false,
};
export const group = 'Webhooks';

/** The secret is shown in the first answer alone; a replay has null (specification, Authentication). */
const withSecret = ({
  endpoint,
  secret,
}: EndpointWithSecret): Pick<Reply, 'data' | 'replayData' | 'version'> => ({
  data: { ...presentEndpoint(endpoint), secret, secret_replayable: true },
  replayData: { ...presentEndpoint(endpoint), secret: null, secret_replayable: false },
  version: endpoint.version,
});

const list = operation({
  method: 'GET',
  path: '/webhooks',
  summary: 'List webhook endpoints',
  group,
  access: reading,
  query: PageQuery,
  answers: { 200: WebhookPage },
  errors: [],
  async handle({ db, site, query }) {
    return page(await listEndpoints(db, site, query), presentEndpoint);
  },
});

const create = operation({
  method: 'POST',
  path: '/webhooks',
  summary: 'Register a webhook endpoint',
  description: 'The answer carries the signing secret, once and nowhere else.',
  group,
  access: writing,
  body: WebhookWrite,
  examine: examineUrl,
  idempotency: 'honoured',
  approval: { action: 'webhook.create' },
  answers: { 201: WebhookWithSecret },
  errors: ['CONFLICT'],
  async handle({ tx, site, actor, body, ports, now }) {
    await requirePublicUrl(body.url, ports);
    const created = await createEndpoint({ tx, site, actor, now }, ports.box, body);
    return { status: 201, ...withSecret(created), location: `/webhooks/${created.endpoint.id}` };
  },
});

const read = operation({
  method: 'GET',
  path: '/webhooks/:id',
  summary: 'Read a webhook endpoint',
  group,
  access: reading,
  answers: { 200: WebhookShape },
  errors: [],
  async handle({ db, site, params }) {
    const endpoint = await getEndpoint(db, site.id, params['id'] as string);
    return ok(presentEndpoint(endpoint), { version: endpoint.version });
  },
});

const update = operation({
  method: 'PATCH',
  path: '/webhooks/:id',
  summary: 'Change, disable or enable a webhook endpoint',
  description: 'Enabling does not replay what was missed.',
  group,
  access: writing,
  body: WebhookUpdate,
  examine: examineUrl,
  approval: {
    action: 'webhook.update',
    target: ({ tx, site, params }) => getEndpointForChange(tx, site.id, params['id'] as string),
  },
  conditional: true,
  answers: { 200: WebhookShape },
  errors: [],
  async handle({ tx, site, actor, params, body, ifMatch, ports, now }) {
    const current = await getEndpointForChange(tx, site.id, params['id'] as string);
    ifMatch(current.version);
    if (body.url !== current.url) await requirePublicUrl(body.url, ports);
    const endpoint = await updateEndpoint({ tx, site, actor, now }, current, body);
    return ok(presentEndpoint(endpoint), { version: endpoint.version });
  },
});

const remove = operation({
  method: 'DELETE',
  path: '/webhooks/:id',
  summary: 'Delete a webhook endpoint, its log and what waits for it',
  group,
  access: writing,
  conditional: true,
  answers: { 204: null },
  errors: [],
  async handle({ tx, site, actor, params, ifMatch, now }) {
    const current = await getEndpointForChange(tx, site.id, params['id'] as string);
    ifMatch(current.version);
    await deleteEndpoint({ tx, site, actor, now }, current);
    return noContent();
  },
});

const rotate = operation({
  method: 'POST',
  path: '/webhooks/:id/rotate-secret',
  summary: 'Issue a new signing secret; the old one stops at once',
  group,
  access: writing,
  idempotency: 'honoured',
  approval: {
    action: 'webhook.rotate_secret',
    target: ({ tx, site, params }) => getEndpointForChange(tx, site.id, params['id'] as string),
  },
  answers: { 200: WebhookWithSecret },
  errors: [],
  async handle({ tx, site, actor, params, ports, now }) {
    const current = await getEndpointForChange(tx, site.id, params['id'] as string);
    const rotated = await rotateSecret({ tx, site, actor, now }, ports.box, current);
    return { status: 200, ...withSecret(rotated) };
  },
});

export const webhookOperations = [list, create, read, update, remove, rotate];
