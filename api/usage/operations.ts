import { listLedger } from '../../domain/usage/credits.ts';
import { presentEntry, presentUsage } from '../../domain/usage/present.ts';
import { readUsage } from '../../domain/usage/usage.ts';
import { operation } from '../operation.ts';
import type { Access } from '../operation.ts';
import { ok, page } from '../reply.ts';
import { PageQuery } from '../schema/query.ts';
import { LedgerPage, UsageShape } from './schema.ts';

const access: Access = { scope: 'meta:read', permission: null, rateClass: 'read', publishable: false };
const group = 'Usage';

const usage = operation({
  id: 'getUsage',
  method: 'GET',
  path: '/usage',
  summary: 'Show the plan, limits, usage and balances',
  description:
    '`usage` is of this Site; `credits.balance` is shared by all Sites of the organisation. `spend_cap` is the limit of this Site and month, or null.',
  group,
  access,
  answers: { 200: UsageShape },
  errors: [],
  async handle({ db, site, caller, now }) {
    return ok(presentUsage(await readUsage(db, site.id, now), caller.plan, now));
  },
});

const ledger = operation({
  id: 'listUsageLedger',
  method: 'GET',
  path: '/usage/ledger',
  summary: 'List changes of the credit balance, newest first',
  description:
    'Lists the charges and refunds of this Site, one for each stage of an article and each unit of a scan, and the grants, purchases, refunds and disputes of its organisation.',
  group,
  access,
  query: PageQuery,
  answers: { 200: LedgerPage },
  errors: [],
  async handle({ db, site, query }) {
    return page(await listLedger(db, site, query), presentEntry);
  },
});

export const usageOperations = [usage, ledger];
