import { listLedger, presentEntry } from '../../domain/credits.ts';
import { presentUsage, readUsage } from '../../domain/usage.ts';
import { operation } from '../operation.ts';
import type { Access } from '../operation.ts';
import { ok, page } from '../reply.ts';
import { LedgerPage, LedgerQuery, UsageShape } from './schema.ts';

const access: Access = { scope: 'meta:read', permission: null, rateClass: 'read', publishable: false };
const group = 'Usage';

const usage = operation({
  method: 'GET',
  path: '/usage',
  summary: 'Show plan, limits, usage and balances',
  group,
  access,
  answers: { 200: UsageShape },
  errors: [],
  async handle({ db, site, caller, now }) {
    return ok(presentUsage(await readUsage(db, site.id, now), caller.plan, now));
  },
});

const ledger = operation({
  method: 'GET',
  path: '/usage/ledger',
  summary: 'List what changed the balance, newest first',
  description:
    'What this Site spent and got back, a row for each stage of an article, and what its organisation was granted.',
  group,
  access,
  query: LedgerQuery,
  answers: { 200: LedgerPage },
  errors: [],
  async handle({ db, site, query }) {
    return page(await listLedger(db, site, query), presentEntry);
  },
});

export const usageOperations = [usage, ledger];
