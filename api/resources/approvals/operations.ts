import type { Caller } from '../../../domain/access/authenticate.ts';
import { roleAllows } from '../../../domain/access/permissions.ts';
import { getApproval, listApprovals } from '../../../domain/approvals/approval.ts';
import { presentApproval } from '../../../domain/approvals/present.ts';
import type { ApprovalWithBody } from '../../../domain/approvals/approval.ts';
import { decideApproval } from '../../../domain/approvals/decide.ts';
import type { Decision } from '../../../domain/approvals/decide.ts';
import { ServiceError } from '../../../domain/kernel/errors.ts';
import { listOperation } from '../../framework/list-operation.ts';
import { operation } from '../../framework/operation.ts';
import type { Access } from '../../framework/operation.ts';
import { versionOfBody } from '../../http/preconditions.ts';
import { ok } from '../../framework/reply.ts';
import { PageQuery } from '../../framework/schema/query.ts';
import { ApprovalDetail, ApprovalPage, Decided } from '../../framework/approval-schema.ts';
import { decidedExample } from '../../framework/approval-examples.ts';

const reading: Access = { scope: null, permission: null, rateClass: 'read' };
const deciding: Access = {
  scope: null,
  permission: 'approvals.decide',
  withoutPermission: 'FORBIDDEN',
  rateClass: 'write',
  refuse: ({ heldByAgent }) =>
    heldByAgent
      ? new ServiceError('FORBIDDEN', 'Only a person can decide. Use a key that is not held by an agent.')
      : null,
};

const list = listOperation({
  id: 'listApprovals',
  path: '/approvals',
  summary: 'List approvals requested by agents, newest first',
  description:
    'Approvals of every status. Each key of the Site can read them; body and target are shown by `GET /approvals/{id}` alone.',
  access: reading,
  query: PageQuery,
  answer: ApprovalPage,
  read: ({ db, site, query, now }) => listApprovals(db, site, query, now),
  present: presentApproval,
});

/** The body may contain data that needs the scope of the gated operation. */
const mayReadBody = (caller: Caller, approval: ApprovalWithBody): boolean =>
  caller.keyId === approval.key_id ||
  (!caller.heldByAgent && caller.role !== null && roleAllows(caller.role, 'approvals.decide'));

const read = operation({
  id: 'getApproval',
  method: 'GET',
  path: '/approvals/:id',
  summary: 'Read an approval',
  description:
    'An agent polls this until the status is approved or denied, and then repeats its request with `Service-Approval`.',
  access: reading,
  answers: { 200: ApprovalDetail },
  async handle({ db, site, caller, params, now }) {
    const approval = await getApproval(db, site.id, params.id, now);
    const { body, target } = mayReadBody(caller, approval) ? approval : { body: null, target: null };
    const data = { ...presentApproval(approval), body, target };
    // Who reads it decides what is shown, and what is erased of a person changes it, too.
    return ok(data, { version: versionOfBody(JSON.stringify(data)) });
  },
});

const decision = (verb: 'approve' | 'deny', decided: Decision, summary: string) =>
  operation({
    id: `${verb}Approval`,
    method: 'POST',
    path: `/approvals/:id/${verb}`,
    summary,
    description:
      'Takes a key that is not held by an agent and belongs to a person with the permission approvals.decide.',
    access: deciding,
    example: { data: decidedExample(decided) },
    answers: { 200: Decided },
    errors: ['CONFLICT', 'FORBIDDEN'],
    async handle({ tx, site, actor, caller, params, now, ports }) {
      const change = { tx, site, actor, now };
      const approval = await decideApproval(change, caller.keyId, params.id, decided, ports.box);
      return ok({ approval: presentApproval(approval) });
    },
  });

export const approvalOperations = [
  list,
  read,
  decision(
    'approve',
    'approved',
    'Approve an agent’s request; the agent may repeat it once, within the 24 hours',
  ),
  decision('deny', 'denied', 'Deny an agent’s request'),
];
