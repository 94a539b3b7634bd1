import { createJpeg } from '../images.ts';
import type { Blog } from '../open-loop/blogs.ts';
import type { CostStack } from './stack.ts';

/** An operation whose cost is measured. */
export interface Costed {
  readonly name: string;
  /** Number of repetitions; 50 by default. */
  readonly times?: number;
  readonly once: () => Promise<unknown>;
  /** Whether its follow-up work is done, if the outbox and the queue do not show it. */
  readonly settled?: () => Promise<boolean>;
}

const SOON_MS = 1_000;
/** A key may reserve 60 uploads and start 10 runs a minute. */
const UPLOADS = 20;
const RUNS = 6;
/** Each takes 50 drafts. */
const BULK_JOBS = 4;

/**
 * The daily operations of a Site. The first Site has no webhook endpoint, the second has one for every event; each
 * write of an article takes another draft.
 */
export async function createOperations(stack: CostStack): Promise<readonly Costed[]> {
  const { call, upload, running } = stack;
  const [plain, listening] = stack.blogs as readonly [Blog, Blog];
  const image = await createJpeg();
  let number = 0;
  const unique = (): string => `cost-${process.pid}-${(number += 1)}`;
  const drafts = { plain: [...plain.drafts], listening: [...listening.drafts] };
  const draft = (of: keyof typeof drafts): string => {
    const id = drafts[of].pop();
    if (id === undefined) throw new Error('There is no draft left');
    return id;
  };
  const published: string[] = [];
  const assets: string[] = [];
  const keys: string[] = [];
  const text = 'What the article says, in words of the usual length. '.repeat(40);
  const article = () => ({
    title: `An article, ${unique()}`,
    content: text,
    category_id: plain.categories[0],
  });
  const soon = () => ({ scheduled_publish_at: new Date(Date.now() + SOON_MS).toISOString() });
  const comment = (from: Blog) => ({
    slug: from.slugs[0],
    body: `What a reader has to say, ${unique()}.`,
    author_name: 'A reader',
    reader_ip: `2001:db8:${(number += 1).toString(16)}::1`,
  });
  const ended = (type: string) => async (): Promise<boolean> =>
    (await running(`WorkflowType = '${type}'`)) === 0;
  const deep = await call(plain, 'GET', '/articles?limit=100');

  return [
    {
      name: 'read an article',
      once: () => call(plain, 'GET', `/articles/${plain.published[(number += 1) % 100]}`),
    },
    { name: 'list 20 articles', once: () => call(plain, 'GET', '/articles') },
    {
      name: 'list 20 articles, a later page',
      once: () => call(plain, 'GET', `/articles?cursor=${deep.next_cursor}`),
    },
    {
      name: 'list 20 articles of a tag',
      once: () => call(plain, 'GET', `/articles?tag_id=${plain.tags[0]}`),
    },
    { name: 'search articles for two words', once: () => call(plain, 'GET', '/articles?q=article+usual') },
    { name: 'public comments, 100', once: () => call(plain, 'GET', `/comments/posts/${plain.slugs[0]}`) },
    { name: 'comments to moderate, 50', once: () => call(plain, 'GET', '/comments') },
    { name: 'usage', once: () => call(plain, 'GET', '/usage') },
    { name: 'create a draft of 2 KB', once: () => call(plain, 'POST', '/articles', article()) },
    {
      name: 'change a draft',
      once: () =>
        call(plain, 'PATCH', `/articles/${plain.drafts[(number += 1) % 100]}`, {
          content: `${text}${unique()}`,
        }),
    },
    {
      name: 'publish',
      async once() {
        const id = draft('plain');
        published.push(id);
        await call(plain, 'POST', `/articles/${id}/publish`);
      },
    },
    {
      name: 'change a published article later: save the pending edit',
      once: () =>
        call(plain, 'PATCH', `/articles/${plain.published[(number += 1) % 100]}/pending`, {
          content: `${text}${unique()}`,
        }),
    },
    {
      name: 'publish 50 articles by a bulk job',
      times: BULK_JOBS,
      once: () =>
        call(plain, 'POST', '/articles/bulk', {
          action: 'publish',
          article_ids: Array.from({ length: 50 }, () => draft('plain')),
        }),
      settled: ended('bulk'),
    },
    {
      name: 'publish, delivered to an endpoint',
      once: () => call(listening, 'POST', `/articles/${draft('listening')}/publish`),
    },
    {
      name: 'schedule, and be published',
      once: () => call(plain, 'POST', `/articles/${draft('plain')}/schedule`, soon()),
      settled: ended('scheduledPublish'),
    },
    { name: 'unpublish', once: () => call(plain, 'POST', `/articles/${published.pop()}/unpublish`) },
    { name: 'delete an article', once: () => call(plain, 'DELETE', `/articles/${draft('plain')}`) },
    { name: 'take a comment', once: () => call(plain, 'POST', '/comments', comment(plain)) },
    {
      name: 'take a comment, delivered to an endpoint',
      once: () => call(listening, 'POST', '/comments', comment(listening)),
    },
    {
      name: 'upload and register a 1 MB image',
      times: UPLOADS,
      // Its workflow sweeps the upload an hour later, which is not measured here.
      once: async () => void assets.push(await upload(plain, image)),
    },
    {
      name: 'delete an image',
      times: UPLOADS,
      once: () => call(plain, 'DELETE', `/media/${assets.pop()}`),
    },
    {
      name: 'create a key',
      async once() {
        const body = { name: unique(), kind: 'secret', scopes: ['articles:read'] };
        keys.push((await call(plain, 'POST', '/keys', body)).id);
      },
    },
    {
      name: 'rotate a key and retire its old secret',
      once: () => call(plain, 'POST', `/keys/${keys.pop()}/rotate`, { grace_seconds: 1 }),
      settled: ended('keyRotation'),
    },
    {
      name: 'write an article by the pipeline, offline',
      times: RUNS,
      once: () =>
        call(plain, 'POST', '/pipeline/runs', { topics: [{ title: `How to bake bread, ${unique()}` }] }),
      settled: ended('pipelineRun'),
    },
  ];
}
