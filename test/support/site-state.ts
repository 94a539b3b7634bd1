import type { TestApi } from './api.ts';
import type { Tenant } from './builders.ts';

/** Columns that a request updates whatever its answer: its key's use, and the claim of an upload's public copy. */
const notes = ['last_used_at', 'copied_etag', 'copying_until'];

async function tablesOfSites({ db }: TestApi): Promise<string[]> {
  const { rows } = await db.pool.query(
    `select table_name from information_schema.columns
     where table_schema = 'public' and column_name = 'site_id' order by table_name`,
  );
  return rows.map(({ table_name: table }: { table_name: string }) => table);
}

/** Everything in the database about a Site, its organisation, its people and the secrets of its keys, as text. */
export async function siteState(api: TestApi, tenant: Tenant): Promise<string> {
  const rowsOf = (from: string): string =>
    `(select coalesce(jsonb_agg(to_jsonb(t) - '{${notes.join()}}'::text[] order by to_jsonb(t)::text), '[]') from ${from})`;
  const ofSite = (await tablesOfSites(api)).map((table) => rowsOf(`${table} t where t.site_id = $1`));
  const { rows } = await api.db.pool.query(
    `select jsonb_build_array(${[
      ...ofSite,
      rowsOf('sites t where t.id = $1'),
      rowsOf('organisations t where t.id = $2'),
      rowsOf('members t where t.organisation_id = $2'),
      rowsOf('audit_log t where t.organisation_id = $2 and t.site_id is null'),
      rowsOf('credit_ledger t where t.organisation_id = $2'),
      rowsOf('webhook_queue t join webhook_endpoints e on e.id = t.endpoint_id where e.site_id = $1'),
      rowsOf('webhook_deliveries t join webhook_endpoints e on e.id = t.endpoint_id where e.site_id = $1'),
      rowsOf('api_key_secrets t join api_keys k on k.id = t.key_id where k.site_id = $1'),
    ].join()})::text as state`,
    [tenant.siteId, tenant.organisationId],
  );
  return rows[0].state as string;
}

/** The ids of the Site and of all its objects. */
export async function siteIds(api: TestApi, { siteId }: Tenant): Promise<ReadonlySet<string>> {
  const { rows: withIds } = await api.db.pool.query(
    `select table_name from information_schema.columns
     where table_schema = 'public' and column_name = 'id' and data_type = 'uuid' and table_name = any($1)`,
    [await tablesOfSites(api)],
  );
  const all = withIds.map(
    ({ table_name: t }: { table_name: string }) => `select id from ${t} where site_id = $1`,
  );
  const { rows } = await api.db.pool.query(all.join(' union all '), [siteId]);
  return new Set([siteId, ...rows.map(({ id }: { id: string }) => id)]);
}
