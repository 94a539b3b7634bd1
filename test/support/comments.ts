import type { Ports } from '../../api/framework/ports.ts';
import { startOnSharedDatabase } from './api.ts';
import type { Answer, TestApi } from './api.ts';
import { buildPublished, buildTenant } from './builders.ts';
import type { Tenant } from './builders.ts';
import { TestClock } from './clock.ts';

/** The API with its own clock, and Sites with comments switched on. */
export interface CommentStack {
  readonly api: TestApi;
  readonly clock: TestClock;
  /** @param settings in addition to `enabled`; by default comments are approved at once */
  newSite(settings?: object): Promise<CommentSite>;
  close(): Promise<void>;
}

/** A Site with one published article, and the requests of its server and its moderators. */
export interface CommentSite extends Tenant {
  readonly slug: string;
  readonly articleId: string;
  /** Posts a comment on the article, by default with unique texts. */
  submit(body?: object, headers?: Record<string, string>): Promise<Answer>;
  /** Posts one. @returns it as moderators see it @throws Error if it is refused */
  comment(body?: object): Promise<any>;
  request(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Changes the settings. */
  set(settings: object): Promise<Answer>;
  /** The public read by a reader's browser. */
  show(query?: string, headers?: Record<string, string>): Promise<Answer>;
  counts(): Promise<any>;
}

let sequence = 0;

/** @param start starts the API */
export async function startComments(
  start: (ports: Partial<Ports>) => Promise<TestApi> = startOnSharedDatabase,
): Promise<CommentStack> {
  const clock = new TestClock();
  const api = await start({ clock });
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
