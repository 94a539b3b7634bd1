import { DOMParser } from 'linkedom';
import { parseFragment, serialize } from 'parse5';
import type { DefaultTreeAdapterTypes } from 'parse5';

/** The part of the DOM that is used here. */
export interface DomNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly parentNode: DomElement | null;
  readonly nextSibling: DomNode | null;
  readonly previousSibling: DomNode | null;
  /** A snapshot. */
  readonly childNodes: Iterable<DomNode>;
  readonly firstChild: DomNode | null;
  textContent: string;
  before(...nodes: DomNode[]): void;
  remove(): void;
  replaceWith(...nodes: DomNode[]): void;
}

export interface DomElement extends DomNode {
  readonly localName: string;
  readonly children: ArrayLike<DomElement> & Iterable<DomElement>;
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
  readonly nextElementSibling: DomElement | null;
  readonly ownerDocument: {
    createElement(name: string): DomElement;
    createTextNode(text: string): DomNode;
  };
  readonly outerHTML: string;
  innerHTML: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement>;
  closest(selector: string): DomElement | null;
  contains(node: DomNode): boolean;
  append(...nodes: DomNode[]): void;
  replaceChildren(...nodes: DomNode[]): void;
}

/** The maximum nesting depth. People do not write deeper HTML, so deeper nesting is an attack. */
const DEPTH = 200;

/**
 * Parses a fragment of HTML as a browser does: by parse5, whose result linkedom only makes a document of.
 *
 * @returns the body element that contains it
 * @throws Error for HTML that is nested too deeply
 */
export function parseHtml(html: string): DomElement {
  const fragment = parseFragment(html, { scriptingEnabled: false });
  if (isTooDeep(fragment)) throw new Error(`its elements are nested more than ${DEPTH} levels deep`);
  makePre(fragment);
  const text = `<!doctype html><html><body>${serialize(fragment)}</body></html>`;
  const document = new DOMParser().parseFromString(text, 'text/html') as unknown as { body: DomElement };
  return document.body;
}

function isTooDeep(root: DefaultTreeAdapterTypes.DocumentFragment): boolean {
  let layer: DefaultTreeAdapterTypes.ParentNode[] = [root];
  for (let depth = 0; depth <= DEPTH; depth += 1) {
    layer = layer.flatMap(({ childNodes }) => childNodes.filter((child) => 'childNodes' in child));
    if (layer.length === 0) return false;
  }
  return true;
}

/** Text in these shows its tags, also in a browser; in a document of linkedom it would become elements. */
function makePre(root: DefaultTreeAdapterTypes.DocumentFragment): void {
  const pending: DefaultTreeAdapterTypes.ParentNode[] = [root];
  for (const { childNodes } of pending) {
    for (const child of childNodes) {
      if ('tagName' in child && /^(?:xmp|plaintext)$/.test(child.tagName))
        child.nodeName = child.tagName = 'pre';
      if ('childNodes' in child) pending.push(child);
    }
  }
}

export const isElement = (node: DomNode): node is DomElement => node.nodeType === 1;
export const isText = (node: DomNode): boolean => node.nodeType === 3;
export const isComment = (node: DomNode): boolean => node.nodeType === 8;

/** Creates an element with these children; strings become text nodes. */
export function build(
  near: DomElement,
  name: string,
  ...children: readonly (DomNode | string)[]
): DomElement {
  const { ownerDocument: document } = near;
  const element = document.createElement(name);
  element.append(
    ...children.map((child) => (typeof child === 'string' ? document.createTextNode(child) : child)),
  );
  return element;
}

/** A link, or only its text if there is no URL. */
export function buildLink(near: DomElement, href: string | null, text: string): DomNode {
  if (!href) return near.ownerDocument.createTextNode(text);
  const link = build(near, 'a', text);
  link.setAttribute('href', href);
  return link;
}

/** By what a link within the page finds an element. */
export const nameOf = (element: DomElement): string =>
  element.getAttribute('id') ?? element.getAttribute('name') ?? '';

/** The name that a link within the page leads to. */
export function fragmentOf(link: DomElement): string {
  const fragment = (link.getAttribute('href') ?? '').slice(1);
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** The text of HTML, without its tags, in one line. */
export function plainText(html: string): string {
  if (!/[<&]/.test(html)) return oneLine(html);
  return oneLine(parseHtml(html.replaceAll(/<(?:br|\/p|\/div|\/li)\b[^<>]*>/gi, ' ')).textContent);
}

export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** The lines that are not empty, without white space at their ends. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Joins lines to one; keeps white space within a line. */
export const joinLines = (text: string): string => linesOf(text).join(' ');

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
