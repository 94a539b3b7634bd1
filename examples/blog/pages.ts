import { pageAt, pathOf } from './addresses.ts';
import type { PageKind } from './addresses.ts';
import type { Answer } from './answer.ts';
import { articleView, metadata } from './article-page.ts';
import { commentsView } from './comments.ts';
import type { Sent } from './comments.ts';
import { readArticle, readArticles, readPreview } from './content.ts';
import type { Frame } from './content.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { layout } from './layout.ts';
import type { Layout } from './layout.ts';
import { listView } from './list-page.ts';
import type { Presswork } from './sdk.ts';
import { textsOf } from './texts.ts';

const preview = /^\/preview\/([A-Za-z0-9_-]{43})$/;
const LONGEST_QUERY = 200;

const page = (status: number, frame: Frame | null, view: Layout): Answer => ({
  status,
  type: 'text/html; charset=utf-8',
  body: layout(frame, view),
});

interface Source {
  readonly api: Presswork;
  /** Of the API, without `/v1`. */
  readonly origin: string;
  readonly frame: () => Promise<Frame>;
  readonly canComment: boolean;
}

/** Makes the pages of the blog from answers of the API. */
export class Pages {
  readonly #source: Source;

  constructor(source: Source) {
    this.#source = source;
  }

  /** A page that is the same for all readers. */
  async read(path: string, cursor: string | null): Promise<Answer> {
    const frame = await this.#source.frame();
    const found = pageAt(frame.site, path);
    if (path === '/') return this.#list(frame, path, cursor, { title: frame.site.name, hasLead: true });
    if (found === null) return this.problem(404);
    return found.kind === 'article'
      ? this.article(found.slug)
      : this.#term(frame, found.kind, found.slug, cursor);
  }

  /** A page that is made for one reader or moment, and so not kept; null for all others. */
  once(path: string, query: URLSearchParams): Promise<Answer> | null {
    const q = query.get('q')?.trim();
    if (path === '/' && q) return this.#search([...q].slice(0, LONGEST_QUERY).join(''), query.get('cursor'));
    const [, token] = preview.exec(path) ?? [];
    return token === undefined ? null : this.#preview(token);
  }

  /** @param sent by a reader who has commented */
  async article(slug: string, sent?: Partial<Sent>): Promise<Answer> {
    const { api, canComment } = this.#source;
    const [frame, found] = await Promise.all([this.#source.frame(), readArticle(api, slug)]);
    if (found === null) return this.problem(404);
    const { article, meta, comments } = found;
    const section = { path: pathOf(frame.site, 'article', slug), canComment, sent };
    return page(200, frame, {
      title: meta.title ?? frame.site.name,
      head: metadata(meta),
      main: html`${articleView(frame, article)} ${comments && commentsView(frame, comments, section)}`,
      canonical: meta.canonical_url,
    });
  }

  /** Says what went wrong; in English, and without the name of the Site, if the API has never been reached. */
  async problem(status: 403 | 404 | 413 | 500 | 503): Promise<Answer> {
    const frame = await this.#source.frame().catch(() => null);
    const t = textsOf(frame?.site.locale);
    const kind = ({ 404: 'notFound', 500: 'failed', 503: 'away', 403: 'refused', 413: 'refused' } as const)[
      status
    ];
    const main = html`<div class="problem">
      <h1>${t[kind]}</h1>
      <p>${t[`${kind}Hint`]}</p>
      <p><a href="/">${t.home}</a></p>
    </div>`;
    return page(status, frame, { title: t[kind], main, isIndexed: false });
  }

  async #term(
    frame: Frame,
    kind: Exclude<PageKind, 'article'>,
    slug: string,
    cursor: string | null,
  ): Promise<Answer> {
    const term = [...frame[kind].values()].find((each) => each.slug === slug);
    if (term === undefined) return this.problem(404);
    const bio = frame.author.get(term.id)?.bio;
    const heading = html`<header class="heading">
      <h1>${term.name}</h1>
      ${bio && html`<p class="excerpt">${bio}</p>`}
    </header>`;
    const filter = { [`${kind}_id`]: term.id };
    return this.#list(frame, pathOf(frame.site, kind, slug), cursor, {
      title: `${term.name} – ${frame.site.name}`,
      heading,
      filter,
    });
  }

  async #search(q: string, cursor: string | null): Promise<Answer> {
    const frame = await this.#source.frame();
    const heading = html`<header class="heading">
      <p class="kicker">${textsOf(frame.site.locale).results}</p>
      <h1>${q}</h1>
    </header>`;
    const path = `/?q=${encodeURIComponent(q)}`;
    return this.#list(frame, path, cursor, { title: `${q} – ${frame.site.name}`, heading, filter: { q } });
  }

  async #list(
    frame: Frame,
    path: string,
    cursor: string | null,
    list: {
      readonly title: string;
      readonly heading?: Html;
      readonly hasLead?: boolean;
      readonly filter?: Readonly<Record<string, string>>;
    },
  ): Promise<Answer> {
    const { title, heading, filter, hasLead = false } = list;
    const articles = await readArticles(this.#source.api, { ...filter, ...(cursor !== null && { cursor }) });
    if (articles === null) return this.problem(404);
    const isFirst = cursor === null;
    // Search engines find articles by the sitemap, and lists by their first pages.
    const isIndexed = isFirst && filter?.['q'] === undefined;
    return page(200, frame, {
      title,
      main: listView(frame, articles, { path, heading, isFirst, hasLead: hasLead && isFirst }),
      canonical: isIndexed ? `https://${frame.site.domain}${path}` : null,
      isIndexed,
      isHome: path === '/',
      query: filter?.['q'],
    });
  }

  async #preview(token: string): Promise<Answer> {
    const { origin, frame: read } = this.#source;
    const [frame, article] = await Promise.all([read(), readPreview(origin, token)]);
    if (article === null) return this.problem(404);
    const notice = html`<p class="notice">${textsOf(frame.site.locale).preview}</p>`;
    const main = html`${notice} ${articleView(frame, article)}`;
    const title = article.title ?? frame.site.name;
    const headers = { 'cache-control': 'no-store', 'referrer-policy': 'same-origin' };
    return { ...page(200, frame, { title, main, isIndexed: false }), headers };
  }
}
