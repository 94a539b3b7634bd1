import { request } from 'undici';
import type { Blog } from './blogs.ts';

/** A deep page of a list: its path, with the cursor. */
export interface DeepPages {
  readonly articles: readonly string[];
  readonly published: readonly string[];
  readonly postComments: readonly string[];
  readonly moderation: readonly string[];
}

/** The number of pages of 100 to walk. */
const PAGES = 90;

/** Walks through the lists of a Site page by page, as a client does, and collects the path of each page. */
export async function walkDeep(blog: Blog, origin: string): Promise<DeepPages> {
  const walk = async (key: string, path: string): Promise<string[]> => {
    const paths: string[] = [];
    for (let at = path; paths.length < PAGES;) {
      const answer = await request(`${origin}/v1${at}`, { headers: { authorization: `Bearer ${key}` } });
      const { data } = (await answer.body.json()) as { data?: { next_cursor: string | null } };
      if (data === undefined) throw new Error(`${at} was answered with ${answer.statusCode}`);
      if (data.next_cursor === null) break;
      at = `${path}${path.includes('?') ? '&' : '?'}cursor=${data.next_cursor}`;
      paths.push(at);
    }
    if (paths.length === 0) throw new Error(`${path} has only one page`);
    return paths;
  };
  // Each with its own key, because a key has a rate limit.
  const key = (index: number): string => blog.keys[index % blog.keys.length] as string;
  return {
    articles: await walk(key(0), '/articles?limit=100'),
    published: await walk(blog.publishable[0] as string, '/articles?order=published_at.desc&limit=100'),
    postComments: await walk(blog.publishable[1] as string, `/comments/posts/${blog.slugs[0]}`),
    moderation: await walk(key(1), '/comments?limit=100'),
  };
}
