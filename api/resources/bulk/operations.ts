import { areSomeShown, lockVersions, versionOfArticles } from '../../../domain/articles/versions.ts';
import { createBulkJob } from '../../../domain/bulk/create.ts';
import { cancelBulkJob } from '../../../domain/bulk/end.ts';
import { getBulkJob } from '../../../domain/bulk/job.ts';
import type { BulkAction } from '../../../domain/bulk/job.ts';
import { presentBulkJob } from '../../../domain/bulk/present.ts';
import type { GatedOperation } from '../../../domain/approvals/gated-operations.ts';
import { gatesOf } from '../../../domain/approvals/requirement.ts';
import { reading, writing } from '../articles/operations.ts';
import { operation } from '../../framework/operation.ts';
import { accepted, ok } from '../../framework/reply.ts';
import { cancelledJobExample, completedJobExample, queuedJobExample } from './examples.ts';
import { BulkBody, BulkJobShape } from './schema.ts';

/** What a single call of each action waits for, if it does (docs/spec/rulings.md, 23). */
const singleGates: Readonly<Record<BulkAction, GatedOperation>> = {
  publish: 'article.publish',
  unpublish: 'article.unpublish',
  delete: 'article.delete',
  schedule: 'article.schedule',
  set_category: 'article.update_published',
  set_author: 'article.update_published',
  add_tags: 'article.update_published',
  remove_tags: 'article.update_published',
};
const gates: readonly GatedOperation[] = [...new Set(Object.values(singleGates)), 'articles.bulk'];

const start = operation({
  id: 'startBulkJob',
  method: 'POST',
  path: '/articles/bulk',
  summary: 'Do the same with up to 500 articles',
  description:
    'Each article gets exactly what the call for one article does, with the same events and refusals, once. The articles are worked on after the answer: read the job to see how far it is. What has to be looked up, such as an article or a category, or compared with the clock, fails for its item alone. Each action takes its own member and no other: `set_category` takes `category_id`, `set_author` takes `author_id`, `add_tags` and `remove_tags` take `tag_ids`, `schedule` takes `scheduled_publish_at`. Two jobs of a Site run at the same time; others are `queued`. 100 may be unfinished (409).',
  access: { ...writing, forDrafts: true },
  body: BulkBody,
  idempotency: 'honoured',
  approval: {
    actions: gates,
    async among({ tx, site, body }) {
      const single = singleGates[body.action];
      const applies =
        single !== 'article.update_published' || (await areSomeShown(tx, site.id, body.article_ids));
      return applies ? [single, 'articles.bulk'] : ['articles.bulk'];
    },
    target: async ({ tx, site, body }) => ({
      version: await versionOfArticles(tx, site.id, body.article_ids),
    }),
  },
  example: { data: queuedJobExample },
  answers: { 202: BulkJobShape },
  headers: ['Location'],
  errors: ['CONFLICT'],
  async handle({ tx, site, caller, actor, body, now }) {
    const { action, article_ids: articleIds, ...parameters } = body;
    // What an agent's job needed a person for, or would need one for after a change of an article, is bound to the
    // articles as they are now.
    const isBound =
      caller.heldByAgent &&
      (await gatesOf(tx, site.organisationId, [singleGates[action], 'articles.bulk'])).length > 0;
    const job = await createBulkJob(
      { tx, site, actor, now },
      {
        action,
        articleIds,
        parameters,
        versions: isBound ? await lockVersions(tx, site.id, articleIds) : null,
      },
    );
    return accepted(presentBulkJob(job), { location: `/articles/bulk/${job.id}` });
  },
});

const read = operation({
  id: 'getBulkJob',
  method: 'GET',
  path: '/articles/bulk/:id',
  summary: 'Read a bulk job',
  description: 'Poll it until `finished_at` is set. A job is kept for 30 days after its end.',
  access: { ...reading, publishable: false },
  object: true,
  example: { data: completedJobExample },
  answers: { 200: BulkJobShape },
  async handle({ db, site, params }) {
    return ok(presentBulkJob(await getBulkJob(db, site.id, params.id)));
  },
});

const cancel = operation({
  id: 'cancelBulkJob',
  method: 'POST',
  path: '/articles/bulk/:id/cancel',
  summary: 'Cancel a bulk job',
  description:
    'Items that have not begun stay `waiting`; what was done stays done. A job that has ended is 409.',
  access: { ...writing, forDrafts: true },
  example: { data: cancelledJobExample },
  answers: { 200: BulkJobShape },
  errors: ['CONFLICT'],
  async handle({ tx, site, caller, actor, params, now }) {
    return ok(presentBulkJob(await cancelBulkJob({ tx, site, actor, now }, params.id, caller)));
  },
});

export const bulkOperations = [start, read, cancel];
