import { ServiceError, unavailable } from '../../domain/errors.ts';
import type { Article } from '../../domain/articles/row.ts';
import { NoPermit } from '../../runtime/fair-semaphore.ts';
import { MarkdownRefused } from '../../adapters/markdown/renderer.ts';
import type { Ports } from '../ports.ts';

const RETRY_SECONDS = 1;

/**
 * The content of an article as sanitised HTML; null for none (docs/spec/rulings.md, 15).
 *
 * @throws ServiceError VALIDATION_FAILED for a content that cannot be rendered; RATE_LIMIT_EXCEEDED if too many of the
 *   Site's are being rendered; MAINTENANCE if too many of all Sites' are
 */
export async function contentHtml(
  { renderer, log }: Pick<Ports, 'renderer' | 'log'>,
  siteId: string,
  { id, content }: Pick<Article, 'id' | 'content'>,
): Promise<string | null> {
  if (content === null) return null;
  try {
    return await renderer.render(siteId, content);
  } catch (error) {
    if (error instanceof MarkdownRefused) {
      log.warn({ site_id: siteId, article_id: id, reason: error.message }, 'a content was not rendered');
      throw refused(error);
    }
    throw error instanceof NoPermit ? busy(error) : error;
  }
}

const refused = (cause: MarkdownRefused): ServiceError =>
  new ServiceError(
    'VALIDATION_FAILED',
    `The content ${cause.message}. Make it shorter or simpler, or read the article without content_html.`,
    { fields: { content: cause.message } },
  );

const busy = (cause: NoPermit): ServiceError =>
  cause.ownShare
    ? new ServiceError(
        'RATE_LIMIT_EXCEEDED',
        'Too many articles of this Site are being rendered. Wait until some of them are complete.',
        { headers: { 'Retry-After': String(RETRY_SECONDS) }, cause },
      )
    : unavailable(cause);
