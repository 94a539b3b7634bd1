import { html } from '../../http/html.ts';
import type { Html } from '../../http/html.ts';
import { groupAddress, guideAddress, HOME } from './addresses.ts';
import type { Described } from './described.ts';
import { guide } from './guide.ts';
import { methodBadge } from './operation-section.ts';

export interface PageContent {
  /** Where the page is. */
  readonly address: string;
  readonly title: string;
  readonly main: Html;
  /** Whether the main part has two columns. */
  readonly wide: boolean;
}

/** A whole page: head, navigation and content. */
export const layout = (page: PageContent, described: Described): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.address === HOME ? page.title : `${page.title} – Presswork API`}</title>
        <link rel="stylesheet" href="${HOME}/style.css" />
        <link rel="icon" href="${HOME}/icon.svg" type="image/svg+xml" />
        <script type="module" src="${HOME}/page.js"></script>
        <script type="module" src="${HOME}/search.js"></script>
        <script type="module" src="${HOME}/try.js"></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header>
          <a class="brand" href="${HOME}">Presswork <span>API</span></a>
          <search id="search" hidden>
            <label class="visually-hidden" for="query">Search the documentation</label>
            <input
              type="search"
              id="query"
              placeholder="Search"
              maxlength="100"
              autocomplete="off"
              spellcheck="false"
            />
            <kbd aria-hidden="true">/</kbd>
            <div class="results" hidden>
              <p role="status"></p>
              <ul></ul>
            </div>
          </search>
          <button type="button" id="menu" aria-expanded="false" aria-controls="navigation" hidden>
            Menu
          </button>
        </header>
        <nav id="navigation" aria-label="Documentation">${navigation(page, described)}</nav>
        <main id="content" tabindex="-1" ${page.wide ? html`class="wide"` : null}>${page.main}</main>
      </body>
    </html>`.markup;

function navigation({ address }: PageContent, { groups, operations }: Described): Html {
  const link = (href: string, title: string): Html =>
    html`<a href="${href}" ${href === address ? html`aria-current="page"` : null}>${title}</a>`;
  return html`<ul>
      <li>${link(HOME, 'Start')}</li>
    </ul>
    <h2>Guide</h2>
    <ul>
      ${guide.map(({ name, title }) => html`<li>${link(guideAddress(name), title)}</li>`)}
    </ul>
    <h2>Reference</h2>
    <ul>
      ${groups.map(
        ({ name }) =>
          html`<li>
            ${link(groupAddress(name), name)}
            ${
              groupAddress(name) === address
                ? html`<ul class="operations">
                    ${operations
                      .filter(({ group }) => group === name)
                      .map(
                        ({ id, summary, method }) =>
                          html`<li>
                            <a href="#${id}"><span>${summary}</span> ${methodBadge(method)}</a>
                          </li>`,
                      )}
                  </ul>`
                : null
            }
          </li>`,
      )}
    </ul>
    <p class="more"><a href="/openapi.json">OpenAPI document</a></p>`;
}
