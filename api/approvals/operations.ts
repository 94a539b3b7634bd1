import type { Caller } from '../../domain/access/authenticate.ts';
import { roleAllows } from '../../domain/access/permissions.ts';
import { getApproval, listApprovals, presentApproval } from '../../domain/approvals/approval.ts';
import type { ApprovalWithBody } from '../../domain/approvals/approval.ts';
import { decideApproval } from '../../domain/approvals/decide.ts';
import type { Decision } from '../../domain/approvals/decide.ts';
import { ServiceError } from '../../domain/errors.ts';
import { operation } from '../operation.ts';
import type { Access } from '../operation.ts';
import { ok, page } from '../reply.ts';
import { ApprovalDetail, ApprovalPage, ApprovalQuery, Decided } from './schema.ts';

const reading: Access = { scope: null, permission: null, rateClass: 'read', publishable: false };
const deciding: Access = {
  scope: null,
  permission: 'approvals.decide',
  withoutPermission: 'FORBIDDEN',
  rateClass: 'write',
  publishable: false,
  refuse: ({ heldByAgent }) =>
    heldByAgent
      ? new ServiceError('FORBIDDEN', 'A person decides: this key is held by an agent. Use another one.')
      : null,
};
const group = 'Approvals';

const list = operation({
  method: 'GET',
  path: '/approvals',
  summary: 'List what agents asked a person to approve, newest first',
  group,
  access: reading,
  query: ApprovalQuery,
  answers: { 200: ApprovalPage },
  errors: [],
  async handle({ db, site, query, now }) {
    return page(await listApprovals(db, site, query, now), presentApproval);
  },
});

/** What was sent may hold what the operation's own scope guards. */
const mayReadBody = (caller: Caller, approval: ApprovalWithBody): boolean =>
  caller.keyId === approval.key_id ||
  (!caller.heldByAgent && caller.role !== null && roleAllows(caller.role, 'approvals.decide'));

const read = operation({
  method: 'GET',
  path: '/approvals/:id',
  summary: 'Read an approval',
  group,
  access: reading,
  answers: { 200: ApprovalDetail },
  errors: [],
  async handle({ db, site, caller, params, now }) {
    const approval = await getApproval(db, site.id, params['id'] as string, now);
    const body = mayReadBody(caller, approval) ? approval.body : null;
    return ok({ ...presentApproval(approval), body }, { version: approval.status });
  },
});

const decision = (verb: 'approve' | 'deny', decided: Decision, summary: string) =>
  operation({
    method: 'POST',
    path: `/approvals/:id/${verb}`,
    summary,
    description: 'For a key that is not held by an agent, of a person with the permission approvals.decide.',
    group,
    access: deciding,
    answers: { 200: Decided },
    errors: ['CONFLICT', 'FORBIDDEN'],
    async handle({ tx, site, actor, caller, params, now }) {
      const change = { tx, site, actor, now };
      const approval = await decideApproval(change, caller.keyId, params['id'] as string, decided);
      return ok({ approval: presentApproval(approval) });
    },
  });

export const approvalOperations = [
  list,
  read,
  decision('approve', 'approved', 'Approve what an agent asked for; it may do it once, within the 24 hours'),
  decision('deny', 'denied', 'Deny what an agent asked for'),
];
