import { presentArticle } from '../../../domain/articles/present.ts';
import { discardEdit, saveEdit } from '../../../domain/pending-edits/edit.ts';
import { lockArticleAndEdit, lockEdit, readPendingEdit } from '../../../domain/pending-edits/pending-edit.ts';
import type { EditedArticle } from '../../../domain/pending-edits/pending-edit.ts';
import { presentPendingEdit } from '../../../domain/pending-edits/present.ts';
import { publishEdit } from '../../../domain/pending-edits/publish.ts';
import { cancelEditSchedule, scheduleEdit } from '../../../domain/pending-edits/schedule.ts';
import { requirePublisher } from '../../../domain/publication/publisher.ts';
import { reading, writing } from '../articles/operations.ts';
import { ArticleShape, ArticleWrite } from '../articles/schema.ts';
import type { GatedOperation } from '../../../domain/approvals/gated-operations.ts';
import { operation } from '../../framework/operation.ts';
import type { GatedTarget, WriteContext } from '../../framework/operation.ts';
import { noContent, ok } from '../../framework/reply.ts';
import type { Reply } from '../../framework/reply.ts';
import { editExample, pendingEditExample, publishedEditExample, scheduledEditExample } from './examples.ts';
import { PendingEditShape, PublishEditBody, ScheduleEditBody } from './schema.ts';

/** Its ETag also names the version of the article, which the answer shows. */
const shown = (found: EditedArticle): Reply =>
  ok(presentPendingEdit(found), { version: `${found.edit.version}-${found.article.version}` });

type EditContext = Pick<
  WriteContext<unknown, unknown, '/articles/:id/pending'>,
  'tx' | 'site' | 'caller' | 'params'
>;

/** Locks the edit of a call that changes what readers see or will see. */
async function toPublish({ tx, site, caller, params }: EditContext): Promise<EditedArticle> {
  const found = await lockEdit(tx, site.id, params.id);
  requirePublisher(caller);
  return found;
}

async function target(context: EditContext): Promise<GatedTarget> {
  const { article, edit } = await toPublish(context);
  return { version: `${edit.version}-${article.version}` };
}

/** A change of an edit that readers will see at its time. */
async function ofScheduled({ tx, site, params }: EditContext): Promise<readonly GatedOperation[]> {
  const { edit } = await lockArticleAndEdit(tx, site.id, params.id);
  return edit?.scheduled_at ? ['pending_edit.schedule'] : [];
}

const read = operation({
  id: 'getPendingEdit',
  method: 'GET',
  path: '/articles/:id/pending',
  summary: 'Read the pending edit of an article',
  description: '`article` is the live article with the edit applied. Without a pending edit, 404.',
  access: { ...reading, publishable: false },
  answers: { 200: PendingEditShape },
  async handle({ db, site, params }) {
    return shown(await readPendingEdit(db, site.id, params.id));
  },
});

const update = operation({
  id: 'updatePendingEdit',
  method: 'PATCH',
  path: '/articles/:id/pending',
  summary: 'Edit a published article without showing it',
  description:
    'Begins a pending edit, or changes it: members that you do not send stay as they are in it. Takes what an update of the article takes, and refuses what it would refuse. An article that is not published is 409: update it directly. `If-Match` takes the ETag of the pending edit. A further edit keeps the schedule and clears `conflict`. Unpublishing or deleting the article discards it. A scheduled edit needs the permission articles.publish too.',
  access: { ...writing, forDrafts: true },
  body: ArticleWrite,
  approval: { actions: ['pending_edit.schedule'], among: ofScheduled, target },
  conditional: true,
  example: { body: editExample, data: pendingEditExample },
  answers: { 200: PendingEditShape },
  errors: ['CONFLICT', 'SLUG_CONFLICT'],
  async handle({ tx, site, caller, actor, params, body, ifMatch, now }) {
    const found = await lockArticleAndEdit(tx, site.id, params.id);
    if (found.edit?.scheduled_at) requirePublisher(caller);
    ifMatch(found.edit?.version ?? null, { goesOn: true });
    return shown(await saveEdit({ tx, site, actor, now }, caller, found, body));
  },
});

const remove = operation({
  id: 'deletePendingEdit',
  method: 'DELETE',
  path: '/articles/:id/pending',
  summary: 'Discard the pending edit of an article',
  description:
    'Its schedule ends with it. The article stays as it is. Without a pending edit, 404. A scheduled edit needs the permission articles.publish too.',
  access: { ...writing, forDrafts: true },
  approval: { actions: ['pending_edit.schedule'], among: ofScheduled, target },
  conditional: true,
  answers: { 204: null },
  async handle({ tx, site, caller, actor, params, ifMatch, now }) {
    const { edit } = await lockEdit(tx, site.id, params.id);
    if (edit.scheduled_at !== null) requirePublisher(caller);
    ifMatch(edit.version, { goesOn: true });
    discardEdit({ tx, site, actor, now }, edit);
    return noContent();
  },
});

const publish = operation({
  id: 'publishPendingEdit',
  method: 'POST',
  path: '/articles/:id/pending/publish',
  summary: 'Publish the pending edit of an article',
  description:
    'Updates the article with the members of the edit, as one PATCH, and ends the edit. If the live article has changed since `base_version` in a member that the edit changes too, and not to the same value, it is 409 and `error.fields` names those members; `force` overwrites them. Needs the permission articles.publish too, and the approvals that the Site wants (409).',
  access: { ...writing, publishes: true },
  body: PublishEditBody.optional(),
  approval: { actions: ['pending_edit.publish'], target },
  example: { body: { force: true }, data: publishedEditExample },
  answers: { 200: ArticleShape },
  headers: ['ETag'],
  errors: ['CONFLICT', 'PREREQUISITE_MISSING', 'SLUG_CONFLICT'],
  async handle({ tx, site, caller, actor, params, body, purging, now }) {
    const found = await toPublish({ tx, site, caller, params });
    const article = await publishEdit({ tx, site, actor, now }, purging, found, body?.force ?? false);
    return ok(presentArticle(article), { version: article.version });
  },
});

const schedule = operation({
  id: 'schedulePendingEdit',
  method: 'POST',
  path: '/articles/:id/pending/schedule',
  summary: 'Schedule the pending edit of an article',
  description:
    'Needs a time in the future. Without an offset, it is in the timezone of the Site. Scheduling again moves the time. If something stands against the edit at that time, such as a conflict with the live article, it stays pending, without a schedule, and `conflict` names the fields. Needs the permission articles.publish too, and the approvals that the Site wants (409): an edit that is changed after it was scheduled needs them again at its time.',
  access: { ...writing, publishes: true },
  body: ScheduleEditBody,
  approval: { actions: ['pending_edit.schedule'], target },
  example: { data: scheduledEditExample },
  answers: { 200: PendingEditShape },
  headers: ['ETag'],
  errors: ['PREREQUISITE_MISSING'],
  async handle({ tx, site, caller, actor, params, body, now }) {
    const { article, edit } = await toPublish({ tx, site, caller, params });
    return shown({ article, edit: await scheduleEdit({ tx, site, actor, now }, edit, body.scheduled_at) });
  },
});

const cancel = operation({
  id: 'cancelPendingEditSchedule',
  method: 'POST',
  path: '/articles/:id/pending/cancel-schedule',
  summary: 'Cancel the schedule of a pending edit',
  description:
    'The edit stays. On an edit without a schedule, nothing changes. Needs the permission articles.publish too.',
  access: { ...writing, publishes: true },
  approval: { actions: ['pending_edit.schedule'], target },
  answers: { 200: PendingEditShape },
  headers: ['ETag'],
  async handle({ tx, site, caller, actor, params, now }) {
    const { article, edit } = await toPublish({ tx, site, caller, params });
    return shown({ article, edit: cancelEditSchedule({ tx, site, actor, now }, edit) });
  },
});

export const pendingEditOperations = [read, update, remove, publish, schedule, cancel];
