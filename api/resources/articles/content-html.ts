import { digitalSourceType } from '../../../domain/articles/origin.ts';
import type { AiDisclosure } from '../../../domain/kernel/origins.ts';
import { noPlace, ServiceError } from '../../../domain/kernel/errors.ts';
import type { Article } from '../../../domain/articles/row.ts';
import { NoPermit } from '../../../runtime/fair-semaphore.ts';
import { scopeOf } from '../../../packages/base/markdown/place.ts';
import type { CitedSource } from '../../../packages/base/markdown/sources.ts';
import type { Placement } from '../../../packages/base/markdown/place.ts';
import { MarkdownRefused } from '../../../adapters/markdown/renderer.ts';
import type { Ports } from '../../framework/ports.ts';

const RETRY_SECONDS = 1;
const TOO_MANY = 'Too many articles of this Site are being rendered. Wait until some of them are complete.';

/**
 * The content of an article as sanitised HTML; null for none (docs/spec/rulings.md, 15).
 *
 * @param where it is shown, if not on a page of the blog
 * @throws ServiceError VALIDATION_FAILED for a content that no machine renders; RATE_LIMIT_EXCEEDED if too many of the
 *   Site's wait; MAINTENANCE if the machine is too busy
 */
export async function contentHtml(
  { renderer, log }: Pick<Ports, 'renderer' | 'log'>,
  siteId: string,
  {
    id,
    content,
    sources,
  }: Pick<Article, 'id' | 'content'> & { readonly sources: readonly CitedSource[] | null },
  where: Omit<Placement, 'scope'> = {},
): Promise<string | null> {
  if (content === null) return null;
  try {
    return await renderer.render(siteId, content, { scope: scopeOf(id), ...where }, sources);
  } catch (error) {
    if (error instanceof MarkdownRefused) {
      log.warn({ site_id: siteId, article_id: id, reason: error.message }, 'a content was not rendered');
      throw refused(error);
    }
    throw error instanceof NoPermit ? noPlace(error, TOO_MANY, RETRY_SECONDS) : error;
  }
}

/**
 * The content of an article for the pages of its blog: if the Site wants it, with the source of its text as microdata
 * around it, which no content can have by itself (docs/spec/rulings.md, 25).
 */
export async function markedContentHtml(
  ports: Pick<Ports, 'renderer' | 'log'>,
  siteId: string,
  disclosure: AiDisclosure,
  article: Pick<Article, 'id' | 'content' | 'sources' | 'origin'>,
): Promise<string | null> {
  const html = await contentHtml(ports, siteId, article);
  const sourceType = digitalSourceType(disclosure, article.origin);
  if (html === null || sourceType === null) return html;
  return `<div itemscope itemtype="https://schema.org/Article"><link itemprop="digitalSourceType" href="${sourceType}"><div itemprop="articleBody">${html}</div></div>`;
}

/** The version of what the above marks: it follows a setting of the Site, without a new version of the article. */
export const markedVersion = ({ version }: Pick<Article, 'version'>): string => `${version}-marked`;

const refused = (cause: MarkdownRefused): ServiceError =>
  new ServiceError(
    'VALIDATION_FAILED',
    `The content ${cause.message}. Make it shorter or simpler, or read the article without content_html.`,
    { fields: { content: cause.message } },
  );
