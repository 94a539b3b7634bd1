import type { Context, Middleware } from 'koa';
import { shownArticle } from '../../../domain/pending-edits/shown.ts';
import { presentArticle } from '../../../domain/articles/present.ts';
import { ServiceError } from '../../../domain/kernel/errors.ts';
import { findPreviewTarget } from '../../../domain/previews/link.ts';
import { isPreviewToken } from '../../../domain/previews/token.ts';
import { markedContentHtml } from '../../resources/articles/content-html.ts';
import type { ErrorPage } from '../../framework/envelope.ts';
import { Html } from '../../http/html.ts';
import type { CountKeylessAnswer } from '../../framework/keyless-answers.ts';
import { portsOf } from '../../framework/ports.ts';
import type { Ports } from '../../framework/ports.ts';
import { bodyOf } from '../../framework/reply.ts';
import { PREVIEWS } from '../../http/preview-address.ts';
import { asWritten, contentSecurityPolicy, errorView, previewView } from './view.ts';

/** Whether a path is one of a preview. */
export const isPreview = (path: string): boolean => path.startsWith(PREVIEWS);

/**
 * Shows an article to those who have a link to its preview, `{origin}/preview/<token>`: as a page, or as JSON to a
 * client that prefers it. Neither is cached or indexed (docs/spec/rulings.md, 15).
 */
export function previewPage(ports: Ports, count: CountKeylessAnswer): Middleware {
  return async (ctx, next) => {
    if (!isPreview(ctx.path) || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    ctx.state.measuredAs = 'preview';
    const asJson = ctx.accepts('text/html', 'application/json') === 'application/json';
    setHeaders(ctx, asJson);
    count(ctx);
    const token = ctx.path.slice(PREVIEWS.length);
    const now = ports.clock.now();
    const target = isPreviewToken(token) ? await findPreviewTarget(ports.db, token, now) : null;
    if (target === null) throw noSuchPreview();
    const { db } = portsOf(ports, { id: target.site_id, organisationId: target.organisation_id });
    const article = await shownArticle(db, target.site_id, target.article_id);
    const rendered = markedContentHtml(ports, target.site_id, target.ai_disclosure, article);
    if (asJson) {
      const html = await rendered;
      ctx.type = 'application/json';
      ctx.body = bodyOf({ ...presentArticle(article), content_html: html });
      return;
    }
    const content = await rendered.then(
      (html) => (html === null ? null : new Html(html)),
      (error: unknown) => {
        // Its readers cannot make the text shorter.
        if (error instanceof ServiceError && error.code === 'VALIDATION_FAILED') return asWritten(article);
        throw error;
      },
    );
    ctx.type = 'text/html';
    ctx.body = previewView(presentArticle(article), content, target);
  };
}

function setHeaders(ctx: Context, asJson: boolean): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.set('X-Robots-Tag', 'noindex, nofollow');
  ctx.vary('Accept');
  if (asJson) return;
  ctx.set('Content-Security-Policy', contentSecurityPolicy);
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  const errorPage: ErrorPage = ({ message }, requestId) => errorView(message, requestId);
  ctx.state.errorPage = errorPage;
}

const noSuchPreview = (): ServiceError =>
  new ServiceError(
    'NOT_FOUND',
    'There is no such preview. The link may have expired or been deleted; ask for a new one.',
  );
