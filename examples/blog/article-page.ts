import { pathOf } from './addresses.ts';
import type { Article, Frame, PublishedArticle } from './content.ts';
import { Html, html, jsonLd } from './html.ts';
import { dateOf, kicker } from './layout.ts';
import { picture } from './list-page.ts';
import { textsOf } from './texts.ts';
import type { Texts } from './texts.ts';

/** What the head of its page says to search engines and to those who show links. */
export function metadata({ description, open_graph, twitter, json_ld }: PublishedArticle['meta']): Html {
  const og = Object.entries(open_graph).map(
    ([property, content]) => html`<meta property="${property}" content="${content}" />`,
  );
  const card = Object.entries(twitter).map(
    ([name, content]) => html`<meta name="${name}" content="${content}" />`,
  );
  return html`${description !== null && html`<meta name="description" content="${description}" />`}${og}${card}
  ${json_ld.map(jsonLd)}`;
}

export function articleView(frame: Frame, article: Article): Html {
  const { site } = frame;
  const t = textsOf(site.locale);
  return html`<article class="article">
    <header>
      ${kicker(frame, article.category_id)}
      <h1>${article.title}</h1>
      ${article.excerpt && html`<p class="excerpt">${article.excerpt}</p>`} ${byline(frame, article, t)}
    </header>
    ${article.featured_image_url && picture(frame, article.featured_image_url, '(width >= 76rem) 68rem, 100vw')}
    <div class="text">
      ${takeaways(article, t)} ${article.content_html !== null && content(article.content_html)}
      ${comparison(article)} ${steps(article, t)} ${questions(article, t)}
    </div>
    ${ending(frame, article, t)}
  </article>`;
}

/** The API has sanitised it. What is wider than the screen scrolls, so the keyboard has to reach it. */
const content = (sanitised: string): Html =>
  new Html(sanitised.replaceAll(/<(pre|table)>/g, '<$1 tabindex="0">'));

function byline(frame: Frame, article: Article, t: Texts): Html {
  const author = frame.author.get(article.author_id ?? '');
  const { published_at: published, content_updated_at: updated } = article;
  return html`<p class="date">
    ${author && html`<span>${t.by} <a rel="author" href="${pathOf(frame.site, 'author', author.slug)}">${author.name}</a></span>`}
    ${published && dateOf(frame, published)}
    ${updated && updated !== published && html`<span>${t.updated} ${dateOf(frame, updated)}</span>`}
  </p>`;
}

const takeaways = ({ key_takeaways: all }: Article, t: Texts): Html | null =>
  all?.length
    ? html`<section class="takeaways">
        <h2>${t.takeaways}</h2>
        <ul>
          ${all.map((one) => html`<li>${one}</li>`)}
        </ul>
      </section>`
    : null;

const comparison = ({ comparison: table }: Article): Html | null =>
  table === null
    ? null
    : html`<table tabindex="0">
        ${
          table.title &&
          html`<caption>
            ${table.title}
          </caption>`
        }
        <thead>
          <tr>
            <td></td>
            ${table.columns.map((column) => html`<th scope="col">${column}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${table.rows.map(
            ({ label, values }) =>
              html`<tr>
                <th scope="row">${label}</th>
                ${values.map((value) => html`<td>${value}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>`;

const steps = ({ howto_steps: all }: Article, t: Texts): Html | null =>
  all?.length
    ? html`<section class="steps">
        <h2>${t.steps}</h2>
        <ol>
          ${all.map(
            ({ name, text, image_url: image }) =>
              html`<li>
                <h3>${name}</h3>
                <p>${text}</p>
                ${image && html`<img src="${image}" alt="" loading="lazy" />`}
              </li>`,
          )}
        </ol>
      </section>`
    : null;

const questions = ({ faqs: all }: Article, t: Texts): Html | null =>
  all?.length
    ? html`<section class="questions">
        <h2>${t.questions}</h2>
        ${all.map(
          ({ question, answer }) =>
            html`<details>
              <summary>${question}</summary>
              <p>${answer}</p>
            </details>`,
        )}
      </section>`
    : null;

function ending({ site, ...frame }: Frame, article: Article, t: Texts): Html {
  const tags = article.tag_ids.flatMap((id) => frame.tag.get(id) ?? []);
  const author = frame.author.get(article.author_id ?? '');
  return html`<footer>
    ${
      tags.length > 0 &&
      html`<ul class="tags" aria-label="${t.tags}">
        ${tags.map(({ name, slug }) => html`<li><a href="${pathOf(site, 'tag', slug)}">${name}</a></li>`)}
      </ul>`
    }
    ${
      author?.bio &&
      html`<div class="author">
        ${author.avatar_url && html`<img src="${author.avatar_url}" alt="" loading="lazy" />`}
        <p><a href="${pathOf(site, 'author', author.slug)}">${author.name}</a> ${author.bio}</p>
      </div>`
    }
  </footer>`;
}
