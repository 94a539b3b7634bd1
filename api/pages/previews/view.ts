import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { presentArticle } from '../../../domain/articles/present.ts';
import type { PreviewTarget } from '../../../domain/previews/link.ts';
import { Html, html } from '../../http/html.ts';

type Article = ReturnType<typeof presentArticle>;
/** The members of an article that readers see. */
export type Shown = Pick<
  Article,
  'title' | 'excerpt' | 'featured_image_url' | 'key_takeaways' | 'comparison' | 'howto_steps' | 'faqs'
>;

const style = readFileSync(new URL('page.css', import.meta.url), 'utf8');
const styleHash = createHash('sha256').update(style).digest('base64');
const styleElement = new Html(`<style>${style}</style>`);

/** Nothing runs, and only images, sounds and films are loaded, which may be anywhere. */
const policyIn = (ancestors: string): string =>
  `default-src 'none'; style-src 'sha256-${styleHash}'; img-src https: http:; media-src https: http:; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`;
export const contentSecurityPolicy = policyIn("'none'");
/** Of the frame in which the editor shows an article. Its page may write into it, and nothing in it runs. */
export const frameSecurityPolicy = `${policyIn("'self'")}; sandbox allow-same-origin`;

const layout = (title: string, locale: string, body: Html): string =>
  html`<!doctype html>
    <html lang="${locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${title}</title>
        ${styleElement}
      </head>
      <body>
        ${body}
      </body>
    </html>`.markup;

/** @param content null without content */
export function previewView(article: Article, content: Html | null, target: PreviewTarget): string {
  const title = article.title ?? 'Untitled';
  const body = html`<p class="bar" lang="en">Preview of ${target.site_name} – ${article.status}</p>
    ${articleView(article, content)}`;
  return layout(`${title} – Preview`, target.locale, body);
}

/** @param content null without content */
export const articleView = (article: Shown, content: Html | null): Html =>
  html`<article>
    <h1>${article.title ?? 'Untitled'}</h1>
    ${article.excerpt && html`<p class="excerpt">${article.excerpt}</p>`} ${image(article)}
    ${takeaways(article)}
    <div class="content">${content}</div>
    ${comparison(article)} ${howto(article)} ${faqs(article)}
  </article>`;

/** A page without an article yet. */
export const frameView = (): string => layout('Preview', 'en', html``);

/** A content that cannot be rendered, because it is too long or too intricate. */
export const asWritten = ({ content }: Pick<Article, 'content'>): Html =>
  html`<p class="note" lang="en">This text cannot be formatted, so it is shown as it was written.</p>
    <pre class="written" dir="auto">${content}</pre>`;

export const errorView = (message: string, requestId: string): string =>
  layout(
    'Preview',
    'en',
    html`<main>
      <h1>That did not work</h1>
      <p>${message}</p>
      <p><small>Request ${requestId}</small></p>
    </main>`,
  );

const image = ({ featured_image_url: url }: Shown): Html | null =>
  url === null ? null : html`<img class="featured" src="${url}" alt="" />`;

/** A part of the article that its content does not have; null if it is empty. */
const section = (
  name: string,
  parts: readonly Html[] | undefined,
  wrap: (parts: Html) => Html,
): Html | null =>
  parts === undefined || parts.length === 0
    ? null
    : html`<section class="${name}">${wrap(html`${parts}`)}</section>`;

const takeaways = ({ key_takeaways: all }: Shown): Html | null =>
  section(
    'takeaways',
    all?.map((one) => html`<li>${one}</li>`),
    (items) =>
      html`<ul>
        ${items}
      </ul>`,
  );

const howto = ({ howto_steps: steps }: Shown): Html | null =>
  section(
    'howto',
    steps?.map(
      ({ name, text, image_url: url }) =>
        html`<li>
          <strong>${name}</strong>
          <p>${text}</p>
          ${url ? html`<img src="${url}" alt="" />` : null}
        </li>`,
    ),
    (items) =>
      html`<ol>
        ${items}
      </ol>`,
  );

const faqs = ({ faqs: all }: Shown): Html | null =>
  section(
    'faqs',
    all?.map(
      ({ question, answer }) =>
        html`<dt>${question}</dt>
          <dd>${answer}</dd>`,
    ),
    (items) => html`<dl>${items}</dl>`,
  );

function comparison({ comparison: table }: Shown): Html | null {
  if (table === null) return null;
  const heads = table.columns.map((column) => html`<th scope="col">${column}</th>`);
  const rows = table.rows.map(
    ({ label, values }) =>
      html`<tr>
        <th scope="row">${label}</th>
        ${values.map((value) => html`<td>${value}</td>`)}
      </tr>`,
  );
  return html`<section class="comparison">
    <table>
      ${
        table.title
          ? html`<caption>
              ${table.title}
            </caption>`
          : null
      }
      <thead>
        <tr>
          <td></td>
          ${heads}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </section>`;
}
