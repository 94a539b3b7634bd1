import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import type { Answer } from './answer.ts';
import { pathOf } from './addresses.ts';
import type { Frame } from './content.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { textsOf } from './texts.ts';

const MOST_IN_NAVIGATION = 8;

/** A file that every page loads. Its address changes with it, so browsers keep it for good. */
function asset(name: string, type: string) {
  const body = readFileSync(new URL(name, import.meta.url));
  const version = createHash('sha256').update(body).digest('base64url').slice(0, 8);
  const headers = { 'cache-control': 'public, max-age=31536000, immutable' };
  return { path: `/_assets/${version}/${name}`, status: 200, type, body, headers };
}

const styles = asset('styles.css', 'text/css; charset=utf-8');
const icon = asset('icon.svg', 'image/svg+xml');
export const assets: ReadonlyMap<string, Answer> = new Map([styles, icon].map((each) => [each.path, each]));

export interface Layout {
  readonly title: string;
  readonly main: Html;
  /** More for the head, such as the metadata of an article. */
  readonly head?: Html;
  /** The address of the page for search engines, if it has one of its own. */
  readonly canonical?: string | null;
  readonly isIndexed?: boolean;
  /** Whether the name of the Site is the heading of the page. */
  readonly isHome?: boolean;
  /** The searched text. */
  readonly query?: string | undefined;
}

/** @param frame null while the API has not been reached yet */
export function layout(frame: Frame | null, { title, main, head, ...page }: Layout): string {
  const site = frame?.site;
  const t = textsOf(site?.locale);
  return html`<!doctype html>
    <html lang="${site?.locale ?? 'en'}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${page.canonical && html`<link rel="canonical" href="${page.canonical}" />`}
        ${page.isIndexed === false && html`<meta name="robots" content="noindex" />`} ${head}
        <link rel="icon" href="${icon.path}" type="image/svg+xml" />
        <link rel="stylesheet" href="${styles.path}" />
        <link rel="alternate" type="application/rss+xml" href="/rss.xml" title="${site?.name}" />
      </head>
      <body>
        <a class="skip" href="#content">${t.skip}</a>
        ${frame && masthead(frame, page)}
        <main id="content" tabindex="-1">${main}</main>
        ${
          frame &&
          html`<footer>
            <p>${frame.site.name}</p>
            <p><a href="/rss.xml">${t.feed}</a></p>
          </footer>`
        }
      </body>
    </html>`.markup;
}

function masthead({ site, category }: Frame, { isHome, query }: Pick<Layout, 'isHome' | 'query'>): Html {
  const t = textsOf(site.locale);
  const name = html`<a href="/">${site.name}</a>`;
  const shown = [...category.values()]
    .filter(({ article_count: count }) => count > 0)
    .slice(0, MOST_IN_NAVIGATION);
  return html`<header class="masthead">
    ${isHome ? html`<h1 class="name">${name}</h1>` : html`<p class="name">${name}</p>`}
    <div class="bar">
      <nav aria-label="${t.categories}">
        <ul>
          ${shown.map(({ name, slug }) => html`<li><a href="${pathOf(site, 'category', slug)}">${name}</a></li>`)}
        </ul>
      </nav>
      <form class="search" role="search" action="/">
        <input
          type="search"
          name="q"
          value="${query}"
          maxlength="200"
          required
          aria-label="${t.search}"
          placeholder="${t.search}"
        />
        <button>${t.search}</button>
      </form>
    </div>
  </header>`;
}

export function dateOf({ site }: Frame, instant: string): Html {
  const format = new Intl.DateTimeFormat(site.locale, { dateStyle: 'long', timeZone: site.timezone });
  return html`<time datetime="${instant}">${format.format(new Date(instant))}</time>`;
}

/** The category above a title. */
export function kicker({ site, category }: Frame, id: string | null): Html | null {
  const found = category.get(id ?? '');
  if (found === undefined) return null;
  return html`<p class="kicker"><a href="${pathOf(site, 'category', found.slug)}">${found.name}</a></p>`;
}
