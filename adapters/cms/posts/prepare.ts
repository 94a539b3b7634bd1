import { PushFailure } from '../../../domain/cms/adapter.ts';
import type { PushTools, Remote, StoredImage } from '../../../domain/cms/adapter.ts';
import type { Post } from '../../../domain/cms/post.ts';
import { publicUrl } from '../../../domain/purge/public-urls.ts';
import { NoPermit } from '../../../runtime/fair-semaphore.ts';
import { JobUnfinished } from '../../jobs/helper-process.ts';
import { scopeOf } from '../../../packages/base/markdown/place.ts';
import type { Renderer } from '../../markdown/renderer.ts';
import { MarkdownRefused } from '../../markdown/renderer.ts';
import type { Prepare, RemoteImage } from './post-system.ts';
import { z } from 'zod';

/** The most images that one article brings along. The others keep their addresses. */
const IMAGES = 100;

const storedImage = z.object({ url: z.string(), id: z.number().optional(), altText: z.string().nullable() });

/** Uploads an image. @throws PushFailure */
export type Upload = (image: StoredImage) => Promise<Pick<RemoteImage, 'url' | 'id'>>;

export const createPrepare =
  (renderer: Renderer, remote: Remote, tools: PushTools, upload: Upload): Prepare =>
  async ({ post }) => {
    const bring = bringer(tools, upload);
    const html = await withImagesOf(await render(renderer, remote, post), tools.mediaUrl, bring);
    return {
      post,
      title: post.title ?? '',
      slug: post.slug ?? '',
      excerpt: post.excerpt ?? '',
      html,
      image: post.featured_image_url === null ? null : await featured(post.featured_image_url, bring),
    };
  };

/** Relative addresses lead on from the article's page of the blog, which the other system need not have. */
async function render(
  renderer: Renderer,
  { siteId, site }: Remote,
  { id, slug, content, sources }: Post,
): Promise<string> {
  const base = publicUrl(site, 'article', slug ?? '');
  try {
    return await renderer.render(siteId, content ?? '', { scope: scopeOf(id), base, ownPage: true }, sources);
  } catch (error) {
    if (error instanceof MarkdownRefused)
      throw new PushFailure(`The article has no HTML: the content ${error.message}.`, {
        final: true,
        ofArticle: true,
      });
    if (error instanceof NoPermit || error instanceof JobUnfinished)
      throw new PushFailure('Too many articles are being rendered.', { ofArticle: true });
    throw error;
  }
}

type Bring = (url: string) => Promise<RemoteImage | null>;

/** Uploads each image of the Site once for a connection. */
function bringer({ image, remoteImage, keepRemoteImage }: PushTools, upload: Upload): Bring {
  return async (url) => {
    const known = storedImage.safeParse(await remoteImage(url)).data;
    if (known !== undefined) return known;
    const stored = await image(url);
    if (stored === null) return null;
    const remote = { ...(await upload(stored)), altText: stored.altText };
    await keepRemoteImage(url, remote);
    return remote;
  };
}

const featured = async (url: string, bring: Bring): Promise<RemoteImage> =>
  (await bring(withoutQuery(url))) ?? { url, altText: null };

const withoutQuery = (url: string): string => url.split(/[?#]/)[0] ?? url;

/** Where an address ends in an attribute. */
const END = /["'<>\s&)]/;

/** HTML in which addresses of the Site's images are those that they have in the other system. */
async function withImagesOf(html: string, mediaUrl: string, bring: Bring): Promise<string> {
  const parts: string[] = [];
  const brought = new Map<string, RemoteImage | null>();
  let at = 0;
  for (;;) {
    const found = html.indexOf(mediaUrl, at);
    if (found < 0) return parts.join('') + html.slice(at);
    const rest = html.slice(found, found + 2_000);
    const length = rest.search(END);
    const address = length < 0 ? rest : rest.slice(0, length);
    const url = withoutQuery(address);
    if (!brought.has(url) && brought.size < IMAGES) brought.set(url, await bring(url));
    parts.push(html.slice(at, found), brought.get(url)?.url ?? address);
    at = found + address.length;
  }
}
