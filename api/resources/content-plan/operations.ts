import type { Caller } from '../../../domain/access/authenticate.ts';
import { createPlanItem } from '../../../domain/content-plan/create.ts';
import { listPlanItems } from '../../../domain/content-plan/list.ts';
import { lockOrder } from '../../../domain/content-plan/order.ts';
import { getPlanItem, getPlanItemForUpdate } from '../../../domain/content-plan/plan-item.ts';
import type { PlanItemChanges } from '../../../domain/content-plan/plan-item.ts';
import { presentPlanItem } from '../../../domain/content-plan/present.ts';
import { deletePlanItem } from '../../../domain/content-plan/remove.ts';
import { updatePlanItem } from '../../../domain/content-plan/update.ts';
import { ServiceError } from '../../../domain/kernel/errors.ts';
import { operation } from '../../framework/operation.ts';
import type { Access } from '../../framework/operation.ts';
import { created, noContent, ok } from '../../framework/reply.ts';
import { weighedPage } from '../../framework/weighed-reply.ts';
import { approvedItemExample } from './examples.ts';
import { PlanItemPage, PlanItemShape, PlanItemUpdate, PlanItemWrite, PlanQuery } from './schema.ts';

const reading: Access = { scope: 'pipeline:read', permission: 'pipeline.read', rateClass: 'read' };
const writing: Access = { scope: 'articles:write', permission: 'articles.write', rateClass: 'write' };

/** The autopilot buys approved items. @throws ServiceError FORBIDDEN, or INSUFFICIENT_SCOPE for a person's key for drafts */
function requirePersonToApprove({ heldByAgent, draftsOnly }: Caller, { status }: PlanItemChanges): void {
  if (status !== 'approved' || (!heldByAgent && !draftsOnly)) return;
  throw new ServiceError(
    heldByAgent ? 'FORBIDDEN' : 'INSUFFICIENT_SCOPE',
    'status: only a person can set an item to approved. Leave it as an idea, and ask a person to approve it.',
  );
}

const list = operation({
  id: 'listPlanItems',
  method: 'GET',
  path: '/content-plan',
  summary: 'List the content plan',
  description:
    'In the order of the plan, or by target date. An item that is moved while pages are read may appear twice, or not at all.',
  access: reading,
  query: PlanQuery,
  answers: { 200: PlanItemPage },
  async handle({ db, site, query }) {
    return weighedPage(site, () =>
      listPlanItems(db, site, query, (item) => JSON.stringify(presentPlanItem(item))),
    );
  },
});

const create = operation({
  id: 'createPlanItem',
  method: 'POST',
  path: '/content-plan',
  summary: 'Add an item to the content plan',
  description:
    'It becomes the last of the plan. It costs nothing: `POST /pipeline/runs` with `plan_item_ids` has articles written. A plan has 10,000 items at most (409). A key held by an agent may not set `approved` (403).',
  access: { ...writing, forDrafts: true },
  body: PlanItemWrite,
  idempotency: 'honoured',
  answers: { 201: PlanItemShape },
  headers: ['ETag', 'Location'],
  errors: ['CONFLICT', 'FORBIDDEN'],
  async handle({ tx, site, actor, caller, body, now }) {
    requirePersonToApprove(caller, body);
    const item = await createPlanItem({ tx, site, actor, now }, body);
    return created(presentPlanItem(item), { version: item.version, location: `/content-plan/${item.id}` });
  },
});

const read = operation({
  id: 'getPlanItem',
  method: 'GET',
  path: '/content-plan/:id',
  summary: 'Read an item of the content plan',
  description: 'Its `status` follows the run that took it and the article that was made of it.',
  access: reading,
  answers: { 200: PlanItemShape },
  async handle({ db, site, params }) {
    const item = await getPlanItem(db, site.id, params.id);
    return ok(presentPlanItem(item), { version: item.version });
  },
});

const update = operation({
  id: 'updatePlanItem',
  method: 'PATCH',
  path: '/content-plan/:id',
  summary: 'Update or move an item of the content plan',
  description:
    'Only the members that you send change; `after` moves the item. An item that a run has taken (`started` or `done`) keeps its title (409), and keeps its status while that run is running (409). Set back to `idea` or `approved`, it can be taken again. A key held by an agent may not set `approved` (403). With `If-Match`, a newer version is 412.',
  access: { ...writing, forDrafts: true },
  body: PlanItemUpdate,
  conditional: true,
  example: { data: approvedItemExample },
  answers: { 200: PlanItemShape },
  errors: ['CONFLICT', 'FORBIDDEN'],
  async handle({ tx, site, actor, caller, params, body, ifMatch, now }) {
    const { after, ...sent } = body;
    if (after !== undefined) await lockOrder(tx, site.id);
    const current = await getPlanItemForUpdate(tx, site.id, params.id);
    requirePersonToApprove(caller, sent);
    ifMatch(current.version);
    const item = await updatePlanItem({ tx, site, actor, now }, current, sent, after);
    return ok(presentPlanItem(item), { version: item.version });
  },
});

const remove = operation({
  id: 'deletePlanItem',
  method: 'DELETE',
  path: '/content-plan/:id',
  summary: 'Delete an item of the content plan',
  description: 'Its article stays. While the run that took it is running, it is 409.',
  access: writing,
  approval: {
    actions: ['plan_item.delete'],
    target: ({ tx, site, params }) => getPlanItemForUpdate(tx, site.id, params.id),
  },
  conditional: true,
  answers: { 204: null },
  errors: ['CONFLICT'],
  async handle({ tx, site, actor, params, ifMatch, now }) {
    const current = await getPlanItemForUpdate(tx, site.id, params.id);
    ifMatch(current.version);
    await deletePlanItem({ tx, site, actor, now }, current);
    return noContent();
  },
});

export const planOperations = [list, create, read, update, remove];
