import { presentPlanItem } from '../../../../domain/content-plan/present.ts';
import { changeFinding, planFinding } from '../../../../domain/seo/curate.ts';
import { listFindings, presentFinding } from '../../../../domain/seo/finding.ts';
import { writing } from '../../articles/operations.ts';
import { PlanItemShape } from '../../content-plan/schema.ts';
import { listOperation } from '../../../framework/list-operation.ts';
import { operation } from '../../../framework/operation.ts';
import { created, ok } from '../../../framework/reply.ts';
import { findingExample } from './examples.ts';
import { FindingPage, FindingQuery, FindingShape, FindingUpdate } from './schema.ts';

const list = listOperation({
  id: 'listFindings',
  path: '/seo/findings',
  summary: 'List findings, newest first',
  description: 'The faults that scans found, each once, however often it was found.',
  access: { scope: 'pipeline:read', permission: 'pipeline.read', rateClass: 'read' },
  query: FindingQuery,
  answer: FindingPage,
  read: ({ db, site, query }) => listFindings(db, site, query),
  present: presentFinding,
});

const update = operation({
  id: 'updateFinding',
  method: 'PATCH',
  path: '/seo/findings/:id',
  summary: 'Dismiss a finding, or open it again',
  description:
    'A dismissed finding stays dismissed, whether later scans find it again or not. An open one is for scans to fix.',
  access: writing,
  body: FindingUpdate,
  example: { data: { ...findingExample, status: 'dismissed' } },
  answers: { 200: FindingShape },
  async handle({ tx, site, actor, params, body, now }) {
    return ok(presentFinding(await changeFinding({ tx, site, actor, now }, params.id, body.status)));
  },
});

const plan = operation({
  id: 'planFinding',
  method: 'POST',
  path: '/seo/findings/:id/plan',
  summary: 'Add an item to the content plan that mends a finding',
  description:
    'The item is the last of the plan; its notes say what was found and where. Each call adds one. A plan has 10,000 items at most (409).',
  access: { ...writing, forDrafts: true },
  idempotency: 'honoured',
  answers: { 201: PlanItemShape },
  headers: ['ETag', 'Location'],
  errors: ['CONFLICT'],
  async handle({ tx, site, actor, params, now }) {
    const item = await planFinding({ tx, site, actor, now }, params.id);
    return created(presentPlanItem(item), { version: item.version, location: `/content-plan/${item.id}` });
  },
});

export const findingOperations = [list, update, plan];
