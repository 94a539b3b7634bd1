import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../../domain/kernel/clock.ts';
import { noSecret } from '../../../domain/cms/adapter.ts';
import type { Remote, StoredImage } from '../../../domain/cms/adapter.ts';
import type { GuardedClient } from '../../http/guarded-client.ts';
import { firstOf, keptText, listOf } from '../answer-lists.ts';
import { callSystem, unexpected } from '../call.ts';
import type { Answer, Call } from '../call.ts';
import { digest, fingerprintOf } from '../posts/fingerprint.ts';
import { plainFileName } from '../posts/file-name.ts';
import type { PostSystem, RemotePost, WantedPost } from '../posts/post-system.ts';
import { htmlForEditor } from './html.ts';
import { adminToken } from './token.ts';

const SYSTEM = 'Ghost';
/** The oldest form of the Admin API that has all of this. */
const VERSION = 'v5.0';

const ghostPost = z.object({
  id: keptText(100),
  slug: keptText(2_000).default(''),
  title: z.string().default(''),
  status: z.string().default('published'),
  url: z.string().default(''),
  updated_at: keptText(100),
  html: z.string().nullish(),
  custom_excerpt: z.string().nullish(),
  feature_image: z.string().nullish(),
  meta_title: z.string().nullish(),
  meta_description: z.string().nullish(),
  tags: listOf(z.object({ name: z.string() })).nullish(),
});
type GhostPost = z.infer<typeof ghostPost>;
const posts = z.object({ posts: firstOf(ghostPost) });
/** The address becomes a part of posts, as often as they show the image. */
const images = z.object({ images: firstOf(z.object({ url: keptText(2_000) })) });
const errors = z.object({
  errors: firstOf(z.object({ message: z.string(), context: z.string().nullish() })),
});

export interface GhostPorts {
  readonly http: GuardedClient;
  readonly clock: Clock;
}

/** Ghost's Admin API: https://docs.ghost.org/admin-api. */
export interface GhostApi extends PostSystem {
  /** @returns the title of the site */
  readSite(): Promise<string>;
  readonly upload: (image: StoredImage) => Promise<{ readonly url: string }>;
}

export function createGhostApi(ports: GhostPorts, { config, secret, siteId }: Remote): GhostApi {
  const base = `${(config['admin_url'] ?? '').replace(/\/+$/, '').replace(/\/ghost$/, '')}/ghost/api/admin`;
  const call = (
    method: Call['method'],
    path: string,
    body: Pick<Call, 'json' | 'bytes'> = {},
    headers = {},
  ) => {
    if (secret === null) throw noSecret('an Admin API key');
    const authorization = `Ghost ${adminToken(secret, ports.clock.now())}`;
    return callSystem(ports, siteId, SYSTEM, {
      method,
      url: `${base}${path}`,
      headers: { authorization, 'accept-version': VERSION, ...headers },
      ...body,
    });
  };
  const read = async (path: string): Promise<RemotePost | null> => {
    const answer = await call('GET', `${path}?formats=html`);
    return answer.status === 404 && answer.json !== null ? null : postOf(answer);
  };

  return {
    async readSite() {
      const answer = await call('GET', '/posts/?limit=1&fields=id');
      if (answer.status !== 200) throw unexpected(SYSTEM, answer);
      const site = await call('GET', '/site/');
      return z.object({ site: z.object({ title: z.string() }) }).safeParse(site.json).data?.site.title ?? '';
    },
    find: (id) => read(`/posts/${encodeURIComponent(id)}/`),
    findBySlug: (slug) => read(`/posts/slug/${encodeURIComponent(slug)}/`),
    async create(wanted) {
      const answer = await call('POST', '/posts/?source=html&formats=html', { json: bodyOf(wanted) });
      return postOf(answer);
    },
    async update({ id, version }, wanted) {
      const json = bodyOf(wanted, { updated_at: timeOf(version) });
      const answer = await call('PUT', `/posts/${id}/?source=html&formats=html`, { json });
      return answer.status === 409 ? null : postOf(answer);
    },
    async hide({ id, version }) {
      const json = { posts: [{ status: 'draft', updated_at: timeOf(version) }] };
      const answer = await call('PUT', `/posts/${id}/?formats=html`, { json });
      return answer.status === 409 ? null : postOf(answer);
    },
    async upload(image) {
      const boundary = randomUUID();
      const type = `multipart/form-data; boundary=${boundary}`;
      const answer = await call(
        'POST',
        '/images/upload/',
        { bytes: formOf(image, boundary) },
        { 'content-type': type },
      );
      const [uploaded] = images.safeParse(answer.json).data?.images ?? [];
      if (uploaded === undefined) throw unexpected(SYSTEM, answer, saidBy(answer));
      return uploaded;
    },
  };
}

function postOf(answer: Answer): RemotePost {
  const [post] = posts.safeParse(answer.json).data?.posts ?? [];
  if (answer.status > 299 || post === undefined) throw unexpected(SYSTEM, answer, saidBy(answer));
  const { id, slug, title, url } = post;
  const shown = post.status === 'published';
  const fingerprint = fingerprintOf({ title, slug, html: post.html ?? '' });
  return { id, slug, title, url, shown, version: versionOf(post, fingerprint), fingerprint };
}

/** Ghost keeps times in seconds, and two changes can have the same one: its content belongs to its version. */
const versionOf = (post: GhostPost, fingerprint: string): string => {
  const { updated_at: time, status, custom_excerpt: excerpt, feature_image: image } = post;
  const { meta_title: title, meta_description: description, tags } = post;
  const names = (tags ?? []).map(({ name }) => name).join('\n');
  const said = [fingerprint, status, excerpt, image, title, description, names];
  return `${time} ${digest(said.map((part) => part ?? null))}`;
};

/** The time of a version, by which Ghost refuses to overwrite a later change. */
const timeOf = (version: string): string => version.split(' ', 1).join('');

const saidBy = ({ json }: Answer): string | undefined => {
  const [first] = errors.safeParse(json).data?.errors ?? [];
  return first && [first.message, first.context].filter(Boolean).join(' ');
};

/** Lengths that Ghost's columns have. */
const cut = (text: string | null, length: number): string | null =>
  text === null || text === '' ? null : [...text].slice(0, length).join('');

/** A post by whose title and slug Ghost's own is recognised. */
export const asGhostKeeps = (wanted: WantedPost): WantedPost => ({
  ...wanted,
  title: cut(wanted.title, 255) ?? '',
  // A slug in Ghost has no hyphen at its end.
  slug: (cut(wanted.slug, 185) ?? '').replace(/-$/, ''),
});

const bodyOf = ({ post, title, slug, excerpt, html, image }: WantedPost, more: object = {}): object => ({
  posts: [
    {
      title,
      slug,
      html: htmlForEditor(html),
      status: 'published',
      published_at: post.published_at?.toISOString(),
      custom_excerpt: cut(excerpt, 300),
      feature_image: image?.url ?? null,
      feature_image_alt: cut(image?.altText ?? null, 125),
      meta_title: cut(post.seo_title, 300),
      meta_description: cut(post.seo_description, 500),
      // The first is the one that Ghost shows: the category.
      tags: [...new Set([post.category, ...post.tags].flatMap((term) => term?.name ?? []))].map((name) => ({
        name: cut(name, 191),
      })),
      ...more,
    },
  ],
});

function formOf({ fileName, mimeType, bytes }: StoredImage, boundary: string): Buffer {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${plainFileName(fileName)}"\r\nContent-Type: ${mimeType}\r\n\r\n`;
  const purpose = `\r\n--${boundary}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nimage\r\n--${boundary}--\r\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from(purpose)]);
}
