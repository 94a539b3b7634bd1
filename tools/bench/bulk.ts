import type { SeededSite, SeedSize } from './seed.ts';
import type { Inbox } from './webhooks/receiver.ts';
import type { WebhookStack } from './webhooks/stack.ts';

const ARTICLES = 500;
/** What the API does for one client at a time, to compare with. */
const CALLS_AT_ONCE = 8;
const POLL_MS = 50;

/** Each small Site is used by one of the jobs. */
export const bulkSize: SeedSize = {
  smallSites: 6,
  articlesInLarge: 20_000,
  articlesInSmall: 1_200,
  keysInLarge: 40,
  keysInSmall: 40,
  uploads: 0,
};

interface Times {
  /** Until all articles were public, and until all their webhooks had arrived, in ms. */
  readonly publishedMs: number;
  readonly deliveredMs: number;
}

export interface BulkSpeed {
  readonly alone: readonly Times[];
  /** Two Sites at the same time. */
  readonly together: readonly Times[];
  readonly singleCalls: Times;
}

/**
 * Measures jobs that publish 500 articles of a Site with one webhook endpoint.
 *
 * @throws Error if an article was published or delivered more than once, or not at all
 */
export async function measureBulk(stack: WebhookStack): Promise<BulkSpeed> {
  const [first, second, third, fourth, fifth, sixth] = stack.seeded.small as [
    SeededSite,
    SeededSite,
    SeededSite,
    SeededSite,
    SeededSite,
    SeededSite,
  ];
  const alone = [await runJob(stack, first), await runJob(stack, second), await runJob(stack, third)];
  const together = await Promise.all([runJob(stack, fourth), runJob(stack, fifth)]);
  return { alone, together, singleCalls: await callEach(stack, sixth) };
}

async function runJob(stack: WebhookStack, site: SeededSite): Promise<Times> {
  const [path, ids] = [await subscribe(stack, site), draftsOf(site)];
  const begun = performance.now();
  const { id } = await stack.call(site, 'POST', '/articles/bulk', { action: 'publish', article_ids: ids });
  for (;;) {
    const { rows } = await stack.db.pool.query<{ status: string }>(
      'select status from bulk_jobs where id = $1',
      [id],
    );
    if (rows[0]?.status === 'completed') break;
    await pause();
  }
  return { publishedMs: performance.now() - begun, deliveredMs: await delivered(stack, path, begun) };
}

async function callEach(stack: WebhookStack, site: SeededSite): Promise<Times> {
  const path = await subscribe(stack, site);
  const ids = draftsOf(site).values();
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: CALLS_AT_ONCE }, async () => {
      for (const id of ids) await stack.call(site, 'POST', `/articles/${id}/publish`);
    }),
  );
  return { publishedMs: performance.now() - begun, deliveredMs: await delivered(stack, path, begun) };
}

async function subscribe(stack: WebhookStack, site: SeededSite): Promise<string> {
  const path = `/bulk/${site.id}`;
  await stack.call(site, 'POST', '/webhooks', {
    url: `${stack.receiver.origin}${path}`,
    events: ['article.published'],
  });
  return path;
}

const draftsOf = ({ drafts }: SeededSite): readonly string[] => {
  if (drafts.length < ARTICLES) throw new Error(`The Site has only ${drafts.length} drafts`);
  return drafts.slice(0, ARTICLES);
};

async function delivered(stack: WebhookStack, path: string, begun: number): Promise<number> {
  let inbox: Inbox;
  while ((inbox = await stack.receiver.inbox(path)).arrivals.size < ARTICLES) await pause();
  const ms = performance.now() - begun;
  if (inbox.requests !== ARTICLES) throw new Error(`${inbox.requests} deliveries of ${ARTICLES} events`);
  return ms;
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, POLL_MS));

/** Lines for the report. */
export const formatBulk = ({ alone, together, singleCalls }: BulkSpeed): string =>
  [
    ...alone.map((times) => format('one job', times)),
    ...together.map((times) => format('two Sites at the same time', times)),
    format(`single calls, ${CALLS_AT_ONCE} at once`, singleCalls),
  ].join('\n');

const format = (name: string, { publishedMs, deliveredMs }: Times): string =>
  `${ARTICLES} articles, ${name}: public after ${(publishedMs / 1_000).toFixed(2)} s, all webhooks after ${(deliveredMs / 1_000).toFixed(2)} s`;
