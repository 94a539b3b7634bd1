import { publishDueEdit } from '../../../../domain/pending-edits/publish.ts';
import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildPublished, buildTenant } from '../../../support/builders.ts';
import { eventually } from '../../../support/eventually.ts';

const api = await useApi();
const tenant = await buildTenant(api.db);

const call = (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> =>
  api.request(method, path, { key: tenant.secretKey, body, headers });
const published = (): Promise<any> => buildPublished(api, tenant.secretKey, { title: 'Live' });
const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).toSorted();

async function updatesOf(id: string): Promise<number> {
  const { rows } = await api.db.pool.query(
    `select from events where event = 'article.updated' and body::jsonb #>> '{data,id}' = $1`,
    [id],
  );
  return rows.length;
}

test('of ten concurrent first edits each is kept, in one pending edit', async () => {
  const { id } = await published();
  const members = ['title', 'excerpt', 'seo_title', 'seo_description', 'external_id'];
  const answers = await times(10, (index) =>
    call('PATCH', `/articles/${id}/pending`, { [members[index % 5] as string]: `Edit ${index % 5}` }),
  );
  expect(statuses(answers)).toEqual(answers.map(() => 200));
  const { article } = (await call('GET', `/articles/${id}/pending`)).data;
  expect(members.map((name) => article[name])).toEqual(members.map((_, index) => `Edit ${index}`));
});

test('of concurrent edits with one If-Match, one succeeds', async () => {
  const { id } = await published();
  const etag = (await call('PATCH', `/articles/${id}/pending`, { title: 'E' })).headers.get('etag');
  const answers = await times(8, (index) =>
    call('PATCH', `/articles/${id}/pending`, { title: `E ${index}` }, { 'if-match': etag }),
  );
  expect(statuses(answers)).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
});

test('an edit that is published by requests and by its timer at the same moment is published once', async () => {
  const { id } = await published();
  await call('PATCH', `/articles/${id}/pending`, { title: 'Edited' });
  await call('POST', `/articles/${id}/pending/schedule`, { scheduled_at: '2999-01-01T00:00:00Z' });
  const due = new Date('2999-01-01T00:00:00Z');
  const [outcomes, answers] = await Promise.all([
    times(4, () => api.db.transaction((tx) => publishDueEdit(tx, { db: api.db, purger: null }, id, due))),
    times(4, () => call('POST', `/articles/${id}/pending/publish`)),
  ]);
  const done = [
    ...outcomes.filter((outcome) => outcome !== 'not due'),
    ...answers.filter(({ status }) => status === 200),
  ];
  expect(done).toHaveLength(1);
  expect(await updatesOf(id)).toBe(1);
});

test('of an update of the article and the publication of an edit of the same field, either is refused or follows the other', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id } = await published();
    await call('PATCH', `/articles/${id}/pending`, { title: 'Edited' });
    const [updated, applied] = await Promise.all([
      call('PATCH', `/articles/${id}`, { title: 'Updated' }),
      call('POST', `/articles/${id}/pending/publish`),
    ]);
    expect(updated.status).toBe(200);
    const { title } = (await call('GET', `/articles/${id}`)).data;
    expect([applied.status, title]).toEqual([applied.status === 200 ? 200 : 409, 'Updated']);
    expect(await updatesOf(id)).toBe(applied.status === 200 ? 2 : 1);
  }
});

test('an edit that is begun while the article is being unpublished does not outlive it', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id } = await published();
    const [edited, unpublished] = await Promise.all([
      call('PATCH', `/articles/${id}/pending`, { title: 'Edited' }),
      call('POST', `/articles/${id}/unpublish`),
    ]);
    expect([200, 409]).toContain(edited.status);
    expect(unpublished.status).toBe(200);
    await call('POST', `/articles/${id}/publish`);
    expect((await call('GET', `/articles/${id}/pending`)).status).toBe(404);
  }
});

test('an unpublication that waits for an edit to be committed discards it', async () => {
  const { id } = await published();
  const client = await api.db.pool.connect();
  try {
    await client.query('begin');
    const { pid } = (await client.query('select pg_backend_pid() as pid')).rows[0];
    await client.query('select from articles where id = $1 for no key update', [id]);
    const unpublished = call('POST', `/articles/${id}/unpublish`);
    await eventually('it waits', async () => {
      const waiting = 'select from pg_stat_activity where $1::int = any(pg_blocking_pids(pid))';
      return (await api.db.pool.query(waiting, [pid])).rows.length > 0;
    });
    await client.query(
      `insert into pending_edits (article_id, site_id, base_version, base, changes, version, created_at, updated_at)
       values ($1, $2, 2, '{}', '{}', 1, now(), now())`,
      [id, tenant.siteId],
    );
    await client.query('commit');
    expect((await unpublished).status).toBe(200);
  } finally {
    client.release();
  }
  const { rows } = await api.db.pool.query('select from pending_edits where article_id = $1', [id]);
  expect(rows).toEqual([]);
});
