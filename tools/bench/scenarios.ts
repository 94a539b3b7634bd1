import { request } from 'undici';
import { bearer, get, inTurn, once, scattered, send } from './requests.ts';
import type { Scenario } from './requests.ts';
import type { SeededSite } from './seed.ts';
import { createTexts } from './texts.ts';

/** Rows before the deep page, and rows per page on the way there. */
export const DEPTH = 9_000;
const WALK = 100;
/** Pages that are requested in turn: about 20 MB of answers. */
const PAGES = 2_500;

const texts = createTexts(50, 2_000);
const excerpt = 'In a sentence or two.';

/** All scenarios, in their order: first the limits, then reads, then writes. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  constant: {
    title: 'Koa, a constant',
    target: 'limits',
    status: 200,
    prepare: async () => () => ({ method: 'GET', path: '/constant', headers: {} }),
  },
  row: {
    title: 'Koa, one prepared read',
    target: 'limits',
    status: 200,
    async prepare({ large }) {
      const id = scattered([...large.published, ...large.drafts]);
      return () => ({ method: 'GET', path: `/rows/${id()}`, headers: {} });
    },
  },
  insert: {
    title: 'Koa, one prepared insert',
    target: 'limits',
    status: 201,
    async prepare({ large, small }) {
      const site = inTurn([large, ...small]);
      const content = inTurn(texts);
      const run = Date.now();
      let number = 0;
      return () => {
        const slug = `bare-${run}-${(number += 1)}`;
        const row = {
          site_id: site().id,
          title: `A new article, ${slug}`,
          slug,
          content: content(),
          excerpt,
        };
        return { method: 'POST', path: '/rows', headers: {}, body: JSON.stringify(row) };
      };
    },
  },
  read: {
    title: 'read an article',
    target: 'api',
    status: 200,
    async prepare({ large }) {
      const [key, id] = [inTurn(large.keys), scattered([...large.published, ...large.drafts])];
      return () => get(key(), `/v1/articles/${id()}`);
    },
  },
  list: {
    title: 'list, first page of 20',
    target: 'api',
    status: 200,
    async prepare({ large }) {
      const key = inTurn(large.keys);
      return () => get(key(), '/v1/articles');
    },
  },
  deep: {
    title: `list, page after ${DEPTH} rows`,
    target: 'api',
    status: 200,
    async prepare({ large }, origin) {
      const cursors = await walk(large, origin, WALK, DEPTH / WALK);
      if (cursors.length < DEPTH / WALK) throw new Error(`The list has no page after ${DEPTH} rows`);
      const path = `/v1/articles?cursor=${cursors.at(-1)}`;
      const key = inTurn(large.keys);
      return () => get(key(), path);
    },
  },
  pages: {
    title: `list, ${PAGES} pages in turn`,
    target: 'api',
    status: 200,
    // More than the API's response cache holds.
    async prepare({ large }, origin) {
      const [key, cursor] = [inTurn(large.keys), inTurn(await walk(large, origin, 40, PAGES))];
      return () => get(key(), `/v1/articles?cursor=${cursor()}`);
    },
  },
  search: {
    title: 'search for two words',
    target: 'api',
    status: 200,
    // Words of nearly all articles, of some thousands and of a few, as they come.
    async prepare({ large, small }) {
      // A Site searches four at a time, a quarter of the connections.
      const key = inTurn([large, ...small.slice(0, 3)].map(({ keys }) => inTurn(keys)));
      const count = large.published.length + large.drafts.length;
      const number = scattered(Array.from({ length: count }, (_, index) => index + 1));
      const ask = inTurn([
        () => 'bread water',
        () => `number ${number()}`,
        () => `article ${String(number()).slice(0, 3)}`,
        () => `slow -${number()}`,
        () => `says ${String(number()).slice(0, 1)}`,
        () => `nowhere ${number()}`,
      ]);
      return () => get(key()(), `/v1/articles?q=${encodeURIComponent(ask()())}`);
    },
  },
  create: {
    title: 'create a draft',
    target: 'api',
    status: 201,
    async prepare({ large, small }) {
      const key = inTurn([large, ...small].flatMap(({ keys }) => keys));
      const text = inTurn(texts);
      const run = Date.now();
      let number = 0;
      return () => {
        const name = `bench-${run}-${(number += 1)}`;
        const body = { title: `A new article, ${name}`, content: text(), excerpt };
        return send('POST', key(), '/v1/articles', body, { 'idempotency-key': name });
      };
    },
  },
  update: {
    title: 'change title and text',
    target: 'api',
    status: 200,
    async prepare({ large, small }) {
      const key = inTurn([large, ...small].flatMap((site) => site.keys.map((secret) => ({ site, secret }))));
      const text = inTurn(texts);
      const idOf = new Map(
        [large, ...small].map((site) => [site, scattered([...site.published, ...site.drafts])]),
      );
      let number = 0;
      return () => {
        const { site, secret } = key();
        const body = { title: `Changed ${(number += 1)} times`, content: `${text()} ${number}` };
        return send('PATCH', secret, `/v1/articles/${idOf.get(site)?.()}`, body);
      };
    },
  },
  publish: {
    title: 'publish a draft',
    target: 'api',
    status: 200,
    async prepare({ large, small }) {
      const site = inTurn(
        [large, ...small].map(({ keys, drafts }) => ({ key: inTurn(keys), draft: once(drafts) })),
      );
      return () => {
        const { key, draft } = site();
        return send('POST', key(), `/v1/articles/${draft()}/publish`);
      };
    },
  },
};

/** Walks through a list page by page, as a client does. @returns the cursors, at most the wanted number */
async function walk(
  { keys }: SeededSite,
  origin: string,
  limit: number,
  pages: number,
): Promise<readonly string[]> {
  const key = inTurn(keys);
  const cursors: string[] = [];
  while (cursors.length < pages) {
    const last = cursors.at(-1);
    const path = `/v1/articles?limit=${limit}${last === undefined ? '' : `&cursor=${last}`}`;
    const answer = await request(origin + path, { headers: bearer(key()) });
    const { data } = (await answer.body.json()) as { data?: { next_cursor: string | null } };
    if (data === undefined)
      throw new Error(`The list failed with ${answer.statusCode} after ${cursors.length} pages`);
    if (data.next_cursor === null) break;
    cursors.push(data.next_cursor);
  }
  return cursors;
}
