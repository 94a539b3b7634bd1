import { z } from 'zod';
import type { Clock } from '../../../domain/kernel/clock.ts';
import { noSecret } from '../../../domain/cms/adapter.ts';
import type { Remote, StoredImage } from '../../../domain/cms/adapter.ts';
import type { GuardedClient } from '../../http/guarded-client.ts';
import { firstOf, keptText, listOf } from '../answer-lists.ts';
import { callSystem, refusedSecret, unexpected } from '../call.ts';
import type { Answer, Call } from '../call.ts';
import { digest, fingerprintOf } from '../posts/fingerprint.ts';
import { plainFileName } from '../posts/file-name.ts';
import type { PostSystem, RemotePost, WantedPost } from '../posts/post-system.ts';

const SYSTEM = 'WordPress';

/** `raw` for those who may edit; some plug-ins leave it out. */
const raw = z
  .object({ raw: z.string().optional(), rendered: z.string().optional() })
  .default({})
  .transform((text) => text.raw ?? text.rendered ?? '');
const wpPost = z.object({
  id: z.int(),
  slug: keptText(2_000),
  status: z.string(),
  link: z.string().default(''),
  title: raw,
  content: raw,
  excerpt: raw,
  featured_media: z.int().default(0),
  categories: listOf(z.int()).default([]),
  tags: listOf(z.int()).default([]),
});
/** The address becomes a part of posts, as often as they show the image. */
const media = z.object({ id: z.int(), source_url: keptText(2_000) });
const term = z.object({ id: z.int() });
const existing = z.object({ code: z.literal('term_exists'), data: z.object({ term_id: z.int() }) });
const failure = z.object({ code: z.string(), message: z.string() });
/** Who reads posts with a wrong password is a stranger, who may not see drafts. */
const forbidden = z.object({
  data: z.object({ details: z.object({ status: z.object({ code: z.literal('rest_forbidden_status') }) }) }),
});
const me = z.object({
  name: z.string().max(1_000),
  capabilities: z.object({ publish_posts: z.unknown() }).partial().default({}),
});

export interface WordPressPorts {
  readonly http: GuardedClient;
  readonly clock: Clock;
}

/** WordPress's REST API: https://developer.wordpress.org/rest-api/reference. */
export interface WordPressApi extends PostSystem {
  readUser(): Promise<{ readonly name: string; readonly mayPublish: boolean }>;
  readonly upload: (image: StoredImage) => Promise<{ readonly url: string; readonly id: number }>;
}

const CLOCKS_DIFFER_MS = 5 * 60_000;
/** Posts in every status that a slug can be taken by. */
const STATUSES = 'publish,future,draft,pending,private';

export function createWordPressApi(ports: WordPressPorts, { config, secret, siteId }: Remote): WordPressApi {
  const base = `${(config['site_url'] ?? '').replace(/\/+$/, '')}/wp-json/wp/v2`;
  const call = (
    method: Call['method'],
    path: string,
    body: Pick<Call, 'json' | 'bytes'> = {},
    headers = {},
  ) => {
    if (secret === null) throw noSecret('an application password');
    const pair = Buffer.from(`${config['user']}:${secret}`).toString('base64');
    return callSystem(ports, siteId, SYSTEM, {
      method,
      url: `${base}${path}`,
      headers: { authorization: `Basic ${pair}`, ...headers },
      ...body,
    });
  };

  /** The ids of terms, which are created if they are missing. */
  async function termIds(
    kind: 'tags' | 'categories',
    terms: readonly { readonly name: string; readonly slug: string }[],
  ): Promise<readonly number[]> {
    const ids: number[] = [];
    for (const { name, slug } of terms) {
      const found = await call('GET', `/${kind}?slug=${encodeURIComponent(slug)}`);
      const [known] = firstOf(term).safeParse(found.json).data ?? [];
      ids.push(known?.id ?? termOf(await call('POST', `/${kind}`, { json: { name, slug } })));
    }
    return ids;
  }

  /** A date that is not past by WordPress's clock would schedule the post, so it chooses that of a new one itself. */
  const dateOf = ({ published_at: at }: WantedPost['post']): object =>
    at === null || at.getTime() > ports.clock.now().getTime() - CLOCKS_DIFFER_MS
      ? {}
      : { date_gmt: at.toISOString().slice(0, 19) };

  async function bodyOf({ post, title, slug, excerpt, html, image }: WantedPost): Promise<object> {
    return {
      title,
      slug,
      content: html,
      excerpt,
      status: 'publish',
      ...dateOf(post),
      featured_media: image?.id ?? 0,
      tags: await termIds('tags', post.tags),
      categories: await termIds('categories', post.category === null ? [] : [post.category]),
    };
  }

  const write = async (path: string, json: object): Promise<RemotePost> =>
    postOf(await call('POST', `${path}?context=edit`, { json }));

  return {
    async readUser() {
      const answer = await call('GET', '/users/me?context=edit');
      const user = me.safeParse(answer.json).data;
      if (answer.status !== 200 || user === undefined) throw unexpected(SYSTEM, answer, saidBy(answer));
      return { name: user.name, mayPublish: user.capabilities.publish_posts === true };
    },
    async find(id) {
      const answer = await call('GET', `/posts/${id}?context=edit`);
      if (answer.status === 404 && saidBy(answer) !== undefined) return null;
      const found = postOf(answer);
      return isTrashed(answer) ? null : found;
    },
    async findBySlug(slug) {
      const answer = await call(
        'GET',
        `/posts?context=edit&status=${STATUSES}&slug=${encodeURIComponent(slug)}`,
      );
      if (forbidden.safeParse(answer.json).success) throw refusedSecret(SYSTEM);
      const list = firstOf(wpPost).safeParse(answer.json).data;
      if (answer.status !== 200 || list === undefined) throw unexpected(SYSTEM, answer, saidBy(answer));
      const [first] = list;
      return first === undefined ? null : present(first);
    },
    create: async (wanted) => write('/posts', await bodyOf(wanted)),
    update: async ({ id }, wanted) => write(`/posts/${id}`, await bodyOf(wanted)),
    hide: ({ id }) => write(`/posts/${id}`, { status: 'draft' }),
    async upload({ fileName, mimeType, altText, bytes }) {
      const headers = {
        'content-type': mimeType,
        'content-disposition': `attachment; filename="${plainFileName(fileName)}"`,
      };
      const answer = await call('POST', '/media', { bytes }, headers);
      const stored = media.safeParse(answer.json).data;
      if (stored === undefined) throw unexpected(SYSTEM, answer, saidBy(answer));
      if (altText !== null) await call('POST', `/media/${stored.id}`, { json: { alt_text: altText } });
      return { id: stored.id, url: stored.source_url };
    },
  };
}

/** @throws PushFailure */
function termOf(answer: Answer): number {
  const id = term.safeParse(answer.json).data?.id ?? existing.safeParse(answer.json).data?.data.term_id;
  if (id === undefined) throw unexpected(SYSTEM, answer, saidBy(answer));
  return id;
}

const isTrashed = ({ json }: Answer): boolean => wpPost.safeParse(json).data?.status === 'trash';

function postOf(answer: Answer): RemotePost {
  const post = wpPost.safeParse(answer.json).data;
  if (answer.status > 299 || post === undefined) throw unexpected(SYSTEM, answer, saidBy(answer));
  return present(post);
}

/** WordPress has no version of a post, and its times have no fractions: the edited content is its version. */
function present(post: z.infer<typeof wpPost>): RemotePost {
  const { slug, status, link: url, title, content, excerpt } = post;
  const shown = status === 'publish';
  const terms = [post.featured_media, inOrder(post.categories), inOrder(post.tags)];
  return {
    id: String(post.id),
    slug,
    url,
    shown,
    title,
    version: digest([title, content, excerpt, slug, status, JSON.stringify(terms)]),
    fingerprint: fingerprintOf({ title, slug, html: content }),
  };
}

const inOrder = (ids: readonly number[]): readonly number[] => ids.toSorted((one, other) => one - other);

const saidBy = ({ json }: Answer): string | undefined => failure.safeParse(json).data?.message;
