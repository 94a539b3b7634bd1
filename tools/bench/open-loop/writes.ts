import { createTexts } from '../texts.ts';
import type { Blog } from './blogs.ts';
import { SKEW } from './comments.ts';
import { anyOf } from './random.ts';
import type { Mix, Operation, Sent } from './mix.ts';

/** An article in use. It is taken out of its list for a request, so that no two requests use the same one. */
interface Held {
  readonly blog: Blog;
  readonly id: string;
}

const SOON_MS = 20_000;
const FAR_MS = 24 * 3_600_000;

/** The writes: 100 of 1,000 requests. A Site accepts 300 comments an hour, so their share is small. */
export function createWrites({ blogs, blog, random, send }: Mix): readonly Operation[] {
  const texts = createTexts(200, 2_000);
  const run = Date.now().toString(36);
  let number = 0;
  const drafts: Held[] = halves(blogs);
  const published: Held[] = [];
  const scheduled: Held[] = [];
  const created: Held[] = [];

  const write = (name: string, share: number, next: () => Sent | null): Operation => ({
    name,
    share,
    kind: 'write',
    next,
  });
  /** An operation on an article of a list; `then` is the list it is put in afterwards. */
  const step = (name: string, share: number, from: Held[], then: Held[] | null, work: (held: Held) => Sent) =>
    write(name, share, () => {
      const held = from.shift();
      if (held === undefined) return null;
      return { ...work(held), answered: () => void then?.push(held) };
    });
  const act =
    (verb: string, body?: () => object) =>
    (held: Held): Sent => ({
      request: send(held.blog, 'POST', `/articles/${held.id}/${verb}`, body && { body: body() }),
      status: 200,
    });
  const inTime = (milliseconds: number) => () => ({
    scheduled_publish_at: new Date(Date.now() + milliseconds).toISOString(),
  });
  const group = (): string => Math.floor(random() * 65_536).toString(16);

  return [
    write('create', 25, () => {
      const from = blog();
      const idempotencyKey = `${run}-${(number += 1)}`;
      const body = {
        title: `A new article, ${idempotencyKey}`,
        content: anyOf(texts, random),
        excerpt: 'In a sentence or two.',
        category_id: anyOf(from.categories, random),
        author_id: anyOf(from.authors, random),
        tag_ids: [from.tags[0], from.tags[1]],
      };
      return {
        request: send(from, 'POST', '/articles', { body, idempotencyKey }),
        status: 201,
        answered(answer) {
          const { id } = (JSON.parse(answer) as { data: { id: string } }).data;
          (number % 4 === 0 ? created : drafts).push({ blog: from, id });
        },
      };
    }),
    write('update a draft', 25, () => {
      const from = blog();
      const body = { content: `${anyOf(texts, random)} ${(number += 1)}` };
      return {
        request: send(from, 'PATCH', `/articles/${anyOf(stableDrafts(from), random)}`, { body }),
        status: 200,
      };
    }),
    write('update what is published', 10, () => {
      const from = blog();
      const body = { title: `Changed ${(number += 1)} times`, content: `${anyOf(texts, random)} ${number}` };
      return {
        request: send(from, 'PATCH', `/articles/${anyOf(from.published, random)}`, { body }),
        status: 200,
      };
    }),
    step('publish', 15, drafts, published, act('publish')),
    step('unpublish', 9, published, drafts, act('unpublish')),
    step('delete', 4, created, null, ({ blog: from, id }) => ({
      request: send(from, 'DELETE', `/articles/${id}`),
      status: 204,
    })),
    step('schedule for soon', 2, drafts, null, act('schedule', inTime(SOON_MS))),
    step('schedule for tomorrow', 3, drafts, scheduled, act('schedule', inTime(FAR_MS))),
    step('cancel a schedule', 2, scheduled, drafts, act('cancel-schedule')),
    write('submit a comment', 5, () => {
      const from = blogs[(number += 1) % blogs.length] as Blog;
      const body = {
        slug: from.slugs[Math.floor(from.slugs.length * random() ** SKEW)],
        body: `What a reader has to say, ${run} ${number}.`,
        author_name: 'A reader',
        author_email: `reader${number % 5_000}@example.com`,
        reader_ip: `2001:db8:${group()}:${group()}::1`,
      };
      return { request: send(from, 'POST', '/comments', { body }), status: 201 };
    }),
  ];
}

/** Half of a Site's drafts are published and scheduled, the others are only changed. */
const stableDrafts = ({ drafts }: Blog): readonly string[] => drafts.slice(drafts.length >> 1);

/** That half for all Sites, interleaved: the first of each, then the second of each, and so on. */
function halves(blogs: readonly Blog[]): Held[] {
  const held: Held[] = [];
  const most = Math.max(...blogs.map(({ drafts }) => drafts.length >> 1));
  for (let index = 0; index < most; index += 1) {
    for (const blog of blogs)
      if (index < blog.drafts.length >> 1) held.push({ blog, id: blog.drafts[index] as string });
  }
  return held;
}
