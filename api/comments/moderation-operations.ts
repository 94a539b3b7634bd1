import { getCommentForChange, listComments, presentComment } from '../../domain/comments/comment.ts';
import { moderateComment, replyAsSite } from '../../domain/comments/moderate.ts';
import { deleteComment, eraseAuthor } from '../../domain/comments/remove.ts';
import { readSettings, updateSettings } from '../../domain/comments/settings.ts';
import { readCounts } from '../../domain/comments/site-comments.ts';
import type { CommentStatus } from '../../domain/comments/site-comments.ts';
import { operation } from '../operation.ts';
import type { Access } from '../operation.ts';
import { created, noContent, ok } from '../reply.ts';
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

const reading: Access = {
  scope: 'comments:read',
  permission: 'comments.moderate',
  rateClass: 'read',
  publishable: false,
};
const writing: Access = { ...reading, scope: 'comments:write', rateClass: 'write' };
const group = 'Comments';

const list = operation({
  method: 'GET',
  path: '/comments',
  summary: 'List comments for moderation, newest first',
  group,
  access: reading,
  query: CommentQuery,
  answers: { 200: CommentPage },
  errors: [],
  async handle({ db, site, query: { cursor, limit, ...filters } }) {
    const [comments, counts] = await Promise.all([
      listComments(db, site, filters, { cursor, limit }),
      readCounts(db, site.id),
    ]);
    return ok({ items: comments.items.map(presentComment), next_cursor: comments.nextCursor, counts });
  },
});

/** One of the three calls that put a comment into a status. */
const moderation = (verb: string, status: CommentStatus, summary: string) =>
  operation({
    method: 'POST',
    path: `/comments/:id/${verb}`,
    summary,
    group,
    access: writing,
    answers: { 200: CommentShape },
    errors: [],
    async handle({ tx, site, actor, params, now }) {
      const comment = await getCommentForChange(tx, site.id, params['id'] as string);
      return ok(presentComment(await moderateComment(tx, site, actor, comment, status, now)));
    },
  });

const reply = operation({
  method: 'POST',
  path: '/comments/:id/reply',
  summary: 'Reply as the Site',
  group,
  access: writing,
  body: ReplyWrite,
  idempotency: 'honoured',
  answers: { 201: CommentShape },
  errors: ['CONFLICT'],
  async handle({ tx, site, actor, params, body, now }) {
    const comment = await getCommentForChange(tx, site.id, params['id'] as string);
    const values = { body: body.body, authorName: body.author_name ?? site.name };
    return created(presentComment(await replyAsSite(tx, site, actor, comment, values, now)));
  },
});

const remove = operation({
  method: 'DELETE',
  path: '/comments/:id',
  summary: 'Delete a comment with its replies',
  group,
  access: writing,
  approval: {
    action: 'comment.delete',
    async target({ tx, site, params }) {
      const comment = await getCommentForChange(tx, site.id, params['id'] as string);
      return { version: comment.updated_at.toISOString() };
    },
  },
  answers: { 204: null },
  errors: [],
  async handle({ tx, site, actor, params, now }) {
    const comment = await getCommentForChange(tx, site.id, params['id'] as string);
    await deleteComment(tx, site, actor, comment.id, now);
    return noContent();
  },
});

const showSettings = operation({
  method: 'GET',
  path: '/comments/settings',
  summary: 'Show the settings of comments',
  group,
  access: reading,
  answers: { 200: CommentSettings },
  errors: [],
  async handle({ db, site }) {
    return ok(await readSettings(db, site.id));
  },
});

const changeSettings = operation({
  method: 'PATCH',
  path: '/comments/settings',
  summary: 'Change the settings of comments',
  description: 'Switched off, all comments are hidden everywhere, and none is deleted.',
  group,
  access: writing,
  body: CommentSettingsUpdate,
  answers: { 200: CommentSettings },
  errors: [],
  async handle({ tx, site, actor, body, now }) {
    return ok(await updateSettings(tx, site, actor, body, now));
  },
});

const erase = operation({
  method: 'POST',
  path: '/comments/erase',
  summary: 'Delete every comment written under an address, with the replies',
  description: 'Matched case-insensitively. It cannot be undone.',
  group,
  access: writing,
  body: EraseRequest,
  approval: { action: 'comments.erase' },
  answers: { 200: EraseResult },
  errors: [],
  async handle({ tx, site, actor, body, now }) {
    return ok({ deleted: await eraseAuthor(tx, site, actor, body.author_email, now) });
  },
});

export const moderationOperations = [
  list,
  showSettings,
  changeSettings,
  erase,
  moderation('approve', 'approved', 'Approve a comment'),
  moderation('hold', 'pending', 'Hold a comment for review'),
  moderation('spam', 'spam', 'Mark a comment as spam; it is deleted after 30 days'),
  reply,
  remove,
];
