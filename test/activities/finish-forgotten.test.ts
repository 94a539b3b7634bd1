import { register } from '@prometheus-io/client';
import { pino } from 'pino';
import { createFinishForgottenActivities } from '../../activities/housekeeping/finish-forgotten.ts';
import { createHousekeepingActivities } from '../../activities/housekeeping.ts';
import { systemClock } from '../../domain/kernel/clock.ts';
import type { CachePurger } from '../../domain/purge/purge.ts';
import { useApi } from '../support/api.ts';
import { buildKey, buildPublished, buildTenant } from '../support/builders.ts';
import { fill } from '../support/aged-rows.ts';

const told: string[] = [];
let answers = false;
const purger: CachePurger = {
  publicUrl: 'http://files.example',
  async purge({ urls }) {
    if (answers) told.push(...urls);
    return answers;
  },
};
const log = pino({ level: 'silent' });
const finish = () =>
  createFinishForgottenActivities({ db: api.db, clock: systemClock, log, purger }).finishForgotten();

const api = await useApi({ purger }, { ownDatabase: 'what was forgotten of all Sites is finished' });
const tenant = await buildTenant(api.db);

/** How many repairs of a kind were counted so far. */
async function repairs(kind: string): Promise<number> {
  const { values } = (await register.getSingleMetric('presswork_repairs_total')?.get()) ?? { values: [] };
  return values.find(({ labels }) => labels['kind'] === kind)?.value ?? 0;
}

const owed = async (): Promise<number> =>
  (await api.db.pool.query('select from cache_purges')).rowCount as number;

test('a purge whose workflow was lost is done when the cache answers, and only once', async () => {
  answers = false;
  const { slug } = await buildPublished(api, tenant.secretKey);
  await api.db.pool.query(`delete from outbox where kind = 'cache-purge'`);
  expect([await owed(), await finish()]).toEqual([1, 0]);
  await api.db.pool.query(`update cache_purges set created_at = created_at - interval '61 minutes'`);
  expect([await finish(), await owed()]).toEqual([0, 1]);
  answers = true;
  expect([await finish(), await owed()]).toEqual([1, 0]);
  expect(told.filter((url) => url.endsWith(`/${slug}`))).toHaveLength(1);
  expect(await finish()).toBe(0);
  expect([await repairs('cache_purge'), await repairs('key_rotation')]).toEqual([1, 0]);
});

test('a secret whose workflow was lost is retired, with one row of the audit log, even by two concurrent runs', async () => {
  const { id } = await buildKey(api.db, tenant.siteId, tenant.memberId);
  const rotated = await api.request('POST', `/keys/${id}/rotate`, {
    key: tenant.secretKey,
    body: { grace_seconds: 60 },
    idempotencyKey: true,
  });
  expect(rotated.status).toBe(200);
  expect(await finish()).toBe(0);
  await api.db.pool.query(
    `update api_key_secrets set valid_until = valid_until - interval '2 hours' where key_id = $1 and rotation is not null`,
    [id],
  );
  await Promise.all([finish(), finish()]);
  const { rowCount } = await api.db.pool.query(
    `select from audit_log where target_id = $1 and action = 'key.secret_retired'`,
    [id],
  );
  const { rows } = await api.db.pool.query(
    'select rotation, retired_at is not null as marked from api_key_secrets where key_id = $1 order by rotation',
    [id],
  );
  expect([rowCount, rows]).toEqual([
    1,
    [
      { rotation: 1, marked: true },
      { rotation: null, marked: false },
    ],
  ]);
  expect(await finish()).toBe(0);
  expect(await repairs('cache_purge')).toBe(1);
  expect(await repairs('key_rotation')).toBeGreaterThan(0);
});

test('prompts and answers of the writer are deleted after 30 days; prompt versions and token counts stay', async () => {
  const { db } = api;
  await fill(db, tenant, 'pipeline_steps', 3, '31 days');
  await fill(db, tenant, 'pipeline_steps', 2, '29 days');
  await db.pool.query('update pipeline_steps set prompt_version = 4, input_tokens = 12, output_tokens = 34');
  await createHousekeepingActivities({ db, clock: systemClock, log }).forgetOldTexts();
  const { rows } = await db.pool.query(
    `select num_nonnulls(prompt, answer)::int as texts, prompt_version, input_tokens, output_tokens, count(*)::int
     from pipeline_steps group by 1, 2, 3, 4 order by 1`,
  );
  const kept = { prompt_version: 4, input_tokens: 12, output_tokens: 34 };
  expect(rows).toEqual([
    { texts: 0, ...kept, count: 3 },
    { texts: 2, ...kept, count: 2 },
  ]);
});
