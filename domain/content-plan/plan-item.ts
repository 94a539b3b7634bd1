import { z } from 'zod';
import { columnsOf, sql, timestamp } from '../../db/sql.ts';
import { siteObject } from '../kernel/site-object.ts';

/** The statuses that clients may set, and those of the service: a run took the item, or its article was published. */
export const clientStatuses = ['idea', 'approved', 'rejected'] as const;
export const planStatuses = [...clientStatuses, 'started', 'done'] as const;

export type PlanStatus = (typeof planStatuses)[number];

const stored = z.object({
  id: z.string(),
  title: z.string(),
  notes: z.string().nullable(),
  keywords: z.array(z.string()),
  source_url: z.string().nullable(),
  source_urls: z.array(z.string()),
  format_id: z.string().nullable(),
  category_id: z.string().nullable(),
  author_id: z.string().nullable(),
  status: z.enum(planStatuses),
  rank: z.string(),
  /** Also of an item that was given back, for the run that takes it next. */
  article_id: z.string().nullable(),
  run_id: z.string().nullable(),
  version: z.number(),
  created_at: timestamp,
  updated_at: timestamp,
});

export const planItemRow = stored.extend({
  /** `YYYY-MM-DD`. */
  target_date: z.string().nullable(),
});

export type PlanItem = z.infer<typeof planItemRow>;

/** The columns of an item, from the table `p`. */
export const planItemColumns = sql.fragment`
  ${columnsOf(stored, 'p')}, to_char(p.target_date, 'YYYY-MM-DD') as target_date`;

export const { get: getPlanItem, getForUpdate: getPlanItemForUpdate } = siteObject({
  row: planItemRow,
  columns: planItemColumns,
  from: sql.fragment`plan_items p`,
  noun: 'plan item',
});

/** The members that a client writes. */
export const writtenMembers = [
  'title',
  'notes',
  'keywords',
  'source_url',
  'source_urls',
  'format_id',
  'category_id',
  'author_id',
  'target_date',
  'status',
] as const;

export type WrittenMember = (typeof writtenMembers)[number];

/** The body of the request; members that are left out stay unchanged, or get their default. */
export type PlanItemChanges = {
  readonly [Name in Exclude<WrittenMember, 'keywords' | 'source_urls' | 'status'>]?:
    | PlanItem[Name]
    | undefined;
} & {
  readonly keywords?: readonly string[] | undefined;
  readonly source_urls?: readonly string[] | undefined;
  readonly status?: (typeof clientStatuses)[number] | undefined;
};

/** Whether a run has taken the item. */
export const isTaken = ({ status }: Pick<PlanItem, 'status'>): boolean =>
  status === 'started' || status === 'done';

export const planItemTarget = (id: string): { readonly type: string; readonly id: string } => ({
  type: 'plan_item',
  id,
});
