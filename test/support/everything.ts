import type { TestApi } from './api.ts';
import type { Tenant } from './builders.ts';

/** Everything of the Site that a gated operation could change. */
export async function everythingOf(api: TestApi, tenant: Tenant): Promise<string> {
  const tables = ['articles', 'media_assets', 'comments', 'webhook_endpoints', 'pipeline_runs'];
  const { rows } = await api.db.pool.query(
    `select ${tables
      .map(
        (table) =>
          `(select jsonb_agg(to_jsonb(t) order by t.id) from ${table} t where site_id = $1) as ${table}`,
      )
      .join()},
      (select jsonb_agg(to_jsonb(k) - 'last_used_at' order by k.id) from api_keys k where site_id = $1) as keys,
      (select jsonb_agg(s.* order by s.hash) from api_key_secrets s join api_keys k on k.id = s.key_id where k.site_id = $1) as secrets,
      (select jsonb_agg(to_jsonb(m) order by m.id) from members m where m.organisation_id = $2) as members,
      (select count(*) from idempotency_records where site_id = $1 and key like 'gated-%') as recorded,
      (select count(*) from audit_log where organisation_id = $2 and action not like 'approval.%') as audit`,
    [tenant.siteId, tenant.organisationId],
  );
  return JSON.stringify(rows[0]);
}
