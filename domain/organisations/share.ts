import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { Queryable } from '../../db/statements.ts';
import { sql } from '../../db/sql.ts';
import { knownOrganisation, noteOrganisation } from './tenant.ts';

const siteRow = z.object({ organisation_id: z.string() });

/** @returns null for a Site that was deleted: of it nothing is left to do, which the work finds out itself */
async function findOrganisation(db: Queryable, siteId: string): Promise<string | null> {
  const known = knownOrganisation(siteId);
  if (known !== undefined) return known;
  const site = await db.maybeOne(sql.type(siteRow)`select organisation_id from sites where id = ${siteId}`);
  if (site !== null) noteOrganisation(siteId, site.organisation_id);
  return site?.organisation_id ?? null;
}

/** The database for the work of a Site that is known by its id only, such as a workflow's: see `Database.of`. */
export async function shareOf(db: Database, siteId: string): Promise<Database> {
  const organisationId = await findOrganisation(db, siteId);
  return organisationId === null ? db : db.of({ siteId, organisationId });
}

/** `tenantOf`, for work that may be the first of a Site in this process. */
export const findTenant = async (db: Queryable, siteId: string): Promise<string> =>
  (await findOrganisation(db, siteId)) ?? siteId;
