import { isElement } from './dom.ts';
import type { DomElement, DomNode } from './dom.ts';

const LINES = /^(?:p|div|section|article|center|figure|figcaption|address)$/;

/**
 * The content of an element that has one line in Markdown, such as a cell or a heading: its paragraphs are separated by line
 * breaks.
 */
export function inLines(element: DomElement): DomNode[] {
  const result: DomNode[] = [];
  let [filled, ended] = [false, false];
  for (const node of element.childNodes) {
    const isLine = isElement(node) && LINES.test(node.localName);
    if (!isLine && node.textContent.trim() === '' && !isElement(node)) {
      result.push(node);
      continue;
    }
    if (filled && (isLine || ended)) result.push(element.ownerDocument.createElement('br'));
    result.push(...(isLine ? inLines(node) : [node]));
    [filled, ended] = [true, isLine];
  }
  return result;
}
