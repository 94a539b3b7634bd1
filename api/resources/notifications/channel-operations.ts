import { recordChange } from '../../../domain/audit/change.ts';
import { validationFailed } from '../../../domain/kernel/errors.ts';
import {
  getChannel,
  getChannelForUpdate,
  listChannels,
  presentChannel,
} from '../../../domain/notifications/channel.ts';
import type { Channel } from '../../../domain/notifications/channel.ts';
import {
  createChannel,
  deleteChannel,
  updateChannel,
} from '../../../domain/notifications/manage-channels.ts';
import { listOperation } from '../../framework/list-operation.ts';
import { operation } from '../../framework/operation.ts';
import type { Access } from '../../framework/operation.ts';
import { peopleOnly } from '../../framework/people-only.ts';
import { created, noContent, ok } from '../../framework/reply.ts';
import type { Reply } from '../../framework/reply.ts';
import { PageQuery } from '../../framework/schema/query.ts';
import { checkUrl, examineUrl, requireAllowedUrl } from '../../framework/url-rules.ts';
import { versionOfBody } from '../../http/preconditions.ts';
import { ChannelPage, ChannelShape, ChannelTested, ChannelUpdate, ChannelWrite } from './channel-schema.ts';
import { testChannel } from './test-channel.ts';

const reading: Access = { scope: 'meta:read', permission: null, rateClass: 'read' };
const writing: Access = {
  scope: 'keys:write',
  permission: 'settings.manage',
  rateClass: 'write',
  refuse: peopleOnly('manage channels'),
};

const list = listOperation({
  id: 'listChannels',
  path: '/notifications/channels',
  summary: 'List channels',
  description: 'A Site has at most ten channels. Of their URLs the host is shown.',
  access: reading,
  query: PageQuery,
  answer: ChannelPage,
  read: ({ db, site, query }) => listChannels(db, site, query),
  present: presentChannel,
});

const create = operation({
  id: 'createChannel',
  method: 'POST',
  path: '/notifications/channels',
  summary: 'Tell a channel of Slack or Teams what concerns the Site',
  description:
    'It gets one message for each event of the kinds, whoever did it, at most 100 an hour. `comment.held` and `autopilot.refused` are told once an hour. The URL is stored encrypted and never shown. Nothing is called: test the channel afterwards. Keys held by an agent are rejected.',
  access: writing,
  body: ChannelWrite,
  examine: examineUrl,
  idempotency: 'honoured',
  answers: { 201: ChannelShape },
  headers: ['ETag', 'Location'],
  errors: ['FORBIDDEN', 'CONFLICT'],
  // Before the transaction, so that a slow DNS look-up holds no connection and no lock.
  prepare: ({ site, body, ports }) => checkUrl(body.url, { site, ports }),
  async handle({ tx, site, actor, body, ports, prepared, now }) {
    requireAllowedUrl(prepared);
    const channel = await createChannel({ tx, site, actor, now }, ports.box, body);
    return created(presentChannel(channel), {
      version: channel.version,
      location: `/notifications/channels/${channel.id}`,
    });
  },
});

/** Its ETag also names the error, which changes without the channel's version. */
function shown(channel: Channel): Reply {
  const { version, last_error: error } = channel;
  return ok(presentChannel(channel), {
    version: error === null ? version : `${version}-${versionOfBody(error)}`,
  });
}

const read = operation({
  id: 'getChannel',
  method: 'GET',
  path: '/notifications/channels/:id',
  summary: 'Read a channel',
  description: '`last_error` says why the last attempt failed, and what to do about it.',
  access: reading,
  answers: { 200: ChannelShape },
  async handle({ db, site, params }) {
    return shown(await getChannel(db, site.id, params.id));
  },
});

const update = operation({
  id: 'updateChannel',
  method: 'PATCH',
  path: '/notifications/channels/:id',
  summary: 'Update, disable or enable a channel',
  description:
    'Another kind needs the URL too (422). What waits goes to the new URL; disabling ends it. Keys held by an agent are rejected.',
  access: writing,
  body: ChannelUpdate,
  examine: examineUrl,
  conditional: true,
  answers: { 200: ChannelShape },
  errors: ['FORBIDDEN'],
  prepare: ({ site, body, ports }) => checkUrl(body.url, { site, ports }),
  async handle({ tx, site, actor, params, body, ports, ifMatch, prepared, now }) {
    const current = await getChannelForUpdate(tx, site.id, params.id);
    ifMatch(current.version, { goesOn: true });
    if (body.kind !== undefined && body.kind !== current.kind && body.url === undefined)
      throw validationFailed({ url: 'must be sent too, because the kind changes' });
    requireAllowedUrl(prepared);
    return shown(await updateChannel({ tx, site, actor, now }, ports.box, current, body));
  },
});

const remove = operation({
  id: 'deleteChannel',
  method: 'DELETE',
  path: '/notifications/channels/:id',
  summary: 'Delete a channel',
  description: 'What waits is not sent. Keys held by an agent are rejected.',
  access: writing,
  conditional: true,
  answers: { 204: null },
  errors: ['FORBIDDEN'],
  async handle({ tx, site, actor, params, ifMatch, now }) {
    const current = await getChannelForUpdate(tx, site.id, params.id);
    ifMatch(current.version, { goesOn: true });
    await deleteChannel({ tx, site, actor, now }, current);
    return noContent();
  },
});

const test = operation({
  id: 'testChannel',
  method: 'POST',
  path: '/notifications/channels/:id/test',
  summary: 'Send a channel a test message',
  description:
    '`ok` says whether the channel took it, and `message` what to do if not. Keys held by an agent are rejected.',
  access: writing,
  answers: { 200: ChannelTested },
  errors: ['FORBIDDEN'],
  prepare: ({ site, params, ports }) => testChannel(ports, site, params.id),
  async handle({ tx, site, actor, params, prepared, now }) {
    const { id } = await getChannel(tx, site.id, params.id);
    recordChange({ tx, site, actor, now }, 'channel.test', { type: 'channel', id }, { ok: prepared.ok });
    return ok(prepared);
  },
});

export const channelOperations = [list, create, read, update, remove, test];
