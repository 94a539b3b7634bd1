import { listLedger } from '../../../domain/usage/credits.ts';
import { presentEntry, presentUsage } from '../../../domain/usage/present.ts';
import { readUsage } from '../../../domain/usage/usage.ts';
import { listOperation } from '../../framework/list-operation.ts';
import { operation } from '../../framework/operation.ts';
import type { Access } from '../../framework/operation.ts';
import { ok } from '../../framework/reply.ts';
import { PageQuery } from '../../framework/schema/query.ts';
import { LedgerPage, UsageShape } from './schema.ts';

const access: Access = { scope: 'meta:read', permission: null, rateClass: 'read' };

const usage = operation({
  id: 'getUsage',
  method: 'GET',
  path: '/usage',
  summary: 'Show the plan, limits, usage and balances',
  description:
    '`usage` is of this Site; `credits.balance` is shared by all Sites of the organisation. `spend_cap` is the limit of this Site and month, or null.',
  access,
  answers: { 200: UsageShape },
  async handle({ db, site, caller, now }) {
    return ok(presentUsage(await readUsage(db, site.id, now), caller.plan, now));
  },
});

const ledger = listOperation({
  id: 'listUsageLedger',
  path: '/usage/ledger',
  summary: 'List changes of the credit balance, newest first',
  description:
    'Lists the charges and refunds of this Site, one for each stage of an article and each unit of a scan, and the grants, purchases, refunds and disputes of its organisation.',
  access,
  query: PageQuery,
  answer: LedgerPage,
  read: ({ db, site, query }) => listLedger(db, site, query),
  present: presentEntry,
});

export const usageOperations = [usage, ledger];
