import { createLogger } from '../../observability/log/logger.ts';
import { SearchIndexer } from '../../worker/search-indexer.ts';
import { testRenderer } from './renderer.ts';
import type { TestApi } from './api.ts';

/** Indexes all that waits, as the worker does. */
export async function indexAll({ db }: TestApi): Promise<void> {
  const log = createLogger({ process: 'worker', level: 'silent', secrets: [] });
  const indexer = new SearchIndexer({ db, log, readWords: testRenderer.readWords, pollMs: 10 });
  const running = indexer.run();
  const left = 'select from article_search where not (indexed and refined)';
  while ((await db.pool.query(left)).rowCount !== 0) await new Promise((done) => setTimeout(done, 20));
  indexer.stop();
  await running;
}

/** Adds drafts named Filler: 300 of them are more than a search reads before it asks the index. */
export async function buildFillers(
  { db }: TestApi,
  siteId: string,
  count = 300,
  content = 'Filler text',
): Promise<void> {
  await db.pool.query(
    `insert into articles (id, site_id, status, title, content, created_at, updated_at)
     select uuidv7(), $1, 'draft', 'Filler', $3, now(), now() + n * interval '1 second' from generate_series(1, $2::int) n`,
    [siteId, count, content],
  );
}

/** The titles of the articles that a search finds, sorted. */
export async function foundTitles(api: TestApi, key: string, q: string, rest = ''): Promise<string[]> {
  const answer = await api.request('GET', `/articles?q=${encodeURIComponent(q)}${rest}`, { key });
  if (answer.status !== 200) throw new Error(`${q}: ${answer.status}: ${answer.text}`);
  return answer.data.items.map(({ title }: { title: string }) => title).sort();
}
