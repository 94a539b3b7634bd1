import type { ScheduleDescription } from '@temporalio/client';
import { autopilotScheduleId } from '../../adapters/autopilot-schedules.ts';
import { operator } from '../../domain/audit/record.ts';
import { requestSiteDeletion } from '../../domain/leaving/site-deletion.ts';
import { createSecretBox } from '../../domain/kernel/secret-box.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { ENCRYPTION_KEY } from '../support/encryption-key.ts';
import { eventually } from '../support/eventually.ts';
import { buildPurse, ended } from '../support/pipeline.ts';
import type { Purse } from '../support/pipeline.ts';
import { startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { endWorkers, oneAtATime } from './processes.ts';

let api: TestApi;
let temporal: TestTemporal;
let purse: Purse;

beforeAll(async () => {
  const box = createSecretBox(Buffer.from(ENCRYPTION_KEY, 'base64'));
  [api, temporal] = await Promise.all([startApi({ box }), startTemporal()]);
});
beforeEach(async () => {
  purse = await buildPurse(api, 1_000);
});
afterAll(async () => {
  endWorkers();
  await api.close();
  await temporal.close();
});

const workers = oneAtATime(() => ({
  databaseUrl: api.url,
  temporalAddress: temporal.address,
  namespace: temporal.namespace,
}));

const send = async (method: string, path: string, body?: object): Promise<any> => {
  const answer = await api.request(method, path, { key: purse.key, body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.data;
};
const set = (body: object) => send('PATCH', '/content-plan/autopilot', body);
const last = async () => (await send('GET', '/content-plan/autopilot')).last;
const approve = (title: string) =>
  send('POST', '/content-plan', { title, notes: 'Rye needs time.', status: 'approved' });

const schedule = () => temporal.client.schedule.getHandle(autopilotScheduleId(purse.siteId));
const described = (): Promise<ScheduleDescription | null> =>
  schedule()
    .describe()
    .catch(() => null);
const scheduleIs = (what: string, holds: (found: ScheduleDescription) => boolean): Promise<void> =>
  eventually(what, async () => {
    const found = await described();
    return found !== null && holds(found);
  });
const followed = () =>
  eventually('the Schedule follows', async () => {
    const { rows } = await api.db.pool.query(
      'select from autopilots where site_id = $1 and revision = followed_revision',
      [purse.siteId],
    );
    return rows.length === 1;
  });
/** The times of the next firings, as the clocks in a timezone show them. */
const nextIn = (timeZone: string, { info }: ScheduleDescription): string[] =>
  info.nextActionTimes.map((time) =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
    }).format(time),
  );

async function lastFiring(): Promise<string> {
  const action = (await described())?.info.recentActions.at(-1)?.action;
  if (action === undefined) throw new Error('It has not fired');
  return action.workflow.workflowId;
}

test('the Schedule is made, moved with the settings and the timezone, and paused when the Site switches it off', async () => {
  await workers.working();
  await set({ time: '10:00' });
  await followed();
  expect(await described()).toBeNull();
  await set({ enabled: true, weekdays: ['mon', 'thu'], time: '07:30' });
  await scheduleIs('it exists', () => true);
  const made = (await described()) as ScheduleDescription;
  expect(new Set(nextIn('Europe/Berlin', made))).toEqual(new Set(['Mon 07:30', 'Thu 07:30']));
  expect(made.state.paused).toBe(false);
  expect(made.typedSearchAttributes.getAll()).toEqual([expect.objectContaining({ value: purse.siteId })]);
  await send('PATCH', '/site', { timezone: 'America/New_York' });
  await scheduleIs('it has moved', (now) => nextIn('America/New_York', now).includes('Mon 07:30'));
  await set({ enabled: false });
  await scheduleIs('it is paused', ({ state }) => state.paused);
  await set({ enabled: true, weekdays: ['sun'] });
  await scheduleIs('it goes on', ({ state }) => !state.paused);
}, 120_000);

test('a pause by an operator outlives changes by the Site', async () => {
  await workers.working();
  await set({ enabled: true });
  await scheduleIs('it exists', () => true);
  await schedule().pause('too many articles');
  await set({ time: '12:00' });
  await followed();
  await set({ enabled: false });
  await followed();
  await set({ enabled: true });
  await followed();
  expect((await described())?.state).toMatchObject({ paused: true, note: 'too many articles' });
}, 120_000);

test('a firing writes the first approved items; the payloads of it are ids', async () => {
  await workers.working();
  const first = await approve('How to bake bread');
  await approve('How to bake a cake');
  await set({ enabled: true });
  await scheduleIs('it exists', () => true);
  await schedule().trigger();
  await eventually('it has fired', async () => (await last()) !== null);
  const { run_id: runId } = await last();
  const run = await ended(api, purse.key, runId);
  expect(run.status).toBe('completed');
  expect(await send('GET', `/content-plan/${first.id}`)).toMatchObject({
    status: 'started',
    run_id: runId,
    article_id: run.articles[0].article_id,
  });
  expect(run.articles).toHaveLength(1);
  await send('POST', `/articles/${run.articles[0].article_id}/publish`);
  expect((await send('GET', `/content-plan/${first.id}`)).status).toBe('done');
  const workflowId = await lastFiring();
  expect(workflowId).toMatch(`autopilot-firing/${purse.siteId}-`);
  expect(await temporal.client.workflow.getHandle(workflowId).result()).toBe(
    `started run ${runId} with 1 articles`,
  );
}, 120_000);

test('firings of a week, missed and made up for: a run for each day', async () => {
  await workers.working();
  for (let count = 0; count < 4; count += 1) await approve(`How to bake bread ${count}`);
  await set({ enabled: true, weekdays: ['mon', 'wed', 'fri'] });
  await scheduleIs('it exists', () => true);
  // Monday to Sunday of a week with three of these days.
  await schedule().backfill({
    start: new Date('2026-03-02T00:00:00Z'),
    end: new Date('2026-03-09T00:00:00Z'),
    overlap: 'ALLOW_ALL',
  });
  await eventually('three runs have started', async () => {
    const { items } = await send('GET', '/pipeline/runs');
    return items.length === 3;
  });
  const { items } = await send('GET', '/content-plan?status=approved');
  expect(items).toHaveLength(1);
}, 120_000);

test.each([
  ['America/New_York', '01:30', '2026-11-01', ['05:30', '06:30']],
  ['Europe/Berlin', '02:30', '2026-10-25', ['01:30']],
])(
  'on the day on which clocks in %s show %s twice: one run',
  async (timezone, time, day, firings) => {
    await workers.working();
    for (let count = 0; count < 2; count += 1) await approve(`How to bake bread ${count}`);
    await send('PATCH', '/site', { timezone });
    await set({ enabled: true, weekdays: ['sun'], time });
    await scheduleIs('it exists', () => true);
    await followed();
    await schedule().backfill({
      start: new Date(`${day}T00:00:00Z`),
      end: new Date(`${day}T12:00:00Z`),
      overlap: 'BUFFER_ALL',
    });
    await scheduleIs('it has fired', ({ info }) => info.recentActions.length === firings.length);
    const ids = (await described())?.info.recentActions.map(({ action }) => action.workflow.workflowId) ?? [];
    expect(ids).toEqual(firings.map((at) => `autopilot-firing/${purse.siteId}-${day}T${at}:00Z`));
    const outcomes = await Promise.all(ids.map((id) => temporal.client.workflow.getHandle(id).result()));
    expect(outcomes.filter((outcome) => outcome.startsWith('started run'))).toHaveLength(1);
    expect((await send('GET', '/pipeline/runs')).items).toHaveLength(1);
  },
  120_000,
);

test('a worker killed after the settings were committed: another one makes the Schedule', async () => {
  await workers.working();
  await workers.kill();
  await set({ enabled: true, weekdays: ['tue'] });
  await workers.working();
  await scheduleIs('it exists', (now) => nextIn('Europe/Berlin', now)[0] === 'Tue 09:00');
}, 120_000);

test('a worker killed while it fires: the run is started once', async () => {
  await workers.working();
  for (let count = 0; count < 3; count += 1) await approve(`How to bake bread ${count}`);
  await set({ enabled: true });
  await scheduleIs('it exists', () => true);
  await schedule().trigger();
  await eventually('it has fired', async () => (await last()) !== null, 5);
  await workers.kill();
  await workers.working();
  await temporal.client.workflow.getHandle(await lastFiring()).result();
  const { items } = await send('GET', '/pipeline/runs');
  expect(items.map(({ id }: any) => id)).toEqual([(await last()).run_id]);
}, 120_000);

test('a Schedule that Temporal has lost is made again, and one of a deleted Site is removed', async () => {
  await workers.working();
  await set({ enabled: true });
  await scheduleIs('it exists', () => true);
  await followed();
  await schedule().delete();
  await api.db.pool.query(
    `update autopilots set followed_at = now() - interval '2 days' where site_id = $1`,
    [purse.siteId],
  );
  await temporal.client.workflow.getHandle('upkeep/rescue').signal('run');
  await scheduleIs('it exists again', () => true);

  const { rows } = await api.db.pool.query('select name from sites where id = $1', [purse.siteId]);
  await api.db.transaction(async (tx) => {
    const act = { tx, actor: operator, now: new Date() };
    await requestSiteDeletion(act, purse.siteId, { confirm: rows[0].name, by: 'olga' });
  });
  await eventually('it is gone', async () => (await described()) === null);
}, 120_000);
