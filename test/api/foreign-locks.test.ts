import { operations } from '../../api/operations.ts';
import { forgetLimits } from '../support/limits.ts';
import { useApi } from '../support/api.ts';
import { buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { validRequest } from '../support/valid-requests.ts';

/** Every operation that takes an id of something, in its path or its body. */
const named = operations
  .filter(({ keyless, path }) => !keyless && path.includes(':id'))
  .map(({ method, path }) => `${method} ${path}`)
  .concat('POST /media', 'POST /articles', 'POST /pipeline/runs');

const api = await useApi();
let tenant: Tenant;
const other = await buildTenant(api.db);
const stranger = other.secretKey;
await api.request('PATCH', '/comments/settings', { key: stranger, body: { enabled: true } });

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  // Each test has its own minute.
  await forgetLimits(api.db, other.siteId);
});

/** Locks every row of the Site and its organisation, as their owner's transactions could. */
async function lockAll(): Promise<() => Promise<void>> {
  const { rows } = await api.db.pool.query(
    `select c.table_name as name, c.column_name as column from information_schema.columns c
     join information_schema.tables t on t.table_name = c.table_name and t.table_schema = c.table_schema
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
       and (c.column_name = 'site_id' or c.table_name = 'members' and c.column_name = 'organisation_id')`,
  );
  const owner = await api.db.pool.connect();
  await owner.query('begin');
  for (const { name, column } of rows) {
    const id = column === 'site_id' ? tenant.siteId : tenant.organisationId;
    await owner.query(`select from ${name} where ${column} = $1 for update`, [id]);
  }
  await owner.query('select from sites where id = $1 for update', [tenant.siteId]);
  await owner.query('select from organisations where id = $1 for update', [tenant.organisationId]);
  return async () => {
    await owner.query('rollback');
    owner.release();
  };
}

// A request that waited for any of the owner's rows would be answered 503, after five seconds.
test.each(named)('%s of another Site waits for none of its rows', async (operation) => {
  const { path, body, elsewhere } = await validRequest(api, tenant, operation);
  const release = await lockAll();
  try {
    const answer = await api.request(operation.split(' ')[0] as string, path, {
      key: stranger,
      ...(/^(POST|PATCH) /.test(operation) ? { idempotencyKey: true, body: body ?? {} } : {}),
    });
    expect(`${answer.status} ${answer.json.error?.code}`).toBe(elsewhere ?? '404 NOT_FOUND');
  } finally {
    await release();
  }
});
