import { readerDigest } from '../../domain/comments/reader.ts';
import { submitComment } from '../../domain/comments/submit.ts';
import { presentPostComments, readPostComments } from '../../domain/comments/thread.ts';
import { operation } from '../operation.ts';
import { created, ok } from '../reply.ts';
import { CommentWrite, PostCommentsQuery, PostCommentsShape, SubmittedComment } from './schema.ts';

const group = 'Comments';

/** Before the operations with an id in its place: an article may have the slug `reply`. */
const readOfPost = operation({
  method: 'GET',
  path: '/comments/posts/:slug',
  summary: 'Show the approved comments of an article, oldest first',
  description:
    'Pages of 100. A reply has the id of the first comment of its thread as parent_id. All of it is plain text: escape it where you show it.',
  group,
  access: { scope: 'articles:read', permission: null, rateClass: 'read', publishable: true },
  textParams: ['slug'],
  query: PostCommentsQuery,
  answers: { 200: PostCommentsShape },
  errors: [],
  async handle({ db, site, params, query, now }) {
    const comments = await readPostComments(db, site, params['slug'] as string, query.cursor, now);
    return ok(presentPostComments(comments), { version: comments.version });
  },
});

const submit = operation({
  method: 'POST',
  path: '/comments',
  summary: "Submit a reader's comment",
  description:
    "Called by the site's own server. The same comment within a day answers as the first one did, with duplicate true. 429 names in error.limit which limit was met.",
  group,
  access: {
    scope: 'engagement:write',
    permission: 'articles.write',
    rateClass: 'write',
    publishable: false,
  },
  body: CommentWrite,
  idempotency: 'honoured',
  answers: { 201: SubmittedComment },
  errors: ['COMMENTS_DISABLED', 'NOT_FOUND', 'PARENT_NOT_FOUND', 'COMMENTS_CLOSED'],
  async handle({ tx, site, body, now }) {
    const submission = {
      slug: body.slug,
      body: body.body,
      authorName: body.author_name,
      authorEmail: body.author_email ?? null,
      parentId: body.parent_id ?? null,
      reader: body.reader_ip ? readerDigest(site, body.reader_ip) : null,
    };
    return created(await submitComment(tx, site, submission, now));
  },
});

export const readerCommentOperations = [readOfPost, submit];
