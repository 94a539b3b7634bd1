import { eventually } from '../../support/eventually.ts';
import { buildTenant } from '../../support/builders.ts';
import type { Place, Work } from './place.ts';

const ARTICLES = 500;

/** @param after the articles that are published when the worker is killed */
export const bulk =
  (after: number) =>
  async (place: Place): Promise<Work> => {
    const { siteId, secretKey } = await buildTenant(place.api.db);
    const ids = await drafts(place, siteId, ARTICLES);
    const id = await startJob(place, secretKey, ids);
    return {
      kills: [() => eventually('some are done', async () => (await doneOf(place, id)) >= after, 5)],
      async expectDone() {
        await completed(place, id);
        await expectOnce(place, ids);
      },
    };
  };

export async function drafts({ api }: Place, siteId: string, count: number): Promise<string[]> {
  const { rows } = await api.db.pool.query(
    `insert into articles (id, site_id, status, title, slug, content, version, created_at, updated_at)
     select uuidv7(), $1, 'draft', 'Draft ' || n, 'd-' || n || '-' || gen_random_uuid(), repeat('Text. ', 300), 1, now(), now()
     from generate_series(1, $2) n returning id`,
    [siteId, count],
  );
  return rows.map(({ id }) => id as string);
}

export async function startJob({ api }: Place, key: string, ids: readonly string[]): Promise<string> {
  const answer = await api.request('POST', '/articles/bulk', {
    key,
    body: { action: 'publish', article_ids: ids },
  });
  expect(answer.status).toBe(202);
  return answer.data.id;
}

const doneOf = async ({ api }: Place, id: string): Promise<number> =>
  (
    await api.db.pool.query(`select count(*)::int from bulk_items where job_id = $1 and status = 'done'`, [
      id,
    ])
  ).rows[0].count;

export const completed = ({ api }: Place, id: string): Promise<void> =>
  eventually('the job is completed', async () => {
    const { rows } = await api.db.pool.query('select status from bulk_jobs where id = $1', [id]);
    return rows[0].status === 'completed';
  });

/** Each article is published once, with one event and one entry in the audit log. */
export async function expectOnce({ api }: Place, ids: readonly string[]): Promise<void> {
  const { rows } = await api.db.pool.query(
    `select count(*)::int as events, count(distinct body::jsonb #>> '{data,id}')::int as articles,
       (select count(*)::int from articles where id = any($1::uuid[]) and status = 'published' and version = 2) as published,
       (select count(*)::int from audit_log where target_id = any($1::uuid[]) and action = 'article.publish') as audited
     from events where event = 'article.published' and body::jsonb #>> '{data,id}' = any($1::text[])`,
    [ids],
  );
  const count = ids.length;
  expect(rows[0]).toEqual({ events: count, articles: count, published: count, audited: count });
}
