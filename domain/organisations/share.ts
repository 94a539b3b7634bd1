import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** A Site never changes its organisation. */
const organisations = new LRUCache<string, string>({ max: 10_000 });

const siteRow = z.object({ organisation_id: z.string() });

/** The database for the work of a Site that is known by its id only, such as a workflow's: see `Database.of`. */
export async function shareOf(db: Database, siteId: string): Promise<Database> {
  let organisationId = organisations.get(siteId);
  if (organisationId === undefined) {
    const site = await db.maybeOne(sql.type(siteRow)`select organisation_id from sites where id = ${siteId}`);
    // Of a Site that was deleted nothing is left to do, which the work finds out itself.
    if (site === null) return db;
    organisationId = site.organisation_id;
    organisations.set(siteId, organisationId);
  }
  return db.of({ siteId, organisationId });
}
