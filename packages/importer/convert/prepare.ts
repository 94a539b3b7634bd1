import { build, fragmentOf, isComment, isText, nameOf, oneLine } from './dom.ts';
import type { DomElement, DomNode } from './dom.ts';
import { prepareCode } from './code-blocks.ts';
import { divideFormatting } from './formatting.ts';
import { prepareImage, prepareLink, prepareEmbed } from './addresses.ts';
import { inLines } from './lines.ts';
import { prepareLists } from './lists.ts';
import { prepareTables } from './tables.ts';

/** Elements that have no meaning in Markdown. */
const REMOVED = 'style, noscript, template, link, meta, svg, canvas, title, head';
const EMBEDS = 'iframe, embed, object, video, audio, source, track';
/** Embeds that no rendering shows. */
const UNSEEN = 'iframe, embed, object';

/** Prepares a document for conversion: removes elements without a Markdown equivalent, and makes URLs absolute. */
export function prepare(body: DomElement, base: string | null, note: (message: string) => void): void {
  tidyText(body);
  removeActive(body, note);
  noteUnseen(body, note);
  for (const element of body.querySelectorAll(REMOVED)) element.remove();
  for (const image of body.querySelectorAll('img')) prepareImage(image, base, note);
  for (const link of body.querySelectorAll('a[href]')) prepareLink(link, base);
  for (const embed of body.querySelectorAll(EMBEDS)) prepareEmbed(embed, base);
  for (const list of body.querySelectorAll('ul.blocks-gallery-grid, ul.wp-block-gallery')) unwrapList(list);
  for (const element of body.querySelectorAll('p, div.wp-block-embed__wrapper')) linkBareAddress(element);
  for (const heading of body.querySelectorAll('h1, h2, h3, h4, h5, h6'))
    heading.replaceChildren(...inLines(heading));
  markTargets(body);
  prepareCode(body);
  divideFormatting(body);
  prepareLists(body, note);
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
  const inputs = [...body.querySelectorAll('input')].filter((input) => !isTask(input));
  const forms = [...body.querySelectorAll('form, select, textarea'), ...inputs];
  if (forms.length > 0) note('its forms are left out');
  for (const element of [...scripts, ...forms]) element.remove();
  for (const button of body.querySelectorAll('button')) button.replaceWith(...button.childNodes);
}

/** The box of a task list. */
const isTask = (input: DomElement): boolean =>
  input.getAttribute('type') === 'checkbox' && input.closest('li') !== null;

const hostOf = (address: string | null): string | null =>
  address === null ? null : (URL.parse(address, 'https://own')?.host.replace(/^own$/, 'of the blog') ?? null);

/** What readers saw, or did not see, and Presswork does not show, or does. */
function noteUnseen(body: DomElement, note: (message: string) => void): void {
  const embeds = [...body.querySelectorAll(UNSEEN)];
  const addresses = embeds.flatMap((one) => one.getAttribute('src') ?? one.getAttribute('data') ?? []);
  if (embeds.length > 0)
    note(`its embedded pages are kept, but readers do not see them: ${shortened([...new Set(addresses)])}`);
  const drawings = [...body.querySelectorAll('svg, canvas')].map(({ textContent }) => oneLine(textContent));
  if (drawings.some((text) => text !== ''))
    note(`its drawings are left out, with their texts: ${shortened(drawings.filter(Boolean))}`);
  const hidden = [...body.querySelectorAll('[hidden], [style]')].filter(isHidden);
  const texts = hidden.map(({ textContent }) => oneLine(textContent)).filter((text) => text !== '');
  if (texts.length > 0) note(`its hidden text becomes visible: ${shortened(texts)}`);
}

const isHidden = (element: DomElement): boolean =>
  element.getAttribute('hidden') !== null || /display\s*:\s*none/i.test(element.getAttribute('style') ?? '');

const shortened = (texts: readonly string[]): string => {
  const all = texts.map((text) => text.slice(0, 200)).join(', ');
  return all.length > 500 ? `${all.slice(0, 500)}…` : all;
};

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

/** Puts an empty link with its id where a link of the same text leads; Markdown has no ids. */
function markTargets(body: DomElement): void {
  const wanted = new Set([...body.querySelectorAll('a[href^="#"]')].map(fragmentOf));
  if (wanted.size === 0) return;
  for (const target of body.querySelectorAll('[id], a[name]')) {
    const id = nameOf(target);
    if (!wanted.delete(id)) continue;
    const mark = build(target, 'a');
    mark.setAttribute('id', id);
    if (/^(?:h[1-6]|p|li|td|th|dt|dd|figcaption|blockquote|span|sup|div|section)$/.test(target.localName))
      target.replaceChildren(mark, ...target.childNodes);
    else target.before(mark);
    if (target.localName === 'a' && target.textContent === '') target.remove();
  }
}
