import { chooseConnection } from '../../../domain/cms/choose-connection.ts';
import { createPush } from '../../../domain/cms/create-push.ts';
import { presentPush } from '../../../domain/cms/present.ts';
import { versionOfPush } from '../../../domain/cms/push-target.ts';
import { getPush, listPushes } from '../../../domain/cms/push.ts';
import { operation } from '../../framework/operation.ts';
import type { Access } from '../../framework/operation.ts';
import { accepted, ok } from '../../framework/reply.ts';
import { PageQuery } from '../../framework/schema/query.ts';
import { weighedPage } from '../../framework/weighed-reply.ts';
import { waitingPushExample } from './examples.ts';
import { PushPage, PushShape, PushWrite } from './schema.ts';

const reading: Access = { scope: 'pipeline:read', permission: 'pipeline.read', rateClass: 'read' };

const start = operation({
  id: 'startPush',
  method: 'POST',
  path: '/delivery/cms/push',
  summary: 'Push articles to another system',
  description:
    'Brings each article to the remote as it is when its turn comes: creates, updates or, if it is not published, removes its post (in Ghost and WordPress it becomes a draft). It costs nothing. What was changed or deleted at the remote since the last push is `diverged` and left alone, unless `force` is set. A failed attempt is repeated up to five times, after the delays of webhooks. Read the push to see how far it is.',
  access: { scope: 'pipeline:run', permission: 'pipeline.run', rateClass: 'pipeline' },
  body: PushWrite,
  idempotency: 'honoured',
  approval: {
    actions: ['cms.push'],
    target: async ({ tx, site, body }) => ({
      version: await versionOfPush(tx, site.id, body.connection_id, body.article_ids),
    }),
  },
  example: { data: waitingPushExample },
  answers: { 202: PushShape },
  headers: ['Location'],
  errors: ['NOT_FOUND', 'CONFLICT', 'PREREQUISITE_MISSING'],
  async handle({ tx, site, actor, body, now }) {
    const { connection_id: wanted, article_ids: articleIds, force = false } = body;
    const connectionId = await chooseConnection(tx, site.id, wanted);
    const push = await createPush({ tx, site, actor, now }, { connectionId, articleIds, force });
    return accepted(presentPush(push), { location: `/delivery/pushes/${push.id}` });
  },
});

const list = operation({
  id: 'listPushes',
  method: 'GET',
  path: '/delivery/pushes',
  summary: 'List pushes, newest first',
  description:
    'Also those that connections with `auto` made by themselves. They are kept for 30 days after their end.',
  access: reading,
  query: PageQuery,
  answers: { 200: PushPage },
  async handle({ db, site, query }) {
    return weighedPage(site, () => listPushes(db, site, query, (push) => JSON.stringify(presentPush(push))));
  },
});

const read = operation({
  id: 'getPush',
  method: 'GET',
  path: '/delivery/pushes/:id',
  summary: 'Read a push',
  description: 'Poll it until `finished_at` is set.',
  access: reading,
  object: true,
  answers: { 200: PushShape },
  async handle({ db, site, params }) {
    return ok(presentPush(await getPush(db, site.id, params.id)));
  },
});

export const pushOperations = [start, list, read];
