import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { inBatches } from '../../activities/batches.ts';
import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { prepareRoles } from '../../db/roles.ts';
import { workerTimeouts } from '../../db/timeouts.ts';
import { freePort } from '../../runtime/free-port.ts';
import { loadCredentials } from '../dev/home.ts';
import { embeddedPostgres, preparePostgres, roleUrls } from '../dev/postgres.ts';
import { Supervised } from '../dev/supervised.ts';
import { createKey } from '../../domain/access/keys.ts';
import { operator } from '../../domain/audit/record.ts';
import { addMember, createOrganisation } from '../../domain/organisations/organisations.ts';
import { createSite } from '../../domain/organisations/sites.ts';
import { fill, growing, prepareGrowth } from './aged-rows.ts';

/**
 * How many rows per second housekeeping deletes from each growing table, in its own batches, while as many rows stay:
 *
 * node tools/bench/retention.ts [rows]
 */
const ROWS = Number(process.argv[2] ?? 200_000);
const BATCHES: Readonly<Record<string, number>> = { approvals: 1_000, pipeline_steps: 500 };
const BATCH = 5_000;

const home = mkdtempSync(join(tmpdir(), 'presswork-retention-'));
const credentials = loadCredentials(home);
/** As durable as in production. */
const settings = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', max_wal_size: '4GB' };
const { service, url } = embeddedPostgres({
  folder: join(home, 'postgres'),
  port: await freePort(),
  password: credentials.postgresPassword,
  logFile: join(home, 'postgres.log'),
  settings,
});
const postgres = new Supervised(service, () => {});
postgres.start();
try {
  await preparePostgres(url);
  const roles = roleUrls(url, credentials);
  await prepareRoles(url, roles);
  await migrate(roles.migrator);
  const options = { applicationName: 'presswork-bench', poolSize: 1 };
  const admin = createDatabase({ ...options, connectionString: url });
  const db = createDatabase({ ...options, connectionString: roles.application, timeouts: workerTimeouts });
  const site = { siteId: await createTenant(db) };
  await prepareGrowth(admin, site);
  for (const [table, { remove, old }] of Object.entries(growing)) {
    const count = table === 'pipeline_steps' ? ROWS / 10 : ROWS;
    await fill(admin, site, table, count, '1 s');
    await fill(admin, site, table, count, old);
    await admin.pool.query(`vacuum analyze ${table}`);
    const batch = BATCHES[table] ?? BATCH;
    const begun = performance.now();
    const gone = await inBatches(db, batch, (tx) => remove(tx, new Date(), batch), 600_000);
    const seconds = (performance.now() - begun) / 1000;
    console.log(`${table}: ${gone} rows in ${seconds.toFixed(1)} s, ${Math.round(gone / seconds)} a second`);
    await admin.pool.query(`truncate ${table} cascade`);
  }
  await Promise.all([db.close(), admin.close()]);
} finally {
  await postgres.stop(10_000);
  rmSync(home, { recursive: true, force: true });
}

async function createTenant(db: Database): Promise<string> {
  const now = new Date();
  return db.transaction(async (tx) => {
    const organisationId = await createOrganisation(
      { tx, actor: operator, now },
      { name: 'Grown', plan: 'pro', credits: 0 },
    );
    const values = { organisationId, email: 'owner@example.com', role: 'owner' } as const;
    const memberId = await addMember({ tx, actor: operator, now }, values);
    const place = { name: 'Grown', domain: 'example.com', locale: 'en', timezone: 'UTC', spendCap: null };
    const siteId = await createSite({ tx, actor: operator, now }, { ...place, organisationId });
    const key = { name: 'Key', kind: 'secret', scopes: [], heldByAgent: false, expiresAt: null } as const;
    await createKey({ tx, actor: operator, now }, { ...key, siteId, memberId });
    return siteId;
  });
}
