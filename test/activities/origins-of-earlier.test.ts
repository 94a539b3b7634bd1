import { createHousekeepingActivities } from '../../activities/housekeeping.ts';
import { systemClock } from '../../domain/kernel/clock.ts';
import { storeOriginsOfEarlier } from '../../domain/pipeline/origins-of-earlier.ts';
import { useApi } from '../support/api.ts';
import { buildArticle, buildTenant } from '../support/builders.ts';
import { silent } from '../support/temporal.ts';

const api = await useApi({}, { ownDatabase: 'the origins of articles of all Sites are filled in' });
const tenant = await buildTenant(api.db);
const key = tenant.secretKey;
const { pool } = api.db;
const { forgetOldTexts } = createHousekeepingActivities({ db: api.db, clock: systemClock, log: silent });

const patch = async (id: string, body: object): Promise<void> => {
  expect((await api.request('PATCH', `/articles/${id}`, { key, body })).status).toBe(200);
};
const originOf = async (id: string): Promise<string> =>
  (await api.request('GET', `/articles/${id}`, { key })).data.origin;

/** An article as the version before left it, after a run and the changes of people. */
async function earlier(stage: string | null, changes: readonly object[] = []): Promise<string> {
  const { id } = await buildArticle(api, key, { title: 'Tea' });
  await patch(id, { content: 'Of the pipeline.', excerpt: 'Of the pipeline.' });
  await pool.query(
    `update article_revisions set actor_kind = 'system', actor_id = null, actor_name = 'pipeline'
     where article_id = $1 and number = 2`,
    [id],
  );
  await pool.query(
    `insert into pipeline_articles (article_id, site_id, keywords, stage) values ($1, $2, '[]', $3)`,
    [id, tenant.siteId, stage],
  );
  for (const change of changes) await patch(id, change);
  return id;
}

test.each<[string, string | null, object[], string]>([
  ['wrote, and nobody edited', 'improve', [], 'generated'],
  [
    'wrote, and somebody gave another slug',
    'generate',
    [{ slug: 'other' }, { external_id: 'x' }],
    'generated',
  ],
  ['wrote, and somebody edited', 'generate', [{ slug: 'edited' }, { content: 'Of a person.' }], 'assisted'],
  ['wrote, and somebody edited a block', 'improve', [{ key_takeaways: ['Mine.'] }], 'assisted'],
  ['has only planned', 'plan', [{ content: 'Of a person.' }], 'person'],
  ['has not begun', null, [], 'person'],
])('an earlier article that a run %s', async (_, stage, changes, origin) => {
  const id = await earlier(stage, changes);
  expect(await originOf(id)).toBe('person');
  await forgetOldTexts();
  expect(await originOf(id)).toBe(origin);
});

test('a pending edit that was published at its time is a person’s', async () => {
  const id = await earlier('improve', [{ content: 'Of a person.' }]);
  await pool.query(
    `update article_revisions set actor_kind = 'system', actor_id = null, actor_name = 'pending edit'
     where article_id = $1 and number = 3`,
    [id],
  );
  await forgetOldTexts();
  expect(await originOf(id)).toBe('assisted');
});

test('each is looked at once, in batches, and what came later is kept', async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, () => earlier('improve')));
  const stored = () => api.db.transaction((tx) => storeOriginsOfEarlier(tx, 2));
  expect([await stored(), await stored(), await stored(), await stored()]).toEqual([2, 2, 1, 0]);
  const [first = ''] = ids;
  await patch(first, { content: 'Of a person.' });
  await forgetOldTexts();
  expect(await Promise.all(ids.map(originOf))).toEqual(['assisted', ...ids.slice(1).map(() => 'generated')]);
});

test('an edit that has read the article before is written after all, and counts', async () => {
  const id = await earlier('improve');
  const client = await pool.connect();
  await client.query('begin');
  // As an edit holds it that has not committed yet: it is left to the next run.
  await client.query('select from articles where id = $1 for no key update', [id]);
  expect(await api.db.transaction((tx) => storeOriginsOfEarlier(tx, 100))).toBe(0);
  await client.query('commit');
  client.release();
  const edits = Array.from({ length: 8 }, (_, index) => patch(id, { excerpt: `Of a person, ${index}.` }));
  await Promise.all([...edits, forgetOldTexts()]);
  await forgetOldTexts();
  expect(await originOf(id)).toBe('assisted');
});
