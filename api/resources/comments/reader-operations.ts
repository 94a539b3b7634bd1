import { z } from 'zod';
import { readerOf } from '../../../domain/comments/reader.ts';
import { submitComment } from '../../../domain/comments/submit.ts';
import { readPostComments } from '../../../domain/comments/thread.ts';
import { presentPostComments } from '../../../domain/comments/present.ts';
import { operation } from '../../framework/operation.ts';
import { created, ok } from '../../framework/reply.ts';
import { CommentWrite, PostCommentsQuery, PostCommentsShape, SubmittedComment } from './schema.ts';

/** Declared before the operations with an id in this place: an article may have the slug `reply`. */
const readOfPost = operation({
  id: 'listCommentsOfArticle',
  method: 'GET',
  path: '/comments/posts/:slug',
  summary: 'List the approved comments of an article, oldest first',
  description:
    'A page has 100 comments. The parent_id of a reply is the first comment of its thread. All texts are plain text: escape them before you show them.',
  access: { scope: 'articles:read', permission: null, rateClass: 'read', publishable: true },
  textParams: { slug: z.string().describe('The slug of a published article.') },
  query: PostCommentsQuery,
  // It has `items`, but it is one object: the thread of an article, which has a version.
  object: true,
  answers: { 200: PostCommentsShape },
  async handle({ db, site, params, query, now }) {
    const comments = await readPostComments(db, site, params.slug, query.cursor, now);
    return ok(presentPostComments(comments), { version: comments.version });
  },
});

const submit = operation({
  id: 'submitComment',
  method: 'POST',
  path: '/comments',
  summary: "Submit a reader's comment",
  description:
    "Called by the site's own server. Repeating a comment within a day gives the first answer, with duplicate true. A 429 names the exceeded limit in error.limit.",
  access: { scope: 'engagement:write', permission: 'articles.write', rateClass: 'write' },
  body: CommentWrite,
  idempotency: 'honoured',
  answers: { 201: SubmittedComment },
  errors: ['COMMENTS_DISABLED', 'NOT_FOUND', 'PARENT_NOT_FOUND', 'COMMENTS_CLOSED'],
  async handle({ tx, ports, site, purging, body, now }) {
    const submission = {
      slug: body.slug,
      body: body.body,
      authorName: body.author_name,
      authorEmail: body.author_email ?? null,
      parentId: body.parent_id ?? null,
      reader: body.reader_ip ? readerOf(ports.box, site, body.reader_ip) : null,
    };
    return created(await submitComment(tx, site, purging, submission, now));
  },
});

export const readerCommentOperations = [readOfPost, submit];
