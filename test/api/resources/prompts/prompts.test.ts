import { findPrompt } from '../../../../domain/prompts/effective.ts';
import { promptStages } from '../../../../domain/prompts/stages.ts';
import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildKey, buildMember, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';

const api = await useApi();
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  api.request(method, `/pipeline/prompts${path}`, { key: tenant.secretKey, body });

const prompts = async (): Promise<any> => (await call('GET', '')).data;
const save = async (stage: string, template: string): Promise<any> => {
  const answer = await call('PATCH', `/${stage}`, { template });
  expect(answer.status).toBe(200);
  return answer.data;
};

const audit = async (): Promise<unknown[]> =>
  (
    await api.db.pool.query(
      "select action, details from audit_log where site_id = $1 and action like 'prompt.%' order by id",
      [tenant.siteId],
    )
  ).rows;

test('each stage has a prompt, by default with the platform’s template', async () => {
  const all = await prompts();
  expect(Object.keys(all).toSorted()).toEqual(['classify', 'extract', 'generate', 'improve', 'plan']);
  for (const stage of promptStages) {
    const { default: platform, placeholders, ...rest } = all[stage];
    expect(rest).toEqual({ stage, override: null, effective: 'default' });
    expect(placeholders).toContain('title');
    for (const name of placeholders) expect(platform.template).toContain(`{{${name}}}`);
    expect(await findPrompt(api.db, tenant.siteId, stage)).toEqual({
      template: platform.template,
      version: null,
    });
  }
});

test('a saved template takes effect, with its missing placeholders; other stages stay', async () => {
  const before = await prompts();
  const template = 'Write about {{ title }} in {{locale}}, with {{flourish}}.';
  const saved = await save('plan', template);
  const missing = before.plan.placeholders.filter((name: string) => !['title', 'locale'].includes(name));
  expect(saved).toEqual({
    stage: 'plan',
    template,
    version: 1,
    placeholders: before.plan.placeholders,
    missing_placeholders: missing,
    updated_at: expect.any(String),
  });
  const { updated_at: at } = saved;
  expect(await prompts()).toEqual({
    ...before,
    plan: {
      ...before.plan,
      override: { template, version: 1, missing_placeholders: missing, updated_at: at },
      effective: 'override',
    },
  });
  expect(await findPrompt(api.db, tenant.siteId, 'plan')).toMatchObject({ template, version: 1 });
});

test('the default has all placeholders', async () => {
  for (const stage of promptStages) {
    const { default: platform } = (await prompts())[stage];
    expect((await save(stage, platform.template)).missing_placeholders).toEqual([]);
  }
});

test('each save is a new version, even an unchanged one; numbers continue after a DELETE', async () => {
  expect([(await save('improve', 'A')).version, (await save('improve', 'A')).version]).toEqual([1, 2]);
  expect((await call('DELETE', '/improve')).status).toBe(204);
  expect((await prompts()).improve).toMatchObject({ override: null, effective: 'default' });
  const again = await call('DELETE', '/improve');
  expect([again.status, again.json.error.code]).toEqual([404, 'NOT_FOUND']);
  expect((await save('improve', 'B')).version).toBe(3);
  expect((await prompts()).improve.override).toMatchObject({ template: 'B', version: 3 });
  expect(await audit()).toEqual([
    { action: 'prompt.save', details: { stage: 'improve', version: 1 } },
    { action: 'prompt.save', details: { stage: 'improve', version: 2 } },
    { action: 'prompt.reset', details: { stage: 'improve' } },
    { action: 'prompt.save', details: { stage: 'improve', version: 3 } },
  ]);
});

/** What every default says, besides what is its own. */
const ofTheBlog = ['site', 'date', 'voice', 'notes', 'related', 'terms', 'sources'];

test('versions are listed newest first, in pages, also while the default is in effect', async () => {
  for (const template of ['one {{title}}', 'two', 'three']) await save('classify', template);
  await call('DELETE', '/classify');
  const first = await call('GET', '/classify/versions?limit=2');
  expect(first.data.items).toEqual([
    {
      version: 3,
      template: 'three',
      missing_placeholders: ['title', 'keywords', ...ofTheBlog],
      created_at: expect.any(String),
    },
    {
      version: 2,
      template: 'two',
      missing_placeholders: ['title', 'keywords', ...ofTheBlog],
      created_at: expect.any(String),
    },
  ]);
  const cursor = first.data.next_cursor;
  await save('classify', 'four');
  const rest = await call('GET', `/classify/versions?limit=2&cursor=${cursor}`);
  expect(rest.data).toEqual({
    items: [
      {
        version: 1,
        template: 'one {{title}}',
        missing_placeholders: ['keywords', ...ofTheBlog],
        created_at: expect.any(String),
      },
    ],
    next_cursor: null,
  });
  expect((await call('GET', `/plan/versions?cursor=${cursor}`)).status).toBe(400);
  expect((await call('GET', '/plan/versions')).data).toEqual({ items: [], next_cursor: null });
  expect((await call('GET', '/plan/versions?limit=0')).status).toBe(400);
});

test('twenty concurrent saves are twenty consecutive versions, and the last one is in effect', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => call('PATCH', '/generate', { template: `T${at}` })),
  );
  const versions = answers.map(({ data }) => data.version).toSorted((left, right) => left - right);
  expect(versions).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  const last = answers.find(({ data }) => data.version === 20)?.data.template;
  expect((await prompts()).generate.override).toMatchObject({ version: 20, template: last });
  const { data } = await call('GET', '/generate/versions?limit=100');
  for (const { data: saved } of answers) {
    expect(data.items.find(({ version }: any) => version === saved.version).template).toBe(saved.template);
  }
});

test('concurrent saves and deletions leave the state of one of them', async () => {
  await save('extract', 'first');
  const statuses = await Promise.all([
    ...Array.from({ length: 6 }, (_, at) => call('PATCH', '/extract', { template: `S${at}` })),
    ...Array.from({ length: 6 }, () => call('DELETE', '/extract')),
  ]);
  expect(statuses.slice(0, 6).map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
  const deleted = statuses.slice(6).filter(({ status }) => status === 204).length;
  expect(deleted).toBeGreaterThan(0);
  const actions = (await audit()) as { action: string }[];
  expect(actions.filter(({ action }) => action === 'prompt.reset')).toHaveLength(deleted);
  const { override, effective } = (await prompts()).extract;
  expect(effective).toBe(override === null ? 'default' : 'override');
  expect((await save('extract', 'last')).version).toBe(8);
});

test.each([
  [{}, ['template']],
  [{ template: '' }, ['template']],
  [{ template: null }, ['template']],
  [{ template: 7, version: 2 }, ['template', 'version']],
  [{ template: 'x'.repeat(50_001) }, ['template']],
  [{ template: 'a\u0000' }, ['template']],
])('is refused by field: %j', async (body, fields) => {
  const answer = await call('PATCH', '/plan', body);
  expect([answer.status, Object.keys(answer.json.error.fields).toSorted()]).toEqual([422, fields]);
  expect((await prompts()).plan.override).toBeNull();
});

test('50,000 code points are accepted unchanged', async () => {
  const template = `${'🦊'.repeat(49_998)} \n`;
  expect((await save('plan', template)).template).toBe(template);
});

test.each(['nope', 'PLAN', 'constructor', '__proto__', '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11'])(
  'the stage %s is not there',
  async (stage) => {
    const answers = [
      await call('PATCH', `/${stage}`, { template: 'x' }),
      await call('DELETE', `/${stage}`),
      await call('GET', `/${stage}/versions`),
    ];
    expect(answers.map(({ status, json }) => [status, json.error.code])).toEqual(
      Array.from({ length: 3 }, () => [404, 'NOT_FOUND']),
    );
  },
);

test('prompts of another Site are not visible', async () => {
  await save('plan', 'mine');
  const other = await buildTenant(api.db);
  const ask = (method: string, path: string) =>
    api.request(method, `/pipeline/prompts${path}`, { key: other.secretKey });
  expect((await ask('GET', '')).data.plan.override).toBeNull();
  expect((await ask('GET', '/plan/versions')).data.items).toEqual([]);
  expect((await ask('DELETE', '/plan')).status).toBe(404);
  expect((await prompts()).plan.override.template).toBe('mine');
});

test('every operation needs prompts:write, and a person who may manage prompts', async () => {
  const statuses = async (key: string): Promise<number[]> => {
    const ask = async (method: string, path: string, body?: object) =>
      (await api.request(method, `/pipeline/prompts${path}`, { key, body })).status;
    return [
      await ask('GET', ''),
      await ask('GET', '/plan/versions'),
      await ask('PATCH', '/plan', { template: 'x' }),
      await ask('DELETE', '/plan'),
    ];
  };
  const keyOf = async (memberId: string, scope: 'pipeline:read' | 'prompts:write'): Promise<string> =>
    (await buildKey(api.db, tenant.siteId, memberId, { scopes: [scope] })).secret;
  expect(await statuses(await keyOf(tenant.memberId, 'prompts:write'))).toEqual([200, 200, 200, 204]);
  expect(await statuses(await keyOf(tenant.memberId, 'pipeline:read'))).toEqual([403, 403, 403, 403]);
  const author = await buildMember(api.db, tenant.organisationId, 'author');
  expect(await statuses(await keyOf(author, 'prompts:write'))).toEqual([403, 403, 403, 403]);
  expect(await statuses(tenant.publishableKey)).toEqual([403, 403, 403, 403]);
});
