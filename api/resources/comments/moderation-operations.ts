import { getCommentForUpdate, listComments } from '../../../domain/comments/comment.ts';
import { presentComment } from '../../../domain/comments/present.ts';
import { moderateComment, replyAsSite } from '../../../domain/comments/moderate.ts';
import { deleteComment, eraseAuthor } from '../../../domain/comments/remove.ts';
import { readCommentSettings, updateSettings } from '../../../domain/comments/settings.ts';
import { lockComments, readCounts } from '../../../domain/comments/site-comments.ts';
import type { CommentStatus } from '../../../domain/comments/site-comments.ts';
import { operation } from '../../framework/operation.ts';
import type { Access } from '../../framework/operation.ts';
import { versionOfBody } from '../../http/preconditions.ts';
import { created, noContent, ok } from '../../framework/reply.ts';
import {
  CommentPage,
  CommentQuery,
  CommentSettings,
  CommentSettingsUpdate,
  CommentShape,
  EraseRequest,
  EraseResult,
  ReplyWrite,
} from './schema.ts';
import { commentExample, commentSettingsExample, replyExample } from './examples.ts';

const reading: Access = { scope: 'comments:read', permission: 'comments.moderate', rateClass: 'read' };
const writing: Access = { ...reading, scope: 'comments:write', rateClass: 'write' };

const list = operation({
  id: 'listComments',
  method: 'GET',
  path: '/comments',
  summary: 'List comments for moderation, newest first',
  description:
    'Comments of every status, with the readers’ addresses. `counts` is of the whole Site, regardless of the filters.',
  access: reading,
  query: CommentQuery,
  answers: { 200: CommentPage },
  async handle({ db, site, query: { cursor, limit, ...filters } }) {
    const [comments, counts] = await Promise.all([
      listComments(db, site, filters, { cursor, limit }),
      readCounts(db, site.id),
    ]);
    return ok({ items: comments.items.map(presentComment), next_cursor: comments.nextCursor, counts });
  },
});

/** Declares an operation that sets a comment's status. */
const moderation = (id: string, verb: string, status: CommentStatus, summary: string) =>
  operation({
    id,
    method: 'POST',
    path: `/comments/:id/${verb}`,
    summary,
    description: 'From every status. If the comment has this status already, nothing changes.',
    access: writing,
    example: {
      data: {
        ...commentExample,
        status,
        spam_marked_at: status === 'spam' ? commentExample.updated_at : null,
      },
    },
    answers: { 200: CommentShape },
    async handle({ tx, site, actor, params, purging, now }) {
      const comment = await getCommentForUpdate(tx, site.id, params.id);
      return ok(presentComment(await moderateComment({ tx, site, actor, now }, purging, comment, status)));
    },
  });

const reply = operation({
  id: 'replyToComment',
  method: 'POST',
  path: '/comments/:id/reply',
  summary: 'Reply as the Site',
  description:
    'The reply is approved at once and is shown as one by the Site. The comment must be approved (else 409). A reply to a reply joins its thread.',
  access: writing,
  body: ReplyWrite,
  idempotency: 'honoured',
  example: { data: replyExample },
  answers: { 201: CommentShape },
  errors: ['CONFLICT'],
  async handle({ tx, site, actor, params, body, purging, now }) {
    const comment = await getCommentForUpdate(tx, site.id, params.id);
    const values = { body: body.body, authorName: body.author_name ?? site.name };
    return created(presentComment(await replyAsSite({ tx, site, actor, now }, purging, comment, values)));
  },
});

const remove = operation({
  id: 'deleteComment',
  method: 'DELETE',
  path: '/comments/:id',
  summary: 'Delete a comment with its replies',
  description: 'Readers see neither it nor its replies from then on. There is no undo.',
  access: writing,
  approval: {
    actions: ['comment.delete'],
    async target({ tx, site, params }) {
      const comment = await getCommentForUpdate(tx, site.id, params.id);
      return { version: comment.updated_at.toISOString() };
    },
  },
  answers: { 204: null },
  async handle({ tx, site, actor, params, purging, now }) {
    const comment = await getCommentForUpdate(tx, site.id, params.id);
    await deleteComment({ tx, site, actor, now }, purging, comment.id);
    return noContent();
  },
});

const showSettings = operation({
  id: 'getCommentSettings',
  method: 'GET',
  path: '/comments/settings',
  summary: 'Read the comment settings',
  description: 'A new Site has comments switched off.',
  access: reading,
  answers: { 200: CommentSettings },
  async handle({ db, site }) {
    return ok(await readCommentSettings(db, site.id));
  },
});

const changeSettings = operation({
  id: 'updateCommentSettings',
  method: 'PATCH',
  path: '/comments/settings',
  summary: 'Update the comment settings',
  description: 'With enabled false, all comments are hidden everywhere, and none is deleted.',
  access: writing,
  body: CommentSettingsUpdate,
  approval: {
    actions: ['comments.settings'],
    async target({ tx, site }) {
      await lockComments(tx, site.id);
      return { version: versionOfBody(JSON.stringify(await readCommentSettings(tx, site.id))) };
    },
  },
  example: { data: { ...commentSettingsExample, moderation: 'hold_all', close_after_days: null } },
  answers: { 200: CommentSettings },
  async handle({ tx, site, actor, body, now }) {
    return ok(await updateSettings({ tx, site, actor, now }, body));
  },
});

const erase = operation({
  id: 'eraseComments',
  method: 'POST',
  path: '/comments/erase',
  summary: 'Delete every comment of an e-mail address, with the replies',
  description: 'The address is matched case-insensitively. This cannot be undone.',
  access: writing,
  body: EraseRequest,
  approval: { actions: ['comments.erase'] },
  answers: { 200: EraseResult },
  async handle({ tx, site, actor, body, purging, now }) {
    return ok({ deleted: await eraseAuthor({ tx, site, actor, now }, purging, body.author_email) });
  },
});

export const moderationOperations = [
  list,
  showSettings,
  changeSettings,
  erase,
  moderation('approveComment', 'approve', 'approved', 'Approve a comment'),
  moderation('holdComment', 'hold', 'pending', 'Hold a comment for review'),
  moderation('markCommentAsSpam', 'spam', 'spam', 'Mark a comment as spam; it is deleted after 30 days'),
  reply,
  remove,
];
