import type { Context } from 'koa';
import { ArticleWrite } from '../../resources/articles/schema.ts';
import { contentHtml } from '../../resources/articles/content-html.ts';
import { Html } from '../../http/html.ts';
import { articleView, frameSecurityPolicy, frameView } from '../previews/view.ts';
import { dashboardRoute, requireSite } from './route.ts';

const shown = ArticleWrite.pick({
  title: true,
  content: true,
  sources: true,
  excerpt: true,
  featured_image_url: true,
  key_takeaways: true,
  comparison: true,
  howto_steps: true,
  faqs: true,
});

/** Text as it would be shown to readers, before it is saved. Nothing is stored. */
const preview = dashboardRoute({
  method: 'POST',
  path: '/sites/:site/preview',
  body: shown,
  async handle(asked) {
    const { body } = asked;
    const { ports, siteId } = requireSite(asked);
    const { title = null, content = null, sources = null, excerpt = null, featured_image_url = null } = body;
    const { key_takeaways = null, comparison = null, howto_steps = null, faqs = null } = body;
    const markup = await contentHtml(ports, siteId, { id: 'preview', content, sources });
    const article = { title, excerpt, featured_image_url, key_takeaways, comparison, howto_steps, faqs };
    return {
      status: 200,
      data: { html: articleView(article, markup === null ? null : new Html(markup)).markup },
    };
  },
});

export const previewRoutes = [preview];

/** Where the frame of the editor is, in which its page shows what the route above answers. */
export const PREVIEW_FRAME = '/dashboard/preview';

export function sendPreviewFrame(ctx: Context): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Content-Security-Policy', frameSecurityPolicy);
  ctx.set('X-Frame-Options', 'SAMEORIGIN');
  ctx.type = 'text/html';
  ctx.body = frameView();
}
