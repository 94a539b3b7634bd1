import { approveReview, requestChanges, withdrawReview } from '../../../domain/reviews/decide.ts';
import { presentReview, versionOfReview } from '../../../domain/reviews/present.ts';
import { requestReview } from '../../../domain/reviews/request.ts';
import { getNewestReview, listReviews } from '../../../domain/reviews/review.ts';
import type { Review } from '../../../domain/reviews/review.ts';
import { reading, writing as writingArticles } from '../articles/operations.ts';
import { listOperation } from '../../framework/list-operation.ts';
import { operation } from '../../framework/operation.ts';
import { peopleOnly } from '../../framework/people-only.ts';
import { created, noContent, ok } from '../../framework/reply.ts';
import type { Reply } from '../../framework/reply.ts';
import { approvedReviewExample, refusedReviewExample } from './examples.ts';
import {
  ChangesRequest,
  ReviewApproval,
  ReviewPage,
  ReviewQuery,
  ReviewRequest,
  ReviewShape,
} from './schema.ts';

const writing = { ...writingArticles, forDrafts: true };
const deciding = {
  scope: 'articles:write',
  permission: 'articles.publish',
  rateClass: 'write',
  refuse: peopleOnly('decide about a review'),
} as const;

const shown = (review: Review): Reply => ok(presentReview(review), { version: versionOfReview(review) });

const request = operation({
  id: 'requestReview',
  method: 'POST',
  path: '/articles/:id/review',
  summary: 'Ask for a review',
  description:
    'Of the article, or of its pending edit if it has one. The body is optional. While a review is open, it is 409.',
  access: writing,
  body: ReviewRequest.optional(),
  idempotency: 'honoured',
  answers: { 201: ReviewShape },
  headers: ['ETag', 'Location'],
  errors: ['CONFLICT'],
  async handle({ tx, site, caller, actor, params, body, now }) {
    const review = await requestReview({ tx, site, actor, now }, caller, params.id, body ?? {});
    return created(presentReview(review), {
      version: versionOfReview(review),
      location: `/articles/${params.id}/review`,
    });
  },
});

const read = operation({
  id: 'getReview',
  method: 'GET',
  path: '/articles/:id/review',
  summary: 'Read the newest review of an article',
  description: 'Its ETag changes with the text that is reviewed. An article that has had no review is 404.',
  access: { ...reading, publishable: false },
  answers: { 200: ReviewShape },
  handle: async ({ db, site, params }) => shown(await getNewestReview(db, site.id, params.id)),
});

const approve = operation({
  id: 'approveReview',
  method: 'POST',
  path: '/articles/:id/review/approve',
  summary: 'Approve a text',
  description:
    'The body is optional. A text that has changed since the review was asked for is approved with its newest `revision`, or with `If-Match` and the present ETag of the review (else 409); a pending edit with the latter only. Where `required_reviews` is 2, the review stays `requested` until the second person has approved; the same person twice is 409. Whoever wrote the text may not decide about it, nor may keys held by an agent, nor others than the reviewers, admins and the owner if the review names reviewers (403). Without an open review, 409.',
  access: deciding,
  body: ReviewApproval.optional(),
  conditional: true,
  example: { data: approvedReviewExample },
  answers: { 200: ReviewShape },
  errors: ['CONFLICT', 'FORBIDDEN'],
  async handle({ tx, site, caller, actor, params, body, ifMatch, now }) {
    const approval = {
      note: body?.note ?? null,
      revision: body?.revision,
      named: (review: Review): boolean => ifMatch(versionOfReview(review)),
    };
    return shown(await approveReview({ tx, site, actor, now }, caller, params.id, approval));
  },
});

const refuse = operation({
  id: 'requestReviewChanges',
  method: 'POST',
  path: '/articles/:id/review/request-changes',
  summary: 'Ask the author for changes',
  description:
    'Ends the review; the author asks for another one. What was approved before does not count any more. Those who may approve may do it. Without an open review, 409.',
  access: deciding,
  body: ChangesRequest,
  example: { data: refusedReviewExample },
  answers: { 200: ReviewShape },
  headers: ['ETag'],
  errors: ['CONFLICT', 'FORBIDDEN'],
  handle: async ({ tx, site, caller, actor, params, body, now }) =>
    shown(await requestChanges({ tx, site, actor, now }, caller, params.id, body.note)),
});

const withdraw = operation({
  id: 'withdrawReview',
  method: 'DELETE',
  path: '/articles/:id/review',
  summary: 'Withdraw the open review of an article',
  description:
    'By the person who asked for it, or one with the permission articles.publish (else 403). Without an open review, 409. The review of a pending edit is withdrawn by itself when that is published or discarded.',
  access: writing,
  answers: { 204: null },
  errors: ['CONFLICT'],
  async handle({ tx, site, caller, actor, params, now }) {
    await withdrawReview({ tx, site, actor, now }, caller, params.id);
    return noContent();
  },
});

const list = listOperation({
  id: 'listReviews',
  path: '/reviews',
  summary: 'List reviews, newest first',
  description: 'Of all articles. What waits for you: `state=requested` and `reviewer_id=me`.',
  access: { ...reading, publishable: false },
  query: ReviewQuery,
  answer: ReviewPage,
  read({ db, site, caller, query: { cursor, limit, ...filters } }) {
    const reviewer_id = filters.reviewer_id === 'me' ? caller.memberId : filters.reviewer_id;
    return listReviews(db, site, { cursor, limit }, { ...filters, reviewer_id });
  },
  present: presentReview,
});

export const reviewOperations = [request, read, approve, refuse, withdraw, list];
