import { presentLifecycle } from '../../../domain/articles/present.ts';
import { versionOfArticles } from '../../../domain/articles/versions.ts';
import { recordChange } from '../../../domain/audit/change.ts';
import { conflict } from '../../../domain/kernel/errors.ts';
import { createRun } from '../../../domain/pipeline/create-run.ts';
import { shownForApproval } from '../../../domain/content-plan/approval.ts';
import { rejectArticle } from '../../../domain/pipeline/reject.ts';
import { requeueArticle } from '../../../domain/pipeline/requeue.ts';
import { getRun, listRuns } from '../../../domain/pipeline/run.ts';
import { getArticleState } from '../../../domain/pipeline/article-state.ts';
import { presentArticleState, presentRun, presentStep } from '../../../domain/pipeline/present.ts';
import { listSteps } from '../../../domain/pipeline/steps.ts';
import { roleAllows } from '../../../domain/access/permissions.ts';
import { cancelRun } from '../../../domain/pipeline/run-lifecycle.ts';
import { ArticleLifecycleState } from '../articles/schema.ts';
import { operation } from '../../framework/operation.ts';
import type { Access } from '../../framework/operation.ts';
import { refuseWithoutEntitlement } from '../../../domain/kernel/entitlement.ts';
import { accepted, ok } from '../../framework/reply.ts';
import { weighedPage } from '../../framework/weighed-reply.ts';
import { PageQuery } from '../../framework/schema/query.ts';
import { ArticleStateShape, examineRun, Rejection, RunBody, RunPage, RunShape, StepPage } from './schema.ts';
import { draftExample } from '../articles/examples.ts';
import { cancelledRunExample, finishedRunExample } from './examples.ts';

const reading: Access = { scope: 'pipeline:read', permission: 'pipeline.read', rateClass: 'read' };
const running = { scope: 'pipeline:run', permission: 'pipeline.run' } as const;

const startRun = operation({
  id: 'startPipelineRun',
  method: 'POST',
  path: '/pipeline/runs',
  summary: 'Start a run of the AI pipeline',
  description:
    'A run processes topics and articles, or items of the content plan, or the unfinished articles of another run, or, with an empty body, all articles that earlier runs left unfinished.',
  access: { ...running, rateClass: 'pipeline', refuse: refuseWithoutEntitlement },
  body: RunBody.optional(),
  examine: examineRun,
  idempotency: 'honoured',
  approval: {
    actions: ['pipeline.run'],
    async target({ tx, site, body }) {
      const { resume_run_id: resumeId, plan_item_ids: itemIds, article_ids: articleIds } = body ?? {};
      if (itemIds !== undefined) return shownForApproval(tx, site.id, itemIds);
      if (articleIds !== undefined) return { version: await versionOfArticles(tx, site.id, articleIds) };
      return resumeId === undefined ? null : { version: (await getRun(tx, site.id, resumeId)).status };
    },
  },
  answers: { 202: RunShape },
  headers: ['Location'],
  errors: ['NOT_FOUND', 'CONFLICT', 'NOT_ENTITLED', 'INSUFFICIENT_CREDITS', 'SPEND_CAP_REACHED'],
  async handle({ tx, site, actor, body, ports, now }) {
    const {
      topics,
      article_ids: articleIds,
      plan_item_ids: planItemIds,
      resume_run_id: resumeId,
    } = body ?? {};
    const resumed = resumeId === undefined ? undefined : await getRun(tx, site.id, resumeId);
    if (resumed?.status === 'completed') {
      throw conflict('resume_run_id: the run is completed, so there is nothing to resume.');
    }
    const run = await createRun(
      { tx, actor, now },
      site,
      { topics, articleIds, planItemIds, resumed },
      ports.writer,
    );
    const target = { type: 'pipeline_run', id: run.id };
    const details = { articles: run.articles.length };
    recordChange({ tx, site, actor, now }, 'pipeline.run', target, details);
    return accepted(presentRun(run), { location: `/pipeline/runs/${run.id}` });
  },
});

const list = operation({
  id: 'listPipelineRuns',
  method: 'GET',
  path: '/pipeline/runs',
  summary: 'List runs, newest first',
  description: 'Runs of every status. The status of each article is the one at the time of reading.',
  access: reading,
  query: PageQuery,
  answers: { 200: RunPage },
  async handle({ db, site, query }) {
    return weighedPage(site, () => listRuns(db, site, query, (run) => JSON.stringify(presentRun(run))));
  },
});

const read = operation({
  id: 'getPipelineRun',
  method: 'GET',
  path: '/pipeline/runs/:id',
  summary: 'Read a run',
  description:
    'Poll it, or subscribe to `pipeline_run.finished`. A run that credits or the spend cap ended is `partial`, with a `reason`; completed stages are kept and charged.',
  access: reading,
  example: { data: finishedRunExample },
  answers: { 200: RunShape },
  async handle({ db, site, params }) {
    return ok(presentRun(await getRun(db, site.id, params.id)));
  },
});

const steps = operation({
  id: 'listPipelineSteps',
  method: 'GET',
  path: '/pipeline/runs/:id/steps',
  summary: 'List what was asked of the writer in a run, oldest first',
  description:
    'One for each attempt at a stage of an article, kept for 30 days. Prompts and answers are shown with the permission prompts.manage only.',
  access: reading,
  query: PageQuery,
  answers: { 200: StepPage },
  async handle({ db, site, caller, params, query, now }) {
    const withTexts = caller.role !== null && roleAllows(caller.role, 'prompts.manage');
    return weighedPage(site, () =>
      listSteps(db, site, params.id, query, { withTexts, now }, (step) => JSON.stringify(presentStep(step))),
    );
  },
});

const cancel = operation({
  id: 'cancelPipelineRun',
  method: 'POST',
  path: '/pipeline/runs/:id/cancel',
  summary: 'Cancel a run at its next stage boundary',
  description:
    'The stage in progress ends and is charged. A later run takes what is unfinished. A run that has ended is 409.',
  access: { ...running, rateClass: 'write' },
  example: { data: cancelledRunExample },
  answers: { 200: RunShape },
  errors: ['CONFLICT'],
  async handle({ tx, site, actor, params, now }) {
    const run = await cancelRun({ tx, site, actor, now }, params.id);
    return ok(presentRun(run));
  },
});

const readArticle = operation({
  id: 'getPipelineArticle',
  method: 'GET',
  path: '/pipeline/articles/:id',
  summary: 'Read what the pipeline knows of an article',
  description:
    'Score, outline, what the last stage proposes, how each stage went, and who rejected it. Articles that left the pipeline have it, too; one that never was there is 404.',
  access: reading,
  answers: { 200: ArticleStateShape },
  async handle({ db, site, params }) {
    return ok(presentArticleState(await getArticleState(db, site.id, params.id)));
  },
});

const requeue = operation({
  id: 'requeuePipelineArticle',
  method: 'POST',
  path: '/pipeline/articles/:id/requeue',
  summary: 'Reset an article to its last completed stage',
  description:
    'For an article that is failed, rejected, skipped or needs_improvement (else 409); the next run continues from there. A rejected one returns to its status before. It is free.',
  access: { ...running, rateClass: 'pipeline' },
  example: { data: { ...draftExample, status: 'scraped' } },
  answers: { 202: ArticleLifecycleState },
  headers: ['ETag'],
  errors: ['CONFLICT'],
  async handle({ tx, site, actor, params, now }) {
    const article = await requeueArticle({ tx, site, actor, now }, params.id);
    return accepted(presentLifecycle(article), { version: article.version });
  },
});

const reject = operation({
  id: 'rejectPipelineArticle',
  method: 'POST',
  path: '/pipeline/articles/:id/reject',
  summary: 'Take an article out of the pipeline',
  description:
    'From every status of the pipeline but `rejected` (409); while a run works on the article it is 409, too. No run takes a rejected article, and it cannot be published. A requeue restores its status. It is free.',
  access: { ...running, rateClass: 'write' },
  body: Rejection.optional(),
  example: { data: { ...draftExample, status: 'rejected' } },
  answers: { 200: ArticleLifecycleState },
  headers: ['ETag'],
  errors: ['CONFLICT'],
  async handle({ tx, site, caller, actor, params, body, now }) {
    const article = await rejectArticle(
      { tx, site, actor, now },
      caller.memberId,
      params.id,
      body?.reason ?? null,
    );
    return ok(presentLifecycle(article), { version: article.version });
  },
});

export const pipelineOperations = [startRun, list, read, steps, cancel, readArticle, requeue, reject];
