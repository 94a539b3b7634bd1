import { startApi } from './api.ts';
import type { Answer, TestApi } from './api.ts';
import { buildPublished, buildTenant } from './builders.ts';
import type { Tenant } from './builders.ts';
import { TestClock } from './clock.ts';

/** The API with a clock of its own, and Sites whose comments are switched on. */
export interface CommentWorld {
  readonly api: TestApi;
  readonly clock: TestClock;
  /** @param settings beside `enabled`; comments are approved at once unless they say otherwise */
  newSite(settings?: object): Promise<CommentSite>;
  close(): Promise<void>;
}

/** A Site with one published article, and what its server and its moderators do. */
export interface CommentSite extends Tenant {
  readonly slug: string;
  readonly articleId: string;
  /** Posts a comment on the article, with texts nobody else has unless they are given. */
  submit(body?: object, headers?: Record<string, string>): Promise<Answer>;
  /** Posts one and gives it as moderators see it. @throws Error where it is refused */
  comment(body?: object): Promise<any>;
  request(method: string, path: string, body?: unknown): Promise<Answer>;
  /** PATCH of the settings. */
  set(settings: object): Promise<Answer>;
  /** The public read, as a reader's browser does it. */
  show(query?: string, headers?: Record<string, string>): Promise<Answer>;
  counts(): Promise<any>;
}

let sequence = 0;

export async function startComments(): Promise<CommentWorld> {
  const clock = new TestClock();
  const api = await startApi({ clock });
  return {
    api,
    clock,
    newSite: (settings = {}) => newSite(api, settings),
    close: () => api.close(),
  };
}

async function newSite(api: TestApi, settings: object): Promise<CommentSite> {
  const tenant = await buildTenant(api.db);
  const key = tenant.secretKey;
  const article = await buildPublished(api, key);
  const request = (method: string, path: string, body?: unknown) => api.request(method, path, { key, body });
  const site: CommentSite = {
    ...tenant,
    slug: article.slug,
    articleId: article.id,
    request,
    submit: (body = {}, headers = {}) =>
      api.request('POST', '/comments', {
        key,
        headers,
        body: { slug: article.slug, body: `Text ${(sequence += 1)}.`, author_name: 'Ada', ...body },
      }),
    async comment(body = {}) {
      const answer = await site.submit(body);
      if (answer.status !== 201) throw new Error(answer.text);
      const { rows } = await api.db.pool.query(
        'select id from comments where site_id = $1 order by created_at desc, id desc limit 1',
        [tenant.siteId],
      );
      const page = await request('GET', '/comments?limit=100');
      return page.data.items.find(({ id }: { id: string }) => id === rows[0].id);
    },
    set: (changes) => request('PATCH', '/comments/settings', changes),
    show: (query = '', headers = {}) =>
      api.request('GET', `/comments/posts/${article.slug}${query}`, { key: tenant.publishableKey, headers }),
    counts: async () => (await request('GET', '/comments?limit=1')).data.counts,
  };
  const answer = await site.set({ enabled: true, moderation: 'none', ...settings });
  if (answer.status !== 200) throw new Error(answer.text);
  return site;
}
