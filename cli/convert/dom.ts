import { DOMParser } from 'linkedom';

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
  append(...nodes: DomNode[]): void;
  replaceChildren(...nodes: DomNode[]): void;
}

/** Parses a fragment of HTML like a browser. @returns the body element that contains it */
export function parseHtml(html: string): DomElement {
  const text = `<!doctype html><html><body>${html}</body></html>`;
  const document = new DOMParser().parseFromString(text, 'text/html') as unknown as { body: DomElement };
  return document.body;
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

/** Whether elements are nested deeper than `levels`. */
export function isDeeperThan(root: DomElement, levels: number): boolean {
  let layer: DomElement[] = [root];
  for (let depth = 0; depth <= levels; depth += 1) {
    layer = layer.flatMap((element) => [...element.children]);
    if (layer.length === 0) return false;
  }
  return true;
}

/** Escapes text for use in HTML. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
