import { randomUUID } from 'node:crypto';
import { createAutopilotActivities } from '../../../../activities/autopilot.ts';
import type { Ports } from '../../../../activities/ports.ts';
import { systemClock } from '../../../../domain/kernel/clock.ts';
import { rescueAutopilots } from '../../../../domain/autopilot/schedule.ts';
import type { WantedSchedule } from '../../../../domain/autopilot/schedule.ts';
import { operator } from '../../../../domain/audit/record.ts';
import { updateSite } from '../../../../domain/organisations/sites.ts';
import { approved, buildAgent } from '../../../support/approvals.ts';
import { useApi } from '../../../support/api.ts';
import { buildKey, buildMember } from '../../../support/builders.ts';
import { balances, buildPurse } from '../../../support/pipeline.ts';
import type { Purse } from '../../../support/pipeline.ts';
import { silent } from '../../../support/temporal.ts';
import { withTransactions } from '../../../support/with-transactions.ts';

const api = await useApi();
let purse: Purse;

beforeEach(async () => {
  purse = await buildPurse(api, 100);
});

const path = '/content-plan/autopilot';
const send = (method: string, to: string, body?: object, key = purse.key) =>
  api.request(method, to, { key, body });
const read = async () => (await send('GET', path)).data;
const set = (body: object, key = purse.key) => send('PATCH', path, body, key);
const items = (count: number, status = 'approved') =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const body = { title: `How to bake bread ${index}`, status };
      return (await send('POST', '/content-plan', body)).data;
    }),
  );
const plan = async () => (await send('GET', '/content-plan')).data.items;
const messages = async () => {
  const { rows } = await api.db.pool.query(
    `select workflow_id, payload from outbox where kind = 'autopilot-schedule' and payload ->> 'siteId' = $1`,
    [purse.siteId],
  );
  return rows;
};

const noSchedules = { keep: async () => {}, remove: async () => {} };
const activitiesWith = (ports: Partial<Ports> = {}) =>
  createAutopilotActivities({
    db: api.db,
    clock: systemClock,
    log: silent,
    writer: { name: 'offline' },
    schedules: noSchedules,
    ...ports,
  });
const fire = (
  id: string = randomUUID(),
  activities = activitiesWith(),
  siteId = purse.siteId,
): Promise<string> => activities.fireAutopilot({ siteId, id });

describe('settings', () => {
  test('a new Site has it switched off, and it has not fired', async () => {
    expect(await read()).toEqual({
      enabled: false,
      weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'],
      time: '09:00',
      items: 1,
      last: null,
    });
  });

  test('they are one object, with an ETag that changes with them', async () => {
    const get = (headers = {}) => api.request('GET', '/content-plan/autopilot', { key: purse.key, headers });
    const etag = (await get()).headers.get('etag') as string;
    expect((await get({ 'If-None-Match': etag })).status).toBe(304);
    await set({ items: 2 });
    expect((await get({ 'If-None-Match': etag })).status).toBe(200);
  });

  test('PATCH changes what it names, and leaves a message to the worker', async () => {
    const { status, data } = await set({ enabled: true, weekdays: ['sun', 'mon', 'sun'] });
    expect(status).toBe(200);
    expect(data).toEqual({ enabled: true, weekdays: ['sun', 'mon'], time: '09:00', items: 1, last: null });
    await set({ time: '23:59', items: 10 });
    expect(await read()).toEqual({ ...data, time: '23:59', items: 10 });
    const message = {
      workflow_id: `autopilot-schedule/${purse.siteId}`,
      payload: { siteId: purse.siteId, signal: 'changed' },
    };
    expect(await messages()).toEqual([message, message]);
    await set({ time: '23:59' });
    await set({});
    expect(await messages()).toHaveLength(2);
  });

  test.each([
    [{ enabled: 'yes' }, 'enabled'],
    [{ enabled: null }, 'enabled'],
    [{ weekdays: [] }, 'weekdays'],
    [{ weekdays: ['monday'] }, 'weekdays.0'],
    [{ weekdays: ['Mon'] }, 'weekdays.0'],
    [{ time: '24:00' }, 'time'],
    [{ time: '9:00' }, 'time'],
    [{ time: '09:60' }, 'time'],
    [{ items: 0 }, 'items'],
    [{ items: 11 }, 'items'],
    [{ items: 1.5 }, 'items'],
    [{ last: null }, 'last'],
    [{ timezone: 'UTC' }, 'timezone'],
  ])('%j is 422 on the field', async (body, field) => {
    const { status, json } = await set(body);
    expect([status, Object.keys(json.error.fields)]).toEqual([422, [field]]);
  });

  test('changes at the same time are all made', async () => {
    const changes = [{ enabled: true }, { weekdays: ['sat'] }, { time: '00:00' }, { items: 3 }];
    await Promise.all(changes.map((body) => set(body)));
    expect(await read()).toEqual({ enabled: true, weekdays: ['sat'], time: '00:00', items: 3, last: null });
  });

  test('reading needs pipeline:read, changing pipeline:run, and an agent an approval', async () => {
    const memberId = await buildMember(api.db, purse.organisationId);
    const { secret: reader } = await buildKey(api.db, purse.siteId, memberId, { scopes: ['pipeline:read'] });
    expect((await send('GET', path, undefined, reader)).status).toBe(200);
    expect((await set({ enabled: true }, reader)).json.error.code).toBe('INSUFFICIENT_SCOPE');
    const { secret: runner } = await buildKey(api.db, purse.siteId, memberId, { scopes: ['pipeline:run'] });
    expect((await send('GET', path, undefined, runner)).json.error.code).toBe('INSUFFICIENT_SCOPE');
    const tenant = { ...purse, memberId, secretKey: purse.key, publishableKey: '' };
    const agent = await buildAgent(api, tenant);
    const body = { enabled: true };
    const request = { method: 'PATCH', path, options: { body } };
    const first = await approved(api, tenant, agent.secret, request);
    expect((await read()).enabled).toBe(false);
    const retry = (id: string) =>
      api.request('PATCH', path, { key: agent.secret, body, headers: { 'Service-Approval': id } });
    await set({ items: 5 });
    expect((await retry(first)).status).toBe(409);
    expect((await retry(await approved(api, tenant, agent.secret, request))).data.enabled).toBe(true);
  });

  test('it takes no other method', async () => {
    for (const method of ['DELETE', 'POST']) expect((await send(method, path)).status).toBe(405);
  });
});

describe('a firing', () => {
  test('starts a run with the first approved items, in the order of the plan, as system', async () => {
    const [idea] = await items(1, 'idea');
    const planned = await items(4);
    await send('PATCH', `/content-plan/${planned[3].id}`, { after: null });
    await set({ enabled: true, items: 2 });
    expect(await fire()).toMatch(/^started run .* with 2 articles$/);
    const now = await plan();
    const started = now.filter(({ status }: any) => status === 'started');
    expect(started.map(({ title }: any) => title)).toEqual([planned[3].title, now[2].title]);
    expect(now.find(({ id }: any) => id === idea.id).status).toBe('idea');
    const { last } = await read();
    expect(last).toEqual({ at: expect.any(String), run_id: started[0].run_id, error: null });
    const run = (await send('GET', `/pipeline/runs/${last.run_id}`)).data;
    expect(run.articles.map(({ article_id: id }: any) => id)).toEqual(
      started.map(({ article_id: id }: any) => id),
    );
    const { items: log } = (await send('GET', '/audit-log?action=pipeline.run')).data;
    expect(log).toHaveLength(1);
    expect(log[0]).toMatchObject({ actor: { kind: 'system', name: 'autopilot' }, target: { id: run.id } });
  });

  test('starts one run, however often and at once it is tried, also after a kill', async () => {
    await items(10);
    await set({ enabled: true, items: 3 });
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => fire('one')));
    expect(outcomes.filter((outcome) => outcome.startsWith('started'))).toHaveLength(1);
    const dying = activitiesWith({
      db: withTransactions(api.db, async (work, options) => {
        await api.db.transaction(work, options);
        throw new Error('killed after the commit');
      }),
    });
    await expect(fire('two', dying)).rejects.toThrow('killed');
    expect(await fire('two')).toMatch('did nothing');
    expect((await plan()).filter(({ status }: any) => status === 'started')).toHaveLength(6);
  });

  test('at a time that clocks show twice starts one run, at whichever it fires first', async () => {
    await items(3);
    await set({ enabled: true, weekdays: ['sun'], time: '02:30' });
    const at = (time: string) => fire(`autopilot-firing/${purse.siteId}-${time}`);
    expect(await at('2026-10-25T00:30:00Z')).toMatch('started run');
    const { last } = await read();
    expect(await at('2026-10-25T01:30:00Z')).toMatch('did nothing');
    expect(await read()).toMatchObject({ last });
    expect(await at('2026-11-01T01:30:00Z')).toMatch('started run');
    expect(await at('2027-10-31T01:30:00Z')).toMatch('started run');
  });

  test('takes its items once, while people start runs of them', async () => {
    const planned = await items(6);
    await set({ enabled: true, items: 6 });
    const memberId = await buildMember(api.db, purse.organisationId);
    const keys = await Promise.all(
      planned.map(async () => (await buildKey(api.db, purse.siteId, memberId)).secret),
    );
    const person = (index: number) =>
      send('POST', '/pipeline/runs', { plan_item_ids: [planned[index].id] }, keys[index]);
    await Promise.all([fire(), ...planned.map((_, index) => person(index)), fire()]);
    const { rows } = await api.db.pool.query(
      'select count(*)::int as articles from articles where site_id = $1',
      [purse.siteId],
    );
    expect(rows).toEqual([{ articles: 6 }]);
  });

  test.each<[string, (at: Purse) => Promise<unknown>]>([
    ['CONFLICT', async () => null],
    [
      'NOT_ENTITLED',
      ({ organisationId }) =>
        api.db.pool.query(`update organisations set plan = 'free' where id = $1`, [organisationId]),
    ],
    [
      'INSUFFICIENT_CREDITS',
      async ({ organisationId }) => {
        await items(1);
        await api.db.pool.query('update organisations set credit_balance = 0 where id = $1', [
          organisationId,
        ]);
      },
    ],
    [
      'SPEND_CAP_REACHED',
      async ({ siteId }) => {
        await items(1);
        await api.db.pool.query('update sites set spend_cap = 0 where id = $1', [siteId]);
      },
    ],
  ])('that is refused leaves %s, and nothing else', async (code, prepare) => {
    await items(2, 'idea');
    await set({ enabled: true });
    await prepare(purse);
    const before = await balances(api, purse.organisationId);
    expect(await fire('refused')).toBe(`refused: ${code}`);
    const { last } = await read();
    expect(last).toEqual({
      at: expect.any(String),
      run_id: null,
      error: { code, message: expect.any(String) },
    });
    expect(await fire('refused')).toMatch('did nothing');
    expect(await read()).toMatchObject({ last });
    expect((await send('GET', '/pipeline/runs')).data.items).toEqual([]);
    expect((await plan()).every(({ article_id: id }: any) => id === null)).toBe(true);
    expect(await balances(api, purse.organisationId)).toEqual(before);
  });

  test('a later one that starts a run clears the error', async () => {
    await set({ enabled: true });
    await fire();
    await items(1);
    await fire();
    expect((await read()).last.error).toBeNull();
  });

  test('of a Site that has switched it off does nothing', async () => {
    await items(1);
    await set({ time: '10:00' });
    expect(await fire()).toMatch('did nothing');
    expect((await read()).last).toBeNull();
  });

  test('of a Site that is being deleted, or does not exist, removes the Schedule', async () => {
    const removed: string[] = [];
    const schedules = { ...noSchedules, remove: async (id: string) => void removed.push(id) };
    const activities = activitiesWith({ schedules });
    const unknown = randomUUID();
    await fire('x', activities, unknown);
    await items(1);
    await set({ enabled: true });
    await api.db.pool.query('update sites set deleting_since = now() where id = $1', [purse.siteId]);
    await fire('x', activities);
    expect(removed).toEqual([unknown, purse.siteId]);
  });

  test('a message with what went wrong is not recorded as a refusal if the database fails', async () => {
    await items(1);
    await set({ enabled: true });
    const failing = activitiesWith({
      db: withTransactions(api.db, async () => Promise.reject(new Error('The database does not answer'))),
    });
    await expect(fire('x', failing)).rejects.toThrow('does not answer');
    expect((await read()).last).toBeNull();
    expect(await fire('x')).toMatch('started run');
  });
});

describe('the Schedule follows the settings', () => {
  const follow = (schedules: Ports['schedules']) =>
    activitiesWith({ schedules }).followAutopilot(purse.siteId);
  const state = async () => {
    const { rows } = await api.db.pool.query(
      'select revision, followed_revision from autopilots where site_id = $1',
      [purse.siteId],
    );
    return rows[0];
  };

  test('a change while it is written is followed as well', async () => {
    await set({ enabled: true, time: '07:00' });
    const kept: WantedSchedule[] = [];
    const schedules = {
      ...noSchedules,
      async keep(_: string, wanted: WantedSchedule) {
        kept.push(wanted);
        if (kept.length === 1) await set({ time: '08:00' });
      },
    };
    expect(await follow(schedules)).toBe('on');
    expect(kept.map(({ time }) => time)).toEqual(['07:00', '08:00']);
    expect(await state()).toEqual({ revision: 2, followed_revision: 2 });
  });

  test('a changed timezone of the Site is another revision, by the API and by the operator', async () => {
    await set({ enabled: true });
    await send('PATCH', '/site', { timezone: 'America/New_York' });
    expect(await messages()).toHaveLength(2);
    await api.db.transaction((tx) =>
      updateSite({ tx, actor: operator, now: new Date() }, purse.siteId, 'https://blog.example', {
        timezone: 'Asia/Tokyo',
      }),
    );
    expect(await messages()).toHaveLength(3);
    const zones: string[] = [];
    await follow({ ...noSchedules, keep: async (_, { timezone }) => void zones.push(timezone) });
    expect(zones).toEqual(['Asia/Tokyo']);
    await send('PATCH', '/site', { name: 'Another name' });
    expect(await messages()).toHaveLength(3);
  });

  test('a Site without an autopilot has none', async () => {
    await send('PATCH', '/site', { timezone: 'America/New_York' });
    expect(await messages()).toEqual([]);
    const removed: string[] = [];
    expect(await follow({ ...noSchedules, remove: async (id) => void removed.push(id) })).toBe('removed');
    expect(removed).toEqual([purse.siteId]);
  });

  test('one that is behind its settings, or was not looked at for a day, is looked at again', async () => {
    await set({ enabled: true });
    await api.db.pool.query(`delete from outbox where payload ->> 'siteId' = $1`, [purse.siteId]);
    const rescue = (inMs: number) =>
      api.db.transaction((tx) => rescueAutopilots(tx, new Date(Date.now() + inMs), 60_000));
    await rescue(0);
    expect(await messages()).toEqual([]);
    expect(await rescue(120_000)).toBeGreaterThanOrEqual(1);
    expect(await messages()).toHaveLength(1);
    await follow(noSchedules);
    await api.db.pool.query(`delete from outbox where payload ->> 'siteId' = $1`, [purse.siteId]);
    await rescue(23 * 3_600_000);
    expect(await messages()).toEqual([]);
    await rescue(25 * 3_600_000);
    expect(await messages()).toHaveLength(1);
  });
});
