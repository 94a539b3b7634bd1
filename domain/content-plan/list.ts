import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { array, sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import type { Site } from '../kernel/site.ts';
import { pageSql } from '../kernel/page.ts';
import type { Order, PageRequest } from '../kernel/page.ts';
import { matches, prepareSearch } from '../search/search.ts';
import { searchInTurn } from '../search/turns.ts';
import { readWeighedPage, withinStep } from '../kernel/weighed-page.ts';
import type { WeighedPage } from '../kernel/weighed-page.ts';
import { planItemColumns, planItemRow } from './plan-item.ts';
import type { PlanItem, PlanStatus } from './plan-item.ts';

export const planOrders = ['rank', 'target_date'] as const;

type PlanOrder = (typeof planOrders)[number];

/** An order of the list, and the same order of rows that were read, under the name `a`. */
interface ListOrder extends Order<PlanItem> {
  readonly ofRead: FragmentSqlToken;
}

/** An item without a date comes last; those of one day are in the order of the plan. Ranks are unique in a Site. */
const orders: Readonly<Record<PlanOrder, ListOrder>> = {
  rank: {
    columns: [sql.fragment`p.rank`],
    direction: 'asc',
    positionOf: ({ rank }) => ({ key: null, id: rank }),
    ofRead: sql.fragment`a.rank`,
  },
  target_date: {
    columns: [sql.fragment`coalesce(p.target_date, 'infinity'::date)`, sql.fragment`p.rank`],
    direction: 'asc',
    positionOf: ({ target_date: date, rank }) => ({ key: date ?? 'infinity', id: rank }),
    ofRead: sql.fragment`a.target_date collate "C" nulls last, a.rank`,
  },
};

export interface PlanQuery extends PageRequest {
  readonly order: PlanOrder;
  readonly status?: readonly PlanStatus[] | undefined;
  /** A search as the client wrote it. */
  readonly q?: string | undefined;
}

const weighedRow = planItemRow.extend({ found: z.number() });
const weight = sql.fragment`octet_length(a.keywords::text) + coalesce(octet_length(a.notes), 0)`;

/** A page of a Site's plan. @param write serializes an item as JSON */
export const listPlanItems = (
  db: Database,
  site: Site,
  request: PlanQuery,
  write: (item: PlanItem) => string,
): Promise<WeighedPage> =>
  searchInTurn(db, site.id, request.q, (limited) => readPlanItems(limited, site, request, write));

async function readPlanItems(
  db: Queryable,
  site: Site,
  request: PlanQuery,
  write: (item: PlanItem) => string,
): Promise<WeighedPage> {
  const { order: name, status, q } = request;
  const order = orders[name];
  const search = q === undefined ? undefined : prepareSearch(site.id, q);
  const filters = [
    ...(status === undefined ? [] : [sql.fragment`p.status = any(${array(status, 'text')})`]),
    // A plan is short enough to compare the words of each item.
    ...(search ? [matches(search, sql.fragment`p.words`)] : []),
    ...(search === null ? [sql.fragment`false`] : []),
  ];
  const query = JSON.stringify(['content-plan', name, [...new Set(status)].sort(), q ?? null]);
  return readWeighedPage(
    { key: site.cursorKey, query },
    request,
    (position, count) => {
      const { after, order: sorting } = pageSql(order, position);
      const where = sql.join([sql.fragment`p.site_id = ${site.id}`, after, ...filters], sql.fragment` and `);
      const rows = sql.fragment`
        select ${planItemColumns} from plan_items p where ${where} order by ${sorting} limit ${count}`;
      return db.any(sql.type(weighedRow)`${withinStep(rows, order.ofRead, weight)}`);
    },
    order.positionOf,
    write,
  );
}
