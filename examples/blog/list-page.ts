import { pathOf, srcsetOf } from './addresses.ts';
import type { ArticleList, Frame } from './content.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { dateOf, kicker } from './layout.ts';
import { textsOf } from './texts.ts';

interface ListPage {
  /** Above the list; the first page of the blog has none. */
  readonly heading: Html | undefined;
  /** Whether the first article is shown larger. */
  readonly hasLead: boolean;
  /** The address of the list, to which a cursor can be added. */
  readonly path: string;
  readonly isFirst: boolean;
}

export function listView(frame: Frame, { items, next_cursor: next }: ArticleList, page: ListPage): Html {
  const t = textsOf(frame.site.locale);
  const cards = items.map((item, index) => card(frame, item, page.hasLead && index === 0));
  const older = `${page.path}${page.path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(next ?? '')}`;
  return html`${page.heading}
    <div class="cards">${cards}</div>
    ${items.length === 0 && html`<p>${t.noArticles}</p>`}
    <p class="more">
      ${!page.isFirst && html`<a href="${page.path}">${t.newest}</a>`}
      ${next !== null && html`<a rel="next" href="${older}">${t.older}</a>`}
    </p>`;
}

function card(frame: Frame, article: ArticleList['items'][number], isLead: boolean): Html {
  const { title, slug, excerpt, featured_image_url: image, published_at: published } = article;
  const href = pathOf(frame.site, 'article', slug ?? '');
  const sizes = isLead ? '(width >= 62rem) 42rem, 100vw' : '9rem';
  return html`<article class="card${isLead && ' lead'}">
    <div>
      ${kicker(frame, article.category_id)}
      <h2><a href="${href}">${title}</a></h2>
      ${excerpt && html`<p class="excerpt">${excerpt}</p>`}
      ${published && html`<p class="date">${dateOf(frame, published)}</p>`}
    </div>
    ${image && html`<a href="${href}" tabindex="-1" aria-hidden="true">${picture(frame, image, sizes)}</a>`}
  </article>`;
}

/** The picture of an article in the width that fits. Its description cannot be read with a publishable key. */
export function picture({ site }: Frame, url: string, sizes: string): Html {
  const srcset = srcsetOf(site, url);
  const sources = srcset !== null && html`srcset="${srcset}" sizes="${sizes}"`;
  return html`<img src="${url}" ${sources} alt="" loading="lazy" decoding="async" />`;
}
