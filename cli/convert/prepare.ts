import { build, isComment, isText, oneLine } from './dom.ts';
import type { DomElement, DomNode } from './dom.ts';
import { prepareTables } from './tables.ts';
import { resolveUrl } from './text.ts';

/** Elements that have no meaning in Markdown. */
const REMOVED =
  'style, noscript, template, link, meta, svg, canvas, title, head, input, select, textarea, button';
/** Attribute with the number of a list item. */
export const NUMBER = 'data-presswork-number';
const EMBEDS = 'iframe, embed, object, video, audio, source';

/** Prepares a document for conversion: removes elements without a Markdown equivalent, and makes URLs absolute. */
export function prepare(body: DomElement, base: string | null, note: (message: string) => void): void {
  tidyText(body);
  removeActive(body, note);
  for (const element of body.querySelectorAll(REMOVED)) element.remove();
  for (const image of body.querySelectorAll('img')) prepareImage(image, base);
  for (const link of body.querySelectorAll('a[href]')) prepareLink(link, base);
  for (const embed of body.querySelectorAll(EMBEDS)) prepareEmbed(embed, base);
  for (const list of body.querySelectorAll('ul.blocks-gallery-grid, ul.wp-block-gallery')) unwrapList(list);
  for (const element of body.querySelectorAll('p, div.wp-block-embed__wrapper')) linkBareAddress(element);
  for (const list of body.querySelectorAll('ol')) numberItems(list);
  prepareTables(body);
}

function tidyText(body: DomElement): void {
  const pending: DomNode[] = [...body.childNodes];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (isComment(node)) node.remove();
    // Some pages use hundreds of non-breaking spaces for layout.
    else if (isText(node)) node.textContent = node.textContent.replaceAll(/[^\S \t\n\r]{20,}/g, '\u00A0');
    else for (const child of node.childNodes) pending.push(child);
  }
}

function removeActive(body: DomElement, note: (message: string) => void): void {
  const scripts = [...body.querySelectorAll('script')];
  if (scripts.length > 0) {
    const hosts = new Set(scripts.map((script) => hostOf(script.getAttribute('src')) ?? 'inline'));
    note(`its scripts are left out (${[...hosts].join(', ')})`);
  }
  const forms = [...body.querySelectorAll('form')];
  if (forms.length > 0) note('its forms are left out');
  for (const element of [...scripts, ...forms]) element.remove();
}

const hostOf = (address: string | null): string | null =>
  address === null ? null : (URL.parse(address, 'https://relative.invalid')?.host ?? null);

/** Sets the URL of an image, including images that a script would load lazily. */
function prepareImage(image: DomElement, base: string | null): void {
  const source = image.getAttribute('src') ?? '';
  const lazy = ['data-src', 'data-lazy-src', 'data-original', 'data-orig-file'].map((name) =>
    image.getAttribute(name),
  );
  const shown = source === '' || source.startsWith('data:') ? (lazy.find(Boolean) ?? source) : source;
  if (shown === '' || /^(?:javascript|vbscript):/i.test(shown.trim())) image.remove();
  else image.setAttribute('src', resolveUrl(shown, base));
}

const linkable = /^(?:https?|mailto|tel|ftp|sms|geo|xmpp|magnet):/i;

function prepareLink(link: DomElement, base: string | null): void {
  const address = resolveUrl(link.getAttribute('href') ?? '', base);
  const scheme = /^[a-z][a-z0-9+.-]*:/i.test(address.replaceAll(/[\s\p{Cc}]/gu, ''));
  if (scheme && !linkable.test(address)) link.removeAttribute('href');
  else link.setAttribute('href', address);
}

/** An embed stays HTML, without scripts and styles. */
function prepareEmbed(embed: DomElement, base: string | null): void {
  for (const { name } of Array.from(embed.attributes)) {
    if (/^on|^srcdoc$|^style$|^class$|^data-/i.test(name)) embed.removeAttribute(name);
  }
  for (const name of ['src', 'data', 'poster']) {
    const address = embed.getAttribute(name);
    if (address === null) continue;
    const resolved = resolveUrl(address, base);
    if (/^\s*(?:javascript|vbscript|data):/i.test(resolved)) embed.removeAttribute(name);
    else embed.setAttribute(name, resolved);
  }
}

/** Stores the number of each item, because counting the previous items for each one is quadratic. */
function numberItems(list: DomElement): void {
  const given = Number(list.getAttribute('start') ?? 1);
  const start = Number.isSafeInteger(given) && given >= 0 && given < 1e9 ? given : 1;
  [...list.children].forEach((item, index) => item.setAttribute(NUMBER, String(start + index)));
}

/** Older galleries are lists. */
function unwrapList(list: DomElement): void {
  list.replaceWith(
    build(list, 'div', ...[...list.children].map((item) => build(item, 'div', ...item.childNodes))),
  );
}

/** Makes a URL that is alone in its paragraph a link. */
function linkBareAddress(element: DomElement): void {
  const text = oneLine(element.textContent);
  if (element.children.length > 0 || !/^https?:\/\/[^\s<>]+$/i.test(text)) return;
  const link = build(element, 'a', text);
  link.setAttribute('href', text);
  element.replaceChildren(build(element, 'p', link));
}
