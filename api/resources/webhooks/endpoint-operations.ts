import { getEndpoint, getEndpointForUpdate, listEndpoints } from '../../../domain/webhooks/endpoint.ts';
import { presentEndpoint } from '../../../domain/webhooks/present.ts';
import {
  createEndpoint,
  deleteEndpoint,
  hasAllEndpoints,
  requireRoom,
  rotateSecret,
  tooManyEndpoints,
  updateEndpoint,
} from '../../../domain/webhooks/manage.ts';
import type { EndpointWithSecret } from '../../../domain/webhooks/manage.ts';
import { listOperation } from '../../framework/list-operation.ts';
import { operation } from '../../framework/operation.ts';
import type { Access } from '../../framework/operation.ts';
import { noContent, ok } from '../../framework/reply.ts';
import type { Reply } from '../../framework/reply.ts';
import { PageQuery } from '../../framework/schema/query.ts';
import { WebhookPage, WebhookShape, WebhookUpdate, WebhookWithSecret, WebhookWrite } from './schema.ts';
import { checkUrl, examineUrl, requireAllowedUrl } from '../../framework/url-rules.ts';

export const reading: Access = { scope: 'webhooks:read', permission: 'webhooks.manage', rateClass: 'read' };
export const writing: Access = { scope: 'webhooks:write', permission: 'webhooks.manage', rateClass: 'write' };

/** Only the first answer has the secret; a replay has null (docs/spec/service-api.md, Authentication). */
const withSecret = ({
  endpoint,
  secret,
}: EndpointWithSecret): Pick<Reply, 'data' | 'replayData' | 'version'> => ({
  data: { ...presentEndpoint(endpoint), secret, secret_replayable: true },
  replayData: { ...presentEndpoint(endpoint), secret: null, secret_replayable: false },
  version: endpoint.version,
});

const list = listOperation({
  id: 'listWebhooks',
  path: '/webhooks',
  summary: 'List webhook endpoints',
  description: 'A Site has at most ten endpoints. Their secrets are not shown.',
  access: reading,
  query: PageQuery,
  answer: WebhookPage,
  read: ({ db, site, query }) => listEndpoints(db, site, query),
  present: presentEndpoint,
});

const create = operation({
  id: 'createWebhook',
  method: 'POST',
  path: '/webhooks',
  summary: 'Register a webhook endpoint',
  description: 'Only this answer contains the signing secret.',
  access: writing,
  body: WebhookWrite,
  examine: examineUrl,
  idempotency: 'honoured',
  approval: { actions: ['webhook.create'] },
  secret: true,
  answers: { 201: WebhookWithSecret },
  headers: ['ETag', 'Location'],
  errors: ['CONFLICT'],
  // Before the transaction, so that a slow DNS look-up holds no connection and no lock.
  async prepare({ site, body, ports }) {
    // No DNS look-up if the Site has no room for another endpoint.
    if (await hasAllEndpoints(ports.db, site.id)) return null;
    return { check: await checkUrl(body.url, { site, ports }) };
  },
  async handle({ tx, site, actor, body, ports, prepared, now }) {
    if (prepared === null) throw tooManyEndpoints();
    await requireRoom(tx, site.id);
    requireAllowedUrl(prepared.check);
    const created = await createEndpoint({ tx, site, actor, now }, ports.box, body);
    return { status: 201, ...withSecret(created), location: `/webhooks/${created.endpoint.id}` };
  },
});

const read = operation({
  id: 'getWebhook',
  method: 'GET',
  path: '/webhooks/:id',
  summary: 'Read a webhook endpoint',
  description: '`enabled` is false after 12 failed attempts in a row, with the reason in `disabled_reason`.',
  access: reading,
  answers: { 200: WebhookShape },
  async handle({ db, site, params }) {
    const endpoint = await getEndpoint(db, site.id, params.id);
    return ok(presentEndpoint(endpoint), { version: endpoint.version });
  },
});

const update = operation({
  id: 'updateWebhook',
  method: 'PATCH',
  path: '/webhooks/:id',
  summary: 'Update, disable or enable a webhook endpoint',
  description: 'Enabling an endpoint does not replay missed events.',
  access: writing,
  body: WebhookUpdate,
  examine: examineUrl,
  approval: {
    actions: ['webhook.update'],
    target: ({ tx, site, params }) => getEndpointForUpdate(tx, site.id, params.id),
  },
  conditional: true,
  answers: { 200: WebhookShape },
  prepare: ({ site, body, ports }) => checkUrl(body.url, { site, ports }),
  async handle({ tx, site, actor, params, body, ifMatch, prepared, now }) {
    const current = await getEndpointForUpdate(tx, site.id, params.id);
    ifMatch(current.version);
    if (body.url !== current.url) requireAllowedUrl(prepared);
    const endpoint = await updateEndpoint({ tx, site, actor, now }, current, body);
    return ok(presentEndpoint(endpoint), { version: endpoint.version });
  },
});

const remove = operation({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/:id',
  summary: 'Delete a webhook endpoint with its log and its pending deliveries',
  description: 'Waiting retries are not sent.',
  access: writing,
  approval: {
    actions: ['webhook.delete'],
    target: ({ tx, site, params }) => getEndpointForUpdate(tx, site.id, params.id),
  },
  conditional: true,
  answers: { 204: null },
  async handle({ tx, site, actor, params, ifMatch, now }) {
    const current = await getEndpointForUpdate(tx, site.id, params.id);
    ifMatch(current.version);
    await deleteEndpoint({ tx, site, actor, now }, current);
    return noContent();
  },
});

const rotate = operation({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/webhooks/:id/rotate-secret',
  summary: 'Rotate the signing secret; the old one stops working at once',
  description:
    'Only this answer contains the new secret. Deliveries in between fail verification, and are retried with the new secret.',
  access: writing,
  idempotency: 'honoured',
  approval: {
    actions: ['webhook.rotate_secret'],
    target: ({ tx, site, params }) => getEndpointForUpdate(tx, site.id, params.id),
  },
  secret: true,
  answers: { 200: WebhookWithSecret },
  headers: ['ETag'],
  async handle({ tx, site, actor, params, ports, now }) {
    const current = await getEndpointForUpdate(tx, site.id, params.id);
    const rotated = await rotateSecret({ tx, site, actor, now }, ports.box, current);
    return { status: 200, ...withSecret(rotated) };
  },
});

export const webhookOperations = [list, create, read, update, remove, rotate];
