import type { Client } from '../client.ts';
import type { PromisedArticle } from '../promises.ts';
import type { Stack } from '../stack.ts';

/** Articles read concurrently. */
const AT_ONCE = 8;

/** Every answered write exists as answered, and was done once. */
export async function checkWrites(stack: Stack): Promise<string[]> {
  const wrong: string[] = [];
  const left = [...stack.load.promises.articles];
  const reader = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop())
      wrong.push(...(await checkArticle(stack, ...next)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, reader));
  return [
    ...wrong,
    ...(await checkRepetitions(stack)),
    ...(await checkPublic(stack)),
    ...(await checkComments(stack)),
    ...(await checkCounts(stack)),
  ];
}

async function checkArticle({ client }: Stack, id: string, article: PromisedArticle): Promise<string[]> {
  const name = `article ${id}`;
  const { status, data } = await client.send('GET', `/articles/${id}`, { answers: [200, 404] });
  if (article.state === 'deleted') return status === 404 ? [] : [`${name} was deleted, and is there`];
  if (status === 404) return [`${name} was created, and is not there`];
  const wrong = (['title', 'slug', 'content'] as const)
    .filter((member) => data[member] !== article[member])
    .map((member) => `${name}: ${member} is not what was answered`);
  const state = article.state === 'withdrawn' ? 'draft' : article.state;
  if (data.status !== state) wrong.push(`${name} is ${data.status} in place of ${state}`);
  return wrong;
}

/** Requests that were retried without an answer were done once. */
async function checkRepetitions(stack: Stack): Promise<string[]> {
  const times = new Map<string, number>();
  for await (const { items } of pages(
    stack.client,
    '/articles?limit=100&order=created_at.desc&fields=external_id',
  ))
    for (const { external_id: id } of items) times.set(id, (times.get(id) ?? 0) + 1);
  return [...stack.load.promises.articles.values()]
    .filter(({ state, externalId }) => state !== 'deleted' && times.get(externalId) !== 1)
    .map(({ externalId }) => `${externalId} was created ${times.get(externalId) ?? 0} times`);
}

/** A visitor sees exactly what was promised to be public. */
async function checkPublic({ visitor, load }: Stack): Promise<string[]> {
  const seen = new Set<string>();
  for await (const { items } of pages(visitor, '/articles?limit=100&order=created_at.desc&fields=id'))
    for (const { id } of items) seen.add(id);
  return [...load.promises.articles].flatMap(([id, { state }]) => {
    if ((state === 'published') === seen.has(id)) return [];
    return [`article ${id} is ${state}, and ${seen.has(id) ? 'public' : 'not public'}`];
  });
}

async function checkComments(stack: Stack): Promise<string[]> {
  const times = new Map<string, number>();
  let counted = 0;
  for await (const { items, counts } of pages(stack.client, '/comments?limit=100')) {
    for (const { body } of items) times.set(body, (times.get(body) ?? 0) + 1);
    counted = counts.approved + counts.pending + counts.spam;
  }
  const wrong = [...stack.load.promises.comments]
    .filter((body) => times.get(body) !== 1)
    .map((body) => `"${body}" is there ${times.get(body) ?? 0} times`);
  if (counted !== times.size) wrong.push(`there are ${times.size} comments, and ${counted} are counted`);
  return wrong;
}

async function* pages(client: Client, path: string): AsyncGenerator<any> {
  for (let cursor: string | null = ''; cursor !== null;) {
    const next: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const { data } = await client.send('GET', path + next, { answers: [200] });
    yield data;
    cursor = data.next_cursor;
  }
}

/** The stored counts match the rows. */
async function checkCounts({ client, db, categoryId }: Stack): Promise<string[]> {
  const { rows } = await db.pool.query<{ documents: number; bytes: number; categorised: number }>(
    `select (select count(*) from articles)::int as documents,
       (select coalesce(sum(size_bytes), 0) from media_assets)::int as bytes,
       (select count(*) from articles where category_id = $1)::int as categorised`,
    [categoryId],
  );
  const [{ documents, bytes, categorised } = { documents: -1, bytes: -1, categorised: -1 }] = rows;
  const { usage } = (await client.send('GET', '/usage', { answers: [200] })).data;
  const category = await client.send('GET', `/categories/${categoryId}`, { answers: [200] });
  const counted = category.data.article_count;
  return [
    ...(usage.documents === documents ? [] : [`usage has ${usage.documents} of ${documents} documents`]),
    ...(usage.media_bytes === bytes ? [] : [`usage has ${usage.media_bytes} of ${bytes} bytes of media`]),
    ...(counted === categorised ? [] : [`the category counts ${counted} of ${categorised} articles`]),
  ];
}
