import type { Caller } from '../../domain/access/authenticate.ts';
import { presentLifecycle } from '../../domain/articles/present.ts';
import { recordChange } from '../../domain/change.ts';
import { conflict, ServiceError } from '../../domain/errors.ts';
import { createRun } from '../../domain/pipeline/create-run.ts';
import { requeueArticle } from '../../domain/pipeline/requeue.ts';
import { getRun, listRuns, presentRun } from '../../domain/pipeline/run.ts';
import { cancelRun } from '../../domain/pipeline/run-lifecycle.ts';
import { plans } from '../../domain/plans.ts';
import { ArticleLifecycleState } from '../articles/schema.ts';
import { operation } from '../operation.ts';
import type { Access } from '../operation.ts';
import { accepted, ok, page } from '../reply.ts';
import { examineRun, RunBody, RunPage, RunQuery, RunShape } from './schema.ts';

const reading: Access = {
  scope: 'pipeline:read',
  permission: 'pipeline.read',
  rateClass: 'read',
  publishable: false,
};
const running = { scope: 'pipeline:run', permission: 'pipeline.run', publishable: false } as const;
const group = 'Pipeline';

/** The second gate of a run, after the scope (specification, Errors, rule 2). */
function refuseWithoutEntitlement({ plan }: Caller): ServiceError | null {
  if (plans[plan].entitlements.includes('pipeline')) return null;
  return new ServiceError('NOT_ENTITLED', `The plan ${plans[plan].name} does not include the AI pipeline.`);
}

const startRun = operation({
  method: 'POST',
  path: '/pipeline/runs',
  summary: 'Start a run of the AI pipeline',
  description:
    'The only billable operation. It takes topics and articles, or what another run left, or, with an empty body, every article that an earlier run left unfinished.',
  group,
  access: { ...running, rateClass: 'pipeline', refuse: refuseWithoutEntitlement },
  body: RunBody.optional(),
  examine: examineRun,
  idempotency: 'honoured',
  approval: {
    action: 'pipeline.run',
    async target({ tx, site, body }) {
      const resumeId = body?.resume_run_id;
      return resumeId === undefined ? null : { version: (await getRun(tx, site.id, resumeId)).status };
    },
  },
  answers: { 202: RunShape },
  errors: ['NOT_FOUND', 'CONFLICT', 'NOT_ENTITLED', 'INSUFFICIENT_CREDITS', 'SPEND_CAP_REACHED'],
  async handle({ tx, site, actor, body, ports, now }) {
    const { topics, article_ids: articleIds, resume_run_id: resumeId } = body ?? {};
    const resumed = resumeId === undefined ? undefined : await getRun(tx, site.id, resumeId);
    if (resumed?.status === 'completed') throw conflict('The run is completed: there is nothing to resume.');
    const run = await createRun(tx, site.id, { topics, articleIds, resumed }, ports.writer, now);
    const target = { type: 'pipeline_run', id: run.id };
    const details = { articles: run.articles.length };
    await recordChange({ tx, site, actor, now }, 'pipeline.run', target, details);
    return accepted(presentRun(run), { location: `/pipeline/runs/${run.id}` });
  },
});

const list = operation({
  method: 'GET',
  path: '/pipeline/runs',
  summary: 'List runs, newest first',
  group,
  access: reading,
  query: RunQuery,
  answers: { 200: RunPage },
  errors: [],
  async handle({ db, site, query }) {
    return page(await listRuns(db, site, query), presentRun);
  },
});

const read = operation({
  method: 'GET',
  path: '/pipeline/runs/:id',
  summary: 'Read a run',
  group,
  access: reading,
  answers: { 200: RunShape },
  errors: [],
  async handle({ db, site, params }) {
    return ok(presentRun(await getRun(db, site.id, params['id'] as string)));
  },
});

const cancel = operation({
  method: 'POST',
  path: '/pipeline/runs/:id/cancel',
  summary: 'End a run at its next stage boundary',
  group,
  access: { ...running, rateClass: 'write' },
  answers: { 200: RunShape },
  errors: ['CONFLICT'],
  async handle({ tx, site, actor, params, now }) {
    const run = await cancelRun(tx, site.id, params['id'] as string, now);
    const target = { type: 'pipeline_run', id: run.id };
    await recordChange({ tx, site, actor, now }, 'pipeline.cancel', target, {});
    return ok(presentRun(run));
  },
});

const requeue = operation({
  method: 'POST',
  path: '/pipeline/articles/:id/requeue',
  summary: 'Put an article back to its last good stage',
  group,
  access: { ...running, rateClass: 'pipeline' },
  answers: { 202: ArticleLifecycleState },
  errors: ['CONFLICT'],
  async handle({ tx, site, params, now }) {
    const article = await requeueArticle(tx, site.id, params['id'] as string, now);
    return accepted(presentLifecycle(article), { version: article.version });
  },
});

export const pipelineOperations = [startRun, list, read, cancel, requeue];
