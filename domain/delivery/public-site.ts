import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';
import { coalescedQuery } from '../../db/throughput/coalesced-query.ts';
import { inBatch } from '../kernel/batch.ts';

const publicSite = z.object({ id: z.string(), organisation_id: z.string(), version: z.string() });
const foldedRow = z.object({ folded: z.number() });

/** A Site whose public files are asked for, with the version of their content. */
export type PublicSite = z.infer<typeof publicSite>;

/**
 * The version of everything that is public about the Site `s`: of its settings, and the number of changes that triggers
 * have recorded. It grows with the commit of each change (api/pages/public-files/README.md).
 */
export const publicVersion = sql.fragment`
  s.version || '.' || (
    coalesce((select u.public_changes from site_usage u where u.site_id = s.id), 0)
    + (select count(*) from public_changes c where c.site_id = s.id)
  )`;

const byFolder = coalescedQuery(
  publicSite,
  { folder: 'text' },
  // The expression of an index, and of `publicFolder`.
  ({ folder }) => sql.fragment`
    select s.id, s.organisation_id, ${publicVersion} as version from sites s
    where left(encode(sha256(('media/' || s.id::text)::bytea), 'hex'), 32) = ${folder} and s.deleting_since is null`,
);

/** The Site with a public folder; null if there is none, or if it is being deleted. */
export async function findPublicSite(db: Database, folder: string): Promise<PublicSite | null> {
  const [site = null] = await db.coalesced(byFolder({ folder }));
  return site;
}

/** Adds a batch of the changes that triggers recorded to the numbers of their Sites. @returns how many */
export async function foldPublicChanges(tx: Transaction, size: number): Promise<number> {
  const { folded } = await tx.one(sql.type(foldedRow)`
    with taken as (
      delete from public_changes where ${inBatch({ table: 'public_changes', by: 'id', size })} returning site_id
    ), added as (
      insert into site_usage as u (site_id, public_changes)
      select site_id, count(*) from taken group by site_id order by site_id
      on conflict (site_id) do update set public_changes = u.public_changes + excluded.public_changes
    )
    select count(*)::int as folded from taken`);
  return folded;
}
