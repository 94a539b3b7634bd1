import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { columnsOf, sql, timestamp } from '../../db/sql.ts';
import type { Site } from '../kernel/site.ts';
import { byId, readPage } from '../kernel/page.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import { workReasons, workStatuses } from '../paid-work/paid-work.ts';
import { siteObject } from '../kernel/site-object.ts';
import { scanKinds, unitSizes } from './rules.ts';
import type { ScanKindName } from './rules.ts';

const parameters = z.object({
  article_ids: z.array(z.string()).optional(),
  start_url: z.string().optional(),
  max_pages: z.number().optional(),
});

const scanRow = z.object({
  id: z.string(),
  site_id: z.string(),
  kind: z.enum(scanKinds),
  status: z.enum(workStatuses),
  reason: z.enum(workReasons).nullable(),
  parameters,
  plan_position: z.string().nullable(),
  planned: z.boolean(),
  targets_left: z.number(),
  most_counted: z.number().nullable(),
  counted: z.number(),
  units_opened: z.number(),
  units_done: z.number(),
  units_total: z.number().nullable(),
  open_unit_counted: z.number().nullable(),
  credits_spent: z.number(),
  found_error: z.number(),
  found_warning: z.number(),
  found_notice: z.number(),
  cancel_requested_at: timestamp.nullable(),
  key_id: z.string().nullable(),
  created_at: timestamp,
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
});

/** A scan of a Site (docs/spec/rulings.md, 19, Scan). */
export type Scan = z.infer<typeof scanRow>;

const columns = columnsOf(scanRow, 's');

export const { get: getScan, getForUpdate: getScanForUpdate } = siteObject({
  row: scanRow,
  columns,
  from: sql.fragment`seo_scans s`,
  noun: 'scan',
});

/** Reads a scan; null if it was deleted, with its Site. */
export const findScan = (db: Queryable, siteId: string, id: string): Promise<Scan | null> =>
  db.maybeOne(sql.type(scanRow)`select ${columns} from seo_scans s where id = ${id} and site_id = ${siteId}`);

/** Locks a scan until the transaction ends, and reads it; null if it was deleted, with its Site. */
export const findScanForUpdate = (tx: Transaction, id: string): Promise<Scan | null> =>
  tx.maybeOne(sql.type(scanRow)`select ${columns} from seo_scans s where id = ${id} for no key update`);

/**
 * The scan that took the rest of another one last; that one itself, if none did. It is locked until the transaction
 * ends.
 */
export async function getLastOfChain(tx: Transaction, siteId: string, id: string): Promise<Scan> {
  const { id: lastId } = await tx.one(sql.type(z.object({ id: z.string() }))`
    with recursive chain as (
      select id, 1 as length from seo_scans where id = ${id} and site_id = ${siteId}
      union all
      select s.id, c.length + 1 from seo_scans s join chain c on s.resumed_from = c.id
    )
    select id from chain order by length desc limit 1`);
  return getScanForUpdate(tx, siteId, lastId);
}

const newest = byId('s', 'desc');

/** A page of a Site's scans, newest first. */
export function listScans(
  db: Queryable,
  site: Site,
  { kind, ...request }: PageRequest & { readonly kind?: ScanKindName | undefined },
): Promise<Page<Scan>> {
  return readPage(site, `seo/scans?kind=${kind ?? ''}`, request, newest, ({ after, order }, count) =>
    db.any(sql.type(scanRow)`
      select ${columns} from seo_scans s
      where s.site_id = ${site.id} and ${kind === undefined ? sql.fragment`true` : sql.fragment`s.kind = ${kind}`}
        and ${after}
      order by ${order} limit ${count}`),
  );
}

/** How many more targets count in the open unit, or in the next one. */
export function roomOf({ kind, open_unit_counted: open, most_counted: most, counted }: Scan): number {
  const inUnit = unitSizes[kind] - (open ?? 0);
  return most === null ? inUnit : Math.min(inUnit, most - counted);
}

/** How many units a number of targets makes. */
export const unitsOf = (kind: ScanKindName, targets: number): number => Math.ceil(targets / unitSizes[kind]);
